package engine

import "autobattle/engine/dice"

// BaseKind says how the base level of a roll came about.
type BaseKind uint8

// The ways to a base level.
const (
	BaseOwn BaseKind = iota
	BaseCorrelated
	BaseUntrained
	BaseSubstitute
)

// Base is the level a roll starts from. Trait is the trait rolled; From is the trait whose level was taken, if another.
type Base struct {
	Trait TraitName
	From  TraitName
	Level int32
	Kind  BaseKind
	Rule  Rule
}

// Roll is the whole story of one roll. With no throws it is prepared; with two, Taken is the one that counts.
type Roll struct {
	ID             RollID
	By             ActorID
	Against        ActorID
	Why            Purpose
	Rule           Rule
	Frame          FrameID
	Base           Base
	Mods           []Mod
	Aim            int32 // difficulty or target number; valid when HasAim
	HasAim         bool
	Throws         []dice.Throw
	Taken          int8
	After          []Mod // Will, pools, the master
	Result, Margin int32
	Grade          GradeName
}

// Sum adds up the modifiers of one kind that count.
func Sum(mods []Mod, k ModKind) (sum int32) {
	for i := range mods {
		if mods[i].Kind == k && !mods[i].Void {
			sum += mods[i].Amount
		}
	}
	return sum
}

// Term is one addend of a tally. Amount carries its sign.
type Term struct {
	Name   ModName
	Rule   Rule
	Amount int32
	Source Ref
}

// Tally is any computed number that is no roll: damage, a threshold, a difficulty, a cost.
type Tally struct {
	What  Quantity
	Rule  Rule
	Frame FrameID
	Lane  int32
	On    ActorID
	Terms []Term
	Total int64
	Band  Band
}
