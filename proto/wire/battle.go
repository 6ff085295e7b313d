package wire

import (
	"autobattle/engine"
	pb "autobattle/proto/autobattle/v1"
)

const (
	lastPhase          = engine.Over
	lastGender         = engine.Plural
	lastControllerKind = engine.Automatic
	lastSeatState      = engine.SeatDelayed
	lastKnownLevel     = engine.Recognised
	lastScopeKind      = engine.ScopeFrame
)

// Battle makes the message of a battle, whole: redaction is engine.See's.
func Battle(b *engine.Battle) *pb.Battle {
	m := &pb.Battle{
		Rules: one(&b.Rules, fillRules), Version: uint64(b.Version), Phase: after[pb.Phase](b.Phase),
		Round: b.Round, Slot: b.Slot, Title: b.Title, Teams: each(b.Teams, fillTeam),
		Seed:       &pb.SeedState{Commitment: hashBytes(&b.Seed.Commitment), Entropy: each(b.Seed.Entropy, fillEntropy), Reveal: hashBytes(&b.Seed.Reveal)},
		Outcome:    each(b.Outcome, fillOutcome),
		Actors:     each(b.Actors, fillActor),
		Traits:     each(b.Traits, fillTrait),
		Gauges:     each(b.Gauges, fillGauge),
		Items:      each(b.Items, fillItem),
		Conditions: each(b.Conds, fillCond),
		Zones:      each(b.Zones, fillZone),
		Plans:      each(b.Plans, fillPlan),
		Known:      each(b.Known, fillKnown),
		Rulings:    each(b.Rulings, fillRuling),
		Queue:      each(b.Queue, fillSeat),
		Frames:     each(b.Frames, fillFrame),
		Prompts:    each(b.Prompts, fillPrompt),
		Blocks:     each(b.Blocks, fillEdit),
	}
	if b.Dice != [2]uint64{} {
		m.Dice = []uint64{b.Dice[0], b.Dice[1]}
	}
	if b.Serial != [2]uint32{} {
		m.Serial = []uint32{b.Serial[0], b.Serial[1]}
	}
	return m
}

// FromBattle reads a battle.
func FromBattle(m *pb.Battle) (*engine.Battle, error) {
	r := reader{}
	b := need(&r, "battle", m, (*reader).battle)
	if err := r.done(); err != nil {
		return nil, err
	}
	return b, nil
}

func (r *reader) battle(m *pb.Battle) *engine.Battle {
	b := &engine.Battle{
		Rules:   sub(r, "rules", m.Rules, (*reader).rules),
		Version: engine.Version(m.Version),
		Phase:   choice(r, "phase", m.Phase, lastPhase),
		Round:   m.Round, Slot: m.Slot, Title: m.Title,
		Teams:   list(r, "teams", m.Teams, (*reader).team),
		Seed:    sub(r, "seed", m.Seed, (*reader).seed),
		Outcome: list(r, "outcome", m.Outcome, (*reader).outcome),
		Actors:  list(r, "actors", m.Actors, (*reader).actor),
		Traits:  list(r, "traits", m.Traits, (*reader).trait),
		Gauges:  list(r, "gauges", m.Gauges, (*reader).gauge),
		Items:   list(r, "items", m.Items, (*reader).item),
		Conds:   list(r, "conditions", m.Conditions, (*reader).cond),
		Zones:   list(r, "zones", m.Zones, (*reader).zone),
		Plans:   list(r, "plans", m.Plans, (*reader).plan),
		Known:   list(r, "known", m.Known, (*reader).known),
		Rulings: list(r, "rulings", m.Rulings, (*reader).ruling),
		Queue:   list(r, "queue", m.Queue, (*reader).seat),
		Frames:  list(r, "frames", m.Frames, (*reader).frame),
		Prompts: list(r, "prompts", m.Prompts, (*reader).prompt),
		Blocks:  list(r, "blocks", m.Blocks, (*reader).edit),
	}
	b.Dice = pair(r, "dice", m.Dice)
	b.Serial = pair(r, "serial", m.Serial)
	return b
}

// pair reads two numbers; none are two zeros.
func pair[T any](r *reader, field string, in []T) (out [2]T) {
	switch len(in) {
	case 0:
	case 2:
		out = [2]T{in[0], in[1]}
	default:
		r.fail(field, "are %d numbers; there must be 2, or none", len(in))
	}
	return out
}

func fillRules(m *pb.Rules, v *engine.Rules) {
	m.Ruleset, m.Revision = string(v.Ruleset), v.Revision
	m.Catalogue, m.Arena, m.Feature = hashBytes(&v.Catalogue), hashBytes(&v.Arena), v.Feature
	m.Options = each(v.Options, fillOption)
}

func (r *reader) rules(m *pb.Rules) engine.Rules {
	return engine.Rules{
		Ruleset: engine.RulesetID(m.Ruleset), Revision: m.Revision,
		Catalogue: r.hash("catalogue", m.Catalogue), Arena: r.hash("arena", m.Arena), Feature: m.Feature,
		Options: list(r, "options", m.Options, (*reader).option),
	}
}

func fillOption(m *pb.Option, v *engine.Option) {
	m.Name, m.Word, m.Number = string(v.Name), v.Word, v.N
}

func (r *reader) option(m *pb.Option) engine.Option {
	return engine.Option{Name: engine.OptionName(m.Name), Word: m.Word, N: m.Number}
}

// FromOptions reads the options of a new battle.
func FromOptions(ms []*pb.Option) ([]engine.Option, error) {
	r := reader{}
	v := list(&r, "options", ms, (*reader).option)
	return v, r.done()
}

func fillEntropy(m *pb.Entropy, v *engine.Entropy) { m.Player, m.Data = v.Player, clone(v.Bytes) }

func (r *reader) entropy(m *pb.Entropy) engine.Entropy {
	return engine.Entropy{Player: m.Player, Bytes: clone(m.Data)}
}

// clone copies bytes; none are nil.
func clone(b []byte) []byte { return append([]byte(nil), b...) }

func (r *reader) seed(m *pb.SeedState) engine.SeedState {
	return engine.SeedState{
		Commitment: r.hash("commitment", m.Commitment),
		Entropy:    list(r, "entropy", m.Entropy, (*reader).entropy),
		Reveal:     r.hash("reveal", m.Reveal),
	}
}

func fillTeam(m *pb.Team, v *engine.Team) {
	m.Id, m.Name, m.Allies = string(v.ID), v.Name, words(v.Allies)
}

func (r *reader) team(m *pb.Team) engine.Team {
	return engine.Team{ID: engine.TeamID(m.Id), Name: m.Name, Allies: names[engine.TeamID](m.Allies)}
}

// FromTeams reads the teams of a new battle.
func FromTeams(ms []*pb.Team) ([]engine.Team, error) {
	r := reader{}
	v := list(&r, "teams", ms, (*reader).team)
	return v, r.done()
}

func fillOutcome(m *pb.TeamOutcome, v *engine.TeamOutcome) {
	m.Team, m.Outcome = string(v.Team), string(v.Outcome)
}

func (r *reader) outcome(m *pb.TeamOutcome) engine.TeamOutcome {
	return engine.TeamOutcome{Team: engine.TeamID(m.Team), Outcome: engine.OutcomeName(m.Outcome)}
}

// FromOutcome reads how a battle ends.
func FromOutcome(ms []*pb.TeamOutcome) ([]engine.TeamOutcome, error) {
	r := reader{}
	v := list(&r, "outcome", ms, (*reader).outcome)
	return v, r.done()
}

func controller(v *engine.Controller) *pb.Controller {
	return &pb.Controller{Kind: after[pb.ControllerKind](v.Kind), Player: v.Player}
}

func (r *reader) controller(m *pb.Controller) engine.Controller {
	return engine.Controller{Kind: choice(r, "kind", m.Kind, lastControllerKind), Player: m.Player}
}

// FromController reads who decides for an actor. A player must be named where a player decides.
func FromController(m *pb.Controller) (engine.Controller, error) {
	r := reader{}
	v := need(&r, "controller", m, (*reader).controller)
	if r.err == nil && v.Kind == engine.ByPlayer && v.Player == "" {
		r.fail("controller.player", "is empty; a player decides, so he must be named")
	}
	return v, r.done()
}

func character(v *engine.CharacterRef) *pb.CharacterRef {
	if *v == (engine.CharacterRef{}) {
		return nil
	}
	return &pb.CharacterRef{Id: v.ID, Revision: v.Rev, Copy: v.Copy}
}

func (r *reader) character(m *pb.CharacterRef) engine.CharacterRef {
	return engine.CharacterRef{ID: m.Id, Rev: m.Revision, Copy: m.Copy}
}

func fillPolicy(m *pb.Policy, v *engine.Policy) {
	m.Kind, m.Take = same[pb.PromptKind](v.Kind), after[pb.PolicyKind](v.Take)
}

func (r *reader) policy(m *pb.Policy) engine.Policy {
	return engine.Policy{
		Kind: given(r, "kind", plain(r, "kind", m.Kind, lastPromptKind)),
		Take: choice(r, "take", m.Take, lastPolicyKind),
	}
}

// Policies makes the messages of an owner's wishes.
func Policies(v []engine.Policy) []*pb.Policy { return each(v, fillPolicy) }

// FromPolicies reads an owner's wishes.
func FromPolicies(ms []*pb.Policy) ([]engine.Policy, error) {
	r := reader{}
	v := list(&r, "policies", ms, (*reader).policy)
	return v, r.done()
}

// Actor makes the message of an actor.
func Actor(v *engine.Actor) *pb.Actor { return one(v, fillActor) }

func fillActor(m *pb.Actor, v *engine.Actor) {
	m.Id, m.Key, m.Name, m.Grammar = uint32(v.ID), v.Key, v.Name, after[pb.Gender](v.Grammar)
	m.Character, m.Team, m.Controller = character(&v.Character), string(v.Team), controller(&v.Controller)
	m.Policies, m.Body = each(v.Policies, fillPolicy), string(v.Body)
	m.Pose, m.Audience = Pose(v.Pose), Audience(&v.For)
}

func (r *reader) actor(m *pb.Actor) engine.Actor {
	return engine.Actor{
		ID: engine.ActorID(m.Id), Key: m.Key, Name: m.Name,
		Grammar:    maybe(r, "grammar", m.Grammar, lastGender),
		Character:  sub(r, "character", m.Character, (*reader).character),
		Team:       engine.TeamID(m.Team),
		Controller: need(r, "controller", m.Controller, (*reader).controller),
		Policies:   list(r, "policies", m.Policies, (*reader).policy),
		Body:       engine.BodyName(m.Body),
		Pose:       sub(r, "pose", m.Pose, (*reader).pose),
		For:        sub(r, "audience", m.Audience, (*reader).audience),
	}
}

func fillTrait(m *pb.Trait, v *engine.Trait) {
	m.On, m.Name, m.Level = uint32(v.On), string(v.Name), v.Level
}

func (r *reader) trait(m *pb.Trait) engine.Trait {
	return engine.Trait{On: engine.ActorID(m.On), Name: engine.TraitName(m.Name), Level: m.Level}
}

func fillGauge(m *pb.Gauge, v *engine.Gauge) {
	m.On, m.Name = Ref(v.On), string(v.Name)
	m.Now, m.Min, m.Max = v.Now, v.Min, v.Max
	m.Audience = Audience(&v.For)
}

func (r *reader) gauge(m *pb.Gauge) engine.Gauge {
	return engine.Gauge{
		On: sub(r, "on", m.On, (*reader).ref), Name: engine.GaugeName(m.Name),
		Now: m.Now, Min: m.Min, Max: m.Max,
		For: sub(r, "audience", m.Audience, (*reader).audience),
	}
}

func fillItem(m *pb.Item, v *engine.Item) {
	m.Id, m.Ref, m.Holder, m.Slot, m.Inside = uint32(v.ID), string(v.Ref), uint32(v.Holder), string(v.Slot), uint32(v.In)
	if v.Cell != (engine.Item{}.Cell) || v.Holder == 0 && v.In == 0 {
		m.Cell = Cell(v.Cell)
	}
	m.Audience = Audience(&v.For)
}

func (r *reader) item(m *pb.Item) engine.Item {
	return engine.Item{
		ID: engine.ItemID(m.Id), Ref: engine.CatalogueRef(m.Ref), Holder: engine.ActorID(m.Holder),
		Slot: engine.SlotName(m.Slot), In: engine.ItemID(m.Inside),
		Cell: sub(r, "cell", m.Cell, (*reader).cell),
		For:  sub(r, "audience", m.Audience, (*reader).audience),
	}
}

// Conds makes the messages of conditions.
func Conds(v []engine.Cond) []*pb.Condition { return each(v, fillCond) }

// FromConds reads conditions.
func FromConds(ms []*pb.Condition) ([]engine.Cond, error) {
	r := reader{}
	v := list(&r, "conditions", ms, (*reader).cond)
	return v, r.done()
}

func fillCond(m *pb.Condition, v *engine.Cond) {
	m.Id, m.Name, m.On, m.With, m.Item = uint32(v.ID), string(v.Name), Ref(v.On), uint32(v.With), uint32(v.Item)
	m.About, m.Part, m.Level, m.Value = string(v.About), string(v.Part), v.Level, v.Value
	m.Parent, m.Cause, m.Source = uint32(v.Parent), uint32(v.Cause), Ref(v.Source)
	m.Until, m.Audience = until(&v.Until), Audience(&v.For)
}

func (r *reader) cond(m *pb.Condition) engine.Cond {
	return engine.Cond{
		ID: engine.CondID(m.Id), Name: engine.CondName(m.Name),
		On:   sub(r, "on", m.On, (*reader).ref),
		With: engine.ActorID(m.With), Item: engine.ItemID(m.Item),
		About: engine.TraitName(m.About), Part: engine.PartName(m.Part),
		Level: m.Level, Value: m.Value,
		Parent: engine.CondID(m.Parent), Cause: engine.FrameID(m.Cause),
		Source: sub(r, "source", m.Source, (*reader).ref),
		Until:  sub(r, "until", m.Until, (*reader).until),
		For:    sub(r, "audience", m.Audience, (*reader).audience),
	}
}

func fillZone(m *pb.Zone, v *engine.Zone) {
	m.Id, m.Name, m.Shape, m.Carrier = uint32(v.ID), string(v.Name), shape(&v.Shape), Ref(v.Carrier)
	m.Level, m.Value, m.By = v.Level, v.Value, uint32(v.By)
	m.Until, m.Audience = until(&v.Until), Audience(&v.For)
}

func (r *reader) zone(m *pb.Zone) engine.Zone {
	return engine.Zone{
		ID: engine.ZoneID(m.Id), Name: engine.CondName(m.Name),
		Shape:   sub(r, "shape", m.Shape, (*reader).shape),
		Carrier: sub(r, "carrier", m.Carrier, (*reader).ref),
		Level:   m.Level, Value: m.Value, By: engine.ActorID(m.By),
		Until: sub(r, "until", m.Until, (*reader).until),
		For:   sub(r, "audience", m.Audience, (*reader).audience),
	}
}

func fillSeat(m *pb.Seat, v *engine.Seat) {
	m.Id, m.Actor, m.Result = uint32(v.ID), uint32(v.Actor), v.Result
	m.State, m.Extra = after[pb.SeatState](v.State), v.Extra
}

func (r *reader) seat(m *pb.Seat) engine.Seat {
	return engine.Seat{
		ID: engine.SeatID(m.Id), Actor: engine.ActorID(m.Actor), Result: m.Result,
		State: choice(r, "state", m.State, lastSeatState), Extra: m.Extra,
	}
}

func fillKnown(m *pb.Known, v *engine.Known) {
	m.By, m.Of, m.Level, m.Cell = uint32(v.By), Ref(v.Of), after[pb.KnownLevel](v.Level), Cell(v.Cell)
}

func (r *reader) known(m *pb.Known) engine.Known {
	return engine.Known{
		By: engine.ActorID(m.By), Of: sub(r, "of", m.Of, (*reader).ref),
		Level: choice(r, "level", m.Level, lastKnownLevel),
		Cell:  sub(r, "cell", m.Cell, (*reader).cell),
	}
}

// Ruling makes the message of a master's override.
func Ruling(v *engine.Ruling) *pb.Ruling { return one(v, fillRuling) }

func fillRuling(m *pb.Ruling, v *engine.Ruling) {
	m.Id = uint32(v.ID)
	m.Scope = &pb.Scope{
		Kind: after[pb.ScopeKind](v.Scope.Kind), A: uint32(v.Scope.A), B: uint32(v.Scope.B),
		Zone: uint32(v.Scope.Zone), Frame: uint32(v.Scope.Frame),
	}
	m.What, m.Number, m.Reason, m.Until = string(v.What), v.N, v.Reason, until(&v.Until)
}

func (r *reader) scope(m *pb.Scope) engine.Scope {
	return engine.Scope{
		Kind: choice(r, "kind", m.Kind, lastScopeKind), A: engine.ActorID(m.A), B: engine.ActorID(m.B),
		Zone: engine.ZoneID(m.Zone), Frame: engine.FrameID(m.Frame),
	}
}

func (r *reader) ruling(m *pb.Ruling) engine.Ruling {
	return engine.Ruling{
		ID: engine.RulingID(m.Id), Scope: need(r, "scope", m.Scope, (*reader).scope),
		What: engine.Quantity(m.What), N: m.Number, Reason: m.Reason,
		Until: sub(r, "until", m.Until, (*reader).until),
	}
}

// FromRuling reads a master's override.
func FromRuling(m *pb.Ruling) (engine.Ruling, error) {
	r := reader{}
	v := need(&r, "ruling", m, (*reader).ruling)
	return v, r.done()
}
