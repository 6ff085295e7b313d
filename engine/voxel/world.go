package voxel

// World is a box of blocks that can be asked. Arena and Overlay are worlds; both are immutable and may be shared.
type World interface {
	// Block returns what is at p, never nil and never to be changed. Above the box it is air. Beside and below the box
	// it is an opaque, bullet-proof cube named "outside": what the server does not know is neither seen nor shot
	// through nor walked into.
	Block(p Pos) *Block
	// Light returns the light at p. Above the box it is full sky, beside and below it none.
	Light(p Pos) Light
	// Bounds returns the box.
	Bounds() Bounds
	// view gives rays and floods the blocks without a call for each.
	view() *grid
}

// Bounds is a box of blocks: Min is inside, Max is one beyond on each axis.
type Bounds struct{ Min, Max Pos }

// Contains says whether p is inside.
func (b Bounds) Contains(p Pos) bool {
	return p.X >= b.Min.X && p.Y >= b.Min.Y && p.Z >= b.Min.Z && p.X < b.Max.X && p.Y < b.Max.Y && p.Z < b.Max.Z
}

// Volume returns the number of blocks inside.
func (b Bounds) Volume() int64 {
	return int64(b.Max.X-b.Min.X) * int64(b.Max.Y-b.Min.Y) * int64(b.Max.Z-b.Min.Z)
}
