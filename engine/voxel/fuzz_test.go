package voxel

import "testing"

// No query panics, loops or answers nonsense, wherever the bodies are, as long as the poses are valid.
func FuzzQueries(f *testing.F) {
	b := NewBuilder(Pos{-16, 0, -16}, Pos{2, 1, 2}).Fill(Pos{-16, 0, -16}, Pos{15, 0, 15}, FullCube("ground"))
	for i, k := range kindsForTests() {
		b.Set(Pos{int32(i) - 6, 1, int32(i*5%7) - 3}, k)
	}
	a := mustBuild(f, b)
	f.Add(int32(128), int32(256), int32(128), int32(1000), int32(300), int32(700), int32(1), int32(-7), uint8(0))
	f.Add(int32(0), int32(256), int32(0), int32(256), int32(256), int32(256), int32(0), int32(1), uint8(7))
	f.Add(int32(-MaxCoord*Unit), int32(MaxCoord*Unit), int32(0), int32(MaxCoord*Unit), int32(-MaxCoord*Unit), int32(1), int32(MaxLook), int32(-MaxLook), uint8(5))
	f.Fuzz(func(t *testing.T, ax, ay, az, bx, by, bz, lx, lz int32, postures uint8) {
		from := Figure{Pose: Pose{At: Point{ax, ay, az}, Look: Look{X: lx, Y: 1, Z: lz}, Posture: Posture(postures % 3)}, Body: Human()}
		to := Figure{Pose: Pose{At: Point{bx, by, bz}, Look: Look{X: lz, Z: 1}, Posture: Posture(postures / 3 % 3)}, Body: Human()}
		if from.Validate() != nil || to.Validate() != nil {
			return
		}
		s := See(a, from, to, SightOptions{Others: []Figure{to, from}})
		for _, n := range [...]int32{s.Hidden, s.Unseen, s.Dim, s.Unseen + s.Dim} {
			if n < 0 || n > s.Samples {
				t.Fatalf("%+v", s)
			}
		}
		if d := Distance(to, from); d < 0 || s.Distance < 0 {
			t.Fatalf("distances %d and %d", s.Distance, d)
		}
		Solid(a, from)
		r := Reach(a, from, Evenly(3), nil)
		for _, c := range r.Cells {
			if path := r.Path(c.Cell); len(path) > 0 {
				if _, err := CheckPath(a, from, path, Evenly(3), nil); err != nil {
					t.Fatal(err)
				}
			}
		}
		for x := Sector20; x <= Sector180; x++ {
			checkSector(t, from.At, from.Look, to.At, x)
		}
	})
}
