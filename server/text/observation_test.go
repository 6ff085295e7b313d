package text

import (
	"slices"
	"testing"

	"autobattle/engine"
	"autobattle/engine/voxel"
)

func TestObservation(t *testing.T) {
	_, b := smallBattle()
	hiding := []voxel.HidingCell{{At: voxel.Pos{X: 8, Y: 1, Z: 5}, Name: "fence"}}
	tests := map[string]struct {
		sighting voxel.Sighting
		want     string // the second line in Russian
	}{
		"open":     {voxel.Sighting{Distance: 4, Samples: 64}, "Ада: на открытом месте."},
		"partly":   {voxel.Sighting{Distance: 4, Samples: 64, Hidden: 10, Hiding: hiding}, "Ада: закрыто 10 из 64 точек, для укрытия мало."},
		"covered":  {voxel.Sighting{Distance: 4, Samples: 64, Hidden: 32, Hiding: hiding}, "Ада: укрытие — 32 из 64 точек за пуленепробиваемыми блоками."},
		"closed":   {voxel.Sighting{Distance: 4, Samples: 64, Hidden: 64, Hiding: hiding}, "Ада: видно, но не прострелить — 64 из 64 точек за пуленепробиваемыми блоками."},
		"unseen":   {voxel.Sighting{Distance: 4, Samples: 64, Unseen: 64, Hidden: 64, Hiding: hiding}, "Ким не видит: Ада."},
		"nothing":  {voxel.Sighting{Distance: 4}, "Ким не видит: Ада."},
		"distance": {voxel.Sighting{Distance: 1, Samples: 64}, "Ада: на открытом месте."},
	}
	for name, tt := range tests {
		o := engine.Observation{Sighting: tt.sighting, Light: "shade", Figures: []engine.Mod{{Name: "tired", Rule: "S-2", Amount: -1}}}
		var lines []string
		for _, l := range For(smallSpec(), Russian).Observation(b, 1, 2, &o) {
			lines = append(lines, l.Text)
		}
		unit := "Ким — Ада: 4 блока."
		if tt.sighting.Distance == 1 {
			unit = "Ким — Ада: 1 блок."
		}
		want := []string{unit, tt.want}
		if tt.sighting.Hiding != nil {
			want = append(want, "Закрывают блоки: fence 8 1 5.")
		}
		want = append(want, "Свет, Ада: сильная тень.", "−1 усталость [S-2]")
		if !slices.Equal(lines, want) {
			t.Errorf("%s:\n got %q\nwant %q", name, lines, want)
		}
	}
	o := engine.Observation{Sighting: voxel.Sighting{Distance: 2, Samples: 64}}
	if got := For(nil, English).Observation(b, 1, 0, &o); got[0].Text != "Ким to that place: 2 blocks." {
		t.Errorf("%q", got[0].Text)
	}
}
