package wire

import (
	"fmt"

	"autobattle/engine"
	pb "autobattle/proto/autobattle/v1"
)

// Command makes the message of a command. The target of a rewind is not part of it.
func Command(c engine.Command) *pb.Command {
	m := &pb.Command{}
	switch c := c.(type) {
	case engine.Open:
		m.Command = &pb.Command_Open{Open: &pb.OpenCommand{
			Ruleset: string(c.Ruleset), Arena: hashBytes(&c.Arena), Title: c.Title, Teams: each(c.Teams, fillTeam),
			Options: each(c.Options, fillOption), Commitment: hashBytes(&c.Commitment),
		}}
	case engine.Join:
		m.Command = &pb.Command_Join{Join: &pb.JoinCommand{Actors: each(c.Actors, fillNewcomer)}}
	case engine.AddEntropy:
		m.Command = &pb.Command_AddEntropy{AddEntropy: &pb.AddEntropyCommand{
			Entropy: &pb.Entropy{Player: c.Player, Data: clone(c.Bytes)},
		}}
	case engine.Start:
		m.Command = &pb.Command_Start{Start: &pb.StartCommand{}}
	case engine.Decide:
		m.Command = &pb.Command_Decide{Decide: &pb.DecideCommand{
			Prompt: uint32(c.Prompt), By: uint32(c.By), Intents: Intents(c.Intents), Lines: each(c.Lines, fillLine),
			Poses: each(c.Poses, func(m *pb.ActorPose, v *engine.SeenPose) { m.Actor, m.Pose = uint32(v.Actor), Pose(v.Pose) }),
		}}
	case engine.TimeUp:
		m.Command = &pb.Command_TimeUp{TimeUp: &pb.TimeUpCommand{Prompts: numbers[uint32](c.Prompts)}}
	case engine.Adjust:
		m.Command = &pb.Command_Adjust{Adjust: &pb.AdjustCommand{
			Facts: each(c.Facts, func(m *pb.Fact, e *engine.Event) { fillEvent(m, *e) }), Reason: c.Reason,
		}}
	case engine.Override:
		o := &pb.OverrideCommand{Clear: uint32(c.Clear)}
		if c.Ruling != (engine.Ruling{}) {
			o.Ruling = Ruling(&c.Ruling)
		}
		m.Command = &pb.Command_Override{Override: o}
	case engine.Edit:
		m.Command = &pb.Command_Edit{Edit: &pb.EditCommand{Edits: each(c.Edits, fillEdit), Gone: Cells(c.Gone)}}
	case engine.Remove:
		m.Command = &pb.Command_Remove{Remove: &pb.RemoveCommand{Actor: uint32(c.Actor), Reason: c.Reason}}
	case engine.Control:
		m.Command = &pb.Command_Control{Control: &pb.ControlCommand{
			Actor: uint32(c.Actor), Controller: controller(&c.Controller), Policies: each(c.Policies, fillPolicy),
		}}
	case engine.Pause:
		m.Command = &pb.Command_Pause{Pause: &pb.PauseCommand{Reason: c.Reason}}
	case engine.Unpause:
		m.Command = &pb.Command_Unpause{Unpause: &pb.UnpauseCommand{}}
	case engine.Rewind:
		m.Command = &pb.Command_Rewind{Rewind: &pb.RewindCommand{To: uint64(c.To), Same: c.Same, Reason: c.Reason}}
	case engine.Say:
		m.Command = &pb.Command_Say{Say: &pb.SayCommand{Actor: uint32(c.Actor), Text: c.Text, Audience: Audience(&c.For)}}
	case engine.End:
		m.Command = &pb.Command_End{End: &pb.EndCommand{Outcome: each(c.Outcome, fillOutcome), Reason: c.Reason}}
	default:
		panic(fmt.Sprintf("wire: command %T has no message", c))
	}
	return m
}

// FromCommand reads a command.
func FromCommand(m *pb.Command) (engine.Command, error) {
	r := reader{}
	c := need(&r, "command", m, (*reader).command)
	return c, r.done()
}

func (r *reader) command(m *pb.Command) engine.Command {
	switch x := m.Command.(type) {
	case *pb.Command_Open:
		return command(r, "open", x.Open, func(r *reader, m *pb.OpenCommand) engine.Open {
			return engine.Open{
				Ruleset: engine.RulesetID(m.Ruleset), Arena: r.hash("arena", m.Arena), Title: m.Title,
				Teams:      list(r, "teams", m.Teams, (*reader).team),
				Options:    list(r, "options", m.Options, (*reader).option),
				Commitment: r.hash("commitment", m.Commitment),
			}
		})
	case *pb.Command_Join:
		return command(r, "join", x.Join, func(r *reader, m *pb.JoinCommand) engine.Join {
			return engine.Join{Actors: list(r, "actors", m.Actors, (*reader).newcomer)}
		})
	case *pb.Command_AddEntropy:
		return command(r, "add_entropy", x.AddEntropy, func(r *reader, m *pb.AddEntropyCommand) engine.AddEntropy {
			return engine.AddEntropy(need(r, "entropy", m.Entropy, (*reader).entropy))
		})
	case *pb.Command_Start:
		return engine.Start{}
	case *pb.Command_Decide:
		return command(r, "decide", x.Decide, (*reader).decide)
	case *pb.Command_TimeUp:
		return command(r, "time_up", x.TimeUp, func(_ *reader, m *pb.TimeUpCommand) engine.TimeUp {
			return engine.TimeUp{Prompts: numbers[engine.PromptID](m.Prompts)}
		})
	case *pb.Command_Adjust:
		return command(r, "adjust", x.Adjust, func(r *reader, m *pb.AdjustCommand) engine.Adjust {
			return engine.Adjust{Facts: list(r, "facts", m.Facts, (*reader).event), Reason: m.Reason}
		})
	case *pb.Command_Override:
		return command(r, "override", x.Override, func(r *reader, m *pb.OverrideCommand) engine.Override {
			return engine.Override{Ruling: sub(r, "ruling", m.Ruling, (*reader).ruling), Clear: engine.RulingID(m.Clear)}
		})
	case *pb.Command_Edit:
		return command(r, "edit", x.Edit, func(r *reader, m *pb.EditCommand) engine.Edit {
			return engine.Edit{Edits: list(r, "edits", m.Edits, (*reader).edit), Gone: list(r, "gone", m.Gone, (*reader).cell)}
		})
	case *pb.Command_Remove:
		return command(r, "remove", x.Remove, func(_ *reader, m *pb.RemoveCommand) engine.Remove {
			return engine.Remove{Actor: engine.ActorID(m.Actor), Reason: m.Reason}
		})
	case *pb.Command_Control:
		return command(r, "control", x.Control, func(r *reader, m *pb.ControlCommand) engine.Control {
			return engine.Control{
				Actor:      engine.ActorID(m.Actor),
				Controller: need(r, "controller", m.Controller, (*reader).controller),
				Policies:   list(r, "policies", m.Policies, (*reader).policy),
			}
		})
	case *pb.Command_Pause:
		return command(r, "pause", x.Pause, func(_ *reader, m *pb.PauseCommand) engine.Pause {
			return engine.Pause{Reason: m.Reason}
		})
	case *pb.Command_Unpause:
		return engine.Unpause{}
	case *pb.Command_Rewind:
		return command(r, "rewind", x.Rewind, func(_ *reader, m *pb.RewindCommand) engine.Rewind {
			return engine.Rewind{To: engine.Version(m.To), Same: m.Same, Reason: m.Reason}
		})
	case *pb.Command_Say:
		return command(r, "say", x.Say, func(r *reader, m *pb.SayCommand) engine.Say {
			return engine.Say{
				Actor: engine.ActorID(m.Actor), Text: m.Text, For: sub(r, "audience", m.Audience, (*reader).audience),
			}
		})
	case *pb.Command_End:
		return command(r, "end", x.End, func(r *reader, m *pb.EndCommand) engine.End {
			return engine.End{Outcome: list(r, "outcome", m.Outcome, (*reader).outcome), Reason: m.Reason}
		})
	}
	r.fail("command", "is none that is known here; it was written by a newer server, or is empty")
	return nil
}

// command reads one kind of command.
func command[M any, C engine.Command](r *reader, field string, m *M, read func(*reader, *M) C) engine.Command {
	return need(r, field, m, read)
}

func (r *reader) decide(m *pb.DecideCommand) engine.Decide {
	return engine.Decide{
		Prompt: engine.PromptID(m.Prompt), By: engine.ActorID(m.By),
		Intents: list(r, "intents", m.Intents, (*reader).intent),
		Lines:   list(r, "lines", m.Lines, (*reader).line),
		Poses: list(r, "poses", m.Poses, func(r *reader, m *pb.ActorPose) engine.SeenPose {
			return engine.SeenPose{Actor: engine.ActorID(m.Actor), Pose: sub(r, "pose", m.Pose, (*reader).pose)}
		}),
	}
}

func fillNewcomer(m *pb.Newcomer, v *engine.Newcomer) {
	m.Key, m.Name, m.Grammar = v.Key, v.Name, after[pb.Gender](v.Grammar)
	m.Character, m.Team, m.Controller = character(&v.Character), string(v.Team), controller(&v.Controller)
	m.Policies, m.Pose, m.Audience = each(v.Policies, fillPolicy), Pose(v.Pose), Audience(&v.For)
	m.Sheet = Sheet(v)
}

func (r *reader) newcomer(m *pb.Newcomer) engine.Newcomer {
	v := need(r, "sheet", m.Sheet, (*reader).sheet)
	v.Key, v.Name, v.Grammar = m.Key, m.Name, maybe(r, "grammar", m.Grammar, lastGender)
	v.Character = sub(r, "character", m.Character, (*reader).character)
	v.Team = engine.TeamID(m.Team)
	v.Controller = need(r, "controller", m.Controller, (*reader).controller)
	v.Policies = list(r, "policies", m.Policies, (*reader).policy)
	v.Pose = sub(r, "pose", m.Pose, (*reader).pose)
	v.For = sub(r, "audience", m.Audience, (*reader).audience)
	return v
}

// Sheet makes the message of what a newcomer is and has.
func Sheet(v *engine.Newcomer) *pb.Sheet {
	return &pb.Sheet{
		Body: string(v.Body),
		Traits: each(v.Traits, func(m *pb.TraitLevel, v *engine.TraitLevel) {
			m.Name, m.Level = string(v.Name), v.Level
		}),
		Items:      each(v.Items, fillNewItem),
		Gauges:     each(v.Gauges, fillNewGauge),
		Conditions: each(v.Conds, fillCond),
	}
}

// FromSheet reads what a newcomer is and has; the rest of him is zero.
func FromSheet(m *pb.Sheet) (engine.Newcomer, error) {
	r := reader{}
	v := need(&r, "sheet", m, (*reader).sheet)
	return v, r.done()
}

func (r *reader) sheet(m *pb.Sheet) engine.Newcomer {
	return engine.Newcomer{
		Body: engine.BodyName(m.Body),
		Traits: list(r, "traits", m.Traits, func(_ *reader, m *pb.TraitLevel) engine.TraitLevel {
			return engine.TraitLevel{Name: engine.TraitName(m.Name), Level: m.Level}
		}),
		Items:  list(r, "items", m.Items, (*reader).newItem),
		Gauges: list(r, "gauges", m.Gauges, (*reader).newGauge),
		Conds:  list(r, "conditions", m.Conditions, (*reader).cond),
	}
}

func fillNewItem(m *pb.SheetItem, v *engine.NewItem) {
	m.Ref, m.Slot, m.Inside, m.Gauges = string(v.Ref), string(v.Slot), v.In, each(v.Gauges, fillNewGauge)
}

func (r *reader) newItem(m *pb.SheetItem) engine.NewItem {
	return engine.NewItem{
		Ref: engine.CatalogueRef(m.Ref), Slot: engine.SlotName(m.Slot), In: m.Inside,
		Gauges: list(r, "gauges", m.Gauges, (*reader).newGauge),
	}
}

// FromItems reads the things that a newcomer brings in place of his character's.
func FromItems(ms []*pb.SheetItem) ([]engine.NewItem, error) {
	r := reader{}
	v := list(&r, "items", ms, (*reader).newItem)
	return v, r.done()
}

func fillNewGauge(m *pb.GaugeValue, v *engine.NewGauge) { m.Name, m.Now = string(v.Name), v.Now }

func (r *reader) newGauge(m *pb.GaugeValue) engine.NewGauge {
	return engine.NewGauge{Name: engine.GaugeName(m.Name), Now: m.Now}
}
