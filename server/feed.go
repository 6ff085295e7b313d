package server

import (
	"context"
	"sync"

	"autobattle/engine"
	"autobattle/proto/wire"
	"autobattle/state"
)

// keptSteps is how many steps of a battle a feed keeps for viewers that are a little behind. A viewer that is further
// behind reads the log again.
const keptSteps = 256

// step is one commit with the battle before and after it. It is shared by all viewers and never changed.
type step struct {
	before, after *moment
	commit        engine.Commit
	commandID     string
	author        wire.Author

	mu       sync.Mutex
	rendered []rendered // updates made so far, by viewer and locale
}

// feed follows one battle for all its viewers in this process: one reader of the store, one fold.
type feed struct {
	id     state.ID
	cancel context.CancelFunc
	users  int // guarded by feeds.mu

	mu      sync.Mutex
	steps   []*step       // the newest keptSteps, in order
	head    *moment       // after the newest step
	err     error         // why the feed ended; nil while it runs
	changed chan struct{} // closed and replaced when there is more to see
}

// feeds are the battles that somebody in this process watches.
type feeds struct {
	core *Core
	mu   sync.Mutex
	open []*feed // few; sorted by nothing
}

// join starts or shares the feed of a battle. leave must be called.
func (f *feeds) join(ctx context.Context, id state.ID) (*feed, error) {
	f.mu.Lock()
	for _, o := range f.open {
		if o.id == id && o.failed() == nil {
			o.users++
			f.mu.Unlock()
			return o, nil
		}
	}
	f.mu.Unlock()
	m, err := f.core.current(ctx, id)
	if err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, o := range f.open {
		if o.id == id && o.failed() == nil {
			o.users++
			return o, nil
		}
	}
	run, cancel := context.WithCancel(context.WithoutCancel(ctx))
	o := &feed{id: id, cancel: cancel, users: 1, head: m, changed: make(chan struct{})}
	f.open = append(f.open, o)
	go o.run(run, f.core)
	return o, nil
}

// leave gives a feed up; the last one stops it.
func (f *feeds) leave(o *feed) {
	f.mu.Lock()
	defer f.mu.Unlock()
	o.users--
	if o.users > 0 {
		return
	}
	o.cancel()
	for i := range f.open {
		if f.open[i] == o {
			f.open = append(f.open[:i], f.open[i+1:]...)
			break
		}
	}
}

// run follows the store until it is cancelled or the log ends.
func (o *feed) run(ctx context.Context, c *Core) {
	defer func() {
		if r := recover(); r != nil {
			o.end(c.broke(r))
		}
	}()
	m := o.head
	for e, err := range c.store.Watch(ctx, o.id, uint64(m.battle.Version)) {
		if err != nil {
			o.end(err)
			return
		}
		s, err := m.step(&e)
		if err != nil {
			o.end(err)
			return
		}
		o.push(s)
		m = s.after
	}
	o.end(ctx.Err())
}

func (o *feed) push(s *step) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.steps) == keptSteps {
		copy(o.steps, o.steps[1:])
		o.steps = o.steps[:keptSteps-1]
	}
	o.steps = append(o.steps, s)
	o.head = s.after
	close(o.changed)
	o.changed = make(chan struct{})
}

func (o *feed) end(err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if err == nil {
		err = state.ErrClosed
	}
	o.err = err
	close(o.changed)
	o.changed = make(chan struct{})
}

func (o *feed) failed() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err
}

// since gives the steps after a version that the feed still keeps; more is a channel that closes when there are others.
// behind says that the version is older than what is kept: the viewer must read the log.
func (o *feed) since(version engine.Version) (steps []*step, more <-chan struct{}, behind bool, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err != nil {
		return nil, nil, false, o.err
	}
	head := o.head.battle.Version
	first := head - engine.Version(len(o.steps))
	switch {
	case version > head:
		// A viewer that caught up from the log may be ahead of the feed for a moment.
		return nil, o.changed, false, nil
	case version < first:
		return nil, nil, true, nil
	}
	return append(steps, o.steps[version-first:]...), o.changed, false, nil
}
