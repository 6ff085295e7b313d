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
// Whoever stands at an edge leans round it: if a block beside his own hides something, he may move his eyes by 5/8 block to
// the left or right, or, crouched or prone, up by 3/8 block but not above his standing height, as far as
// no box is in the way. The view that hides least counts: fewest hidden points, then fewest unseen, then fewest dim, then
// the straight one first. So his own cover hides his target only where he cannot look past it.
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
	var best, other view
	points := samplesOf(eye, target)
	best.look(g, eye, &points)
	if !o.Rigid && best.besideOf(from) {
		right := points.right
		aside := Point{X: int32(right[0] * leanAside / right[2]), Z: int32(right[1] * leanAside / right[2])}
		up := min(leanUp, from.Body.Eye[Standing]-from.Body.Eye[from.Posture])
		for _, l := range [...]struct {
			lean Lean
			by   Point
		}{{LeanLeft, Point{-aside.X, 0, -aside.Z}}, {LeanRight, aside}, {LeanUp, Point{Y: up}}} {
			at := eye.Add(l.by)
			if l.by == (Point{}) || l.by.Y < 0 || blockedBy(g, eye, at) {
				continue
			}
			leaned := samplesOf(at, target)
			other.look(g, at, &leaned)
			if other.score() < best.score() {
				best, points, eye, s.Lean = other, leaned, at, l.lean
			}
		}
	}
	s.Hidden, s.Unseen, s.Dim = best.hidden, best.unseen, best.dim
	s.Hiding = best.cells(g)
	s.Bodies = between(eye, &points, o.Others)
	return s
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

// view counts what hides the samples from one place.
type view struct {
	hidden, unseen, dim int32
	n                   int
	blocks              [2 * Samples]hiding
}

type hiding struct {
	at    Pos
	kind  uint16
	count int32
	stops Stops
}

func (v *view) score() int32 { return v.hidden<<16 | v.unseen<<8 | v.dim }

func (v *view) look(g *grid, eye Point, points *samples) {
	v.hidden, v.unseen, v.dim, v.n = 0, 0, 0, 0
	var r Ray
	for i := range points.at {
		var stops Stops
		dim := false
		for r.start(g, eye, points.at[i], stopBullet|stopSight|stopDim); r.Next(); {
			kind := r.current.kind
			flags := g.shapes[kind].flags
			dim = dim || flags&stopDim != 0
			var new Stops
			if flags&stopBullet != 0 {
				new |= StopsBullets
			}
			if flags&stopSight != 0 {
				new |= StopsSight
			}
			if new &^= stops; new != 0 {
				v.count(Pos{r.current.x[0], r.current.x[1], r.current.x[2]}, kind, new)
				if stops |= new; stops == StopsBullets|StopsSight {
					break
				}
			}
		}
		if stops&StopsBullets != 0 {
			v.hidden++
		}
		if stops&StopsSight != 0 {
			v.unseen++
		} else if dim {
			v.dim++
		}
	}
}

func (v *view) count(at Pos, kind uint16, stops Stops) {
	for i := v.n - 1; i >= 0; i-- {
		if b := &v.blocks[i]; b.at == at {
			b.count++
			b.stops |= stops
			return
		}
	}
	v.blocks[v.n] = hiding{at, kind, 1, stops}
	v.n++
}

// besideOf says whether one of the blocks that hide is next to the column of f, diagonals included.
func (v *view) besideOf(f Figure) bool {
	feet, head := f.At.Block(), f.Head()
	for _, b := range v.blocks[:v.n] {
		if abs(b.at.X-feet.X) <= 1 && abs(b.at.Z-feet.Z) <= 1 && b.at.Y >= feet.Y && b.at.Y <= head.Y {
			return true
		}
	}
	return false
}

func (v *view) cells(g *grid) []HidingCell {
	if v.n == 0 {
		return nil
	}
	out := make([]HidingCell, v.n)
	for i, b := range v.blocks[:v.n] {
		out[i] = HidingCell{At: b.at, Name: g.blocks[b.kind].Name, Count: b.count, Stops: b.stops}
	}
	slices.SortFunc(out, func(a, b HidingCell) int { return a.At.Compare(b.At) })
	return out
}

// between counts for each of the others the samples that it stands before.
func between(eye Point, points *samples, others []Figure) []BodyOnLine {
	var out []BodyOnLine
	var r Ray
	for i := range others {
		n := int32(0)
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
	x := int64(f.At.X) - int64(r.from.X)
	y := int64(f.At.Y) - int64(r.from.Y)
	z := int64(f.At.Z) - int64(r.from.Z)
	const far = (MaxRay + 32) * Unit
	if abs(x) > far || abs(y) > far || abs(z) > far {
		return false
	}
	in, out := int64(0), r.den
	return r.clip(0, x-half, x+half, &in, &out) &&
		r.clip(1, y, y+int64(f.Height()), &in, &out) &&
		r.clip(2, z-half, z+half, &in, &out)
}
