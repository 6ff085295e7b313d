package server

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2"
	"go.uber.org/zap"

	"autobattle/engine"
	"autobattle/engine/dice"
	"autobattle/engine/voxel"
	pb "autobattle/proto/autobattle/v1"
	"autobattle/proto/wire"
	"autobattle/state"
)

const (
	snapshotEvery = 64 // commits between snapshots
	maxRetries    = 16 // decisions of one command after conflicts
)

// Settings are what a deployment may choose.
type Settings struct {
	Version      string // of this build
	CacheBattles int    // decoded battles kept in memory
	MaxActors    int    // in one battle
	MaxCells     int64  // of one arena
	MaxMessage   int    // bytes of one message
	MaxWatches   int    // open at once for one key
	// GivenSeed makes every battle's seed from this number and the battle's id, for demonstrations and tests; 0: seeds are
	// drawn from the system.
	GivenSeed uint64
}

// Core decides commands: it loads a battle, lets the engine step, and appends the commit, again if the head moved. It owns
// no battle: any number of processes may serve one store.
type Core struct {
	store    state.Store
	systems  []*engine.System
	settings Settings
	log      *zap.Logger
	now      func() time.Time
	cache    *lru.Cache[state.ID, *held]
	loading  sync.Mutex
	arenas   *arenas
	feeds    feeds
	wake     chan struct{}
	drain    chan struct{} // closed when the server stops taking calls
	metrics  *metrics
}

// held is one decoded battle. The mutex keeps commands of this process on it in line.
type held struct {
	mu     sync.Mutex
	now    *moment // nil until loaded
	secret *wire.Secret
}

// moment is a battle at a version, with what stands beside it. It is never changed.
type moment struct {
	battle *engine.Battle
	hash   [32]byte
	at     int64 // server time of the commit, Unix milliseconds
	clocks []clock
	head   state.Head
	snap   uint64 // version of the newest snapshot
}

// command is one order on its way to a battle.
type command struct {
	id       string
	digest   [32]byte
	author   wire.Author
	expected uint64
	// make builds the order from the battle as it stands; it is called again after a conflict.
	make func(b *engine.Battle) (engine.Command, error)
}

// outcome is what came of a command.
type outcome struct {
	before, after *moment
	commit        engine.Commit
	repeated      bool
	back          []*pb.ReturnedCharacter // of a battle that is over
}

// NewCore makes the core of a server. Systems are the rulesets it plays.
func NewCore(store state.Store, systems []*engine.System, settings Settings, log *zap.Logger, m *metrics) (*Core, error) {
	cache, err := lru.New[state.ID, *held](max(settings.CacheBattles, 16))
	if err != nil {
		return nil, fmt.Errorf("cache of battles: %w", err)
	}
	c := &Core{
		store: store, systems: systems, settings: settings, log: log, now: time.Now, cache: cache,
		wake: make(chan struct{}, 1), drain: make(chan struct{}), metrics: m,
	}
	c.arenas = newArenas(store, settings.MaxCells)
	c.feeds.core = c
	return c, nil
}

// Drain ends every watch with ERROR_REASON_DRAINING, so that viewers go to another process. It is called once.
func (c *Core) Drain() { close(c.drain) }

// system finds a ruleset, or nil.
func (c *Core) system(id engine.RulesetID) *engine.System {
	for _, s := range c.systems {
		if s.Spec.ID == id {
			return s
		}
	}
	return nil
}

// hold is the place of a battle in the cache.
func (c *Core) hold(id state.ID) *held {
	c.loading.Lock()
	defer c.loading.Unlock()
	h, ok := c.cache.Get(id)
	if !ok {
		h = &held{}
		c.cache.Add(id, h)
	}
	return h
}

// load reads a battle from the store.
func (c *Core) load(ctx context.Context, id state.ID) (*moment, error) {
	st, err := c.store.Load(ctx, id)
	if err != nil {
		return nil, err
	}
	m := &moment{battle: &engine.Battle{}}
	if st.Snapshot.Version > 0 {
		if snap, err := wire.DecodeSnapshot(st.Snapshot.Data); err == nil && snap.Battle.Version == engine.Version(st.Snapshot.Version) {
			m = momentOf(&snap)
		} else {
			// A snapshot is a cache: the log alone gives the same battle.
			c.log.Warn("snapshot not usable, battle rebuilt from its log", zap.String("battle", id.Battle), zap.Uint64("version", st.Snapshot.Version), zap.Error(err))
			if c.metrics != nil {
				c.metrics.rebuilt.Inc()
			}
			if st.Entries, err = c.all(ctx, id, 0); err != nil {
				return nil, err
			}
		}
	}
	for i := range st.Entries {
		if m, err = m.next(&st.Entries[i]); err != nil {
			return nil, fmt.Errorf("battle %s: %w", id, err)
		}
	}
	m.head, m.snap = st.Head, st.Snapshot.Version
	return m, nil
}

// momentOf is the moment that a snapshot holds.
func momentOf(s *wire.Snapshot) *moment {
	m := &moment{battle: s.Battle, hash: s.Hash, at: s.AtMS}
	for _, c := range s.Clocks {
		m.clocks = append(m.clocks, clock{prompt: c.Prompt, spent: c.SpentMS, since: c.SinceMS})
	}
	return m
}

// snapshot is the moment as a snapshot holds it.
func (m *moment) snapshot() *wire.Snapshot {
	s := &wire.Snapshot{Battle: m.battle, Hash: m.hash, AtMS: m.at}
	for _, c := range m.clocks {
		s.Clocks = append(s.Clocks, wire.Clock{Prompt: c.prompt, SpentMS: c.spent, SinceMS: c.since})
	}
	return s
}

// all reads every entry after a version.
func (c *Core) all(ctx context.Context, id state.ID, after uint64) ([]state.Entry, error) {
	var out []state.Entry
	for {
		page, err := c.store.Read(ctx, id, after, 0)
		if err != nil {
			return nil, err
		}
		out = append(out, page...)
		if len(page) < state.MaxPage {
			return out, nil
		}
		after = page[len(page)-1].Version
	}
}

// step is a stored commit played onto the moment before it.
func (m *moment) step(e *state.Entry) (*step, error) {
	commit, meta, err := wire.DecodeCommit(e.Data)
	if err != nil {
		return nil, fmt.Errorf("%w: commit %d: %w", state.ErrCorrupt, e.Version, err)
	}
	b := m.battle.Clone()
	engine.Fold(b, &commit)
	b = b.Clone() // what Fold left its own is given up, so that many may read and clone it at once
	after := &moment{battle: b, hash: meta.Hash, at: e.AtMS, clocks: tick(m.clocks, b, e.AtMS), head: m.head, snap: m.snap}
	return &step{before: m, after: after, commit: commit, commandID: e.Command, author: meta.Author}, nil
}

// next is the moment after a stored commit.
func (m *moment) next(e *state.Entry) (*moment, error) {
	s, err := m.step(e)
	if err != nil {
		return nil, err
	}
	return s.after, nil
}

// current is the battle as the store has it now.
func (c *Core) current(ctx context.Context, id state.ID) (*moment, error) {
	h := c.hold(id)
	h.mu.Lock()
	defer h.mu.Unlock()
	return c.fresh(ctx, id, h)
}

// fresh brings a held battle up to the head of the store. The caller has locked h.
func (c *Core) fresh(ctx context.Context, id state.ID, h *held) (*moment, error) {
	if h.now != nil {
		head, err := c.store.Head(ctx, id)
		if err != nil {
			return nil, err
		}
		if head.Version == uint64(h.now.battle.Version) {
			return h.now, nil
		}
		if head.Version > uint64(h.now.battle.Version) {
			m, err := c.catchUp(ctx, id, h.now, head)
			if err == nil {
				h.now = m
				return m, nil
			}
			if !errors.Is(err, state.ErrReset) {
				return nil, err
			}
		}
	}
	m, err := c.load(ctx, id)
	if err != nil {
		return nil, err
	}
	h.now = m
	return m, nil
}

func (c *Core) catchUp(ctx context.Context, id state.ID, m *moment, head state.Head) (*moment, error) {
	entries, err := c.all(ctx, id, uint64(m.battle.Version))
	if err != nil {
		return nil, err
	}
	for i := range entries {
		if m, err = m.next(&entries[i]); err != nil {
			return nil, err
		}
	}
	n := *m
	n.head = head
	return &n, nil
}

// secretOf is the seed of a battle and the key of its salts.
func (c *Core) secretOf(ctx context.Context, id state.ID, h *held) (*wire.Secret, error) {
	if h.secret != nil {
		return h.secret, nil
	}
	doc, err := c.store.GetDoc(ctx, secrets(id), id.Battle)
	if err != nil {
		return nil, fmt.Errorf("secret of battle %s: %w", id, err)
	}
	s, err := wire.DecodeSecret(doc.Data)
	if err != nil {
		return nil, fmt.Errorf("%w: secret of battle %s: %w", state.ErrCorrupt, id, err)
	}
	h.secret = &s
	return h.secret, nil
}

func secrets(id state.ID) state.Collection {
	return state.Collection{Kind: "secrets", Tenant: id.Tenant}
}

// env is what a step of a battle needs.
func (c *Core) env(ctx context.Context, id state.ID, b *engine.Battle, s *wire.Secret) (engine.Env, error) {
	w, err := c.world(ctx, id.Tenant, b)
	if err != nil {
		return engine.Env{}, err
	}
	return engine.Env{World: w, Dice: dice.NewSeeded(effective(s.Seed, b)), Seed: s.Seed}, nil
}

// world is the arena of a battle; nil where it has none.
func (c *Core) world(ctx context.Context, tenant string, b *engine.Battle) (voxel.World, error) {
	if b.Rules.Arena == ([32]byte{}) {
		return nil, nil
	}
	a, err := c.arenas.get(ctx, tenant, b.Rules.Arena)
	if err != nil {
		return nil, err
	}
	return a, nil
}

// effective is the seed the dice are thrown from: the server's, with what the participants' clients added.
func effective(seed [32]byte, b *engine.Battle) [32]byte {
	added := make([][]byte, len(b.Seed.Entropy))
	for i := range b.Seed.Entropy {
		added[i] = b.Seed.Entropy[i].Bytes
	}
	return dice.Mix(seed, added)
}

// create makes a battle. A repeat of the same command gives the battle that it made.
func (c *Core) create(ctx context.Context, id state.ID, sys *engine.System, cmd command) (outcome, error) {
	secret, err := c.newSecret(ctx, id)
	if err != nil {
		return outcome{}, err
	}
	order, err := cmd.make(nil)
	if err != nil {
		return outcome{}, err
	}
	open := order.(engine.Open)
	open.Commitment = dice.Commit(secret.Seed)
	b, commit, err := engine.Step(sys, nil, open, engine.Env{Seed: secret.Seed})
	if err != nil {
		return outcome{}, err
	}
	at := c.now().UnixMilli()
	entry, hash, err := encode(&commit, cmd, at, [32]byte{}, &secret)
	if err != nil {
		return outcome{}, err
	}
	m := &moment{battle: b, hash: hash, at: at}
	m.head = headOf(m, at)
	err = c.store.Create(ctx, id, entry, m.head)
	var dup *state.DuplicateError
	switch {
	case errors.As(err, &dup):
		return c.repeat(ctx, id, dup.Entry)
	case err != nil:
		return outcome{}, err
	}
	h := c.hold(id)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.now, h.secret = m, &secret
	c.log.Info("battle created", zap.String("tenant", id.Tenant), zap.String("battle", id.Battle), zap.String("ruleset", string(open.Ruleset)), zap.Uint64("version", 1))
	return outcome{before: &moment{battle: &engine.Battle{}}, after: m, commit: commit}, nil
}

// newSecret draws the seed of a battle, or finds the one that an earlier try of the same creation has stored.
func (c *Core) newSecret(ctx context.Context, id state.ID) (wire.Secret, error) {
	var s wire.Secret
	if _, err := rand.Read(s.SaltKey[:]); err != nil {
		return s, fmt.Errorf("draw a salt key: %w", err)
	}
	if n := c.settings.GivenSeed; n != 0 {
		s.Seed = givenSeed(n, id.Battle)
	} else if _, err := rand.Read(s.Seed[:]); err != nil {
		return s, fmt.Errorf("draw a seed: %w", err)
	}
	_, err := c.store.PutDoc(ctx, secrets(id), id.Battle, 0, wire.EncodeSecret(&s))
	if errors.Is(err, state.ErrConflict) {
		doc, err := c.store.GetDoc(ctx, secrets(id), id.Battle)
		if err != nil {
			return s, err
		}
		return wire.DecodeSecret(doc.Data)
	}
	return s, err
}

// do plays a command on a battle, exactly once for its id.
func (c *Core) do(ctx context.Context, id state.ID, cmd command) (outcome, error) {
	h := c.hold(id)
	h.mu.Lock()
	defer h.mu.Unlock()
	checked := h.now == nil // whether h.now is known to be the store's head
	if checked {
		if _, err := c.fresh(ctx, id, h); err != nil {
			return outcome{}, err
		}
	}
	secret, err := c.secretOf(ctx, id, h)
	if err != nil {
		return outcome{}, err
	}
	for range maxRetries {
		m := h.now
		out, err := c.try(ctx, id, h, m, secret, cmd)
		var dup *state.DuplicateError
		switch {
		case err == nil:
			return out, nil
		case errors.As(err, &dup):
			return c.repeat(ctx, id, dup.Entry)
		case errors.Is(err, state.ErrConflict):
			if _, err := c.fresh(ctx, id, h); err != nil {
				return outcome{}, err
			}
			checked = true
			continue
		case errors.Is(err, state.ErrReused), errors.Is(err, state.ErrUnavailable), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
			return outcome{}, err
		}
		// Refused. The battle may have moved elsewhere, and the command may be an answered repeat.
		if !checked {
			checked = true
			if n, err := c.fresh(ctx, id, h); err != nil {
				return outcome{}, err
			} else if n != m {
				continue
			}
		}
		if e, ferr := c.store.Find(ctx, id, cmd.id); ferr == nil {
			if e.Digest != cmd.digest {
				return outcome{}, fmt.Errorf("command %s: %w", cmd.id, state.ErrReused)
			}
			return c.repeat(ctx, id, e)
		} else if !errors.Is(ferr, state.ErrNotFound) {
			return outcome{}, ferr
		}
		return outcome{}, err
	}
	return outcome{}, fail(reasonBusy, "battle", id.Battle)
}

// try decides a command on a moment and appends the commit.
func (c *Core) try(ctx context.Context, id state.ID, h *held, m *moment, secret *wire.Secret, cmd command) (outcome, error) {
	if cmd.expected != 0 && cmd.expected != uint64(m.battle.Version) {
		return outcome{}, &versionError{current: uint64(m.battle.Version)}
	}
	sys := c.system(m.battle.Rules.Ruleset)
	if sys == nil || sys.Spec.Revision != m.battle.Rules.Revision {
		return outcome{}, fail(reasonRevision, "ruleset", string(m.battle.Rules.Ruleset))
	}
	order, err := cmd.make(m.battle)
	if err != nil {
		return outcome{}, err
	}
	env, err := c.env(ctx, id, m.battle, secret)
	if err != nil {
		return outcome{}, err
	}
	after, commit, err := engine.Step(sys, m.battle, order, env)
	if err != nil {
		return outcome{}, err
	}
	at := max(c.now().UnixMilli(), m.at)
	entry, hash, err := encode(&commit, cmd, at, m.hash, secret)
	if err != nil {
		return outcome{}, err
	}
	n := &moment{battle: after, hash: hash, at: at, clocks: tick(m.clocks, after, at), head: m.head, snap: m.snap}
	n.head = headOf(n, m.head.CreatedMS)
	var snap []byte
	if entry.Version >= n.snap+snapshotEvery {
		if snap, err = wire.EncodeSnapshot(n.snapshot()); err != nil {
			return outcome{}, err
		}
		n.snap = entry.Version
	}
	if err := c.store.Append(ctx, id, entry, n.head, snap); err != nil {
		return outcome{}, err
	}
	h.now = n
	if m.battle.Phase != after.Phase && (m.battle.Phase == engine.Lobby || after.Phase == engine.Over) {
		c.log.Info("battle "+phaseWord(after.Phase), zap.String("tenant", id.Tenant), zap.String("battle", id.Battle),
			zap.String("ruleset", string(after.Rules.Ruleset)), zap.Uint64("version", entry.Version))
	}
	if n.head.DeadlineMS != 0 && n.head.DeadlineMS <= at+pollMS {
		c.nudge()
	}
	return outcome{before: m, after: n, commit: commit}, nil
}

// encode makes the stored form of a commit.
func encode(commit *engine.Commit, cmd command, at int64, previous [32]byte, secret *wire.Secret) (state.Entry, [32]byte, error) {
	meta := wire.Meta{
		CommandID: cmd.id, Digest: cmd.digest, AtMS: at, Author: cmd.author, Previous: previous,
		Salt: wire.CommitSalt(secret.SaltKey, commit.Version),
	}
	data, err := wire.EncodeCommit(commit, &meta)
	if err != nil {
		return state.Entry{}, meta.Hash, err
	}
	return state.Entry{Version: uint64(commit.Version), Command: cmd.id, Digest: cmd.digest, AtMS: at, Data: data}, meta.Hash, nil
}

// repeat is the outcome that a stored entry recorded.
func (c *Core) repeat(ctx context.Context, id state.ID, e state.Entry) (outcome, error) {
	before, err := c.at(ctx, id, e.Version-1)
	if err != nil {
		return outcome{}, err
	}
	s, err := before.step(&e)
	if err != nil {
		return outcome{}, err
	}
	return outcome{before: before, after: s.after, commit: s.commit, repeated: true}, nil
}

// at is a battle as of an earlier version, folded from its log.
func (c *Core) at(ctx context.Context, id state.ID, version uint64) (*moment, error) {
	m := &moment{battle: &engine.Battle{}}
	for uint64(m.battle.Version) < version {
		page, err := c.store.Read(ctx, id, uint64(m.battle.Version), 0)
		if err != nil {
			return nil, err
		}
		if len(page) == 0 {
			return nil, fmt.Errorf("version %d of battle %s: %w", version, id, state.ErrReset)
		}
		for i := range page {
			if uint64(m.battle.Version) == version {
				break
			}
			if m, err = m.next(&page[i]); err != nil {
				return nil, err
			}
		}
	}
	return m, nil
}

// headOf is the listing record of a moment.
func headOf(m *moment, created int64) state.Head {
	b := m.battle
	return state.Head{
		Version: uint64(b.Version), Phase: phaseWord(b.Phase), Ruleset: string(b.Rules.Ruleset), Title: b.Title,
		CreatedMS: created, UpdatedMS: m.at, DeadlineMS: earliest(b, m.clocks),
	}
}

// phaseWords are the phases as listings hold them.
var phaseWords = [...]string{"lobby", "running", "paused", "over"}

func phaseWord(p engine.Phase) string { return phaseWords[p] }

// phaseOf is the phase of a listing's word.
func phaseOf(word string) pb.Phase {
	for i, w := range phaseWords {
		if w == word {
			return pb.Phase(i + 1)
		}
	}
	return pb.Phase_PHASE_UNSPECIFIED
}
