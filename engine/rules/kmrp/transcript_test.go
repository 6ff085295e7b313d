package kmrp

import (
	"testing"

	"autobattle/engine"
	"autobattle/engine/enginetest"
	"autobattle/engine/rules/kmrp/catalogue"
	"autobattle/engine/voxel"
)

// cell puts a newcomer elsewhere.
func cell(n engine.Newcomer, x, y, z int32) engine.Newcomer {
	n.Pose.At = voxel.Pos{X: x, Y: y, Z: z}.Floor()
	return n
}

// gauged gives a newcomer gauges.
func gauged(n engine.Newcomer, name engine.GaugeName, now int64) engine.Newcomer {
	n.Gauges = append(n.Gauges, engine.NewGauge{Name: name, Now: now})
	return n
}

// wounded gives a newcomer wounds that he has from before.
func wounded(n engine.Newcomer, degrees ...catalogue.Degree) engine.Newcomer {
	for _, d := range degrees {
		n.Conds = append(n.Conds, engine.Cond{Name: condWound, Level: int32(d), Value: int32(d)})
	}
	return n
}

// cavern is a hall with a lamp at its west end, a waist-high wall and a full one; under a roof its east is dark.
func cavern(t testing.TB, roof voxel.Block) *voxel.Arena {
	t.Helper()
	stone := voxel.FullCube("stone")
	a, err := voxel.NewBuilder(voxel.Pos{}, voxel.Pos{X: 3, Y: 1, Z: 1}).
		Fill(voxel.Pos{}, voxel.Pos{X: 47, Z: 15}, stone).
		Fill(voxel.Pos{Y: 5}, voxel.Pos{X: 47, Y: 15, Z: 15}, roof).
		Set(voxel.Pos{X: 2, Y: 4, Z: 8}, voxel.Lamp()).
		Fill(voxel.Pos{X: 8, Y: 1, Z: 4}, voxel.Pos{X: 8, Y: 1, Z: 6}, voxel.FullCube("slab")).
		Fill(voxel.Pos{X: 6, Y: 1, Z: 10}, voxel.Pos{X: 6, Y: 4, Z: 12}, stone).
		Build()
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestTranscripts(t *testing.T) {
	oh, ev, pa, bl, gr, hh := catalogue.OneHandedSkill, catalogue.Evasion, catalogue.Parrying, catalogue.Blocking, catalogue.Grouping, catalogue.HandToHand
	hall, yard := cavern(t, voxel.FullCube("stone")), cavern(t, voxel.NoBlock())
	for _, c := range []struct {
		name    string
		world   voxel.World
		options []engine.Option
		who     []engine.Newcomer
	}{
		{"melee", nil, quiet(), []engine.Newcomer{
			fighter("anna", "red", 0, 0, south, traits(at(oh, 4), at(pa, 3), at(bl, 3), at(ev, 2)), inMain("sword"), inOff("small_metal_shield")),
			fighter("boris", "blue", 0, 1, north, traits(at(oh, 3), at(ev, 3), at(pa, 4), at(gr, 3), at(hh, 3)), inMain("sword"), worn("mail_vest"))}},
		{"redirect", nil, nil, []engine.Newcomer{
			fighter("anna", "red", 0, 0, south, traits(at(oh, 4)), inMain("sword")),
			fighter("boris", "blue", 0, 1, north, traits(at(ev, 3)), worn("mail_breastplate"), worn("plate_leggings"))}},
		{"behind", nil, quiet(), []engine.Newcomer{
			fighter("anna", "red", 0, 0, south, traits(at(catalogue.ShortWeapons, 4)), inMain("dagger")),
			fighter("boris", "blue", 0, 1, south, traits(at(oh, 3), at(pa, 3)), inMain("sword")),
			fighter("clara", "red", 0, 2, north, traits(at(catalogue.ShortWeapons, 4)), inMain("dagger"))}},
		{"riposte", nil, quiet(), []engine.Newcomer{
			fighter("xenia", "red", 0, 0, south, traits(at(oh, 3), at(ev, 3)), inMain("sword")),
			fighter("yuri", "red", 5, 0, south, nil),
			fighter("zoya", "blue", 0, 1, north, traits(at(oh, 3), at(pa, 4)), inMain("sword"))}},
		{"counter", nil, quiet(), []engine.Newcomer{
			fighter("anna", "red", 0, 0, south, traits(at(oh, 3)), inMain("sword")),
			fighter("bella", "red", 1, 0, south, traits(at(oh, 3)), inMain("sword")),
			fighter("clara", "red", 2, 1, west, traits(at(oh, 3)), inMain("sword")),
			fighter("diana", "red", 1, 2, north, traits(at(oh, 3)), inMain("sword")),
			fighter("boris", "blue", 1, 1, north, traits(at(ev, 4), at(pa, 4), at(gr, 4)), inMain("dagger"))}},
		{"wounds", nil, quiet(), []engine.Newcomer{
			gauged(fighter("anna", "red", 0, 0, south, traits(at(oh, 5)), inMain("sword")), gaugeWill, 2),
			gauged(wounded(fighter("boris", "blue", 0, 1, north, traits(at(ev, 3))), 1, 1, 1, 1, 2, 2, 2), gaugeWill, 3)}},
		{"death", nil, quiet(), []engine.Newcomer{
			fighter("anna", "red", 0, 0, south, traits(at(catalogue.TwoHandedSkill, 6)), inMain("great_sword")),
			fighter("boris", "blue", 0, 1, north, nil),
			fighter("clara", "blue", 0, 3, north, nil)}},
		{"softened", nil, quiet(), []engine.Newcomer{
			fighter("anna", "red", 0, 0, south, traits(at(catalogue.TwoHandedSkill, 6)), inMain("great_sword")),
			fighter("boris", "blue", 0, 1, north, traits(at(catalogue.Endurance, 4)))}},
		{"lowered", nil, quiet(), []engine.Newcomer{
			fighter("anna", "red", 0, 0, south, traits(at(catalogue.TwoHandedSkill, 6)), inMain("great_sword")),
			gauged(fighter("boris", "blue", 0, 1, north, nil), gaugeWill, 2)}},
		{"skipped", nil, quiet(), []engine.Newcomer{
			fighter("anna", "red", 0, 0, south, traits(at(oh, 3)), inMain("sword")),
			fighter("boris", "blue", 0, 1, north, traits(at(ev, 3)))}},
		{"shots", yard, quiet(), []engine.Newcomer{
			cell(fighter("anna", "red", 0, 0, east, traits(at("light_firearms", 4)), inMain("medium_pistol"),
				engine.NewItem{Ref: "medium_pistol_round", Slot: catalogue.Bag, Gauges: []engine.NewGauge{{Name: gaugeRounds, Now: 30}}}), 2, 1, 5),
			cell(fighter("boris", "blue", 0, 0, west, traits(at(ev, 3), at(pa, 3), at(bl, 3)), inMain("sword"), inOff("small_metal_shield")), 9, 1, 5)}},
		{"dark", hall, quiet(), []engine.Newcomer{
			cell(fighter("anna", "red", 0, 0, east, traits(at("light_firearms", 4)), inMain("medium_pistol"),
				engine.NewItem{Ref: "medium_pistol_round_tracer", In: 1}), 3, 1, 8),
			cell(fighter("boris", "blue", 0, 0, west, traits(at(ev, 3), at("light_firearms", 4)), inMain("medium_pistol")), 14, 1, 8),
			cell(fighter("clara", "blue", 0, 0, west, traits(at(ev, 3), at("light_firearms", 3)), inMain("medium_pistol")), 22, 1, 8)}},
		{"movement", yard, quiet(), []engine.Newcomer{
			cell(fighter("anna", "red", 0, 0, east, traits(at(oh, 4)), inMain("sword")), 2, 1, 2),
			cell(fighter("boris", "blue", 0, 0, west, traits(at(ev, 3))), 30, 1, 2)}},
		{"falling", nil, quiet(), []engine.Newcomer{
			fighter("anna", "red", 0, 0, south, traits(at(catalogue.Movement, 1)), worn("plate_breastplate"), inOff("large_metal_shield")),
			fighter("boris", "blue", 0, 20, north, nil)}},
		{"turns", nil, quiet(), []engine.Newcomer{
			fighter("anna", "red", 0, 0, south, traits(at(oh, 3), at(catalogue.Reaction, 4)), inMain("sword"), onBelt("dagger"), onBelt("medium_pistol")),
			fighter("boris", "blue", 0, 1, north, traits(at(oh, 3), at(pa, 3)), inMain("sword"), onBelt("small_metal_shield")),
			fighter("clara", "blue", 5, 5, north, nil)}},
		{"advantage", nil, quiet(), []engine.Newcomer{
			fighter("anna", "red", 0, 0, south, traits(at(oh, 3)), inMain("sword")),
			fighter("boris", "blue", 0, 1, north, traits(at(ev, 3)))}},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := lobby(t, sys(t), c.world, c.options, c.who...)
			if c.name == "advantage" {
				anna, boris := b.ActorByKey("anna").ID, b.ActorByKey("boris").ID
				b = play(t, sys(t), b, c.world, engine.Adjust{Reason: "test", Facts: []engine.Event{
					engine.CondSet{Cond: engine.Cond{Name: condAdvantage, On: anna.On(), About: oh}},
					engine.CondSet{Cond: engine.Cond{Name: condHindrance, On: boris.On()}},
				}}, "")
			}
			if c.name == "skipped" {
				boris := b.ActorByKey("boris").ID
				b = play(t, sys(t), b, c.world, engine.Adjust{Reason: "test", Facts: []engine.Event{
					engine.GaugeSet{Gauge: engine.Gauge{On: boris.On(), Name: gaugeSkip, Now: 1, Max: 999}}}}, "")
			}
			enginetest.Transcript(t, "testdata/"+c.name+".txt", enginetest.Setup{System: sys(t), Battle: b, World: c.world})
		})
	}
}
