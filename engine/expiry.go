package engine

// lapse ends everything whose lifetime matches: conditions, zones, plans, rulings.
func (s *Scene) lapse(over func(*Until) bool, rule Rule) {
	for i := 0; i < len(s.b.Conds); i++ {
		if c := &s.b.Conds[i]; over(&c.Until) {
			s.ClearCond(rule, c.ID, ClearExpired)
			i = -1 // children may have gone with it, from any place
		}
	}
	for i := 0; i < len(s.b.Zones); i++ {
		if z := &s.b.Zones[i]; over(&z.Until) {
			s.Emit(rule, ZoneCleared{ID: z.ID, Why: ClearExpired})
			i--
		}
	}
	for i := 0; i < len(s.b.Plans); i++ {
		if p := &s.b.Plans[i]; over(&p.Until) {
			s.Emit(rule, PlanCleared{ID: p.ID, Why: ClearExpired})
			i--
		}
	}
	for i := 0; i < len(s.b.Rulings); i++ {
		if r := &s.b.Rulings[i]; over(&r.Until) {
			s.Emit(rule, RulingCleared{ID: r.ID})
			i--
		}
	}
}

// count takes one from every lifetime of the kind that has more than one to go, and ends the others.
func (s *Scene) count(kind UntilKind, whose ActorID) {
	match := func(u *Until) bool { return u.Kind == kind && u.Whose == whose }
	less := func(u Until) Until { u.N--; return u }
	s.lapse(func(u *Until) bool { return match(u) && u.N <= 1 }, RuleExpiry)
	// What is left has two or more to go; each is set once, so the tables do not change their order below.
	for i := range s.b.Conds {
		if c := s.b.Conds[i]; match(&c.Until) {
			c.Until = less(c.Until)
			s.Emit(RuleExpiry, CondSet{Cond: c})
		}
	}
	for i := range s.b.Zones {
		if z := s.b.Zones[i]; match(&z.Until) {
			z.Until = less(z.Until)
			s.Emit(RuleExpiry, ZoneSet{Zone: z})
		}
	}
	for i := range s.b.Plans {
		if p := s.b.Plans[i]; match(&p.Until) {
			p.Until = less(p.Until)
			s.Emit(RuleExpiry, PlanSet{Plan: p})
		}
	}
	for i := range s.b.Rulings {
		if r := s.b.Rulings[i]; match(&r.Until) {
			r.Until = less(r.Until)
			s.Emit(RuleExpiry, Ruled{Ruling: r})
		}
	}
}

// TurnStarts counts down and ends what lasts until turn starts of a.
func (s *Scene) TurnStarts(a ActorID) { s.count(UntilTurnStart, a) }

// TurnEnds counts down and ends what lasts until turn ends of a; skipped turns count.
func (s *Scene) TurnEnds(a ActorID) { s.count(UntilTurnEnd, a) }

// SlotEnds counts down and ends what lasts a number of slots.
func (s *Scene) SlotEnds() { s.count(UntilSlots, 0) }

// RoundEnds ends what lasts until the end of the present round or an earlier one.
func (s *Scene) RoundEnds() {
	round := s.b.Round
	s.lapse(func(u *Until) bool { return u.Kind == UntilRound && u.N <= round }, RuleExpiry)
}

// Due are the conditions that such a moment would end now, for rules that do something else than end them: of a turn of
// whose, of a slot (whose is zero), or of the present round (whose does not count).
func (s *Scene) Due(kind UntilKind, whose ActorID) []Cond {
	var due []Cond
	for i := range s.b.Conds {
		u := &s.b.Conds[i].Until
		now := u.Whose == whose && u.N <= 1
		if kind == UntilRound {
			now = u.N <= s.b.Round
		}
		if u.Kind == kind && now {
			due = append(due, s.b.Conds[i])
		}
	}
	return due
}
