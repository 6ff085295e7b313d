package engine

import (
	"slices"

	"autobattle/engine/voxel"
)

// join adds actors with all they bring; the rules check the sheets and set what follows from them.
func (s *Scene) join(c Join) error {
	s.rule = RuleJoin
	if s.b.Phase == Over {
		return Refuse(ReasonPhase, s.rule)
	}
	if len(c.Actors) == 0 {
		return Refuse(ReasonMalformed, s.rule, Words("actors", "at least one"))
	}
	for i := range c.Actors {
		if err := s.joinOne(&c.Actors[i]); err != nil {
			return err
		}
	}
	return nil
}

func (s *Scene) joinOne(n *Newcomer) error {
	spec := s.sys.Spec
	if n.Key == "" {
		return Refuse(ReasonMalformed, s.rule, Words("key", "empty"))
	}
	if s.b.ActorByKey(n.Key) != nil {
		return Refuse(ReasonDuplicate, s.rule, Words("key", n.Key))
	}
	if len(s.b.Teams) > 0 && !slices.ContainsFunc(s.b.Teams, func(t Team) bool { return t.ID == n.Team }) {
		return Refuse(ReasonUnknownName, s.rule, Words("key", n.Key), Words("team", string(n.Team)))
	}
	body := spec.Body(n.Body)
	if body == nil {
		return Refuse(ReasonUnknownName, s.rule, Words("key", n.Key), Words("body", string(n.Body)))
	}
	for _, t := range n.Traits {
		ts := spec.Trait(t.Name)
		if ts == nil {
			return Refuse(ReasonUnknownName, s.rule, Words("key", n.Key), Words("trait", string(t.Name)))
		}
		top := ts.Max
		if n.Controller.Kind == ByPlayer {
			top = ts.PlayerMax
		}
		if t.Level < ts.Min || t.Level > top {
			return Refuse(ReasonBadSheet, s.rule, Words("key", n.Key), Named("trait", t.Name), Num("level", int64(t.Level)), Num("min", int64(ts.Min)), Num("max", int64(top)))
		}
	}
	a := Actor{
		ID: ActorID(s.NewIDFor(n.For)), Key: n.Key, Name: n.Name, Grammar: n.Grammar, Character: n.Character, Team: n.Team,
		Controller: n.Controller, Policies: slices.Clone(n.Policies), Body: body.Name, Pose: n.Pose, For: n.For,
	}
	s.secret = n.For.Kind != Everyone
	s.veiled = s.veiled || s.secret
	for _, w := range n.For.Who {
		if s.b.Actor(w) == nil {
			return Refuse(ReasonUnknownActor, s.rule, Words("key", n.Key), Num("actor", int64(w)))
		}
	}
	if n.For.Kind == ForActors || n.For.Kind == ForKnowers {
		a.For.Who = append([]ActorID{a.ID}, n.For.Who...)
	}
	if err := s.fits(n.Pose, body.Name, a.ID); err != nil {
		return err
	}
	s.Emit(s.rule, ActorSet{Actor: a})
	for _, t := range n.Traits {
		s.Emit(s.rule, TraitSet{Trait: Trait{On: a.ID, Name: t.Name, Level: t.Level}})
	}
	ids := make([]ItemID, len(n.Items))
	for i := range n.Items {
		it := &n.Items[i]
		if spec.Item(it.Ref) == nil {
			return Refuse(ReasonUnknownName, s.rule, Words("key", n.Key), Words("item", string(it.Ref)))
		}
		if it.In < 0 || int(it.In) > i {
			return Refuse(ReasonMalformed, s.rule, Words("key", n.Key), Words("item", string(it.Ref)), Num("in", int64(it.In)), Num("max", int64(i)))
		}
		ids[i] = ItemID(s.NewID())
		rec := Item{ID: ids[i], Ref: it.Ref, Holder: a.ID, Slot: it.Slot}
		if it.In > 0 {
			rec.In = ids[it.In-1]
		}
		s.Emit(s.rule, ItemSet{Item: rec})
		for _, g := range it.Gauges {
			if spec.Gauge(g.Name) == nil {
				return Refuse(ReasonUnknownName, s.rule, Words("key", n.Key), Words("gauge", string(g.Name)))
			}
			s.SetGauge(s.rule, ids[i].On(), g.Name, g.Now, 0, max(g.Now, 0))
		}
	}
	for _, g := range n.Gauges {
		if spec.Gauge(g.Name) == nil {
			return Refuse(ReasonUnknownName, s.rule, Words("key", n.Key), Words("gauge", string(g.Name)))
		}
		s.SetGauge(s.rule, a.ID.On(), g.Name, g.Now, min(g.Now, 0), max(g.Now, 0))
	}
	conds := make([]CondID, len(n.Conds))
	for i, k := range n.Conds {
		if spec.Cond(k.Name) == nil {
			return Refuse(ReasonUnknownName, s.rule, Words("key", n.Key), Words("condition", string(k.Name)))
		}
		c := Cond{Name: k.Name, On: a.ID.On(), About: k.About, Part: k.Part, Level: k.Level, Value: k.Value, Until: Until{Kind: UntilKept, N: k.Until.N}}
		if k.Parent > 0 && int(k.Parent) <= i {
			c.Parent = conds[k.Parent-1]
		}
		conds[i] = s.SetCond(s.rule, c)
	}
	return s.sys.Rules.Admit(s, a.ID)
}

// adjust sets state by the master's word.
func (s *Scene) adjust(c Adjust) error {
	if len(c.Facts) == 0 {
		return Refuse(ReasonMalformed, s.rule, Words("facts", "at least one"))
	}
	for _, e := range c.Facts {
		if err := s.settable(e); err != nil {
			return err
		}
		switch e := e.(type) {
		case CondSet:
			s.SetCond(s.rule, e.Cond)
		case CondCleared:
			s.ClearCond(s.rule, e.ID, ClearMaster)
		case ItemSet:
			if e.Item.ID == 0 {
				aud := e.Item.For
				if a := s.b.Actor(e.Item.Holder); aud.Kind == Everyone && a != nil {
					aud = a.For
				}
				e.Item.ID = ItemID(s.NewIDFor(aud))
			}
			s.Emit(s.rule, e)
		case ItemGone:
			for cs := s.b.CondsOn(e.ID.On()); len(cs) > 0; cs = s.b.CondsOn(e.ID.On()) {
				s.ClearCond(s.rule, cs[0].ID, ClearMaster)
			}
			s.Emit(s.rule, e)
		case ZoneSet:
			if e.Zone.ID == 0 {
				e.Zone.ID = ZoneID(s.NewIDFor(e.Zone.For))
			}
			s.Emit(s.rule, e)
		case GaugeSet:
			e.Before = s.b.GaugeNow(e.Gauge.On, e.Gauge.Name)
			s.Emit(s.rule, e)
		case Moved:
			a := s.b.Actor(e.Actor)
			e.From = a.Pose.At
			if e.Look == (voxel.Look{}) {
				e.Look = a.Pose.Look
			}
			s.Emit(s.rule, e)
		default:
			s.Emit(s.rule, e)
		}
	}
	s.Emit(s.rule, Said{Key: "adjusted", Args: []Arg{Words("reason", c.Reason)}})
	return nil
}

// settable refuses facts that a master may not set, and facts about things that do not exist.
func (s *Scene) settable(e Event) error {
	missing := func(kind RefKind, id uint32) error {
		return Refuse(ReasonUnknownTarget, s.rule, Refers("target", Ref{kind, id}))
	}
	bearer := func(r Ref) error {
		if !s.b.exists(r) {
			return missing(r.Kind, r.ID)
		}
		return nil
	}
	var nobody Ref
	if names(e, func(r Ref) bool { nobody = r; return r.Kind == RefActor && !s.b.exists(r) }) {
		return missing(nobody.Kind, nobody.ID)
	}
	spec := s.sys.Spec
	switch e := e.(type) {
	case TraitSet:
		if spec.Trait(e.Trait.Name) == nil {
			return Refuse(ReasonUnknownName, s.rule, Words("trait", string(e.Trait.Name)))
		}
		return bearer(e.Trait.On.On())
	case GaugeSet:
		if spec.Gauge(e.Gauge.Name) == nil {
			return Refuse(ReasonUnknownName, s.rule, Words("gauge", string(e.Gauge.Name)))
		}
		if g := e.Gauge; g.Now < g.Min || g.Now > g.Max {
			return Refuse(ReasonBadSheet, s.rule, Named("gauge", g.Name), Num("now", g.Now), Num("min", g.Min), Num("max", g.Max))
		}
		return bearer(e.Gauge.On)
	case CondSet:
		if spec.Cond(e.Cond.Name) == nil {
			return Refuse(ReasonUnknownName, s.rule, Words("condition", string(e.Cond.Name)))
		}
		if e.Cond.ID != 0 && s.b.Cond(e.Cond.ID) == nil {
			return missing(RefCond, uint32(e.Cond.ID))
		}
		if e.Cond.With != 0 && s.b.Actor(e.Cond.With) == nil {
			return missing(RefActor, uint32(e.Cond.With))
		}
		for p, n := e.Cond.Parent, 0; p != 0; n++ {
			up := s.b.Cond(p)
			if up == nil || p == e.Cond.ID || n > len(s.b.Conds) {
				return Refuse(ReasonUnknownTarget, s.rule, Num("parent", int64(e.Cond.Parent)))
			}
			p = up.Parent
		}
		return bearer(e.Cond.On)
	case CondCleared:
		if s.b.Cond(e.ID) == nil {
			return missing(RefCond, uint32(e.ID))
		}
	case ItemSet:
		if spec.Item(e.Item.Ref) == nil {
			return Refuse(ReasonUnknownName, s.rule, Words("item", string(e.Item.Ref)))
		}
		if e.Item.ID != 0 && s.b.Item(e.Item.ID) == nil {
			return missing(RefItem, uint32(e.Item.ID))
		}
		for in, n := e.Item.In, 0; in != 0; n++ {
			out := s.b.Item(in)
			if out == nil || in == e.Item.ID || n > len(s.b.Items) {
				return Refuse(ReasonUnknownItem, s.rule, Num("in", int64(e.Item.In)))
			}
			in = out.In
		}
		if e.Item.Holder != 0 {
			return bearer(e.Item.Holder.On())
		}
	case ItemGone:
		return bearer(e.ID.On())
	case ZoneSet:
		if spec.Cond(e.Zone.Name) == nil {
			return Refuse(ReasonUnknownName, s.rule, Words("zone", string(e.Zone.Name)))
		}
		if e.Zone.ID != 0 && s.b.Zone(e.Zone.ID) == nil {
			return missing(RefZone, uint32(e.Zone.ID))
		}
	case ZoneCleared:
		if s.b.Zone(e.ID) == nil {
			return missing(RefZone, uint32(e.ID))
		}
	case KnownSet:
		if err := bearer(e.Known.By.On()); err != nil {
			return err
		}
		return bearer(e.Known.Of)
	case Moved:
		if s.b.Actor(e.Actor) == nil {
			return missing(RefActor, uint32(e.Actor))
		}
		a := s.b.Actor(e.Actor)
		pose := a.Pose
		pose.At = e.To
		if e.Look != (voxel.Look{}) {
			pose.Look = e.Look
		}
		return s.fits(pose, a.Body, a.ID)
	case Posed:
		if s.b.Actor(e.Actor) == nil {
			return missing(RefActor, uint32(e.Actor))
		}
		a := s.b.Actor(e.Actor)
		return s.fits(voxel.Pose{At: a.Pose.At, Look: e.Look, Posture: e.Posture}, a.Body, a.ID)
	case Queued:
		for _, seat := range e.Seats {
			if s.b.Actor(seat.Actor) == nil {
				return missing(RefActor, uint32(seat.Actor))
			}
		}
	default:
		return Refuse(ReasonNotAFactToSet, s.rule)
	}
	return nil
}

func (s *Scene) override(c Override) error {
	if c.Clear != 0 {
		if !slices.ContainsFunc(s.b.Rulings, func(r Ruling) bool { return r.ID == c.Clear }) {
			return Refuse(ReasonUnknownTarget, s.rule, Num("ruling", int64(c.Clear)))
		}
		s.Emit(s.rule, RulingCleared{ID: c.Clear})
		return nil
	}
	r := c.Ruling
	i := slices.IndexFunc(s.sys.Spec.Figures, func(q FigureSpec) bool { return q.Name == r.What && q.Ruled })
	if i < 0 {
		return Refuse(ReasonUnknownName, s.rule, Words("quantity", string(r.What)))
	}
	if q := s.sys.Spec.Figures[i]; r.N < q.Min || r.N > q.Max {
		return Refuse(ReasonMalformed, s.rule, Named("quantity", r.What), Num("value", r.N), Num("min", q.Min), Num("max", q.Max))
	}
	for _, a := range []ActorID{r.Scope.A, r.Scope.B} {
		if a != 0 && s.b.Actor(a) == nil {
			return Refuse(ReasonUnknownActor, s.rule, Num("actor", int64(a)))
		}
	}
	if r.Scope.Kind == ScopeFrame && s.b.Frame(r.Scope.Frame) == nil {
		return Refuse(ReasonUnknownTarget, s.rule, Num("frame", int64(r.Scope.Frame)))
	}
	if r.Scope.Kind == ScopeZone && s.b.Zone(r.Scope.Zone) == nil {
		return Refuse(ReasonUnknownTarget, s.rule, Refers("zone", Ref{RefZone, uint32(r.Scope.Zone)}))
	}
	r.ID = RulingID(s.NewIDFor(s.record(Ruled{Ruling: r})))
	s.Emit(s.rule, Ruled{Ruling: r})
	return nil
}

func (s *Scene) edit(c Edit) error {
	s.rule = RuleBlocks
	w := s.World()
	if w == nil {
		return Refuse(ReasonArenaMissing, s.rule)
	}
	outside := func(p voxel.Pos) error {
		if w.Bounds().Contains(p) {
			return nil
		}
		r := Refuse(ReasonBlockOutOfArena, s.rule, Cell("cell", p), Cell("min", w.Bounds().Min), Cell("max", w.Bounds().Max))
		r.Cells = []voxel.Pos{p}
		return r
	}
	if len(c.Edits)+len(c.Gone) == 0 {
		return Refuse(ReasonMalformed, s.rule, Words("edits", "at least one"))
	}
	for i := range c.Edits {
		e := &c.Edits[i]
		if err := outside(e.At); err != nil {
			return err
		}
		if err := e.Block.Validate(); err != nil {
			return Refuse(ReasonMalformed, s.rule, Cell("cell", e.At), Words("block", err.Error()))
		}
		if e.Wear < 0 {
			return Refuse(ReasonMalformed, s.rule, Cell("cell", e.At), Num("wear", int64(e.Wear)), Num("min", 0))
		}
	}
	for _, p := range c.Gone {
		if err := outside(p); err != nil {
			return err
		}
	}
	s.Emit(s.rule, BlocksChanged{Edits: slices.Clone(c.Edits), Gone: slices.Clone(c.Gone)})
	if _, err := overlaid(s.env.World, s.b.Blocks); err != nil {
		return Refuse(ReasonLimit, s.rule, Words("blocks", err.Error()))
	}
	return nil
}

// remove takes an actor out for good. The frames that were his fall away with what stands above them; what he was asked
// lapses; what was on him or with him, or lasted until his turn, ends; his things lie where he stood.
func (s *Scene) remove(c Remove) error {
	if s.b.Actor(c.Actor) == nil {
		return Refuse(ReasonUnknownActor, s.rule, Num("actor", int64(c.Actor)))
	}
	for i := range s.b.Frames {
		if f := &s.b.Frames[i]; f.Kind != FrameBattle && f.Kind != FrameRound && f.Intent.By == c.Actor {
			s.CloseTo(f.Under, OutcomeEnded)
			break
		}
	}
	for i := range s.b.Prompts {
		if p := s.b.Prompts[i]; p.Whose == c.Actor && !p.Done {
			s.answer(&p, c.Actor, nil, nil, PromptLapsed)
		}
	}
	for i := range s.b.Items {
		if it := s.b.Items[i]; it.Holder == c.Actor {
			it.Holder, it.Slot = 0, ""
			if it.In == 0 {
				it.Cell = s.b.Actor(c.Actor).Pose.At.Block()
			}
			s.Emit(s.rule, ItemSet{Item: it})
		}
	}
	for i := 0; i < len(s.b.Conds); i++ {
		if x := &s.b.Conds[i]; x.On == c.Actor.On() || x.With == c.Actor {
			s.ClearCond(s.rule, x.ID, ClearWithdrawn)
			i = -1
		}
	}
	s.lapse(func(u *Until) bool {
		return u.Whose == c.Actor && (u.Kind == UntilTurnStart || u.Kind == UntilTurnEnd)
	}, RuleExpiry)
	s.Emit(s.rule, ActorGone{ID: c.Actor, Reason: c.Reason})
	return nil
}

func (s *Scene) control(c Control) error {
	a := s.b.Actor(c.Actor)
	if a == nil {
		return Refuse(ReasonUnknownActor, s.rule, Num("actor", int64(c.Actor)))
	}
	n := *a
	n.Controller, n.Policies = c.Controller, slices.Clone(c.Policies)
	s.Emit(s.rule, ActorSet{Actor: n})
	return nil
}

func (s *Scene) phase(from, to Phase, reason string) error {
	if s.b.Phase != from {
		return Refuse(ReasonPhase, s.rule)
	}
	s.Emit(s.rule, PhaseSet{Phase: to, Reason: reason})
	return nil
}

// rewind restores an earlier state by setting facts. The dice clock runs on, so that nobody plays with faces he has
// seen; prompts reopen under new ids, so that late answers to undone questions are refused; what has become known stays.
func (s *Scene) rewind(c Rewind) error {
	s.rule = RuleRewind
	if c.Target == nil || c.To == 0 || c.To >= s.b.Version-1 || c.Target.Version != c.To || c.Target.Phase == Lobby && s.b.Phase != Lobby || c.Same {
		return Refuse(ReasonRewind, s.rule, Num("to", int64(c.To)))
	}
	s.EmitFor(Audience{}, Why{Rule: s.rule}, Rewound{To: c.To, Same: c.Same, Reason: c.Reason})
	t := c.Target.clone()
	owned(t, ownPrompts, &t.Prompts)
	for i := range t.Prompts {
		t.Prompts[i].ID = PromptID(s.newID(t.Prompts[i].ID&HiddenBit != 0))
	}
	// Who was there all the time knows what he knows now; of those who come back or go, what they knew then.
	drop(t, ownKnown, &t.Known, func(k *Known) bool { return s.b.exists(k.By.On()) && s.b.exists(k.Of) })
	for i := range s.b.Known {
		if k := s.b.Known[i]; t.exists(k.By.On()) && t.exists(k.Of) {
			put(t, ownKnown, &t.Known, k, byKnown)
		}
	}
	for _, e := range Diff(s.b, t) {
		s.Emit(s.rule, e)
	}
	s.before, s.dirty = nil, nil // the facts above say all there is to say of frames
	for i := range s.b.Frames {
		s.before = append(s.before, s.b.Frames[i].ID)
	}
	return nil
}

func (s *Scene) say(c Say) error {
	if c.Actor != 0 && s.b.Actor(c.Actor) == nil {
		return Refuse(ReasonUnknownActor, s.rule, Num("actor", int64(c.Actor)))
	}
	if c.Text == "" {
		return Refuse(ReasonMalformed, s.rule, Words("text", "empty"))
	}
	s.EmitFor(c.For, Why{Rule: s.rule}, Said{Actor: c.Actor, Text: c.Text})
	return nil
}
