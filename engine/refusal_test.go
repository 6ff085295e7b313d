package engine_test

import (
	"testing"

	"autobattle/engine"
	"autobattle/engine/voxel"
)

// Every refusal of the engine's own, each with the thing that it names. The battle stays as it was.
func TestRefusals(t *testing.T) {
	spot := voxel.Pose{At: voxel.Pos{X: 3, Y: 1, Z: 3}.Floor(), Look: voxel.Look{Z: 1}}
	inside := voxel.Pose{At: voxel.Pos{X: 9, Y: 1, Z: 9}.Floor(), Look: voxel.Look{Z: 1}}
	turn := func(m *table) engine.Decide { return m.decide(anna, actLeap) }
	open := func(change func(*engine.Open)) func(*table) engine.Command {
		return func(m *table) engine.Command {
			m.b = nil
			c := engine.Open{Ruleset: "sticks", Teams: []engine.Team{{ID: "red"}}}
			change(&c)
			return c
		}
	}
	decide := func(change func(m *table, d *engine.Decide)) func(*table) engine.Command {
		return func(m *table) engine.Command {
			d := turn(m)
			change(m, &d)
			return d
		}
	}
	join := func(change func(*engine.Newcomer)) func(*table) engine.Command {
		return func(*table) engine.Command {
			n := newcomer("eve", "red", 7)
			change(&n)
			return engine.Join{Actors: []engine.Newcomer{n}}
		}
	}
	adjust := func(e engine.Event) func(*table) engine.Command {
		return func(*table) engine.Command { return engine.Adjust{Facts: []engine.Event{e}} }
	}
	is := func(c engine.Command) func(*table) engine.Command { return func(*table) engine.Command { return c } }
	after := func(first, then engine.Command) func(*table) engine.Command {
		return func(m *table) engine.Command { m.play(first); return then }
	}

	tests := map[string]struct {
		make func(m *table) engine.Command // may play first; what it gives must be refused
		want engine.Reason
	}{
		"open: again":           {is(engine.Open{Ruleset: "sticks"}), engine.ReasonPhase},
		"open: unknown ruleset": {open(func(c *engine.Open) { c.Ruleset = "chess" }), engine.ReasonUnknownRuleset},
		"open: unknown option":  {open(func(c *engine.Open) { c.Options = []engine.Option{{Name: "colour"}} }), engine.ReasonUnknownOption},
		"open: unknown word":    {open(func(c *engine.Open) { c.Options = []engine.Option{{Name: optionMode, Word: "mild"}} }), engine.ReasonUnknownOption},
		"open: number too high": {open(func(c *engine.Open) { c.Options = []engine.Option{{Name: optionRounds, N: 101}} }), engine.ReasonUnknownOption},
		"open: number too low":  {open(func(c *engine.Open) { c.Options = []engine.Option{{Name: optionRounds}} }), engine.ReasonUnknownOption},
		"open: option twice": {open(func(c *engine.Open) {
			c.Options = []engine.Option{{Name: optionRounds, N: 5}, {Name: optionRounds, N: 5}}
		}), engine.ReasonDuplicate},
		"open: team twice":          {open(func(c *engine.Open) { c.Teams = []engine.Team{{ID: "red"}, {ID: "red"}} }), engine.ReasonDuplicate},
		"open: team without id":     {open(func(c *engine.Open) { c.Teams = []engine.Team{{}} }), engine.ReasonDuplicate},
		"open: unknown ally":        {open(func(c *engine.Open) { c.Teams[0].Allies = []engine.TeamID{"blue"} }), engine.ReasonUnknownName},
		"anything before open":      {func(m *table) engine.Command { m.b = nil; return engine.Start{} }, engine.ReasonPhase},
		"start: again":              {is(engine.Start{}), engine.ReasonPhase},
		"entropy: after the start":  {is(engine.AddEntropy{Player: "anna", Bytes: []byte{1}}), engine.ReasonPhase},
		"decide: no such prompt":    {decide(func(_ *table, d *engine.Decide) { d.Prompt += 1000 }), engine.ReasonPromptClosed},
		"decide: answered already":  {func(m *table) engine.Command { d := turn(m); m.play(d); return d }, engine.ReasonPromptClosed},
		"decide: somebody else's":   {decide(func(_ *table, d *engine.Decide) { d.By = ben }), engine.ReasonNotYourActor},
		"decide: the master's hand": {decide(func(_ *table, d *engine.Decide) { d.By = 0 }), engine.ReasonNotYourActor},
		"decide: unknown act":       {decide(func(_ *table, d *engine.Decide) { d.Intents[0].Act = "fly" }), engine.ReasonUnknownAct},
		"decide: unknown act in a sheet": {decide(func(_ *table, d *engine.Decide) {
			d.Intents, d.Lines = nil, []engine.Line{{Variants: []engine.Variant{{Do: intent("fly")}}}}
		}), engine.ReasonUnknownAct},
		"decide: the rules refuse": {decide(func(_ *table, d *engine.Decide) { d.Intents[0].Act = actDodge }), engine.ReasonActNotOffered},
		"decide: pose in a block": {decide(func(_ *table, d *engine.Decide) {
			d.Poses = []engine.SeenPose{{Actor: anna, Pose: spot}, {Actor: ben, Pose: inside}}
		}), engine.ReasonPoseInBlock},
		"decide: pose without look": {decide(func(_ *table, d *engine.Decide) { d.Poses = []engine.SeenPose{{Actor: anna}} }), engine.ReasonMalformed},
		"decide: pose of nobody":    {decide(func(_ *table, d *engine.Decide) { d.Poses = []engine.SeenPose{{Actor: 99, Pose: spot}} }), engine.ReasonUnknownActor},
		"decide: must answer": {func(m *table) engine.Command {
			m.does(anna, actVolley, cleo)
			m.does(cleo, "")
			m.does(ben, actStrike, cleo)
			m.does(dora, "")
			return m.decide(cleo, "")
		}, engine.ReasonMustAnswer},
		"decide: paused":   {func(m *table) engine.Command { d := turn(m); m.play(engine.Pause{}); return d }, engine.ReasonPhase},
		"decide: over":     {func(m *table) engine.Command { d := turn(m); m.play(engine.End{}); return d }, engine.ReasonPhase},
		"time: paused":     {after(engine.Pause{}, engine.TimeUp{}), engine.ReasonPhase},
		"time: of nothing": {is(engine.TimeUp{}), engine.ReasonPromptClosed},
		"time: of closed prompts": {func(m *table) engine.Command {
			p := turn(m).Prompt
			m.does(anna, "")
			return engine.TimeUp{Prompts: []engine.PromptID{p}}
		}, engine.ReasonPromptClosed},

		"join: nobody":                   {is(engine.Join{}), engine.ReasonMalformed},
		"join: over":                     {after(engine.End{}, engine.Join{Actors: []engine.Newcomer{newcomer("eve", "red", 7)}}), engine.ReasonPhase},
		"join: no key":                   {join(func(n *engine.Newcomer) { n.Key = "" }), engine.ReasonMalformed},
		"join: key taken":                {join(func(n *engine.Newcomer) { n.Key = "anna" }), engine.ReasonDuplicate},
		"join: key taken at once":        {is(engine.Join{Actors: []engine.Newcomer{newcomer("eve", "red", 7), newcomer("eve", "red", 8)}}), engine.ReasonDuplicate},
		"join: unknown team":             {join(func(n *engine.Newcomer) { n.Team = "green" }), engine.ReasonUnknownName},
		"join: unknown body":             {join(func(n *engine.Newcomer) { n.Body = "horse" }), engine.ReasonUnknownName},
		"join: unknown trait":            {join(func(n *engine.Newcomer) { n.Traits[0].Name = "charm" }), engine.ReasonUnknownName},
		"join: unknown item":             {join(func(n *engine.Newcomer) { n.Items[0].Ref = "gun" }), engine.ReasonUnknownName},
		"join: item in itself":           {join(func(n *engine.Newcomer) { n.Items[1].In = 2 }), engine.ReasonMalformed},
		"join: item in a hole":           {join(func(n *engine.Newcomer) { n.Items[1].In = -1 }), engine.ReasonMalformed},
		"join: unknown gauge":            {join(func(n *engine.Newcomer) { n.Gauges = []engine.NewGauge{{Name: "mana"}} }), engine.ReasonUnknownName},
		"join: unknown gauge of an item": {join(func(n *engine.Newcomer) { n.Items[1].Gauges[0].Name = "mana" }), engine.ReasonUnknownName},
		"join: unknown condition":        {join(func(n *engine.Newcomer) { n.Conds = []engine.Cond{{Name: "cursed"}} }), engine.ReasonUnknownName},
		"join: level too high":           {join(func(n *engine.Newcomer) { n.Traits[0].Level = 5 }), engine.ReasonBadSheet},
		"join: level too low":            {join(func(n *engine.Newcomer) { n.Traits[0].Level = -3 }), engine.ReasonBadSheet},
		"join: too high for the master's": {join(func(n *engine.Newcomer) {
			n.Controller.Kind, n.Traits[0].Level = engine.ByMaster, 9
		}), engine.ReasonBadSheet},
		"join: the rules refuse": {join(func(n *engine.Newcomer) { n.Traits[0].Level = -2 }), engine.ReasonBadSheet},
		"join: in a block":       {join(func(n *engine.Newcomer) { n.Pose = inside }), engine.ReasonPoseInBlock},
		"join: outside":          {join(func(n *engine.Newcomer) { n.Pose.At.X = -256 }), engine.ReasonPoseInBlock},
		"join: without look":     {join(func(n *engine.Newcomer) { n.Pose.Look = voxel.Look{} }), engine.ReasonMalformed},

		"adjust: nothing":                       {is(engine.Adjust{}), engine.ReasonMalformed},
		"adjust: no fact at all":                {adjust(nil), engine.ReasonNotAFactToSet},
		"adjust: a roll":                        {adjust(engine.Rolled{}), engine.ReasonNotAFactToSet},
		"adjust: the phase":                     {adjust(engine.PhaseSet{}), engine.ReasonNotAFactToSet},
		"adjust: an end":                        {adjust(engine.Ended{}), engine.ReasonNotAFactToSet},
		"adjust: a prompt":                      {adjust(engine.Prompted{}), engine.ReasonNotAFactToSet},
		"adjust: a frame":                       {adjust(engine.Framed{}), engine.ReasonNotAFactToSet},
		"adjust: trait of nobody":               {adjust(engine.TraitSet{Trait: engine.Trait{On: 99, Name: might}}), engine.ReasonUnknownTarget},
		"adjust: unknown trait":                 {adjust(engine.TraitSet{Trait: engine.Trait{On: anna, Name: "charm"}}), engine.ReasonUnknownName},
		"adjust: unknown gauge":                 {adjust(engine.GaugeSet{Gauge: engine.Gauge{On: anna.On(), Name: "mana"}}), engine.ReasonUnknownName},
		"adjust: gauge over its top":            {adjust(engine.GaugeSet{Gauge: engine.Gauge{On: anna.On(), Name: hp, Now: 2, Max: 1}}), engine.ReasonBadSheet},
		"adjust: gauge on nothing":              {adjust(engine.GaugeSet{Gauge: engine.Gauge{On: engine.ItemID(99).On(), Name: hp}}), engine.ReasonUnknownTarget},
		"adjust: gauge on a frame that is none": {adjust(engine.GaugeSet{Gauge: engine.Gauge{On: engine.Ref{Kind: engine.RefFrame, ID: 999}, Name: hp}}), engine.ReasonUnknownTarget},
		"adjust: unknown condition":             {adjust(engine.CondSet{Cond: engine.Cond{Name: "cursed", On: anna.On()}}), engine.ReasonUnknownName},
		"adjust: condition on nobody":           {adjust(engine.CondSet{Cond: engine.Cond{Name: hurt, On: engine.ActorID(99).On()}}), engine.ReasonUnknownTarget},
		"adjust: condition with nobody":         {adjust(engine.CondSet{Cond: engine.Cond{Name: bound, On: anna.On(), With: 99}}), engine.ReasonUnknownTarget},
		"adjust: condition of no id":            {adjust(engine.CondSet{Cond: engine.Cond{ID: 999, Name: hurt, On: anna.On()}}), engine.ReasonUnknownTarget},
		"adjust: condition's parent":            {adjust(engine.CondSet{Cond: engine.Cond{Name: hurt, On: anna.On(), Parent: 999}}), engine.ReasonUnknownTarget},
		"adjust: its own grandparent": {func(m *table) engine.Command {
			m.play(engine.Adjust{Facts: []engine.Event{engine.CondSet{Cond: engine.Cond{Name: hurt, On: anna.On()}}}})
			a := m.b.FindCond(anna.On(), hurt)
			m.play(engine.Adjust{Facts: []engine.Event{engine.CondSet{Cond: engine.Cond{Name: bleeding, On: anna.On(), Parent: a.ID}}}})
			c := *a
			c.Parent = m.b.FindCond(anna.On(), bleeding).ID
			return engine.Adjust{Facts: []engine.Event{engine.CondSet{Cond: c}}}
		}, engine.ReasonUnknownTarget},
		"adjust: no condition to clear": {adjust(engine.CondCleared{ID: 999}), engine.ReasonUnknownTarget},
		"adjust: unknown item":          {adjust(engine.ItemSet{Item: engine.Item{Ref: "gun"}}), engine.ReasonUnknownName},
		"adjust: item of no id":         {adjust(engine.ItemSet{Item: engine.Item{ID: 99, Ref: "bag"}}), engine.ReasonUnknownTarget},
		"adjust: item of nobody":        {adjust(engine.ItemSet{Item: engine.Item{Ref: "bag", Holder: 99}}), engine.ReasonUnknownTarget},
		"adjust: item in nothing":       {adjust(engine.ItemSet{Item: engine.Item{Ref: "bag", In: 99}}), engine.ReasonUnknownItem},
		"adjust: bag in its own stick":  {adjust(engine.ItemSet{Item: engine.Item{ID: 2, Ref: "bag", In: 3}}), engine.ReasonUnknownItem},
		"adjust: no item to end":        {adjust(engine.ItemGone{ID: 99}), engine.ReasonUnknownTarget},
		"adjust: unknown zone":          {adjust(engine.ZoneSet{Zone: engine.Zone{Name: "fog"}}), engine.ReasonUnknownName},
		"adjust: zone of no id":         {adjust(engine.ZoneSet{Zone: engine.Zone{ID: 99, Name: gas}}), engine.ReasonUnknownTarget},
		"adjust: no zone to clear":      {adjust(engine.ZoneCleared{ID: 99}), engine.ReasonUnknownTarget},
		"adjust: known by nobody":       {adjust(engine.KnownSet{Known: engine.Known{Of: anna.On()}}), engine.ReasonUnknownTarget},
		"adjust: known of nobody":       {adjust(engine.KnownSet{Known: engine.Known{By: anna, Of: engine.ActorID(99).On()}}), engine.ReasonUnknownTarget},
		"adjust: nobody moved":          {adjust(engine.Moved{Actor: 99, To: spot.At}), engine.ReasonUnknownTarget},
		"adjust: moved into a block":    {adjust(engine.Moved{Actor: anna, To: inside.At}), engine.ReasonPoseInBlock},
		"adjust: nobody turned":         {adjust(engine.Posed{Actor: 99, Look: spot.Look}), engine.ReasonUnknownTarget},
		"adjust: unknown posture":       {adjust(engine.Posed{Actor: anna, Look: spot.Look, Posture: 9}), engine.ReasonMalformed},
		"adjust: nobody's seat":         {adjust(engine.Queued{Seats: []engine.Seat{{Actor: 99}}}), engine.ReasonUnknownTarget},
		"adjust: the second is wrong":   {is(engine.Adjust{Facts: []engine.Event{engine.CondSet{Cond: engine.Cond{Name: hurt, On: anna.On()}}, engine.ItemGone{ID: 99}}}), engine.ReasonUnknownTarget},

		"override: unknown":      {is(engine.Override{Ruling: engine.Ruling{What: "speed"}}), engine.ReasonUnknownName},
		"override: not to rule":  {is(engine.Override{Ruling: engine.Ruling{What: "plain"}}), engine.ReasonUnknownName},
		"override: too high":     {is(engine.Override{Ruling: engine.Ruling{What: damage, N: 10}}), engine.ReasonMalformed},
		"override: too low":      {is(engine.Override{Ruling: engine.Ruling{What: damage, N: -1}}), engine.ReasonMalformed},
		"override: for nobody":   {is(engine.Override{Ruling: engine.Ruling{What: damage, Scope: engine.Scope{Kind: engine.ScopePair, A: anna, B: 99}}}), engine.ReasonUnknownActor},
		"override: no frame":     {is(engine.Override{Ruling: engine.Ruling{What: damage, Scope: engine.Scope{Kind: engine.ScopeFrame, Frame: 999}}}), engine.ReasonUnknownTarget},
		"override: no zone":      {is(engine.Override{Ruling: engine.Ruling{What: damage, Scope: engine.Scope{Kind: engine.ScopeZone, Zone: 999}}}), engine.ReasonUnknownTarget},
		"override: none to end":  {is(engine.Override{Clear: 99}), engine.ReasonUnknownTarget},
		"edit: nothing":          {is(engine.Edit{}), engine.ReasonMalformed},
		"edit: no arena":         {func(m *table) engine.Command { m.world = nil; return engine.Edit{Gone: []voxel.Pos{{}}} }, engine.ReasonArenaMissing},
		"edit: outside":          {is(engine.Edit{Edits: []engine.BlockEdit{{At: voxel.Pos{X: 16}, Block: voxel.NoBlock()}}}), engine.ReasonBlockOutOfArena},
		"edit: restored outside": {is(engine.Edit{Gone: []voxel.Pos{{Y: -1}}}), engine.ReasonBlockOutOfArena},
		"edit: no block":         {is(engine.Edit{Edits: []engine.BlockEdit{{}}}), engine.ReasonMalformed},
		"edit: worn below zero":  {is(engine.Edit{Edits: []engine.BlockEdit{{Block: voxel.NoBlock(), Wear: -1}}}), engine.ReasonMalformed},

		"remove: nobody":       {is(engine.Remove{Actor: 99}), engine.ReasonUnknownActor},
		"control: nobody":      {is(engine.Control{Actor: 99}), engine.ReasonUnknownActor},
		"say: nobody":          {is(engine.Say{Actor: 99, Text: "boo"}), engine.ReasonUnknownActor},
		"say: nothing":         {is(engine.Say{}), engine.ReasonMalformed},
		"pause: paused":        {after(engine.Pause{}, engine.Pause{}), engine.ReasonPhase},
		"unpause: not paused":  {is(engine.Unpause{}), engine.ReasonPhase},
		"end: over":            {after(engine.End{}, engine.End{}), engine.ReasonPhase},
		"say: over":            {after(engine.End{}, engine.Say{Text: "well"}), engine.ReasonPhase},
		"rewind: over":         {func(m *table) engine.Command { m.play(engine.End{}); return engine.Rewind{To: 4, Target: m.past[3]} }, engine.ReasonPhase},
		"rewind: to nothing":   {func(m *table) engine.Command { return engine.Rewind{} }, engine.ReasonRewind},
		"rewind: to now":       {func(m *table) engine.Command { return engine.Rewind{To: m.b.Version, Target: m.b} }, engine.ReasonRewind},
		"rewind: to later":     {func(m *table) engine.Command { return engine.Rewind{To: m.b.Version + 1, Target: m.b} }, engine.ReasonRewind},
		"rewind: to another":   {func(m *table) engine.Command { m.does(anna, ""); return engine.Rewind{To: 3, Target: m.past[1]} }, engine.ReasonRewind},
		"rewind: to the lobby": {func(m *table) engine.Command { return engine.Rewind{To: 2, Target: m.past[1]} }, engine.ReasonRewind},
		"rewind: same dice": {func(m *table) engine.Command {
			m.does(anna, "")
			return engine.Rewind{To: 3, Target: m.past[2], Same: true}
		}, engine.ReasonRewind},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			m := fight(t, false)
			c := test.make(m)
			no := m.refused(c, test.want) // CheckStep sees that nothing changed
			if no.Rule == "" {
				t.Errorf("the refusal %v names no rule", no)
			}
		})
	}
}

// Refusals that need a lobby.
func TestLobbyRefusals(t *testing.T) {
	m := lobby(t, sticks(), false)
	m.refused(engine.Decide{}, engine.ReasonPhase)
	m.refused(engine.TimeUp{}, engine.ReasonPhase)
	m.refused(engine.Pause{}, engine.ReasonPhase)
	m.refused(engine.Unpause{}, engine.ReasonPhase)
	m.refused(engine.AddEntropy{Player: "anna"}, engine.ReasonMalformed)
	m.refused(engine.AddEntropy{Player: "anna", Bytes: make([]byte, 33)}, engine.ReasonMalformed)
	m.play(engine.AddEntropy{Player: "anna", Bytes: make([]byte, 32)})
	m.refused(engine.AddEntropy{Player: "anna", Bytes: []byte{2}}, engine.ReasonDuplicate)

	empty := &table{t: t, sys: sticks()}
	empty.play(engine.Open{Ruleset: "sticks"})
	empty.refused(engine.Start{}, engine.ReasonUnknownActor)
}

// Options that are left out take their defaults, and all are recorded, by name.
func TestOptions(t *testing.T) {
	m := lobby(t, sticks(), false, engine.Option{Name: optionMode, Word: "hard"})
	want := []engine.Option{{Name: "knowledge", Word: "observer"}, {Name: optionMode, Word: "hard"}, {Name: "reply_limit_s"}, {Name: optionRounds, N: 40}, {Name: "turn_limit_s"}}
	got := m.b.Rules.Options
	if len(got) != len(want) {
		t.Fatalf("options %+v, want %+v", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("option %+v, want %+v", got[i], want[i])
		}
	}
	if m.b.Word(optionMode) != "hard" || m.b.Number(optionRounds) != 40 || m.b.Option("none") != (engine.Option{}) {
		t.Errorf("read back: %q, %d, %+v", m.b.Word(optionMode), m.b.Number(optionRounds), m.b.Option("none"))
	}
}

// A refusal says in one line what was wrong and what would be right.
func TestRejectionText(t *testing.T) {
	r := engine.Refuse(engine.ReasonTooFar, "KM-MOVE-03", engine.Num("cost", 512), engine.Num("max", 256), engine.Named("gait", engine.ActName("run")),
		engine.Words("key", "anna"), engine.Refers("target", anna.On()), engine.Cell("cell", voxel.Pos{X: 1, Y: -2, Z: 3}), engine.Level("level", 4))
	r.Cells = []voxel.Pos{{X: 7, Y: 8, Z: 9}}
	want := "too_far by KM-MOVE-03 cost=512 max=256 gait=run key=anna target=1/1 cell=1,-2,3 level=4 cells=[7 8 9]"
	if got := r.Error(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := engine.Refuse(engine.ReasonLimit, "").Error(); got != "limit" {
		t.Errorf("got %q, want %q", got, "limit")
	}
}

func TestShapeContains(t *testing.T) {
	p := func(x, y, z int32) voxel.Pos { return voxel.Pos{X: x, Y: y, Z: z} }
	shapes := map[string]struct {
		shape   engine.Shape
		in, out []voxel.Pos
	}{
		"nowhere": {engine.Shape{Kind: engine.ShapeBall, Radius: 9}, nil, []voxel.Pos{p(0, 0, 0)}},
		"cells by y, z, x": {engine.Shape{Cells: []voxel.Pos{p(5, 0, 0), p(0, 0, 1), p(9, 0, 1), p(0, 1, 0)}},
			[]voxel.Pos{p(5, 0, 0), p(0, 0, 1), p(9, 0, 1), p(0, 1, 0)}, []voxel.Pos{p(0, 0, 0), p(5, 0, 1), p(1, 1, 0)}},
		"box, its corners in any order": {engine.Shape{Kind: engine.ShapeBox, Cells: []voxel.Pos{p(2, 3, 4), p(0, 0, 0)}},
			[]voxel.Pos{p(0, 0, 0), p(2, 3, 4), p(1, 3, 0)}, []voxel.Pos{p(3, 0, 0), p(0, 4, 0), p(0, 0, 5), p(-1, 0, 0)}},
		"box of one":       {engine.Shape{Kind: engine.ShapeBox, Cells: []voxel.Pos{p(1, 1, 1)}}, []voxel.Pos{p(1, 1, 1)}, []voxel.Pos{p(1, 1, 2)}},
		"ball":             {engine.Shape{Kind: engine.ShapeBall, Cells: []voxel.Pos{p(0, 0, 0)}, Radius: 2}, []voxel.Pos{p(2, 0, 0), p(1, 1, 1), p(0, -2, 0)}, []voxel.Pos{p(2, 1, 0), p(3, 0, 0)}},
		"ball of radius 0": {engine.Shape{Kind: engine.ShapeBall, Cells: []voxel.Pos{p(0, 0, 0)}}, []voxel.Pos{p(0, 0, 0)}, []voxel.Pos{p(0, 0, 1)}},
		"ball, far away":   {engine.Shape{Kind: engine.ShapeBall, Cells: []voxel.Pos{p(-voxel.MaxCoord, 0, 0)}, Radius: 100}, nil, []voxel.Pos{p(voxel.MaxCoord, 0, 0)}},
		"no such kind":     {engine.Shape{Kind: 9, Cells: []voxel.Pos{p(0, 0, 0)}}, nil, []voxel.Pos{p(0, 0, 0)}},
	}
	for name, s := range shapes {
		for _, c := range s.in {
			if !s.shape.Contains(c) {
				t.Errorf("%s: %v is not in", name, c)
			}
		}
		for _, c := range s.out {
			if s.shape.Contains(c) {
				t.Errorf("%s: %v is in", name, c)
			}
		}
	}
}
