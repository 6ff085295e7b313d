package kmrp

import (
	"autobattle/engine"
	"autobattle/engine/rules/kmrp/catalogue"
	"autobattle/engine/voxel"
)

// classOf is the class of an attack, for what may answer it (KM-DEF-GEN-02).
func (r *rules) classOf(v engine.View, f *engine.Frame, g *gear) engine.ActName {
	switch {
	case g.weapon.Kind == catalogue.Unarmed || g.weapon.Has(catalogue.Fist):
		return actFists
	case !g.ranged():
		return actBlow
	}
	on := f.Intent.Victim()
	if distance(v, f.Intent.By, on, &f.Lanes[0].Seen, f.ID) <= r.closeDistance(v.Battle, on) {
		return actClose
	}
	return actShot
}

// closeDistance is how near a shot is a close one: within the length of the target's weapon in hand, 1 for bare hands
// (KM-RNG-CLOSE-01, AMB-59).
func (r *rules) closeDistance(b *engine.Battle, on engine.ActorID) int32 {
	if b.Word(optClose) == "two" {
		return 2
	}
	if g, ok := r.armed(b, on, catalogue.Melee); ok {
		return max(1, g.length())
	}
	return 1
}

// farProne and nearProne are the distances, in blocks, beyond which a lying target is harder to hit and within which it
// defends worse (KM-PRONE-04, -05).
const (
	farProne  = 20
	nearProne = 10
)

// difficulty is the hit difficulty H of a shot: the distance, and on top cover and a far lying target (KM-RNG-02, -04,
// KM-COVER-02, KM-DARK-02, KM-PRONE-04). Cover of darkness and real cover do not add up, save by option (KM-DARK-05). base
// is that of the distance alone (AMB-57).
func (r *rules) difficulty(s *engine.Scene, f *engine.Frame, g *gear) (h, base int32, ok bool) {
	v := s.View()
	by, on := f.Intent.By, f.Intent.Victim()
	seen := &f.Lanes[0].Seen
	d := distance(v, by, on, seen, f.ID)
	base, ok = g.weapon.HitWith(g.ammo, d)
	if !ok {
		return 0, 0, false
	}
	terms := make([]engine.Term, 1, 4)
	terms[0] = engine.Term{Name: termDistance, Rule: "KM-RNG-02", Amount: base, Source: g.item.On()}
	cover := covered(v, by, on, seen, f.ID)
	if cover {
		terms = append(terms, engine.Term{Name: termCover, Rule: "KM-COVER-02", Amount: 1})
	}
	if (!cover || v.Word(optCoverStack) == wordYes) && r.light(v, by, on, seen, f.ID) == litShade {
		terms = append(terms, engine.Term{Name: termShade, Rule: "KM-DARK-02", Amount: 1})
	}
	if v.Actor(on).Pose.Posture == voxel.Prone && d > farProne {
		terms = append(terms, engine.Term{Name: termProneFar, Rule: "KM-PRONE-04", Amount: 1})
	}
	for i := range terms {
		h += terms[i].Amount
	}
	if n, _, ruled := v.Ruled(figDifficulty, by, on, f.ID); ruled {
		terms = append(terms, engine.Term{Name: termRuling, Rule: "KM-RNG-04", Amount: int32(n) - h})
		h = int32(n)
	}
	s.Tally(engine.Tally{What: figDifficulty, Rule: "KM-RNG-04", On: on, Terms: terms, Total: int64(h)})
	return h, base, true
}

// afterShot: a thrown weapon leaves the hand; a firearm's flash shows who shot from the dark (KM-DARK-04), and a tracer that
// hits takes the shade from its target (KM-DARK-06). Both last by the option reveal_until, usually until the round ends.
func (r *rules) afterShot(s *engine.Scene, f *engine.Frame, g *gear, lane *engine.Lane) {
	v := s.View()
	by, on := f.Intent.By, f.Intent.Victim()
	if g.weapon.Has(catalogue.Thrown) && g.item != 0 && g.weapon.Capacity == 0 {
		it := *v.Item(g.item)
		it.Holder, it.Slot = 0, ""
		if foe := v.Actor(on); foe != nil {
			it.Cell = foe.Pose.At.Block()
		}
		s.Emit("KM-RNG-06", engine.ItemSet{Item: it})
	}
	if v.World == nil && len(v.Zones) == 0 && len(v.Rulings) == 0 {
		return
	}
	shot := g.weapon.Shot(g.ammo)
	if shot.Family == catalogue.Firearm || shot.Effect.Tracer {
		me := voxel.Sighting{}
		if v.World != nil {
			mine := r.figure(v.Actor(by))
			me.Light = v.World.Light(mine.Head())
		}
		if r.light(v, on, by, &me, f.ID) != litNormal {
			s.SetCond("KM-DARK-04", engine.Cond{Name: condRevealed, On: by.On(), Until: r.revealUntil(v.Battle, by)})
		}
	}
	if shot.Effect.Tracer && f.Get(varDamage, 0) > 0 && v.Actor(on) != nil && r.light(v, by, on, &lane.Seen, f.ID) != litNormal {
		s.SetCond("KM-DARK-06", engine.Cond{Name: condShadeLost, On: on.On(), Until: r.revealUntil(v.Battle, on)})
	}
}

// revealUntil is how long one who gave himself away is seen (AMB-50).
func (r *rules) revealUntil(b *engine.Battle, a engine.ActorID) engine.Until {
	switch b.Word(optReveal) {
	case "own_next_turn":
		return engine.Until{Kind: engine.UntilTurnStart, Whose: a, N: 1}
	case "turn":
		if seat := b.SeatActing(); seat != nil {
			return engine.Until{Kind: engine.UntilTurnEnd, Whose: seat.Actor, N: 1}
		}
	}
	return engine.Until{Kind: engine.UntilRound, N: b.Round}
}
