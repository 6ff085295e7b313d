package server

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"time"

	"go.uber.org/zap"

	"autobattle/engine"
	"autobattle/proto/wire"
	"autobattle/state"
)

// pollMS is how often a process looks for deadlines that nobody has fired, in milliseconds.
const pollMS = 500

// nudge makes the deadline worker look at once.
func (c *Core) nudge() {
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// RunDeadlines fires deadlines until ctx ends. Every process runs it: the command id is made from the prompts, so a
// deadline fires once whoever comes first.
func (c *Core) RunDeadlines(ctx context.Context) {
	tick := time.NewTicker(pollMS * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		case <-c.wake:
		}
		if err := c.due(ctx); err != nil && ctx.Err() == nil {
			c.log.Warn("deadlines not read", zap.Error(err))
		}
	}
}

// due fires what is due now.
func (c *Core) due(ctx context.Context) error {
	due, err := c.store.Due(ctx, c.now().UnixMilli(), 0)
	if err != nil {
		return err
	}
	for _, l := range due {
		if err := c.fire(ctx, l.ID); err != nil && ctx.Err() == nil {
			c.log.Warn("deadline not fired", zap.String("battle", l.ID.Battle), zap.Error(err))
		}
	}
	return nil
}

// fire answers the prompts of a battle whose time is up. A battle whose rules panic holds up no other.
func (c *Core) fire(ctx context.Context, id state.ID) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = c.broke(r)
		}
	}()
	m, err := c.current(ctx, id)
	if err != nil {
		return err
	}
	prompts := over(m.battle, m.clocks, c.now().UnixMilli())
	if len(prompts) == 0 {
		return nil
	}
	name := fmt.Sprintf("time/%d", prompts)
	cmd := command{
		id: fmt.Sprintf("time/%x", sha256.Sum256([]byte(name)))[:40], digest: sha256.Sum256([]byte(name)), author: wire.Author{},
		make: func(*engine.Battle) (engine.Command, error) { return engine.TimeUp{Prompts: prompts}, nil },
	}
	out, err := c.do(ctx, id, cmd)
	if err == nil && out.after.battle.Phase == engine.Over {
		_, err = c.giveBack(ctx, id, out.after)
	}
	var no *engine.Rejection
	if errors.As(err, &no) {
		return nil // somebody answered in time
	}
	return err
}
