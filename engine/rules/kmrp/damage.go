package kmrp

// Answer is how a target met a blow. Undefended is the zero value.
type Answer uint8

// The answers of KM-DEF-GEN-02.
const (
	Undefended Answer = iota
	Evaded
	Parried
	Blocked
	Grouped
	Fought // a hand-to-hand roll
)

// Blow is everything that the damage formula reads (KM-DMG-01). Modifiers are whole points, levels are integers from
// Terrible = 0.
type Blow struct {
	Attack  int32  // A
	Floor   int32  // F: the hit difficulty of a shot, Terrible (0) in melee
	Answer  Answer // how the target defends
	Defence int32  // D; not read when Undefended
	Weapon  int32  // W, with every situational modifier
	Armour  int32  // AR of the struck segment, effective
	Chest   int32  // AR of the breastplate, effective: what counts after a successful grouping
	Shield  int32  // SH of the shield that blocks
	Wall    bool   // full defence, and the blow comes from the front (KM-WALL-02)
	Flail   bool   // the attacker's weapon is flexible-jointed (KM-DEF-BLOCK-04)

	TieHits   bool // option tie = attacker
	NoFloor   bool // option melee_floor = none: a defence below the floor counts as it is
	FlatBlock bool // option block_difference = zero: a successful block does not count how much better it was
}

// Reaches reports whether the attack reaches its floor; below it everything misses (KM-DMG-03).
func (b *Blow) Reaches() bool { return b.Attack >= b.Floor }

// Held reports whether the defence was successful: the attack is not better than it (KM-DICE-04).
func (b *Blow) Held() bool {
	if b.Answer == Undefended {
		return false
	}
	if b.TieHits {
		return b.Attack < b.Defence
	}
	return b.Attack <= b.Defence
}

// Lands reports whether damage is computed: the attack hits, or its defence is one that does not cancel (KM-DMG-04).
func (b *Blow) Lands() bool {
	if !b.Reaches() {
		return false
	}
	return !b.Held() || b.Answer == Blocked || b.Answer == Grouped
}

// Opposing is what is taken from the attack: the greater of defence and floor. After a successful block or grouping it is
// the defence (KM-DMG-02).
func (b *Blow) Opposing() int32 {
	switch {
	case b.Answer == Undefended:
		return b.Floor
	case b.FlatBlock && b.Answer == Blocked && b.Held():
		return b.Attack
	case b.NoFloor:
		return b.Defence
	}
	return max(b.Defence, b.Floor)
}

// ShieldCounts is the part of the shield modifier that counts: after a successful block, but not on a tie with a
// flexible-jointed weapon, and behind a full defence whatever the roll (KM-DEF-BLOCK-01, -04, KM-WALL-02).
func (b *Blow) ShieldCounts() int32 {
	if b.Answer == Blocked && b.Held() && !(b.Flail && b.Attack == b.Defence) || b.Wall {
		return b.Shield
	}
	return 0
}

// ArmourCounts is the armour modifier that counts: the breastplate's after a successful grouping (KM-DEF-GROUP-02).
func (b *Blow) ArmourCounts() int32 {
	if b.Answer == Grouped && b.Held() {
		return b.Chest
	}
	return b.Armour
}

// GroupingCounts is the point that a successful grouping absorbs (KM-DEF-GROUP-03).
func (b *Blow) GroupingCounts() int32 {
	if b.Answer == Grouped && b.Held() {
		return 1
	}
	return 0
}

// Damage is the formula of KM-DMG-01. It may be negative. It is meant for blows that land.
func (b *Blow) Damage() int32 {
	return b.Attack - b.Opposing() + b.Weapon - b.ArmourCounts() - b.ShieldCounts() - b.GroupingCounts()
}
