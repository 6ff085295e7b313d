package wire

import (
	"fmt"

	"autobattle/engine"
	pb "autobattle/proto/autobattle/v1"
)

const (
	lastClearWhy  = engine.ClearMaster
	lastPromptEnd = engine.PromptWithdrawn
)

// Fact makes the message of a fact.
func Fact(f *engine.Fact) *pb.Fact { return one(f, fillFact) }

// Facts makes the messages of facts.
func Facts(f []engine.Fact) []*pb.Fact { return each(f, fillFact) }

// FromFact reads a fact.
func FromFact(m *pb.Fact) (engine.Fact, error) {
	r := reader{}
	v := need(&r, "fact", m, (*reader).fact)
	return v, r.done()
}

// FromFacts reads facts. field is the name of their list, for errors.
func FromFacts(field string, ms []*pb.Fact) ([]engine.Fact, error) {
	r := reader{}
	v := list(&r, field, ms, (*reader).fact)
	return v, r.done()
}

// FromEvents reads facts of which only the events count, as MasterService.Adjust takes them. field is the name of their list.
func FromEvents(field string, ms []*pb.Fact) ([]engine.Event, error) {
	r := reader{}
	v := list(&r, field, ms, (*reader).event)
	return v, r.done()
}

func fillFact(m *pb.Fact, f *engine.Fact) {
	m.Audience, m.Why = Audience(&f.For), whyMessage(&f.Why)
	fillEvent(m, f.Event)
}

func (r *reader) fact(m *pb.Fact) engine.Fact {
	return engine.Fact{
		For:   sub(r, "audience", m.Audience, (*reader).audience),
		Why:   sub(r, "why", m.Why, (*reader).why),
		Event: r.event(m),
	}
}

func fillEvent(m *pb.Fact, event engine.Event) {
	switch e := event.(type) {
	case engine.Began:
		m.Event = &pb.Fact_Began{Began: &pb.Began{
			Rules: one(&e.Rules, fillRules), Title: e.Title, Teams: each(e.Teams, fillTeam),
			Commitment: hashBytes(&e.Commitment),
		}}
	case engine.EntropyAdded:
		m.Event = &pb.Fact_EntropyAdded{EntropyAdded: &pb.EntropyAdded{Entropy: one(&e.Entropy, fillEntropy)}}
	case engine.PhaseSet:
		m.Event = &pb.Fact_PhaseSet{PhaseSet: &pb.PhaseSet{Phase: after[pb.Phase](e.Phase), Reason: e.Reason}}
	case engine.Ended:
		m.Event = &pb.Fact_Ended{Ended: &pb.Ended{Outcome: each(e.Outcome, fillOutcome), Seed: hashBytes(&e.Seed)}}
	case engine.RulesSet:
		m.Event = &pb.Fact_RulesSet{RulesSet: &pb.RulesSet{Rules: one(&e.Rules, fillRules), Reason: e.Reason}}
	case engine.Clocked:
		m.Event = &pb.Fact_Clocked{Clocked: &pb.Clocked{Round: e.Round, Slot: e.Slot}}
	case engine.Queued:
		m.Event = &pb.Fact_Queued{Queued: &pb.Queued{Seats: each(e.Seats, fillSeat)}}
	case engine.ActorSet:
		m.Event = &pb.Fact_ActorSet{ActorSet: &pb.ActorSet{Actor: Actor(&e.Actor)}}
	case engine.ActorGone:
		m.Event = &pb.Fact_ActorGone{ActorGone: &pb.ActorGone{Id: uint32(e.ID), Reason: e.Reason}}
	case engine.TraitSet:
		m.Event = &pb.Fact_TraitSet{TraitSet: &pb.TraitSet{Trait: one(&e.Trait, fillTrait), Gone: e.Gone}}
	case engine.Moved:
		m.Event = &pb.Fact_Moved{Moved: &pb.Moved{
			Actor: uint32(e.Actor), From: Point(e.From), To: Point(e.To), Path: Cells(e.Path), Gait: string(e.Gait),
			Cost: e.Cost, Look: Look(e.Look),
		}}
	case engine.Posed:
		m.Event = &pb.Fact_Posed{Posed: &pb.Posed{
			Actor: uint32(e.Actor), Look: Look(e.Look), Posture: after[pb.Posture](e.Posture),
		}}
	case engine.GaugeSet:
		m.Event = &pb.Fact_GaugeSet{GaugeSet: &pb.GaugeSet{Gauge: one(&e.Gauge, fillGauge), Before: e.Before, Gone: e.Gone}}
	case engine.CondSet:
		m.Event = &pb.Fact_ConditionSet{ConditionSet: &pb.ConditionSet{Condition: one(&e.Cond, fillCond)}}
	case engine.CondCleared:
		m.Event = &pb.Fact_ConditionCleared{ConditionCleared: &pb.ConditionCleared{
			Id: uint32(e.ID), Name: string(e.Name), On: Ref(e.On), Why: same[pb.ClearWhy](e.Why),
		}}
	case engine.ItemSet:
		m.Event = &pb.Fact_ItemSet{ItemSet: &pb.ItemSet{Item: one(&e.Item, fillItem)}}
	case engine.ItemGone:
		m.Event = &pb.Fact_ItemGone{ItemGone: &pb.ItemGone{Id: uint32(e.ID)}}
	case engine.ZoneSet:
		m.Event = &pb.Fact_ZoneSet{ZoneSet: &pb.ZoneSet{Zone: one(&e.Zone, fillZone)}}
	case engine.ZoneCleared:
		m.Event = &pb.Fact_ZoneCleared{ZoneCleared: &pb.ZoneCleared{Id: uint32(e.ID), Why: same[pb.ClearWhy](e.Why)}}
	case engine.PlanSet:
		m.Event = &pb.Fact_PlanSet{PlanSet: &pb.PlanSet{Plan: Plan(&e.Plan)}}
	case engine.PlanCleared:
		m.Event = &pb.Fact_PlanCleared{PlanCleared: &pb.PlanCleared{Id: uint32(e.ID), Why: same[pb.ClearWhy](e.Why)}}
	case engine.KnownSet:
		m.Event = &pb.Fact_KnownSet{KnownSet: &pb.KnownSet{Known: one(&e.Known, fillKnown), Gone: e.Gone}}
	case engine.BlocksChanged:
		m.Event = &pb.Fact_BlocksChanged{BlocksChanged: &pb.BlocksChanged{
			Edits: each(e.Edits, fillEdit), Gone: Cells(e.Gone), By: Ref(e.By),
		}}
	case engine.Declared:
		m.Event = &pb.Fact_Declared{Declared: &pb.Declared{
			Frame: uint32(e.Frame), Intent: someIntent(&e.Intent), ActClass: string(e.Class),
		}}
	case engine.Rolled:
		m.Event = &pb.Fact_Rolled{Rolled: &pb.Rolled{Roll: Roll(&e.Roll)}}
	case engine.Revised:
		m.Event = &pb.Fact_Revised{Revised: &pb.Revised{Roll: Roll(&e.Roll), Mod: Mod(&e.Mod)}}
	case engine.Tallied:
		m.Event = &pb.Fact_Tallied{Tallied: &pb.Tallied{Tally: Tally(&e.Tally)}}
	case engine.Resolved:
		m.Event = &pb.Fact_Resolved{Resolved: &pb.Resolved{
			Frame: uint32(e.Frame), Act: string(e.Act), By: uint32(e.By), Target: someTarget(&e.Target), Lane: e.Lane,
			Outcome: string(e.Outcome), Grade: string(e.Grade),
		}}
	case engine.Prompted:
		m.Event = &pb.Fact_Prompted{Prompted: &pb.Prompted{Prompt: Prompt(&e.Prompt)}}
	case engine.PromptClosed:
		m.Event = &pb.Fact_PromptClosed{PromptClosed: &pb.PromptClosed{Id: uint32(e.ID), Why: same[pb.PromptEnd](e.Why)}}
	case engine.Answered:
		m.Event = &pb.Fact_Answered{Answered: &pb.Answered{
			Prompt: uint32(e.Prompt), By: uint32(e.By), Intents: Intents(e.Intents), Lines: each(e.Lines, fillLine),
			How: same[pb.PromptEnd](e.How),
		}}
	case engine.Framed:
		m.Event = &pb.Fact_Framed{Framed: &pb.Framed{Frame: Frame(&e.Frame)}}
	case engine.Unframed:
		m.Event = &pb.Fact_Unframed{Unframed: &pb.Unframed{Id: uint32(e.ID), Outcome: string(e.Outcome)}}
	case engine.Ruled:
		m.Event = &pb.Fact_Ruled{Ruled: &pb.Ruled{Ruling: Ruling(&e.Ruling)}}
	case engine.RulingCleared:
		m.Event = &pb.Fact_RulingCleared{RulingCleared: &pb.RulingCleared{Id: uint32(e.ID)}}
	case engine.Rewound:
		m.Event = &pb.Fact_Rewound{Rewound: &pb.Rewound{To: uint64(e.To), Same: e.Same, Reason: e.Reason}}
	case engine.Said:
		m.Event = &pb.Fact_Said{Said: &pb.Said{Actor: uint32(e.Actor), Key: e.Key, Args: Args(e.Args), Text: e.Text}}
	default:
		panic(fmt.Sprintf("wire: event %T has no message", event))
	}
}

// event reads the event of a fact. Path segments are the names of the schema.
func (r *reader) event(m *pb.Fact) engine.Event {
	switch x := m.Event.(type) {
	case *pb.Fact_Began:
		return event(r, "began", x.Began, func(r *reader, m *pb.Began) engine.Began {
			return engine.Began{
				Rules: need(r, "rules", m.Rules, (*reader).rules), Title: m.Title,
				Teams:      list(r, "teams", m.Teams, (*reader).team),
				Commitment: r.hash("commitment", m.Commitment),
			}
		})
	case *pb.Fact_EntropyAdded:
		return event(r, "entropy_added", x.EntropyAdded, func(r *reader, m *pb.EntropyAdded) engine.EntropyAdded {
			return engine.EntropyAdded{Entropy: need(r, "entropy", m.Entropy, (*reader).entropy)}
		})
	case *pb.Fact_PhaseSet:
		return event(r, "phase_set", x.PhaseSet, func(r *reader, m *pb.PhaseSet) engine.PhaseSet {
			return engine.PhaseSet{Phase: choice(r, "phase", m.Phase, lastPhase), Reason: m.Reason}
		})
	case *pb.Fact_Ended:
		return event(r, "ended", x.Ended, func(r *reader, m *pb.Ended) engine.Ended {
			return engine.Ended{Outcome: list(r, "outcome", m.Outcome, (*reader).outcome), Seed: r.hash("seed", m.Seed)}
		})
	case *pb.Fact_RulesSet:
		return event(r, "rules_set", x.RulesSet, func(r *reader, m *pb.RulesSet) engine.RulesSet {
			return engine.RulesSet{Rules: need(r, "rules", m.Rules, (*reader).rules), Reason: m.Reason}
		})
	case *pb.Fact_Clocked:
		return event(r, "clocked", x.Clocked, func(_ *reader, m *pb.Clocked) engine.Clocked {
			return engine.Clocked{Round: m.Round, Slot: m.Slot}
		})
	case *pb.Fact_Queued:
		return event(r, "queued", x.Queued, func(r *reader, m *pb.Queued) engine.Queued {
			return engine.Queued{Seats: list(r, "seats", m.Seats, (*reader).seat)}
		})
	case *pb.Fact_ActorSet:
		return event(r, "actor_set", x.ActorSet, func(r *reader, m *pb.ActorSet) engine.ActorSet {
			return engine.ActorSet{Actor: need(r, "actor", m.Actor, (*reader).actor)}
		})
	case *pb.Fact_ActorGone:
		return event(r, "actor_gone", x.ActorGone, func(_ *reader, m *pb.ActorGone) engine.ActorGone {
			return engine.ActorGone{ID: engine.ActorID(m.Id), Reason: m.Reason}
		})
	case *pb.Fact_TraitSet:
		return event(r, "trait_set", x.TraitSet, func(r *reader, m *pb.TraitSet) engine.TraitSet {
			return engine.TraitSet{Trait: need(r, "trait", m.Trait, (*reader).trait), Gone: m.Gone}
		})
	case *pb.Fact_Moved:
		return event(r, "moved", x.Moved, (*reader).moved)
	case *pb.Fact_Posed:
		return event(r, "posed", x.Posed, func(r *reader, m *pb.Posed) engine.Posed {
			return engine.Posed{
				Actor: engine.ActorID(m.Actor), Look: sub(r, "look", m.Look, (*reader).look),
				Posture: choice(r, "posture", m.Posture, lastPosture),
			}
		})
	case *pb.Fact_GaugeSet:
		return event(r, "gauge_set", x.GaugeSet, func(r *reader, m *pb.GaugeSet) engine.GaugeSet {
			return engine.GaugeSet{Gauge: need(r, "gauge", m.Gauge, (*reader).gauge), Before: m.Before, Gone: m.Gone}
		})
	case *pb.Fact_ConditionSet:
		return event(r, "condition_set", x.ConditionSet, func(r *reader, m *pb.ConditionSet) engine.CondSet {
			return engine.CondSet{Cond: need(r, "condition", m.Condition, (*reader).cond)}
		})
	case *pb.Fact_ConditionCleared:
		return event(r, "condition_cleared", x.ConditionCleared, func(r *reader, m *pb.ConditionCleared) engine.CondCleared {
			return engine.CondCleared{
				ID: engine.CondID(m.Id), Name: engine.CondName(m.Name), On: sub(r, "on", m.On, (*reader).ref),
				Why: plain(r, "why", m.Why, lastClearWhy),
			}
		})
	case *pb.Fact_ItemSet:
		return event(r, "item_set", x.ItemSet, func(r *reader, m *pb.ItemSet) engine.ItemSet {
			return engine.ItemSet{Item: need(r, "item", m.Item, (*reader).item)}
		})
	case *pb.Fact_ItemGone:
		return event(r, "item_gone", x.ItemGone, func(_ *reader, m *pb.ItemGone) engine.ItemGone {
			return engine.ItemGone{ID: engine.ItemID(m.Id)}
		})
	case *pb.Fact_ZoneSet:
		return event(r, "zone_set", x.ZoneSet, func(r *reader, m *pb.ZoneSet) engine.ZoneSet {
			return engine.ZoneSet{Zone: need(r, "zone", m.Zone, (*reader).zone)}
		})
	case *pb.Fact_ZoneCleared:
		return event(r, "zone_cleared", x.ZoneCleared, func(r *reader, m *pb.ZoneCleared) engine.ZoneCleared {
			return engine.ZoneCleared{ID: engine.ZoneID(m.Id), Why: plain(r, "why", m.Why, lastClearWhy)}
		})
	case *pb.Fact_PlanSet:
		return event(r, "plan_set", x.PlanSet, func(r *reader, m *pb.PlanSet) engine.PlanSet {
			return engine.PlanSet{Plan: need(r, "plan", m.Plan, (*reader).plan)}
		})
	case *pb.Fact_PlanCleared:
		return event(r, "plan_cleared", x.PlanCleared, func(r *reader, m *pb.PlanCleared) engine.PlanCleared {
			return engine.PlanCleared{ID: engine.PlanID(m.Id), Why: plain(r, "why", m.Why, lastClearWhy)}
		})
	case *pb.Fact_KnownSet:
		return event(r, "known_set", x.KnownSet, func(r *reader, m *pb.KnownSet) engine.KnownSet {
			return engine.KnownSet{Known: need(r, "known", m.Known, (*reader).known), Gone: m.Gone}
		})
	case *pb.Fact_BlocksChanged:
		return event(r, "blocks_changed", x.BlocksChanged, func(r *reader, m *pb.BlocksChanged) engine.BlocksChanged {
			return engine.BlocksChanged{
				Edits: list(r, "edits", m.Edits, (*reader).edit), Gone: list(r, "gone", m.Gone, (*reader).cell),
				By: sub(r, "by", m.By, (*reader).ref),
			}
		})
	case *pb.Fact_Declared:
		return event(r, "declared", x.Declared, func(r *reader, m *pb.Declared) engine.Declared {
			return engine.Declared{
				Frame: engine.FrameID(m.Frame), Intent: sub(r, "intent", m.Intent, (*reader).intent),
				Class: engine.ActName(m.ActClass),
			}
		})
	case *pb.Fact_Rolled:
		return event(r, "rolled", x.Rolled, func(r *reader, m *pb.Rolled) engine.Rolled {
			return engine.Rolled{Roll: need(r, "roll", m.Roll, (*reader).roll)}
		})
	case *pb.Fact_Revised:
		return event(r, "revised", x.Revised, func(r *reader, m *pb.Revised) engine.Revised {
			return engine.Revised{Roll: need(r, "roll", m.Roll, (*reader).roll), Mod: need(r, "mod", m.Mod, (*reader).mod)}
		})
	case *pb.Fact_Tallied:
		return event(r, "tallied", x.Tallied, func(r *reader, m *pb.Tallied) engine.Tallied {
			return engine.Tallied{Tally: need(r, "tally", m.Tally, (*reader).tally)}
		})
	case *pb.Fact_Resolved:
		return event(r, "resolved", x.Resolved, (*reader).resolved)
	case *pb.Fact_Prompted:
		return event(r, "prompted", x.Prompted, func(r *reader, m *pb.Prompted) engine.Prompted {
			return engine.Prompted{Prompt: need(r, "prompt", m.Prompt, (*reader).prompt)}
		})
	case *pb.Fact_PromptClosed:
		return event(r, "prompt_closed", x.PromptClosed, func(r *reader, m *pb.PromptClosed) engine.PromptClosed {
			return engine.PromptClosed{ID: engine.PromptID(m.Id), Why: plain(r, "why", m.Why, lastPromptEnd)}
		})
	case *pb.Fact_Answered:
		return event(r, "answered", x.Answered, (*reader).answered)
	case *pb.Fact_Framed:
		return event(r, "framed", x.Framed, func(r *reader, m *pb.Framed) engine.Framed {
			return engine.Framed{Frame: need(r, "frame", m.Frame, (*reader).frame)}
		})
	case *pb.Fact_Unframed:
		return event(r, "unframed", x.Unframed, func(_ *reader, m *pb.Unframed) engine.Unframed {
			return engine.Unframed{ID: engine.FrameID(m.Id), Outcome: engine.OutcomeName(m.Outcome)}
		})
	case *pb.Fact_Ruled:
		return event(r, "ruled", x.Ruled, func(r *reader, m *pb.Ruled) engine.Ruled {
			return engine.Ruled{Ruling: need(r, "ruling", m.Ruling, (*reader).ruling)}
		})
	case *pb.Fact_RulingCleared:
		return event(r, "ruling_cleared", x.RulingCleared, func(_ *reader, m *pb.RulingCleared) engine.RulingCleared {
			return engine.RulingCleared{ID: engine.RulingID(m.Id)}
		})
	case *pb.Fact_Rewound:
		return event(r, "rewound", x.Rewound, func(_ *reader, m *pb.Rewound) engine.Rewound {
			return engine.Rewound{To: engine.Version(m.To), Same: m.Same, Reason: m.Reason}
		})
	case *pb.Fact_Said:
		return event(r, "said", x.Said, func(r *reader, m *pb.Said) engine.Said {
			return engine.Said{
				Actor: engine.ActorID(m.Actor), Key: m.Key, Args: list(r, "args", m.Args, (*reader).arg), Text: m.Text,
			}
		})
	}
	r.fail("event", "is none that is known here; the fact was written by a newer server, or is empty")
	return nil
}

// event reads one kind of event.
func event[M any, E engine.Event](r *reader, field string, m *M, read func(*reader, *M) E) engine.Event {
	return need(r, field, m, read)
}

func (r *reader) moved(m *pb.Moved) engine.Moved {
	return engine.Moved{
		Actor: engine.ActorID(m.Actor),
		From:  sub(r, "from", m.From, (*reader).point), To: sub(r, "to", m.To, (*reader).point),
		Path: list(r, "path", m.Path, (*reader).cell), Gait: engine.ActName(m.Gait), Cost: m.Cost,
		Look: sub(r, "look", m.Look, (*reader).look),
	}
}

func (r *reader) resolved(m *pb.Resolved) engine.Resolved {
	return engine.Resolved{
		Frame: engine.FrameID(m.Frame), Act: engine.ActName(m.Act), By: engine.ActorID(m.By),
		Target: sub(r, "target", m.Target, (*reader).target), Lane: m.Lane,
		Outcome: engine.OutcomeName(m.Outcome), Grade: engine.GradeName(m.Grade),
	}
}

func (r *reader) answered(m *pb.Answered) engine.Answered {
	return engine.Answered{
		Prompt: engine.PromptID(m.Prompt), By: engine.ActorID(m.By),
		Intents: list(r, "intents", m.Intents, (*reader).intent), Lines: list(r, "lines", m.Lines, (*reader).line),
		How: plain(r, "how", m.How, lastPromptEnd),
	}
}
