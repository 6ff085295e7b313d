package voxel

// Ground is the kind of ground a body walks on (KM-MOVE-11 to KM-MOVE-13), from the easiest to the slowest. The slowest kind
// of a path decides the allowance.
type Ground uint8

// The kinds of ground.
const (
	Normal   Ground = iota
	Hard            // hard going, or water above a floor that reaches to the knees
	Swim            // water without a floor within a step
	VeryHard        // very hard going, or water to the neck above a floor
	Climb           // a ladder or the like without a floor
	Grounds         // how many there are
)

// String returns the ground in lower-case words.
func (g Ground) String() string {
	switch g {
	case Normal:
		return "normal"
	case Hard:
		return "hard"
	case Swim:
		return "swimming"
	case VeryHard:
		return "very hard"
	case Climb:
		return "climbing"
	}
	return "unknown"
}

// A position is given in whole 1/256, so that a body on a floor may seem to be this far inside it.
const slack = 2

// Solid returns the block that the body of f is inside of, if any. Touching is not inside, and neither are the last
// 2/256 block. Of several blocks the one whose coordinates come first is returned.
func Solid(w World, f Figure) (Pos, *Block, bool) {
	g := w.view()
	half := f.Body.Width/2 - slack
	p, ok := g.collides(f.At.X-half, f.At.Y+slack, f.At.Z-half, f.At.X+half, f.At.Y+f.Height()-slack, f.At.Z+half)
	if !ok {
		return Pos{}, nil, false
	}
	return p, g.Block(p), true
}

// collides returns the first block with a box that overlaps the given box, both open.
func (g *grid) collides(x0, y0, z0, x1, y1, z1 int32) (Pos, bool) {
	for x := x0 >> 8; x <= (x1-1)>>8; x++ {
		for y := y0 >> 8; y <= (y1-1)>>8; y++ {
			for z := z0 >> 8; z <= (z1-1)>>8; z++ {
				sec, i := g.sectionAt(x, y, z), spot(x, y, z)
				if !sec.at(i) {
					continue
				}
				s := &g.shapes[sec.id(cellOf(i))]
				if s.flags&stopSolid == 0 {
					continue
				}
				if s.full {
					return Pos{x, y, z}, true
				}
				ox, oy, oz := x*Unit, y*Unit, z*Unit
				for i := range s.boxes {
					b := &s.boxes[i]
					if ox+int32(b.X0)*16 < x1 && ox+int32(b.X1)*16 > x0 &&
						oy+int32(b.Y0)*16 < y1 && oy+int32(b.Y1)*16 > y0 &&
						oz+int32(b.Z0)*16 < z1 && oz+int32(b.Z1)*16 > z0 {
						return Pos{x, y, z}, true
					}
				}
			}
		}
	}
	return Pos{}, false
}

// fits says whether a body has room with its feet in the middle of the column x, z at the height y in 1/256.
func (g *grid) fits(x, y, z, width, height int32) bool {
	cx, cz, half := x*Unit+Unit/2, z*Unit+Unit/2, width/2
	_, hit := g.collides(cx-half, y, cz-half, cx+half, y+height, cz+half)
	return !hit
}

// topUnder returns the height in 1/16 of the highest box of a cell below the footprint of a body in its middle; 0 for none.
func (g *grid) topUnder(x, y, z, width int32) int32 {
	s := g.shapeAt(x, y, z)
	if s.flags&stopSolid == 0 {
		return 0
	}
	top := int32(0)
	lo, hi := Unit/2-width/2, Unit/2+width/2
	for i := range s.boxes {
		b := &s.boxes[i]
		if int32(b.X0)*16 < hi && int32(b.X1)*16 > lo && int32(b.Z0)*16 < hi && int32(b.Z1)*16 > lo {
			top = max(top, int32(b.Y1))
		}
	}
	return top
}

func (g *grid) medium(x, y, z int32) Medium {
	return g.shapeAt(x, y, z).medium
}

// footing is how a body stands in a cell.
type footing struct {
	height int32 // of the feet above the bottom of the cell, 1/16 block, 0 to 15
	ground Ground
	why    Refused // Allowed where it can stand
}

// footing returns how a body stands with its feet in the middle of a cell: on the highest box inside the cell, else on
// the block below where that reaches up to the cell, else in water or on a ladder.
func (g *grid) footing(p Pos, width, height int32) footing {
	if !g.bounds.Contains(p) {
		return footing{why: Outside}
	}
	var f footing
	top := g.topUnder(p.X, p.Y, p.Z, width)
	if top >= 16 {
		return footing{why: Blocked}
	}
	f.height = top
	if !g.fits(p.X, p.Y*Unit+top*16, p.Z, width, height) {
		return footing{why: Blocked}
	}
	own := g.medium(p.X, p.Y, p.Z)
	floor := top > 0 || g.topUnder(p.X, p.Y-1, p.Z, width) == 16
	switch {
	case own == Liquid && !floor:
		f.ground = Swim
	case own == Liquid && g.medium(p.X, p.Y+1, p.Z) == Liquid:
		f.ground = VeryHard
	case own == Liquid:
		f.ground = Hard
	case own == Climbable && !floor:
		f.ground = Climb
	case !floor:
		f.why = NoFloor
	case own == VeryHardGoing || top == 0 && g.medium(p.X, p.Y-1, p.Z) == VeryHardGoing:
		f.ground = VeryHard
	case own == HardGoing || top == 0 && g.medium(p.X, p.Y-1, p.Z) == HardGoing:
		f.ground = Hard
	}
	return f
}
