package dice

import "strconv"

// mark is a Fudge face as it is written.
func mark(face int16) byte { return "-0+"[face+1] }

// String shows the throw: + + 0 0 → + + + 0 (37 ≤ 50) for Fudge, d100:37, or 5 + 3 = 8 for Sum.
func (t Throw) String() string { return t.show(" → ", " ≤ ", " > ") }

// ASCII shows the throw as String does, with -> and <= for the arrow and the comparison.
func (t Throw) ASCII() string { return t.show(" -> ", " <= ", " > ") }

// Script writes the faces so that [Script] gives the same throw of the same formula.
func (t Throw) Script() string {
	items := make([]item, 0, MaxCount+1)
	if t.Kind != D100 {
		for _, face := range t.Faces[:t.Count] {
			items = append(items, item{t.Kind, face})
		}
	}
	if t.D100 != 0 {
		items = append(items, item{D100, int16(t.D100)})
	}
	return format(items)
}

func (t Throw) show(arrow, within, above string) string {
	var b []byte
	switch t.Kind {
	case D100:
		b = strconv.AppendInt(append(b, "d100:"...), int64(t.D100), 10)
	case Sum:
		for i, face := range t.Faces[:t.Count] {
			if i > 0 {
				b = append(b, " + "...)
			}
			b = strconv.AppendInt(b, int64(face), 10)
		}
		if t.Count > 1 {
			b = strconv.AppendInt(append(b, " = "...), int64(t.Sum), 10)
		}
	case Fudge:
		b = appendMarks(b, t.Faces)
		if t.Turned > 0 {
			b = appendMarks(append(b, arrow...), t.Final())
		}
		if t.D100 > 0 {
			edge := int64(max(t.Percent, -t.Percent))
			b = strconv.AppendInt(append(b, " ("...), int64(t.D100), 10)
			if int64(t.D100) <= edge {
				b = append(b, within...)
			} else {
				b = append(b, above...)
			}
			b = append(strconv.AppendInt(b, edge, 10), ')')
		}
	}
	return string(b)
}

func appendMarks(b []byte, faces [MaxCount]int16) []byte {
	for i, face := range faces[:4] {
		if i > 0 {
			b = append(b, ' ')
		}
		b = append(b, mark(face))
	}
	return b
}
