package server

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"slices"

	"autobattle/engine"
	pb "autobattle/proto/autobattle/v1"
	"autobattle/proto/wire"
	"autobattle/server/text"
	"autobattle/state"
)

// view is through whose eyes a call reads a battle.
type view struct {
	all    bool   // masters, and plugins that speak for no player
	player string // the player whose actors look; empty: all, a team, or a spectator
	team   engine.TeamID
	locale text.Locale
}

// viewFor settles whose eyes a call may use.
func viewFor(c Caller, player, locale string, want *pb.Viewer) (view, error) {
	v := view{player: player, locale: text.Match(locale)}
	if player != "" && !c.Sees() {
		return v, fail(pb.ErrorReason_ERROR_REASON_FORBIDDEN_ROLE, "role", c.role(), "want", "plugin or master, to speak for a player")
	}
	v.all = player == "" && c.Sees()
	if want == nil {
		return v, nil
	}
	switch want.GetKind() {
	case pb.ViewerKind_VIEWER_KIND_UNSPECIFIED:
	case pb.ViewerKind_VIEWER_KIND_PLAYER:
		if player == "" {
			return v, fail(pb.ErrorReason_ERROR_REASON_BAD_FIELD, "field", "player_id", "want", "the player whose eyes are meant")
		}
		v.all = false
	case pb.ViewerKind_VIEWER_KIND_ALL:
		if !v.all {
			return v, fail(pb.ErrorReason_ERROR_REASON_FORBIDDEN_ROLE, "role", c.role(), "want", "plugin or master, speaking for no player")
		}
	case pb.ViewerKind_VIEWER_KIND_SPECTATOR:
		v.all, v.player = false, ""
	case pb.ViewerKind_VIEWER_KIND_TEAM:
		if !v.all {
			return v, fail(pb.ErrorReason_ERROR_REASON_FORBIDDEN_ROLE, "role", c.role(), "want", "plugin or master, speaking for no player")
		}
		v.all, v.team = false, engine.TeamID(want.GetTeam())
	}
	return v, nil
}

// in is the viewer of one battle.
func (v view) in(b *engine.Battle) engine.Viewer {
	if v.all {
		return engine.Viewer{Master: true}
	}
	var own []engine.ActorID
	for i := range b.Actors {
		if a := &b.Actors[i]; v.owns(a) {
			own = append(own, a.ID)
		}
	}
	return engine.ViewerOf(b, own...)
}

// changes reports whether a step gives the viewer other eyes than before, so that facts alone do not lead from what he saw to
// what he sees: an actor who was there has come to him, or has left him.
func (v view) changes(s *step) bool {
	if v.all || !slices.ContainsFunc(s.commit.Facts, func(f engine.Fact) bool {
		switch f.Event.(type) {
		case engine.ActorSet, engine.ActorGone:
			return true
		}
		return false
	}) {
		return false
	}
	was, is := v.in(s.before.battle).Actors, v.in(s.after.battle).Actors
	return slices.ContainsFunc(was, func(a engine.ActorID) bool { return !slices.Contains(is, a) }) ||
		slices.ContainsFunc(is, func(a engine.ActorID) bool { return !slices.Contains(was, a) && s.before.battle.Actor(a) != nil })
}

// owns reports whether an actor is one through whose eyes v looks.
func (v view) owns(a *engine.Actor) bool {
	if v.team != "" {
		return a.Team == v.team
	}
	return v.player != "" && a.Controller.Kind == engine.ByPlayer && a.Controller.Player == v.player
}

// key tells views apart that are rendered differently.
func (v view) key() string {
	if v.all {
		return "*|" + string(v.locale)
	}
	return v.player + "|" + string(v.team) + "|" + string(v.locale)
}

// version is what a viewer is told of a version: masters and plugins alone see the count.
func (v view) version(n engine.Version) uint64 {
	if v.all {
		return uint64(n)
	}
	return 0
}

// prompts are the viewer's open prompts at a moment: his own, or all for who sees all.
func (c *Core) prompts(m *moment, v view, r *text.Renderer) []*pb.OpenPrompt {
	b := engine.See(m.battle, v.in(m.battle))
	now := c.now().UnixMilli()
	var out []*pb.OpenPrompt
	for i := range b.Prompts {
		p := &b.Prompts[i]
		if p.Done && !p.Sealed {
			continue
		}
		if a := b.Actor(p.Whose); !v.all && (a == nil || !v.owns(a)) {
			continue
		}
		o := &pb.OpenPrompt{Prompt: wire.Prompt(p), Live: isLive(m.battle, p.Frame), LeftMs: -1, Text: r.Prompt(b, p)}
		if j := slices.IndexFunc(m.clocks, func(k clock) bool { return k.prompt == p.ID }); j >= 0 {
			k := m.clocks[j]
			o.LeftMs = max(limitOf(m.battle, p)-k.spent, 0)
			if k.since != 0 {
				o.DeadlineMs = k.due(m.battle)
				o.LeftMs = max(o.DeadlineMs-now, 0)
			}
		}
		out = append(out, o)
	}
	return out
}

func isLive(b *engine.Battle, f engine.FrameID) bool {
	top := b.Top()
	return b.Phase == engine.Running && top != nil && top.ID == f
}

// renderer is the text of a battle's ruleset in a locale; an unknown ruleset has names only.
func (c *Core) renderer(b *engine.Battle, l text.Locale) *text.Renderer {
	sys := c.system(b.Rules.Ruleset)
	if sys == nil {
		return text.For(&engine.Spec{ID: b.Rules.Ruleset}, l)
	}
	return text.For(sys.Spec, l)
}

// rendered is the update that one kind of viewer gets of a step.
type rendered struct {
	key    string
	update *pb.Update // without cursor and prompts; nil: nothing for this viewer
}

// update is a step as a viewer may know it; nil when it holds nothing for him. What is the same for many viewers is made once.
func (c *Core) update(s *step, v view) *pb.Update {
	key := v.key()
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.rendered {
		if s.rendered[i].key == key {
			return s.rendered[i].update
		}
	}
	u := c.render(s.before.battle, s.after, s.commit.Facts, v)
	s.rendered = append(s.rendered, rendered{key, u})
	return u
}

// render makes the part of an update that does not depend on the call.
func (c *Core) render(before *engine.Battle, after *moment, facts []engine.Fact, v view) *pb.Update {
	b := after.battle
	seen := engine.SeeCommit(before, b, facts, v.in(b))
	if len(seen) == 0 && !v.all {
		return nil
	}
	r := c.renderer(b, v.locale)
	return &pb.Update{
		Version: v.version(b.Version), AtMs: after.at, Facts: wire.Facts(seen),
		Lines: lines(r.LinesBetween(engine.See(before, v.in(before)), engine.See(b, v.in(b)), seen)),
	}
}

func lines(in []text.Line) []*pb.TextLine {
	out := make([]*pb.TextLine, len(in))
	for i := range in {
		out[i] = &pb.TextLine{Text: in[i].Text, Fact: int32(in[i].Fact)}
	}
	return out
}

// cursors seal versions, so that a viewer can resume and cannot count. One key serves all processes on a store.
type cursors struct{ block cipher.Block }

func newCursors(key [32]byte) (*cursors, error) {
	block, err := aes.NewCipher(key[:])
	if err != nil {
		return nil, fmt.Errorf("cursor key: %w", err)
	}
	return &cursors{block}, nil
}

// seal makes the cursor of a version for one kind of viewer: one AES block of the version and a tag of battle and viewer.
func (c *cursors) seal(id state.ID, v view, version engine.Version) string {
	var buf [aes.BlockSize]byte
	binary.BigEndian.PutUint64(buf[:8], uint64(version))
	tag := cursorTag(id, v)
	copy(buf[8:], tag[:8])
	c.block.Encrypt(buf[:], buf[:])
	return base64.RawURLEncoding.EncodeToString(buf[:])
}

// open reads a cursor, and refuses one of another battle or viewer.
func (c *cursors) open(id state.ID, v view, cursor string) (engine.Version, error) {
	raw, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil || len(raw) != aes.BlockSize {
		return 0, fail(pb.ErrorReason_ERROR_REASON_BAD_CURSOR, "cursor", cursor)
	}
	c.block.Decrypt(raw, raw)
	if tag := cursorTag(id, v); string(raw[8:]) != string(tag[:8]) {
		return 0, fail(pb.ErrorReason_ERROR_REASON_BAD_CURSOR, "cursor", cursor)
	}
	return engine.Version(binary.BigEndian.Uint64(raw[:8])), nil
}

func cursorTag(id state.ID, v view) [32]byte {
	who := v.player + "|" + string(v.team)
	if v.all {
		who = "*"
	}
	return sha256.Sum256([]byte(id.String() + "|" + who))
}

// seen is a battle's message for a viewer.
func (c *Core) seen(m *moment, v view) *pb.Battle {
	return wire.Battle(engine.See(m.battle, v.in(m.battle)))
}
