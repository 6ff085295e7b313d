package odds

import (
	"errors"
	"fmt"
	"slices"

	"autobattle/engine/dice"
)

// ErrTooMany is wrapped by the errors of [Walk] when there is more to play than was allowed.
var ErrTooMany = errors.New("too many ways to play")

// maxDepth is the largest number of throws on one way.
const maxDepth = 1024

// Tree is the source of throws of one way through [Walk].
type Tree struct {
	known []known // the formulas met so far with their distributions
	path  []fork
	depth int // throws made on this way
}

type known struct {
	formula dice.Formula
	dist    Dist
}

// fork is one throw on the way: which formula of known, and which of its outcomes.
type fork struct{ formula, outcome int }

var _ dice.Source = (*Tree)(nil)

// Walk plays run once for every way the throws it asks of t can fall, classes of throws taken together as in
// [Throws], lowest first. At its end run asks t for the chance of the way. The chances of all ways add up
// to 1. Run must do the same whenever the throws are the same, or Walk panics.
//
// Walk gives up with an error that wraps [ErrTooMany] before way number limit+1, or at throw number 1025 of a
// way, which ends run there; what run has collected by then is not the whole.
func Walk(limit int, run func(t *Tree)) error {
	t := &Tree{}
	for ways := 0; ; ways++ {
		if ways >= limit {
			return fmt.Errorf("odds: %w: more than %d", ErrTooMany, limit)
		}
		t.depth = 0
		if !t.play(run) {
			return fmt.Errorf("odds: %w: a way of more than %d throws", ErrTooMany, maxDepth)
		}
		if t.depth != len(t.path) {
			panic(fmt.Sprintf("odds: %d throws, but %d when the same throws fell before: not deterministic", t.depth, len(t.path)))
		}
		if !t.advance() {
			return nil
		}
	}
}

// tooDeep ends a run from within a throw.
type tooDeep struct{}

// play runs one way and tells whether it came to an end.
func (t *Tree) play(run func(*Tree)) (done bool) {
	defer func() {
		if done {
			return
		}
		r := recover() // nil when run ends the goroutine
		if _, ours := r.(tooDeep); !ours && r != nil {
			panic(r)
		}
	}()
	run(t)
	return true
}

// advance steps to the next way, and tells whether there is one.
func (t *Tree) advance() bool {
	for len(t.path) > 0 {
		last := &t.path[len(t.path)-1]
		if last.outcome++; last.outcome < len(t.known[last.formula].dist.Outcomes) {
			return true
		}
		t.path = t.path[:len(t.path)-1]
	}
	return false
}

// Throw gives the outcome that the way says. It panics if another formula was thrown when the same throws fell
// before.
func (t *Tree) Throw(at dice.At, f dice.Formula) dice.Throw {
	if t.depth == maxDepth {
		panic(tooDeep{})
	}
	k := t.find(f)
	if t.depth == len(t.path) {
		t.path = append(t.path, fork{k, 0})
	}
	step := t.path[t.depth]
	if step.formula != k {
		panic(fmt.Sprintf("odds: throw %d is %s, but was %s when the same throws fell before: not deterministic",
			t.depth+1, f, t.known[step.formula].formula))
	}
	t.depth++
	throw := t.known[k].dist.Outcomes[step.outcome].Throw
	throw.At = at
	return throw
}

// find is the number of a formula in known. There are few.
func (t *Tree) find(f dice.Formula) int {
	for i := range t.known {
		if same(&t.known[i].formula, &f) {
			return i
		}
	}
	d := Throws(f)
	f.Cuts = slices.Clone(f.Cuts)
	t.known = append(t.known, known{f, d})
	return len(t.known) - 1
}

func same(f, g *dice.Formula) bool {
	return f.Kind == g.Kind && f.Count == g.Count && f.Sides == g.Sides && f.Percent == g.Percent && slices.Equal(f.Cuts, g.Cuts)
}

// Chance is the chance of the throws made so far on this way; 1 before the first.
func (t *Tree) Chance() Chance {
	c := Certain()
	for _, step := range t.path[:t.depth] {
		c = c.Mul(t.known[step.formula].dist.Chance(step.outcome))
	}
	return c
}
