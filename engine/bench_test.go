package engine_test

import (
	"testing"

	"autobattle/engine"
	"autobattle/engine/dice"
)

// A bare decision: a turn passed, the next one asked.
func BenchmarkStep(b *testing.B) {
	m := fight(b, false)
	d := m.decide(anna, "")
	env := engine.Env{Dice: dice.NewSeeded([32]byte{})}
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := engine.Step(m.sys, m.b, d, env); err != nil {
			b.Fatal(err)
		}
	}
}

// One attack from its declaration to its outcome: three decisions, two rolls.
func BenchmarkAttack(b *testing.B) {
	m := fight(b, false)
	env := engine.Env{Dice: dice.NewSeeded([32]byte{})}
	first := m.decide(anna, actStrike, cleo)
	b.ReportAllocs()
	for b.Loop() {
		at, c := m.b, engine.Command(first)
		for range 3 {
			next, _, err := engine.Step(m.sys, at, c, env)
			if err != nil {
				b.Fatal(err)
			}
			at = next
			p := at.LivePrompts()[0]
			c = engine.Decide{Prompt: p.ID, By: p.Whose, Intents: p.Default}
		}
	}
}

// A view of a battle that hides something.
func BenchmarkSee(b *testing.B) {
	m := fight(b, true)
	v := engine.ViewerOf(m.b, anna)
	b.ReportAllocs()
	for b.Loop() {
		engine.See(m.b, v)
	}
}

func BenchmarkSeeCommit(b *testing.B) {
	m := fight(b, true)
	before := m.b
	facts := m.does(anna, actStrike, cleo)
	v := engine.ViewerOf(m.b, anna)
	b.ReportAllocs()
	for b.Loop() {
		engine.SeeCommit(before, m.b, facts, v)
	}
}

// Folding a stored battle.
func BenchmarkReplay(b *testing.B) {
	m := fight(b, false)
	for range 40 {
		m.does(m.b.LivePrompts()[0].Whose, actHold)
	}
	b.ReportAllocs()
	for b.Loop() {
		at := &engine.Battle{}
		for i := range m.log {
			engine.Fold(at, &m.log[i])
		}
	}
}

func BenchmarkPreview(b *testing.B) {
	m := fight(b, false)
	d := m.decide(anna, actStrike, cleo)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := engine.Preview(m.sys, m.b, nil, d, nil); err != nil {
			b.Fatal(err)
		}
	}
}
