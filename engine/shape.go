package engine

import (
	"slices"

	"autobattle/engine/voxel"
)

// Contains reports whether a cell is in the shape. A shape without cells is nowhere.
func (s *Shape) Contains(p voxel.Pos) bool {
	if len(s.Cells) == 0 {
		return false
	}
	c := s.Cells[0]
	dx, dy, dz := int64(p.X-c.X), int64(p.Y-c.Y), int64(p.Z-c.Z)
	switch s.Kind {
	case ShapeCells:
		_, ok := slices.BinarySearchFunc(s.Cells, p, comparePos)
		return ok
	case ShapeBox:
		d := s.Cells[len(s.Cells)-1]
		return between(p.X, c.X, d.X) && between(p.Y, c.Y, d.Y) && between(p.Z, c.Z, d.Z)
	case ShapeBall:
		return dx*dx+dy*dy+dz*dz <= int64(s.Radius)*int64(s.Radius)
	}
	return false
}

func between(v, a, b int32) bool { return min(a, b) <= v && v <= max(a, b) }
