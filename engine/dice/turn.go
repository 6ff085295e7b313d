package dice

// Split parts the sum of all percent modifiers into whole levels and the remainder to be checked, -99…99,
// which keeps the sign: -150 is -1 level and -50 % (KM-PCT-06).
func Split(percent int32) (levels, rest int32) { return percent / 100, percent % 100 }

// Checked tells whether a d100 is thrown for natural Fudge faces: there is a percentage, and it is neither a
// bonus on ++++ nor a penalty on ---- (KM-PCT-08).
func Checked(faces [4]int16, percent int32) bool {
	sum := faces[0] + faces[1] + faces[2] + faces[3]
	return percent > 0 && sum != 4 || percent < 0 && sum != -4
}

// Turn plays a percent check on natural Fudge faces: when d100 is at most the percentage, one die turns one
// step up for a bonus, down for a penalty (KM-PCT-02…-04, -08). That is the leftmost blank, or else the
// leftmost die that can turn (KM-PCT-09). Turned is its index+1, 0 when none turned. A d100 of 0 was not thrown.
func Turn(faces [4]int16, percent, d100 int32) (after [4]int16, turned int8) {
	if d100 < 1 || !Checked(faces, percent) || d100 > max(percent, -percent) {
		return faces, 0
	}
	step := int16(1)
	if percent < 0 {
		step = -1
	}
	k := 0
	switch {
	case faces[0] == 0:
	case faces[1] == 0:
		k = 1
	case faces[2] == 0:
		k = 2
	case faces[3] == 0:
		k = 3
	default:
		for faces[k] == step {
			k++ // ends: a throw of four such faces is not checked
		}
	}
	faces[k] += step
	return faces, int8(k + 1)
}

// check makes the percent check of a Fudge throw with the d100 value given.
func (t *Throw) check(d100 int32) {
	faces := [4]int16(t.Faces[:4])
	if !Checked(faces, int32(t.Percent)) {
		return
	}
	t.D100 = int8(d100)
	if _, t.Turned = Turn(faces, int32(t.Percent), d100); t.Turned == 0 {
		return
	}
	if t.Percent > 0 {
		t.Sum++
	} else {
		t.Sum--
	}
}
