package dice

// Split parts the sum of all percent modifiers into whole levels and the remainder to be checked, -99…99,
// which keeps the sign: -150 is -1 level and -50 % (KM-PCT-06).
func Split(percent int32) (levels, rest int32) { return percent / 100, percent % 100 }

// Checked tells whether a d100 is thrown for natural Fudge faces: there is a percentage, and it is neither a
// bonus on ++++ nor a penalty on ---- (KM-PCT-08).
func Checked(faces [4]int16, percent int32) bool {
	return checked(int32(faces[0]+faces[1]+faces[2]+faces[3]), percent)
}

func checked(natural, percent int32) bool {
	return percent > 0 && natural != 4 || percent < 0 && natural != -4
}

// Turn plays a percent check on natural Fudge faces: when d100 is at most the percentage, one die turns one
// step up for a bonus, down for a penalty (KM-PCT-02…-04, -08). That is the leftmost blank, or else the
// leftmost die that can turn (KM-PCT-09). Turned is its index+1, 0 when none turned. A d100 of 0 was not thrown.
func Turn(faces [4]int16, percent, d100 int32) (after [4]int16, turned int8) {
	if d100 < 1 || d100 > max(percent, -percent) || !Checked(faces, percent) {
		return faces, 0
	}
	turned = turning(faces[0], faces[1], faces[2], faces[3], step(percent))
	faces[turned-1] += step(percent)
	return faces, turned
}

// step is how a percentage moves a die.
func step(percent int32) int16 {
	if percent < 0 {
		return -1
	}
	return 1
}

// turning is the index+1 of the die that turns by one step, of faces that are not all at that end (KM-PCT-09).
func turning(a, b, c, d, step int16) int8 {
	switch {
	case a == 0:
		return 1
	case b == 0:
		return 2
	case c == 0:
		return 3
	case d == 0:
		return 4
	case a != step:
		return 1
	case b != step:
		return 2
	case c != step:
		return 3
	}
	return 4
}

// check makes the percent check of a Fudge throw whose faces, percentage and natural sum are set.
func (t *Throw) check(a, b, c, d int16, percent, d100 int32) {
	if !checked(t.Sum, percent) {
		return
	}
	t.D100 = int8(d100)
	if d100 <= max(percent, -percent) {
		t.Turned = turning(a, b, c, d, step(percent))
		t.Sum += int32(step(percent))
	}
}
