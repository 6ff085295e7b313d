package text

import (
	"autobattle/engine"
	"autobattle/engine/voxel"
)

// maxCells is how many blocks a sentence lists before it only counts.
const maxCells = 6

// scene is what one call may speak of: the battle as its reader knows it, after and, if given, before what happened.
type scene struct {
	*Renderer
	b, before *engine.Battle
	facts     []engine.Fact
}

func (r *Renderer) scene(b *engine.Battle) scene { return scene{Renderer: r, b: b} }

// actorRecord finds an actor that the reader knows.
func (s *scene) actorRecord(id engine.ActorID) *engine.Actor {
	for _, b := range [...]*engine.Battle{s.b, s.before} {
		if b != nil {
			if a := b.Actor(id); a != nil {
				return a
			}
		}
	}
	for i := range s.facts {
		if e, ok := s.facts[i].Event.(engine.ActorSet); ok && e.Actor.ID == id {
			a := e.Actor
			return &a
		}
	}
	return nil
}

// actor is an actor's name; somebody the reader does not know is someone.
func (s *scene) actor(id engine.ActorID) value {
	if a := s.actorRecord(id); a != nil {
		name := a.Name
		if clean(name) == "" {
			name = a.Key
		}
		v := own(name)
		v.gender = a.Grammar
		return v
	}
	return phrase(s.msgs.word("unknown", "actor"))
}

// whose is the actor, or the master for none.
func (s *scene) whose(id engine.ActorID) value {
	if id == 0 {
		return phrase(s.msgs.word("unknown", "master"))
	}
	return s.actor(id)
}

// maybe is the actor, or nothing for none.
func (s *scene) maybe(id engine.ActorID) value {
	if id == 0 {
		return value{}
	}
	return s.actor(id)
}

func (s *scene) item(id engine.ItemID) value {
	if id == 0 {
		return value{}
	}
	for _, b := range [...]*engine.Battle{s.b, s.before} {
		if b != nil {
			if it := b.Item(id); it != nil {
				return s.name(kindItem, string(it.Ref))
			}
		}
	}
	return phrase(s.msgs.word("unknown", "item"))
}

func (s *scene) zone(id engine.ZoneID) value {
	if id == 0 {
		return value{}
	}
	for _, b := range [...]*engine.Battle{s.b, s.before} {
		if b != nil {
			if z := b.Zone(id); z != nil {
				return s.name(kindCond, string(z.Name))
			}
		}
	}
	return phrase(s.msgs.word("unknown", "zone"))
}

func (s *scene) cond(id engine.CondID) value {
	for _, b := range [...]*engine.Battle{s.b, s.before} {
		if b == nil {
			continue
		}
		if c := b.Cond(id); c != nil {
			if v := s.condLevel(c); !v.empty() {
				return v
			}
			return s.name(kindCond, string(c.Name))
		}
	}
	return value{}
}

// condLevel is what the level of a condition means, empty where the catalogue does not say.
func (s *scene) condLevel(c *engine.Cond) value {
	levels := s.names.conds[c.Name]
	if c.Level < 0 || int(c.Level) >= len(levels) {
		return value{}
	}
	return levels[c.Level]
}

// ref is the name of any thing of the battle.
func (s *scene) ref(r engine.Ref) value {
	switch r.Kind {
	case engine.RefActor:
		return s.whose(engine.ActorID(r.ID))
	case engine.RefItem:
		return s.item(engine.ItemID(r.ID))
	case engine.RefCond:
		if v := s.cond(engine.CondID(r.ID)); !v.empty() {
			return v
		}
	case engine.RefZone:
		return s.zone(engine.ZoneID(r.ID))
	case engine.RefPlan:
		if p := s.plan(engine.PlanID(r.ID)); p != nil && p.Intent.Act != "" {
			return s.name(kindAct, string(p.Intent.Act))
		}
	case engine.RefSeat:
		if s.b != nil {
			for i := range s.b.Queue {
				if s.b.Queue[i].ID == engine.SeatID(r.ID) {
					return s.actor(s.b.Queue[i].Actor)
				}
			}
		}
	}
	return phrase(s.msgs.word("ref", refWords[min(int(r.Kind), len(refWords)-1)]))
}

// refWords are the variants of the message ref by kind.
var refWords = [...]string{
	engine.RefBattle: "battle", engine.RefActor: "actor", engine.RefItem: "item", engine.RefCond: "cond", engine.RefZone: "zone",
	engine.RefPlan: "plan", engine.RefFrame: "frame", engine.RefRoll: "roll", engine.RefSeat: "seat",
}

func (s *scene) plan(id engine.PlanID) *engine.Plan {
	for _, b := range [...]*engine.Battle{s.b, s.before} {
		if b != nil {
			if p := b.Plan(id); p != nil {
				return p
			}
		}
	}
	return nil
}

func (s *scene) team(id engine.TeamID) value {
	if id == "" {
		return value{}
	}
	if s.b != nil {
		for i := range s.b.Teams {
			if s.b.Teams[i].ID == id && clean(s.b.Teams[i].Name) != "" {
				return own(s.b.Teams[i].Name)
			}
		}
	}
	return own(string(id))
}

// target is what an intent is aimed at.
func (s *scene) target(t *engine.Target) value {
	if t.Ref == (engine.Ref{}) {
		return cellValue(t.Cell)
	}
	return s.ref(t.Ref)
}

func (s *scene) targets(ts []engine.Target) value {
	if len(ts) == 1 {
		return s.target(&ts[0])
	}
	l := s.list()
	for i := range ts {
		l.add(s.target(&ts[i]))
	}
	return l.value()
}

// blockName is what a block is called where the reader's battle says so: in the sight of an act, or among changed blocks.
func (s *scene) blockName(p voxel.Pos) string {
	look := func(frames []engine.Frame) string {
		for i := range frames {
			if n := hiding(&frames[i], p); n != "" {
				return n
			}
		}
		return ""
	}
	for _, b := range [...]*engine.Battle{s.b, s.before} {
		if b == nil {
			continue
		}
		if n := look(b.Frames); n != "" {
			return n
		}
		for i := range b.Blocks {
			if b.Blocks[i].At == p {
				return b.Blocks[i].Block.Name
			}
		}
	}
	for i := range s.facts {
		if e, ok := s.facts[i].Event.(engine.Framed); ok {
			if n := hiding(&e.Frame, p); n != "" {
				return n
			}
		}
	}
	return ""
}

func hiding(f *engine.Frame, p voxel.Pos) string {
	for i := range f.Lanes {
		for k := range f.Lanes[i].Seen.Hiding {
			if h := &f.Lanes[i].Seen.Hiding[k]; h.At == p {
				return h.Name
			}
		}
	}
	return ""
}

// block is a block with its coordinates: stone 3 64 5.
func (s *scene) block(p voxel.Pos, name string) value {
	if name == "" {
		name = s.blockName(p)
	}
	return value{s: s.msgs.fill(s.msgs.find("block"), arg{"name", own(name)}, arg{"cell", cellValue(p)}), proper: true}
}

// blocks lists cells, the first few of many.
func (s *scene) blocks(cells []voxel.Pos) value {
	l := s.list()
	for i, p := range cells {
		if i == maxCells {
			l.add(phrase(s.msgs.fill(s.msgs.find("more"), arg{"n", number(int64(len(cells) - i))})))
			break
		}
		l.add(s.block(p, ""))
	}
	return l.value()
}

// hidingCells lists blocks that hide somebody, the first few of many.
func (s *scene) hidingCells(cells []voxel.HidingCell) value {
	l := s.list()
	for i := range cells {
		if i == maxCells {
			l.add(phrase(s.msgs.fill(s.msgs.find("more"), arg{"n", number(int64(len(cells) - i))})))
			break
		}
		l.add(s.block(cells[i].At, cells[i].Name))
	}
	return l.value()
}

// cover lists the blocks that hide the target of a lane of a frame.
func (s *scene) cover(id engine.FrameID, on engine.ActorID) value {
	frame := func(f *engine.Frame) value {
		if f.ID != id {
			return value{}
		}
		for i := range f.Lanes {
			if lane := &f.Lanes[i]; len(lane.Seen.Hiding) > 0 && (on == 0 || lane.Target.Ref == on.On() || len(f.Lanes) == 1) {
				return s.hidingCells(lane.Seen.Hiding)
			}
		}
		return value{}
	}
	for _, b := range [...]*engine.Battle{s.b, s.before} {
		if b == nil {
			continue
		}
		for i := range b.Frames {
			if v := frame(&b.Frames[i]); !v.empty() {
				return v
			}
		}
	}
	for i := range s.facts {
		if e, ok := s.facts[i].Event.(engine.Framed); ok {
			if v := frame(&e.Frame); !v.empty() {
				return v
			}
		}
	}
	return value{}
}

// list joins values with commas.
type list struct {
	buf    []byte
	lang   *language
	n      int
	only   value
	proper bool
}

func (r *Renderer) list() list { return list{lang: r.msgs.lang} }

func (l *list) add(v value) {
	if v.empty() {
		return
	}
	if l.n > 0 {
		l.buf = append(l.buf, ", "...)
	} else {
		l.only, l.proper = v, v.proper
	}
	l.buf = v.append(l.buf, plain, l.lang)
	l.n++
}

// value is the list; one value alone stays what it is, with its cases and gender.
func (l *list) value() value {
	if l.n == 1 {
		return l.only
	}
	return value{s: string(l.buf), proper: l.proper, gender: engine.Plural}
}
