package voxel

import (
	"cmp"
	"slices"
)

// How far the eyes move when somebody leans, in 1/256 block: far enough sideways to pass the corner of the block beside from
// the middle of one's own, and far enough up for a crouched or prone body to look over its cover.
const (
	leanAside = 160
	leanUp    = 96
)

// SightOptions says what See takes into account besides the blocks. The zero value is the usual.
type SightOptions struct {
	Others []Figure // bodies that may stand between, neither of the two; they are reported and hide nothing
	Rigid  bool     // the one who sees does not lean
}

// See returns what from sees of target, and may shoot at.
//
// The target is looked at in 64 points: 8 columns × 8 rows, in the middles of equal fields of a rectangle of its width and height
// that stands upright in its middle and faces the one who sees. A point is hidden if a bullet-proof block touches the line
// to it, unseen if an opaque one does; blocks beside or behind the target touch no such line and so give no cover.
//
// The own cover of the one who sees hides nothing as long as he can look past it: blocks next to his column, from his feet
// to his eyes, are left out if at least one point can be seen past them. If none can, he leans: his eyes go 5/8 block to the left or right,
// or, crouched or prone, up by 3/8 block but not above his standing height, as far as no box is in the way. Of the places
// from which he can look past his cover the one counts from which least is hidden; then unseen; then dim; then left, right,
// up. If there is none, his own cover hides everything that it is before.
//
// It allocates only for Hiding and Bodies, where there are any.
func See(w World, from, target Figure, o SightOptions) Sighting {
	s := Sighting{
		Distance: Distance(from, target),
		Samples:  Samples,
		Light:    w.Light(target.Head()),
		Rise:     target.At.Y - from.At.Y,
		Facing:   flank(from.At, from.Look, target.At),
		Exposed:  flank(target.At, target.Look, from.At),
	}
	g := w.view()
	eye := from.Eye()
	points := samplesOf(eye, target)
	var best view
	if o.Rigid {
		best.look(g, eye, &points, nil)
	} else if best.look(g, eye, &points, &from) == Samples {
		s.Lean, eye = best.lean(g, from, target, &points)
	}
	s.Hidden, s.Unseen, s.Dim = best.hidden(), best.unseen(), best.dimmed()
	s.Hiding = best.cells(g)
	s.Bodies = between(eye, &points, o.Others)
	return s
}

// lean finds the best place from which from can look past his own cover and leaves in v and points what is seen there; where there is
// none, what is seen straight.
func (v *view) lean(g *grid, from, target Figure, points *samples) (Lean, Point) {
	straight := from.Eye()
	right := points.right
	aside := Point{X: int32(right[0] * leanAside / right[2]), Z: int32(right[1] * leanAside / right[2])}
	up := max(0, min(leanUp, from.Body.Eye[Standing]-from.Body.Eye[from.Posture]))
	how, eye, found := NoLean, straight, false
	var other view
	for i, by := range [...]Point{{-aside.X, 0, -aside.Z}, aside, {Y: up}} {
		at := straight.Add(by)
		if by == (Point{}) || blockedBy(g, straight, at) {
			continue
		}
		leaned := samplesOf(at, target)
		if other.look(g, at, &leaned, &from) < Samples && (!found || other.score() < v.score()) {
			*v, *points, eye, how, found = other, leaned, at, LeanLeft+Lean(i), true
		}
	}
	if !found {
		v.look(g, straight, points, nil)
	}
	return how, eye
}

// CanSee says whether from sees at least one of the 64 points of target, leaning if that helps.
func CanSee(w World, from, target Figure) bool {
	s := See(w, from, target, SightOptions{})
	return s.Visible()
}

// blockedBy says whether any box touches the way between two points.
func blockedBy(g *grid, from, to Point) bool {
	var r Ray
	r.start(g, from, to, stopSolid)
	return r.Next()
}

// samples are the points of a body that are looked at.
type samples struct {
	at    [Samples]Point
	right [3]int64 // the direction to the right of the view: x, z and its length
}

func samplesOf(eye Point, target Figure) samples {
	dx, dz := int64(target.At.X)-int64(eye.X), int64(target.At.Z)-int64(eye.Z)
	s := samples{right: [3]int64{1, 0, 1}} // from straight above or below: across x
	if dx != 0 || dz != 0 {
		s.right = [3]int64{-dz, dx, int64(root(uint64(dx*dx) + uint64(dz*dz)))}
	}
	width, height := int64(target.Body.Width), int64(target.Height())
	for i := range int64(8) {
		aside := (2*i - 7) * width
		x := target.At.X + int32(aside*s.right[0]/(16*s.right[2]))
		z := target.At.Z + int32(aside*s.right[1]/(16*s.right[2]))
		for j := range int64(8) {
			s.at[j*8+i] = Point{x, target.At.Y + int32((2*j+1)*height/16), z}
		}
	}
	return s
}

// all is every sample: sample i is the bit 1 << i.
const all = ^uint64(0)

// view collects what hides the samples from one place.
type view struct {
	bullets, sight, dim uint64 // samples behind something bullet-proof, behind something opaque, behind something dim
	past                uint64 // samples before which there is own cover
	stop                bool   // whatever comes stops all
	own                 bool   // blocks inside of near are the own cover
	near                Bounds
	n                   int
	blocks              [2 * Samples]hiding
}

type hiding struct {
	at    [3]int32
	kind  uint16
	count int32
	stops Stops
}

func (v *view) hidden() int32 { return count(v.bullets) }
func (v *view) unseen() int32 { return count(v.sight) }
func (v *view) dimmed() int32 { return count(v.dim &^ v.sight) }

func (v *view) score() int32 { return v.hidden()<<16 | v.unseen()<<8 | v.dimmed() }

// look finds what is seen from a place. Blocks next to the column of own are left out; the number of samples that such a
// block stops is returned. own may be nil.
func (v *view) look(g *grid, eye Point, points *samples, own *Figure) int32 {
	v.reset(own)
	const want = stopBullet | stopSight | stopDim
	var b beam
	if b.aim(eye, points) && b.pass(g, want, v) {
		return count(v.past)
	}
	v.reset(own)
	var r Ray
	for i := range points.at {
		mask := uint64(1) << i
		for r.start(g, eye, points.at[i], want); r.Next(); {
			c := &r.current
			v.meet(c.x, c.kind, g.shapes[c.kind].flags, mask)
			if v.bullets&v.sight&mask != 0 {
				break
			}
		}
	}
	return count(v.past)
}

func (v *view) reset(own *Figure) {
	v.bullets, v.sight, v.dim, v.past, v.n = 0, 0, 0, 0, 0
	if v.own = own != nil; v.own {
		feet, head := own.At.Block(), own.Head()
		v.near = Bounds{feet.Add(Pos{-1, 0, -1}), head.Add(Pos{2, 1, 2})}
	}
}

// cares says whether a block with the given flags could still change anything.
func (v *view) cares(flags uint8) bool {
	return v.own || v.stop || flags&stopBullet != 0 && v.bullets != all || flags&stopSight != 0 && v.sight != all ||
		flags&stopDim != 0 && v.dim|v.sight != all
}

// meet takes note of a block that the ways to some samples touch. Of each sample the blocks come in order.
func (v *view) meet(x [3]int32, kind uint16, flags uint8, mask uint64) {
	if mask &^= v.bullets & v.sight; mask == 0 {
		return // behind what stops all
	}
	if v.stop {
		v.bullets |= mask
		v.sight |= mask
		return
	}
	if flags&(stopBullet|stopSight) != 0 && v.own && v.near.Contains(Pos{x[0], x[1], x[2]}) {
		v.past |= mask
		return
	}
	var stops Stops
	var stopped uint64
	if fresh := mask &^ v.bullets; flags&stopBullet != 0 && fresh != 0 {
		stops |= StopsBullets
		stopped |= fresh
		v.bullets |= mask
	}
	if fresh := mask &^ v.sight; flags&stopSight != 0 && fresh != 0 {
		stops |= StopsSight
		stopped |= fresh
		v.sight |= mask
	}
	if flags&stopDim != 0 {
		v.dim |= mask
	}
	if stops == 0 {
		return
	}
	for i := v.n - 1; i >= 0; i-- {
		if b := &v.blocks[i]; b.at == x {
			b.count += count(stopped)
			b.stops |= stops
			return
		}
	}
	v.blocks[v.n] = hiding{x, kind, count(stopped), stops}
	v.n++
}

func (v *view) cells(g *grid) []HidingCell {
	if v.n == 0 {
		return nil
	}
	out := make([]HidingCell, v.n)
	for i, b := range v.blocks[:v.n] {
		out[i] = HidingCell{At: Pos{b.at[0], b.at[1], b.at[2]}, Name: g.blocks[b.kind].Name, Count: b.count, Stops: b.stops}
	}
	slices.SortFunc(out, func(a, b HidingCell) int { return a.At.Compare(b.At) })
	return out
}

// between counts for each of the others the samples that it stands before.
func between(eye Point, points *samples, others []Figure) []BodyOnLine {
	if len(others) == 0 {
		return nil
	}
	var out []BodyOnLine
	var r Ray
	lo, hi := eye, eye
	for i := range points.at {
		p := &points.at[i]
		lo = Point{min(lo.X, p.X), min(lo.Y, p.Y), min(lo.Z, p.Z)}
		hi = Point{max(hi.X, p.X), max(hi.Y, p.Y), max(hi.Z, p.Z)}
	}
	for i := range others {
		n := int32(0)
		if o, half := &others[i], others[i].Body.Width/2; o.At.X+half < lo.X || o.At.X-half > hi.X ||
			o.At.Y+o.Height() < lo.Y || o.At.Y > hi.Y || o.At.Z+half < lo.Z || o.At.Z-half > hi.Z {
			continue
		}
		for j := range points.at {
			if r.aim(eye, points.at[j]) && r.hits(&others[i]) {
				n++
			}
		}
		if n > 0 {
			out = append(out, BodyOnLine{Index: int32(i), Count: n})
		}
	}
	slices.SortFunc(out, func(a, b BodyOnLine) int { return cmp.Compare(a.Index, b.Index) })
	return out
}

// hits says whether the ray touches the body of f.
func (r *Ray) hits(f *Figure) bool {
	half := int64(f.Body.Width / 2)
	x := int64(f.At.X) - int64(r.from[0])
	y := int64(f.At.Y) - int64(r.from[1])
	z := int64(f.At.Z) - int64(r.from[2])
	const far = (MaxRay + 32) * Unit
	if abs(x) > far || abs(y) > far || abs(z) > far {
		return false
	}
	in, out := int64(0), r.den
	return r.clip(0, x-half, x+half, &in, &out) &&
		r.clip(1, y, y+int64(f.Height()), &in, &out) &&
		r.clip(2, z-half, z+half, &in, &out)
}
