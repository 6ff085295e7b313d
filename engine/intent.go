package engine

import "autobattle/engine/voxel"

// Target is one thing an intent is aimed at. Exactly one of Ref and Cell counts: Cell when Ref is the battle.
type Target struct {
	Ref  Ref
	Cell voxel.Pos
}

// Intent is one act as data: a decision, a line of a sheet, what a plan will do, what a frame does.
type Intent struct {
	Act     ActName
	By      ActorID
	Targets []Target
	Items   []ItemID // in the player's order, main hand first
	Part    PartName
	About   TraitName
	Mods    []ModName
	Path    []voxel.Pos // cells to enter in order; one far cell alone is a destination
	Look    voxel.Look  // where to face; zero: unchanged
	Amount  int32       // rounds, points, step of a path, number of an option
	Same    bool        // a defence: use it for the later blows of this act while legal
}

// Has reports whether the player chose modifier m.
func (i *Intent) Has(m ModName) bool {
	for _, n := range i.Mods {
		if n == m {
			return true
		}
	}
	return false
}

// Victim is the actor that the intent is first aimed at, or zero.
func (i *Intent) Victim() ActorID {
	if len(i.Targets) == 0 {
		return 0
	}
	return i.Targets[0].Ref.Actor()
}

// Item is the n-th item the intent names, or zero.
func (i *Intent) Item(n int) ItemID {
	if n >= len(i.Items) {
		return 0
	}
	return i.Items[n]
}

// Span is a range of whole numbers, both ends included. The zero Span takes no number.
type Span struct{ Min, Max int32 }

// ModGroup is a set of modifiers of which at most Most may be chosen.
type ModGroup struct {
	Mods []ModName
	Most int32
}

// CellCost is a cell that can be reached and what it costs, in the ruleset's movement unit of 1/256 block.
type CellCost struct {
	Cell voxel.Pos
	Cost int32
	From int32 // index of the cell before it in the same list; -1: the start
}

// GaugeCost is what an act takes from a gauge.
type GaugeCost struct {
	Name   GaugeName
	Amount int64
}

// Offer is a set of intents. Where No is nil every intent within it passes Check; every intent outside all offers is
// refused with the rule that forbids it. An offer with No is shown grey, with the reason.
type Offer struct {
	Act     ActName
	Targets []Target // one of these; empty: none is named
	Items   [][]ItemID
	Parts   []PartName
	About   []TraitName
	Mods    []ModGroup
	Amount  Span
	Region  []CellCost // destinations
	Cost    []GaugeCost
	No      *Rejection
}

// ModKind is the kind of number a modifier shifts. The kinds never mix.
type ModKind uint8

// The kinds of modifiers.
const (
	ModLevel ModKind = iota
	ModPercent
	ModDamage
	ModDifficulty
)

// Mod is one explained modifier. A Void one is listed but does not count.
type Mod struct {
	Name   ModName
	Rule   Rule
	Kind   ModKind
	Amount int32
	Source Ref
	Cells  []voxel.Pos // the blocks that gave it
	Void   bool
}
