package kmrp

import (
	"errors"
	"testing"

	"autobattle/engine"
	"autobattle/engine/dice"
	"autobattle/engine/voxel"
)

// Nobody crosses the border of a time freeze without the master's leave, whichever side he stands on (KM-PARA-01).
func TestTimeFreeze(t *testing.T) {
	for name, w := range map[string]voxel.World{"arena": range20(t), "open field": nil} {
		t.Run(name, func(t *testing.T) {
			start := lobby(t, sys(t), w, nil,
				fighter("anna", "red", 4, 0, south, traits(at("movement", 6))),
				fighter("boris", "blue", 4, 9, north, nil))
			start = play(t, sys(t), start, w, engine.Start{}, "+000 0000")
			anna := start.ActorByKey("anna").ID
			// The zone holds Anna's cell and one ring of cells round it.
			zone := engine.Zone{Name: condFreeze, Shape: engine.Shape{Kind: engine.ShapeBox, Cells: []voxel.Pos{{X: 3, Y: 0, Z: -1}, {X: 5, Y: 3, Z: 1}}}}
			b := play(t, sys(t), start, w, engine.Adjust{Facts: []engine.Event{engine.ZoneSet{Zone: zone}}, Reason: "freeze"}, "")
			try := func(b *engine.Battle, to voxel.Pos) error {
				d := engine.Decide{Prompt: b.LivePrompts()[0].ID, By: anna, Intents: []engine.Intent{{Act: actFreeMove, Path: []voxel.Pos{to}}}}
				_, _, err := engine.Step(sys(t), b, d, engine.Env{World: w, Dice: dice.MustScript("")})
				return err
			}
			inside, outside := voxel.Pos{X: 5, Y: 1, Z: 1}, voxel.Pos{X: 4, Y: 1, Z: 2}
			if err := try(b, inside); err != nil {
				t.Errorf("within the zone: %v", err)
			}
			var no *engine.Rejection
			if err := try(b, outside); !errors.As(err, &no) || no.Rule != "KM-PARA-01" || len(no.Cells) != 1 || no.Cells[0] != outside {
				t.Errorf("out of the zone: %v", err)
			}
			p := b.LivePrompts()[0]
			for _, o := range sys(t).Rules.Offers(engine.View{Battle: b, World: w}, &p) {
				for _, c := range o.Region {
					if !b.Zones[0].Shape.Contains(c.Cell) {
						t.Errorf("%s offers %v, beyond the border", o.Act, c.Cell)
					}
				}
			}
			leave := engine.Cond{Name: condMayPass, On: anna.On(), Source: engine.Ref{Kind: engine.RefZone, ID: uint32(b.Zones[0].ID)}}
			free := play(t, sys(t), b, w, engine.Adjust{Facts: []engine.Event{engine.CondSet{Cond: leave}}, Reason: "may go"}, "")
			if err := try(free, outside); err != nil {
				t.Errorf("with the master's leave: %v", err)
			}
		})
	}
}
