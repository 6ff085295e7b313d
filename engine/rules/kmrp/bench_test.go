package kmrp

import (
	"testing"

	"autobattle/engine"
	"autobattle/engine/dice"
	"autobattle/engine/rules/kmrp/catalogue"
	"autobattle/engine/voxel"
)

// range20 is a floor of 48 × 48 with a waist-high wall across the middle.
func range20(t testing.TB) *voxel.Arena {
	t.Helper()
	a, err := voxel.NewBuilder(voxel.Pos{X: -16, Y: 0, Z: -16}, voxel.Pos{X: 3, Y: 1, Z: 3}).
		Fill(voxel.Pos{X: -16, Y: 0, Z: -16}, voxel.Pos{X: 31, Y: 0, Z: 31}, voxel.FullCube("stone")).
		Fill(voxel.Pos{X: 0, Y: 1, Z: 11}, voxel.Pos{X: 8, Y: 1, Z: 11}, voxel.FullCube("wall")).
		Build()
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// BenchmarkFullAttack plays a whole attack through Step: declared, defended, with sight, cover, both rolls, damage and the wound,
// frames written, up to the next fighter's prompt.
func BenchmarkFullAttack(b *testing.B) {
	for _, c := range []struct {
		name string
		gear engine.NewItem
		z    int32
		w    voxel.World
	}{
		{"shot", inMain("bow"), 12, range20(b)},
		{"blow", inMain("sword"), 2, range20(b)},
		{"open field", inMain("sword"), 2, nil},
	} {
		b.Run(c.name, func(b *testing.B) {
			start := lobby(b, sys(b), c.w, nil,
				fighter("anna", "red", 4, 0, south, traits(at(catalogue.OneHandedSkill, 5), at("bows", 5)), c.gear),
				fighter("boris", "blue", 4, c.z, north, traits(at(catalogue.Evasion, 3), at(catalogue.Parrying, 4)), inMain("sword"), worn("mail_vest"), worn("mail_sleeves")))
			start = play(b, sys(b), start, c.w, engine.Start{}, "+000 0000")
			anna, boris := start.ActorByKey("anna").ID, start.ActorByKey("boris").ID
			bow := start.ItemAt(anna, catalogue.MainHand).ID
			env := engine.Env{World: c.w, Dice: dice.NewSeeded([32]byte{7})}
			wounds := 0
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				start.Dice[0] = uint64(i)
				prompt := start.LivePrompts()[0].ID
				mid, _, err := engine.Step(sys(b), start, engine.Decide{Prompt: prompt, By: anna, Intents: []engine.Intent{{Act: actAttack, Targets: []engine.Target{{Ref: boris.On()}}, Items: []engine.ItemID{bow}}}}, env)
				if err != nil {
					b.Fatal(err)
				}
				end, _, err := engine.Step(sys(b), mid, engine.Decide{Prompt: mid.LivePrompts()[0].ID, By: boris, Intents: []engine.Intent{{Act: actEvade}}}, env)
				if err != nil {
					b.Fatal(err)
				}
				if end.HasCond(boris.On(), condWound) {
					wounds++
				}
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "attacks/s")
			b.ReportMetric(100*float64(wounds)/float64(b.N), "%wounds")
		})
	}
}
