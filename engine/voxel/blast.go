package voxel

import "slices"

// Blast is an explosion. In the middle of its block it does Power damage, and Fade less for each block away, diagonals counting as
// one (annex A of the KMRP catalogue).
type Blast struct {
	At    Pos
	Power int32
	Fade  int32 // 1 or more; 0 counts as 1
}

// maxBlast is the farthest that a blast is followed, in blocks.
const maxBlast = 32

// Blasted is a body that a blast reaches.
type Blasted struct {
	Index    int32 // in the list given
	Distance int32 // blocks from the middle, diagonals counting as one, to the nearest block of the body
	Damage   int32 // more than 0
	Shielded int32 // damage that blocks between took; 0: nothing was between
}

// Explosion is what a blast does.
type Explosion struct {
	Bodies []Blasted // by Index; those that take no damage are left out
	Edits  []Edit    // blocks destroyed, now air, and blocks damaged, with all their wear; sorted by place
}

// worn is a world that remembers damage to its blocks.
type worn interface{ Wear(p Pos) int32 }

// Explode works out a blast. Damage goes from the middle of its block along straight lines: to the middle of each block, and to a body's feet, middle and eyes,
// the line counting that lets most through. Each block with a box on a line takes as much as it can still bear, its durability less
// its wear, and is destroyed by more than that; the rest passes on. A bullet-proof block without durability takes everything and is
// never destroyed, any other block without durability takes nothing. Of a body on a border the nearest block counts. All of it
// happens at once: what shields is what stood before.
func Explode(w World, b Blast, bodies []Figure) Explosion {
	fade := max(b.Fade, 1)
	g := w.view()
	strength := func(p Pos, block *Block) (left int32, all bool) {
		if block.Durability == 0 {
			return 0, block.BulletProof
		}
		left = block.Durability
		if o, ok := w.(worn); ok {
			left -= o.Wear(p)
		}
		return max(left, 1), false
	}
	// arrives returns what is left of damage along a line, up to but without the block last.
	arrives := func(damage int32, to Point, last Pos) int32 {
		var r Ray
		for r.start(g, b.At.Centre(), to, stopSolid); r.Next() && damage > 0; {
			h := r.Hit()
			if h.At == last || h.At == b.At {
				continue
			}
			left, all := strength(h.At, h.Block)
			if all {
				return 0
			}
			damage -= left
		}
		return max(damage, 0)
	}

	var out Explosion
	for i := range bodies {
		f := &bodies[i]
		d := chebyshevTo(b.At, f)
		full := b.Power - d*fade
		if full <= 0 || d > maxBlast {
			continue
		}
		best := int32(0)
		for _, up := range [...]int32{slack, f.Height() / 2, f.Body.Eye[f.Posture]} {
			best = max(best, arrives(full, f.At.Add(Point{Y: up}), f.At.Add(Point{Y: up}).Block()))
		}
		if best > 0 {
			out.Bodies = append(out.Bodies, Blasted{Index: int32(i), Distance: d, Damage: best, Shielded: full - best})
		}
	}

	far := min((b.Power-1)/fade, maxBlast)
	box := g.bounds
	lo := Pos{max(b.At.X-far, box.Min.X), max(b.At.Y-far, box.Min.Y), max(b.At.Z-far, box.Min.Z)}
	hi := Pos{min(b.At.X+far, box.Max.X-1), min(b.At.Y+far, box.Max.Y-1), min(b.At.Z+far, box.Max.Z-1)}
	for x := lo.X; x <= hi.X; x++ {
		for y := lo.Y; y <= hi.Y; y++ {
			for z := lo.Z; z <= hi.Z; z++ {
				p := Pos{x, y, z}
				if !g.sectionAt(x, y, z).at(spot(x, y, z)) {
					continue
				}
				block := g.Block(p)
				if block.Durability == 0 {
					continue
				}
				damage := arrives(b.Power-Chebyshev(b.At, p)*fade, p.Centre(), p)
				if damage == 0 {
					continue
				}
				left, _ := strength(p, block)
				if damage > left {
					out.Edits = append(out.Edits, Edit{At: p, Block: NoBlock()})
				} else {
					out.Edits = append(out.Edits, Edit{At: p, Block: *block, Wear: block.Durability - left + damage})
				}
			}
		}
	}
	slices.SortFunc(out.Edits, func(a, b Edit) int { return a.At.Compare(b.At) })
	return out
}

// Damage returns the edit by which a block takes damage from a blow or a shot, and whether it breaks; false for a block without
// durability, and for damage that is not positive.
func Damage(w World, p Pos, damage int32) (e Edit, broken, ok bool) {
	block := w.Block(p)
	if block.Durability == 0 || damage <= 0 {
		return Edit{}, false, false
	}
	wear := int64(damage)
	if o, ok := w.(worn); ok {
		wear += int64(o.Wear(p))
	}
	if wear > int64(block.Durability) {
		return Edit{At: p, Block: NoBlock()}, true, true
	}
	return Edit{At: p, Block: *block, Wear: int32(wear)}, false, true
}

// chebyshevTo returns the distance from a block to the nearest block of a body, diagonals counting as one.
func chebyshevTo(p Pos, f *Figure) int32 {
	blocks, n := f.At.Blocks()
	best := int32(-1)
	for _, q := range blocks[:n] {
		for y := f.At.Y >> 8; y <= f.Head().Y; y++ {
			if d := Chebyshev(p, Pos{q.X, y, q.Z}); best < 0 || d < best {
				best = d
			}
		}
	}
	return best
}
