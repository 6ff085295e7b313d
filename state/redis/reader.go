package redis

import (
	"context"
	"errors"
	"net"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"autobattle/state"
	"autobattle/state/internal/feed"
)

// aliveChannel is always subscribed to, so that the connection stands also when nobody follows a battle.
const aliveChannel = "ab:alive"

// The reader asks a silent server for a sign of life after quiet, and gives the connection up when
// nothing comes for as long again. It waits retry before it tries again what failed.
const (
	quiet = 3 * time.Second
	retry = 200 * time.Millisecond
)

// reader is the one connection on which a process hears of commits, however many follow however many
// battles. A commit arrives whole. Whenever the server confirms a subscription, at first and after every
// reconnection, the followers of that battle look at the log itself, so nothing is missed or repeated.
type reader struct {
	client  redis.UniversalClient
	hub     *feed.Hub
	cancel  context.CancelFunc
	ended   sync.WaitGroup
	changed chan struct{} // holds one sign that wanted has changed

	mu     sync.Mutex
	wanted map[string]state.ID // channel to battle

	subs       sync.Mutex
	pubsub     *redis.PubSub
	subscribed map[string]bool // channels asked for on pubsub
}

func newReader(client redis.UniversalClient) *reader {
	return &reader{client: client, changed: make(chan struct{}, 1), wanted: map[string]state.ID{}}
}

// change notes that a battle is followed, or not any more.
func (r *reader) change(id state.ID, followed bool) {
	r.mu.Lock()
	if followed {
		r.wanted[keysOf(id).channel] = id
	} else {
		delete(r.wanted, keysOf(id).channel)
	}
	r.mu.Unlock()
	r.note()
}

func (r *reader) note() {
	select {
	case r.changed <- struct{}{}:
	default:
	}
}

func (r *reader) start(hub *feed.Hub) {
	ctx, cancel := context.WithCancel(context.Background())
	r.hub, r.cancel = hub, cancel
	r.renew(ctx)
	r.ended.Go(func() { r.subscribe(ctx) })
	r.ended.Go(func() { r.receive(ctx) })
}

func (r *reader) stop() {
	r.cancel()
	r.subs.Lock()
	_ = r.pubsub.Close()
	r.subs.Unlock()
	r.ended.Wait()
}

// renew replaces the connection by one that has to subscribe to everything.
func (r *reader) renew(ctx context.Context) {
	r.subs.Lock()
	defer r.subs.Unlock()
	if r.pubsub != nil {
		_ = r.pubsub.Close()
	}
	r.pubsub = r.client.Subscribe(ctx)
	r.subscribed = map[string]bool{}
	r.note()
}

// subscribe keeps the subscriptions of the connection as they are wanted.
func (r *reader) subscribe(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-r.changed:
			r.update(ctx)
		}
	}
}

func (r *reader) update(ctx context.Context) {
	r.subs.Lock()
	defer r.subs.Unlock()
	if ctx.Err() != nil {
		return
	}
	var add, remove []string
	r.mu.Lock()
	for channel := range r.wanted {
		if !r.subscribed[channel] {
			add = append(add, channel)
		}
	}
	for channel := range r.subscribed {
		if _, ok := r.wanted[channel]; !ok && channel != aliveChannel {
			remove = append(remove, channel)
		}
	}
	r.mu.Unlock()
	if !r.subscribed[aliveChannel] {
		add = append(add, aliveChannel)
	}
	// The client remembers what was asked for, and asks again when it reconnects: errors show there.
	if len(add) > 0 {
		_ = r.pubsub.Subscribe(ctx, add...)
	}
	if len(remove) > 0 {
		_ = r.pubsub.Unsubscribe(ctx, remove...)
	}
	for _, channel := range add {
		r.subscribed[channel] = true
	}
	for _, channel := range remove {
		delete(r.subscribed, channel)
	}
}

// receive hands on what the server sends.
func (r *reader) receive(ctx context.Context) {
	asked := false // for a sign of life
	for ctx.Err() == nil {
		r.subs.Lock()
		pubsub := r.pubsub
		r.subs.Unlock()
		message, err := pubsub.ReceiveTimeout(ctx, quiet)
		var timeout net.Error
		switch {
		case err == nil:
			asked = false
			r.deliver(message)
		case errors.As(err, &timeout) && timeout.Timeout() && !asked:
			asked = true
			_ = pubsub.Ping(ctx)
		default:
			asked = false
			r.renew(ctx)
			select {
			case <-ctx.Done():
			case <-time.After(retry):
			}
		}
	}
}

func (r *reader) deliver(message any) {
	switch m := message.(type) {
	case *redis.Message:
		id, ok := r.battle(m.Channel)
		if !ok {
			return
		}
		if m.Payload == "deleted" {
			r.hub.End(id)
		} else if e, ok := decodeMessage(m.Payload); ok {
			r.hub.Publish(id, e)
		} else {
			r.hub.Break(id)
		}
	case *redis.Subscription:
		if id, ok := r.battle(m.Channel); ok && m.Kind == "subscribe" {
			r.hub.Break(id)
		}
	}
}

func (r *reader) battle(channel string) (state.ID, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	id, ok := r.wanted[channel]
	return id, ok
}
