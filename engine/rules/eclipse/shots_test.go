package eclipse

import (
	"testing"

	"autobattle/engine"
	"autobattle/engine/dice"
	"autobattle/engine/rules/rulestest"
	"autobattle/engine/voxel"
)

// shot is the attack roll of sava at zoe as it is thrown, with its modifiers by name.
func shot(t *testing.T, g rulestest.Game, faces string, before ...engine.Command) (engine.Roll, *engine.Battle) {
	t.Helper()
	lobby, _ := rulestest.Lobby(t, g)
	sava, zoe := lobby.ActorByKey("sava").ID, lobby.ActorByKey("zoe").ID
	commands := append([]engine.Command{engine.Start{}}, before...)
	b, d := lobby, dice.MustScript(faces)
	var roll engine.Roll
	for _, c := range append(commands, do(actAttack, zoe, lobby.ItemAt(sava, slotMain).ID), do(actDodge, 0, 0)) {
		if dec, ok := c.(engine.Decide); ok {
			p := b.LivePrompts()[0]
			dec.Prompt, dec.By = p.ID, p.Whose
			c = dec
		}
		next, commit, err := engine.Step(g.System, b, c, engine.Env{World: g.World, Dice: d})
		if err != nil {
			t.Fatalf("%+v: %v", c, err)
		}
		b = next
		for _, f := range commit.Facts {
			if e, ok := f.Event.(engine.Rolled); ok && e.Roll.Why == whyAttack {
				roll = e.Roll
			}
		}
	}
	if left := d.Left(); left != "" {
		t.Fatalf("faces left over: %s", left)
	}
	return roll, b
}

func amount(r *engine.Roll, name engine.ModName) int32 {
	for _, m := range r.Mods {
		if m.Name == name {
			return m.Amount
		}
	}
	return 0
}

// EP-MOD-02, -09…11, EP-RMOD-04, -05, -08, -10, EP-RANGE, EP-TEST-13 and EP-ARM-05, each in a battle of its own. The
// attack is a failure by 99, so that nothing else is thrown. Sava is 1, his pistol 2 and zoe 3.
func TestShotModifiers(t *testing.T) {
	for name, c := range map[string]struct {
		spoil  func(g *rulestest.Game)
		before []engine.Command
		mod    engine.ModName
		want   int32
		aim    int32
	}{
		"close":     {func(*rulestest.Game) {}, nil, modInRange, 0, 70},
		"at range":  {func(g *rulestest.Game) { g.Actors[1].Pose = at(30, 0, voxel.Look{X: 1}) }, nil, modInRange, -10, 60},
		"beyond":    {func(g *rulestest.Game) { g.Actors[1].Pose = at(120, 0, voxel.Look{X: 1}) }, nil, modBeyond, -30, 40},
		"in melee":  {func(g *rulestest.Game) { g.Actors[1].Pose = at(2, 0, voxel.Look{X: 1}) }, nil, modInMelee, -10, 70},
		"unsighted": {func(g *rulestest.Game) { g.Actors[0].Items[0].Ref = "old_revolver" }, nil, modUnsighted, -10, 60},
		"prone far": {func(g *rulestest.Game) {
			g.Actors[1].Pose = at(12, 0, voxel.Look{X: 1})
			g.Actors[1].Pose.Posture = voxel.Prone
		}, nil, modProneFar, -10, 50},
		"prone near": {func(g *rulestest.Game) { g.Actors[1].Pose.Posture = voxel.Prone }, nil, modProneFar, 0, 70},
		"from above": {func(g *rulestest.Game) { g.Actors[0].Pose.At.Y = 3 * voxel.Unit }, nil, modHeight, 20, 90},
		"layers": {func(g *rulestest.Game) {
			g.Actors[0].Items = append(g.Actors[0].Items, worn("armour_vest"), worn("armour_clothing"))
		}, nil, modLayers, -20, 50},
		"too heavy": {func(g *rulestest.Game) {
			g.Actors[0].Items = append(g.Actors[0].Items, worn("combat_armour"), worn("composite_plates"))
		}, nil, modHeavy, -20, 50},
		"unskilled":      {func(g *rulestest.Game) { g.Actors[0].Traits = g.Actors[0].Traits[:4] }, nil, modCap, 0, 15},
		"wounded":        {func(g *rulestest.Game) { g.Actors[0].Conds = []engine.Cond{{Name: condWound, Level: 2}} }, nil, modWounds, -20, 50},
		"ruled modifier": {func(*rulestest.Game) {}, []engine.Command{engine.Override{Ruling: engine.Ruling{What: figModifier, N: -30, Scope: engine.Scope{Kind: engine.ScopePair, A: 1, B: 3}}}}, modRuling, -30, 40},
		"ruled cover":    {func(*rulestest.Game) {}, []engine.Command{engine.Override{Ruling: engine.Ruling{What: figCover, N: 2}}}, modCover, -20, 50},
		"ruled light":    {func(*rulestest.Game) {}, []engine.Command{engine.Override{Ruling: engine.Ruling{What: figLight, N: 5}}}, modLight, -10, 60},
		"ruled darkness": {func(*rulestest.Game) {}, []engine.Command{engine.Override{Ruling: engine.Ruling{What: figLight, N: 3}}}, modLight, -20, 50},
		"ruled distance": {func(*rulestest.Game) {}, []engine.Command{engine.Override{Ruling: engine.Ruling{What: figDistance, N: 2}}}, modPointBlank, 10, 80},
	} {
		t.Run(name, func(t *testing.T) {
			g := rulestest.Game{System: system(t), Open: engine.Open{Teams: teams}, Actors: []engine.Newcomer{
				fighter("sava", "red", 0, 0, hand("service_pistol")), fighter("zoe", "blue", 6, 0)}}
			c.spoil(&g)
			roll, _ := shot(t, g, "6 1 d100:99 d100:50", c.before...)
			if got := amount(&roll, c.mod); got != c.want || roll.Aim != c.aim {
				t.Errorf("%s is %+d of %+v, target number %d; want %+d and %d", c.mod, got, roll.Mods, roll.Aim, c.want, c.aim)
			}
		})
	}
}

// EP-MOD-11, EP-NUM-04: in full darkness a hit is drawn for: 49 misses, 50 hits.
func TestBlindAttack(t *testing.T) {
	for face, want := range map[string]engine.OutcomeName{"d100:49": outcomeMissed, "d100:50 1 1": outcomeHit, "d100:00": outcomeMissed} {
		g := rulestest.Game{System: system(t), Open: engine.Open{Teams: teams}, Actors: []engine.Newcomer{
			fighter("sava", "red", 0, 0, hand("service_pistol")), fighter("zoe", "blue", 6, 0)}}
		_, b := shot(t, g, "6 1 d100:10 d100:90 "+face, engine.Override{Ruling: engine.Ruling{What: figLight, N: 0}})
		zoe := b.ActorByKey("zoe").ID
		if hurt := b.GaugeNow(zoe.On(), gaugeDamage) > 0; hurt != (want == outcomeHit) {
			t.Errorf("%s: hurt %v, want %s", face, hurt, want)
		}
	}
}

// EP-RANGE-04: beyond range a bullet loses a die, a laser does not.
func TestDamageBeyondRange(t *testing.T) {
	for ref, faces := range map[engine.CatalogueRef]string{"service_pistol": "4 7 6", "hand_laser": "7 6"} {
		g := rulestest.Game{System: system(t), Open: engine.Open{Teams: teams}, Actors: []engine.Newcomer{
			fighter("sava", "red", 0, 0, hand(ref)), fighter("zoe", "blue", 70, 0)}}
		want := int64(13)
		if ref == "service_pistol" {
			want = 9
		}
		_, b := shot(t, g, "6 1 d100:10 d100:90 "+faces+" d100:10")
		if got := b.GaugeNow(b.ActorByKey("zoe").ID.On(), gaugeDamage); got != want {
			t.Errorf("%s does %d, want %d", ref, got, want)
		}
	}
}

// A wall hides the target: the shot is refused with the blocks that hide her. In reach of a corner she has cover. Without an
// arena nobody moves, with one nobody moves too far.
func TestArena(t *testing.T) {
	g := rulestest.Game{System: system(t), World: field(t), Open: engine.Open{Teams: teams}, Actors: []engine.Newcomer{
		fighter("sava", "red", 0, 1, hand("service_pistol")), fighter("zoe", "blue", 10, 1)}}
	b := play(t, g, "6 1", engine.Start{})
	p := b.LivePrompts()[0]
	try := func(b *engine.Battle, world voxel.World, in engine.Intent) *engine.Rejection {
		t.Helper()
		_, _, err := engine.Step(g.System, b, engine.Decide{Prompt: p.ID, By: p.Whose, Intents: []engine.Intent{in}}, engine.Env{World: world, Dice: dice.MustScript("")})
		no, _ := err.(*engine.Rejection)
		return no
	}
	attack := do(actAttack, b.ActorByKey("zoe").ID, b.ItemAt(p.Whose, slotMain).ID).Intents[0]
	if no := try(b, g.World, attack); no == nil || no.Reason != engine.ReasonOutOfSight || len(no.Cells) == 0 {
		t.Errorf("a shot through a wall is refused with %v", no)
	}
	far := engine.Intent{Act: actWalk, Path: []voxel.Pos{{X: 0, Z: 6}}}
	if no := try(b, g.World, far); no == nil || no.Reason != engine.ReasonTooFar || len(no.Region) == 0 {
		t.Errorf("a walk of five blocks is refused with %v", no)
	}
	if no := try(b, nil, far); no == nil || no.Reason != engine.ReasonArenaMissing {
		t.Errorf("a walk without an arena is refused with %v", no)
	}
	full := engine.Intent{Act: actRun, Path: []voxel.Pos{{X: 0, Z: 6}}}
	if no := try(b, g.World, full); no != nil {
		t.Errorf("a full move of five blocks is refused with %v", no)
	}
}

// EP-WND-04, EP-SURP-02 and a latecomer: wounds lower the count at the next turn, who is surprised loses his first turn, and
// who joins later is queued by his own roll.
func TestOrderOfTurns(t *testing.T) {
	g := rulestest.Game{System: system(t), Open: engine.Open{Teams: teams}, Actors: []engine.Newcomer{fighter("sava", "red", 0, 0), fighter("zoe", "blue", 40, 0)}}
	lobby, _ := rulestest.Lobby(t, g)
	sava, zoe := lobby.ActorByKey("sava").ID, lobby.ActorByKey("zoe").ID
	surprised := engine.Adjust{Facts: []engine.Event{engine.CondSet{Cond: engine.Cond{Name: condSurprised, On: zoe.On(), Until: engine.Until{Kind: engine.UntilRound, N: 1}}}}}
	wound := engine.Adjust{Facts: []engine.Event{engine.CondSet{Cond: engine.Cond{Name: condWound, On: sava.On(), Level: 3}}}}
	// Equal results are rolled off: 4 and 4 again, then 2 and 9.
	b := play(t, g, "3 3 4 4 2 9", engine.Start{})
	if b.LivePrompts()[0].Whose != zoe {
		t.Fatal("the roll-off is not for zoe")
	}
	b = play(t, g, "3 1 6", engine.Start{}, surprised, wound, engine.Join{Actors: []engine.Newcomer{fighter("kim", "blue", 50, 0)}}, engine.Decide{}, engine.Decide{})
	// Round 1: sava 9, kim 12 behind him since he acts already, zoe 7 and surprised. Round 2: kim 12, zoe 7, sava 6.
	if b.Round != 2 || len(b.Queue) != 3 || b.Queue[0].Actor != b.ActorByKey("kim").ID || b.Queue[1].Actor != zoe || b.Queue[2].Actor != sava {
		t.Errorf("round %d, queue %+v", b.Round, b.Queue)
	}
}

// With end_confirm = ask the master decides whether the battle is over, and is asked again after a turn.
func TestEndIsAsked(t *testing.T) {
	down := fighter("zoe", "blue", 5, 0)
	down.Conds = []engine.Cond{{Name: condOut}}
	g := rulestest.Game{System: system(t), Open: engine.Open{Teams: teams, Options: []engine.Option{{Name: optConfirm, Word: wordAsk}}}, Actors: []engine.Newcomer{fighter("sava", "red", 0, 0), down}}
	b := play(t, g, "3 1", engine.Start{}, do(actGoOn, 0, 0))
	if p := b.LivePrompts(); len(p) != 1 || p[0].Ask != askTurn {
		t.Fatalf("the battle does not go on: %+v", p)
	}
	b = play(t, g, "3 1", engine.Start{}, do(actGoOn, 0, 0), engine.Decide{}, do(actConfirm, 0, 0))
	if b.Phase != engine.Over || b.Outcome[0].Outcome != outcomeVictory {
		t.Errorf("phase %d, outcome %+v", b.Phase, b.Outcome)
	}
}
