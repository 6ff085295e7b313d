package voxel

// Landing is where a fall ends.
type Landing struct {
	At     Point
	Blocks int32  // how far the feet came down, in whole blocks rounded up; 0: there was a floor (KM-FALL-01)
	Into   Medium // Liquid where it ends in water, whatever is below
}

// Fall returns where a body comes to rest that nothing holds: on the highest box below any part of its feet, or in the first water.
// A body that is already inside of blocks stays where it is.
func Fall(w World, f Figure) Landing {
	g := w.view()
	at := f.At
	half := f.Body.Width / 2
	x0, x1, z0, z1 := at.X-half, at.X+half, at.Z-half, at.Z+half
	if _, in := g.collides(x0, at.Y+slack, z0, x1, at.Y+slack+1, z1); in {
		return Landing{At: at}
	}
	column := at.Block()
	// There is a floor below every arena.
	for y := (at.Y + slack) >> 8; ; y-- {
		floor := g.highest(x0, z0, x1, z1, y, at.Y+slack)
		if g.medium(column.X, y, column.Z) == Liquid && floor < max(at.Y-slack, y*Unit) {
			if y == (at.Y+slack)>>8 {
				return Landing{At: at, Into: Liquid}
			}
			floor = max(floor, y*Unit)
			return Landing{At: Point{at.X, floor, at.Z}, Blocks: (at.Y - floor + Unit - 1) / Unit, Into: Liquid}
		}
		if floor >= y*Unit {
			if floor >= at.Y-slack {
				return Landing{At: at}
			}
			return Landing{At: Point{at.X, floor, at.Z}, Blocks: (at.Y - floor + Unit - 1) / Unit}
		}
	}
}

// highest returns the top of the highest box of a layer of cells that lies below a footprint and not above a height; one less than
// the bottom of the layer if there is none.
func (g *grid) highest(x0, z0, x1, z1, y, below int32) int32 {
	best := y*Unit - 1
	for x := x0 >> 8; x <= (x1-1)>>8; x++ {
		for z := z0 >> 8; z <= (z1-1)>>8; z++ {
			s := g.shapeAt(x, y, z)
			if s.flags&stopSolid == 0 {
				continue
			}
			for i := range s.boxes {
				b := &s.boxes[i]
				if x*Unit+int32(b.X0)*16 < x1 && x*Unit+int32(b.X1)*16 > x0 && z*Unit+int32(b.Z0)*16 < z1 && z*Unit+int32(b.Z1)*16 > z0 {
					if top := y*Unit + int32(b.Y1)*16; top <= below {
						best = max(best, top)
					}
				}
			}
		}
	}
	return best
}

// Impact is what stops somebody who is pushed. The zero value is NoImpact.
type Impact uint8

// What somebody may be pushed into.
const (
	NoImpact Impact = iota // he goes as far as he was pushed
	HitBlock               // a block, or the edge of the arena
	HitBody                // somebody
	WentOver               // an edge: he fell by more than a block
)

// Pushed is what becomes of somebody who is pushed.
type Pushed struct {
	End    Point
	Moved  int32 // blocks that he was moved
	Impact Impact
	At     Pos     // the block hit, or the cell of the body hit
	Land   Landing // of his fall; zero without one
}

// Push moves a body block by block in one of the eight directions, given by the signs of dx and dz, and lets it fall where the
// floor ends (KM-PUSH-01). It ends where a block is in the way, where somebody stands, or after a fall of more than one block. Down
// a step of one block or less he stumbles on. blocked says where others stand; nil: nowhere.
func Push(w World, f Figure, dx, dz, blocks int32, blocked func(Pos) bool) Pushed {
	g := w.view()
	dx, dz = min(max(dx, -1), 1), min(max(dz, -1), 1)
	out := Pushed{End: f.At}
	if dx == 0 && dz == 0 {
		return out
	}
	half, height := f.Body.Width/2, f.Height()
	for range blocks {
		at := f.At
		to := at.Add(Point{X: dx * Unit, Z: dz * Unit})
		x0, x1 := min(at.X, to.X)-half, max(at.X, to.X)+half
		z0, z1 := min(at.Z, to.Z)-half, max(at.Z, to.Z)+half
		if p, hit := g.collides(x0, at.Y+slack, z0, x1, at.Y+height-slack, z1); hit {
			out.Impact, out.At = HitBlock, p
			return out
		}
		if blocked != nil {
			for y := to.Y >> 8; y <= (to.Y+height-1)>>8; y++ {
				if p := (Pos{to.X >> 8, y, to.Z >> 8}); blocked(p) {
					out.Impact, out.At = HitBody, p
					return out
				}
			}
		}
		f.At = to
		out.Moved++
		land := Fall(w, f)
		f.At, out.End = land.At, land.At
		if land.Blocks > 1 {
			out.Impact, out.Land = WentOver, land
			return out
		}
	}
	return out
}

// Ledge says whether a body stands beside a drop of at least so many blocks in one of the eight directions, given by the signs of dx
// and dz: whether it can be pushed over (KM-PUSH-01).
func Ledge(w World, f Figure, dx, dz, blocks int32) bool {
	p := Push(w, f, dx, dz, 1, nil)
	return p.Moved == 1 && p.Land.Blocks >= blocks
}
