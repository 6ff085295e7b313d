package wire

import (
	"autobattle/engine"
	"autobattle/engine/voxel"
	pb "autobattle/proto/autobattle/v1"
)

// Catalogue makes the message of a ruleset's vocabulary.
func Catalogue(s *engine.Spec) *pb.Catalogue {
	return &pb.Catalogue{
		Ruleset: string(s.ID), Revision: s.Revision, Hash: hashBytes(&s.Hash), Name: Text(s.Name),
		Acts:       each(s.Acts, fillAct),
		Traits:     each(s.Traits, fillTraitSpec),
		Gauges:     each(s.Gauges, fillGaugeSpec),
		Conditions: each(s.Conds, fillCondSpec),
		Items:      each(s.Items, fillItemSpec),
		Parts:      each(s.Parts, fillName),
		Mods:       each(s.Mods, fillName),
		Slots:      each(s.Slots, fillName),
		Outcomes:   each(s.Outcomes, fillName),
		Grades:     each(s.Grades, fillName),
		Purposes:   each(s.Purposes, fillName),
		Asks:       each(s.Asks, fillName),
		Figures:    each(s.Figures, fillFigure),
		Bands:      each(s.Bands, fillName),
		Bodies:     each(s.Bodies, fillBody),
		Options:    each(s.Options, fillOptionSpec),
		Levels:     each(s.Levels, func(m *pb.LevelEntry, v *engine.LevelSpec) { m.Number, m.Text = v.N, Text(v.Text) }),
		Rules:      each(s.Rules, fillRule),
		Depth:      int32(s.Depth),
	}
}

// RulesetInfo makes the message of a ruleset in a list.
func RulesetInfo(s *engine.Spec) *pb.RulesetInfo {
	return &pb.RulesetInfo{Ruleset: string(s.ID), Revision: s.Revision, Name: Text(s.Name), Catalogue: hashBytes(&s.Hash)}
}

// RuleEntry makes the message of a rule.
func RuleEntry(v *engine.RuleSpec) *pb.RuleEntry { return one(v, fillRule) }

func fillRule(m *pb.RuleEntry, v *engine.RuleSpec) { m.Rule, m.Text = string(v.ID), Text(v.Text) }

func fillName(m *pb.NameEntry, v *engine.NameSpec) { m.Name, m.Text = v.Name, Text(v.Text) }

func fillAct(m *pb.ActEntry, v *engine.ActSpec) {
	m.Name, m.Text, m.ActClass, m.Rule = string(v.Name), Text(v.Text), string(v.Class), string(v.Rule)
	m.Targets, m.Items = after[pb.Needs](v.Targets), after[pb.Needs](v.Items)
	m.Part, m.About, m.Path = after[pb.Needs](v.Part), after[pb.Needs](v.About), after[pb.Needs](v.Path)
	m.Amount, m.Look, m.Ends = after[pb.Needs](v.Amount), after[pb.Needs](v.Look), v.Ends
}

func fillTraitSpec(m *pb.TraitEntry, v *engine.TraitSpec) {
	m.Name, m.Text, m.Group = string(v.Name), Text(v.Text), v.Group
	m.Min, m.Max, m.PlayerMax, m.Untrained = v.Min, v.Max, v.PlayerMax, v.Untrained
}

func fillGaugeSpec(m *pb.GaugeEntry, v *engine.GaugeSpec) {
	m.Name, m.Text, m.Scale, m.Kept = string(v.Name), Text(v.Text), v.Scale, v.Kept
}

func fillCondSpec(m *pb.ConditionEntry, v *engine.CondSpec) {
	m.Name, m.Text, m.Unique, m.Good = string(v.Name), Text(v.Text), after[pb.Uniqueness](v.Unique), v.Good
	m.Levels = each(v.Levels, func(m *pb.Text, v *engine.Text) { m.En, m.Ru, m.RuGen, m.RuAcc = v.En, v.Ru, v.RuGen, v.RuAcc })
}

func fillItemSpec(m *pb.ItemEntry, v *engine.ItemSpec) {
	m.Ref, m.Kind, m.Text, m.Slots, m.Ours = string(v.Ref), v.Kind, Text(v.Text), words(v.Slots), v.Ours
	m.Props = each(v.Props, func(m *pb.PropEntry, v *engine.Prop) {
		m.Name, m.Text, m.Number, m.Word = v.Name, Text(v.Text), v.N, v.Word
	})
}

func fillFigure(m *pb.FigureEntry, v *engine.FigureSpec) {
	m.Name, m.Text, m.Ruled = string(v.Name), Text(v.Text), v.Ruled
	m.Min, m.Max, m.Unit = v.Min, v.Max, v.Unit
}

func fillBody(m *pb.BodyEntry, v *engine.BodySpec) {
	m.Name, m.Text, m.Parts = string(v.Name), Text(v.Text), words(v.Parts)
	m.Size = &pb.BodySize{
		Width:  v.Body.Width,
		Height: append([]int32(nil), v.Body.Height[:voxel.Postures]...),
		Eye:    append([]int32(nil), v.Body.Eye[:voxel.Postures]...),
	}
}

func fillOptionSpec(m *pb.OptionEntry, v *engine.OptionSpec) {
	m.Name, m.Text, m.Rule = string(v.Name), Text(v.Text), string(v.Rule)
	m.Words, m.Min, m.Max = words(v.Words), v.Min, v.Max
	m.DefaultValue = one(&v.Default, fillOption)
}
