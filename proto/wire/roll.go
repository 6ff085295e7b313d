package wire

import (
	"autobattle/engine"
	"autobattle/engine/dice"
	pb "autobattle/proto/autobattle/v1"
)

const (
	lastModKind  = engine.ModDifficulty
	lastBaseKind = engine.BaseSubstitute
	lastStream   = dice.Hidden
	lastDiceKind = dice.Sum
)

// Mod makes the message of a modifier.
func Mod(v *engine.Mod) *pb.Mod { return one(v, fillMod) }

// Mods makes the messages of modifiers.
func Mods(v []engine.Mod) []*pb.Mod { return each(v, fillMod) }

func fillMod(m *pb.Mod, v *engine.Mod) {
	m.Name, m.Rule = string(v.Name), string(v.Rule)
	m.Kind, m.Amount = after[pb.ModKind](v.Kind), v.Amount
	m.Source, m.Cells, m.Voided = Ref(v.Source), Cells(v.Cells), v.Void
}

func (r *reader) mod(m *pb.Mod) engine.Mod {
	return engine.Mod{
		Name: engine.ModName(m.Name), Rule: engine.Rule(m.Rule),
		Kind:   choice(r, "kind", m.Kind, lastModKind),
		Amount: m.Amount,
		Source: sub(r, "source", m.Source, (*reader).ref),
		Cells:  list(r, "cells", m.Cells, (*reader).cell),
		Void:   m.Voided,
	}
}

// Throw makes the message of a throw.
func Throw(v *dice.Throw) *pb.Throw { return one(v, fillThrow) }

func fillThrow(m *pb.Throw, v *dice.Throw) {
	m.Kind, m.Stream = after[pb.DiceKind](v.Kind), after[pb.DiceStream](v.At.Stream)
	m.Clock, m.Position = v.At.Clock, uint32(v.At.Pos)
	m.Count, m.Sides = uint32(v.Count), uint32(v.Sides)
	if v.Kind != dice.D100 {
		m.Faces = make([]int32, v.Count)
		for i := range m.Faces {
			m.Faces[i] = int32(v.Faces[i])
		}
	}
	m.Turned, m.D100, m.Percent, m.Sum = uint32(v.Turned), uint32(v.D100), int32(v.Percent), v.Sum
}

func (r *reader) throw(m *pb.Throw) dice.Throw {
	v := dice.Throw{
		Kind: choice(r, "kind", m.Kind, lastDiceKind),
		At: dice.At{
			Stream: choice(r, "stream", m.Stream, lastStream),
			Clock:  m.Clock,
			Pos:    int32(r.narrow("position", int64(m.Position), 0, dice.MaxPos)),
		},
		Count:   int8(r.narrow("count", int64(m.Count), 0, dice.MaxCount)),
		Sides:   int16(r.narrow("sides", int64(m.Sides), 0, dice.MaxSides)),
		Turned:  int8(r.narrow("turned", int64(m.Turned), 0, dice.MaxCount)),
		D100:    int8(r.narrow("d100", int64(m.D100), 0, 100)),
		Percent: int8(r.narrow("percent", int64(m.Percent), -99, 99)),
		Sum:     m.Sum,
	}
	want := int(v.Count)
	if v.Kind == dice.D100 {
		want = 0
	}
	if len(m.Faces) != want {
		r.fail("faces", "are %d; a throw of %d dice of this kind has %d", len(m.Faces), v.Count, want)
		return v
	}
	for i, f := range m.Faces {
		v.Faces[i] = int16(r.narrow("faces", int64(f), -dice.MaxSides, dice.MaxSides))
	}
	return v
}

// Roll makes the message of a roll.
func Roll(v *engine.Roll) *pb.Roll { return one(v, fillRoll) }

func fillRoll(m *pb.Roll, v *engine.Roll) {
	m.Id, m.By, m.Against = uint32(v.ID), uint32(v.By), uint32(v.Against)
	m.Why, m.Rule, m.Frame = string(v.Why), string(v.Rule), uint32(v.Frame)
	if v.Base != (engine.Base{}) {
		m.Base = &pb.Base{
			Trait: string(v.Base.Trait), From: string(v.Base.From), Level: v.Base.Level,
			Kind: after[pb.BaseKind](v.Base.Kind), Rule: string(v.Base.Rule),
		}
	}
	m.Mods = each(v.Mods, fillMod)
	if v.HasAim {
		aim := v.Aim
		m.Aim = &aim
	}
	m.Throws = each(v.Throws, fillThrow)
	m.Taken = int32(v.Taken)
	m.After = each(v.After, fillMod)
	m.Result, m.Margin, m.Grade = v.Result, v.Margin, string(v.Grade)
}

func (r *reader) base(m *pb.Base) engine.Base {
	return engine.Base{
		Trait: engine.TraitName(m.Trait), From: engine.TraitName(m.From), Level: m.Level,
		Kind: choice(r, "kind", m.Kind, lastBaseKind), Rule: engine.Rule(m.Rule),
	}
}

func (r *reader) roll(m *pb.Roll) engine.Roll {
	v := engine.Roll{
		ID: engine.RollID(m.Id), By: engine.ActorID(m.By), Against: engine.ActorID(m.Against),
		Why: engine.Purpose(m.Why), Rule: engine.Rule(m.Rule), Frame: engine.FrameID(m.Frame),
		Base:   sub(r, "base", m.Base, (*reader).base),
		Mods:   list(r, "mods", m.Mods, (*reader).mod),
		HasAim: m.Aim != nil,
		Throws: list(r, "throws", m.Throws, (*reader).throw),
		Taken:  int8(r.narrow("taken", int64(m.Taken), 0, 127)),
		After:  list(r, "after", m.After, (*reader).mod),
		Result: m.Result, Margin: m.Margin, Grade: engine.GradeName(m.Grade),
	}
	if m.Aim != nil {
		v.Aim = *m.Aim
	}
	return v
}

// Tally makes the message of a computed number.
func Tally(v *engine.Tally) *pb.Tally { return one(v, fillTally) }

func fillTally(m *pb.Tally, v *engine.Tally) {
	m.What, m.Rule, m.Frame = string(v.What), string(v.Rule), uint32(v.Frame)
	m.Lane, m.On = v.Lane, uint32(v.On)
	m.Terms = each(v.Terms, func(m *pb.Term, v *engine.Term) {
		m.Name, m.Rule, m.Amount, m.Source = string(v.Name), string(v.Rule), v.Amount, Ref(v.Source)
	})
	m.Total, m.Band = v.Total, string(v.Band)
}

func (r *reader) tally(m *pb.Tally) engine.Tally {
	return engine.Tally{
		What: engine.Quantity(m.What), Rule: engine.Rule(m.Rule), Frame: engine.FrameID(m.Frame),
		Lane: m.Lane, On: engine.ActorID(m.On),
		Terms: list(r, "terms", m.Terms, func(r *reader, m *pb.Term) engine.Term {
			return engine.Term{
				Name: engine.ModName(m.Name), Rule: engine.Rule(m.Rule), Amount: m.Amount,
				Source: sub(r, "source", m.Source, (*reader).ref),
			}
		}),
		Total: m.Total, Band: engine.Band(m.Band),
	}
}

// FromFormula reads what is to be thrown outside a battle.
func FromFormula(m *pb.RollRequest) (dice.Formula, error) {
	r := reader{}
	f := dice.Formula{
		Kind:    choice(&r, "kind", m.Kind, lastDiceKind),
		Count:   int32(r.narrow("count", int64(m.Count), 0, dice.MaxCount)),
		Sides:   int32(r.narrow("sides", int64(m.Sides), 0, dice.MaxSides)),
		Percent: int32(r.narrow("percent", int64(m.Percent), -99, 99)),
	}
	if r.err == nil {
		if err := f.Check(); err != nil {
			r.fail("kind", "does not fit: %v", err)
		}
	}
	switch {
	case f.Kind == dice.Fudge:
		f.Count, f.Sides = 4, 3
	case f.Kind == dice.D100:
		f.Count, f.Sides = 1, 100
	}
	return f, r.done()
}
