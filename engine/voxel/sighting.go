package voxel

// Samples is the number of points of a body that See looks at: a grid of 8 × 8.
const Samples = 64

// Light is how bright a cell is, each 0 to 15: what lamps give and what the open sky would give at noon.
type Light struct{ Block, Sky uint8 }

// At returns the light under a sky of the given level: 15 clear noon, 4 moonlight, 0 none. It is the brighter of block
// light and what is left of sky light, Sky - (15 - sky).
func (l Light) At(sky uint8) uint8 {
	s := int(l.Sky) - (MaxLight - int(min(sky, MaxLight)))
	return uint8(max(int(l.Block), s))
}

// Lean is how the one who sees bent to look past the edge of his own cover. The zero value is NoLean.
type Lean uint8

// The ways to lean.
const (
	NoLean Lean = iota
	LeanLeft
	LeanRight
	LeanUp
)

// HidingCell is a block that hides some samples of a body.
type HidingCell struct {
	At    Pos
	Name  string
	Count int32 // samples of which it is the first that stops
	Stops Stops // what it stops
}

// Stops says what a hiding block stops: a wall both, glass bullets, a curtain sight.
type Stops uint8

// What a block may stop. Values add up.
const (
	StopsBullets Stops = 1 << iota
	StopsSight
)

// BodyOnLine is another body that stands before some samples.
type BodyOnLine struct {
	Index int32 // in SightOptions.Others
	Count int32 // samples behind it
}

// Flank is the side of a body that something is on, by the rules' two sectors of 135° around its stored look. The zero
// value is NoFlank: straight above, straight below, or no look.
type Flank uint8

// The sides of a body. Between front and rear lie 45° on each side (Part 4).
const (
	NoFlank Flank = iota
	Front
	Side
	Rear
)

// Sighting is what one body sees of another: computed once, then kept with the act it decides. It owns its slices.
type Sighting struct {
	Distance int32 // blocks, as the function Distance
	Samples  int32 // how many points of the target were looked at; 0: nothing was computed
	Hidden   int32 // of Samples, behind something bullet-proof
	Unseen   int32 // of Samples, behind something opaque
	Dim      int32 // of Samples, neither hidden from sight nor in clear view: seen through leaves, smoke, water
	Lean     Lean  // how the one who sees bends for this view
	Light    Light // at the block of the target's eyes
	Rise     int32 // feet of the target above the feet of the one who sees, 1/256 block; negative below
	Facing   Flank // where the target is from the one who sees
	Exposed  Flank // which side of the target is turned to the one who sees; Rear: he stands behind it

	Hiding []HidingCell // sorted by At; nil when nothing hides
	Bodies []BodyOnLine // sorted by Index; nil when nobody stands between
}

// Covered says whether half of the target or more is behind bullet-proof blocks (KM-COVER-01).
func (s *Sighting) Covered() bool { return s.Hidden*2 >= s.Samples && s.Samples > 0 }

// Visible says whether at least one sample is in sight (KM-COVER-03).
func (s *Sighting) Visible() bool { return s.Unseen < s.Samples }

// Open says whether at least one sample can be shot at.
func (s *Sighting) Open() bool { return s.Hidden < s.Samples }
