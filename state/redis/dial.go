package redis

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"sync"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/logging"
	"github.com/redis/go-redis/v9/maintnotifications"

	"autobattle/state"
)

// dialTries is how often a connection is tried for one try of a command, which is tried again itself.
const dialTries = 1

// dial makes a client for a URL. It does not connect yet.
func dial(address string) (redis.UniversalClient, error) {
	// The client writes lines of its own about connections; what matters in them is in our errors.
	logging.Disable()
	scheme, rest, _ := strings.Cut(address, "://")
	base, kind, _ := strings.Cut(scheme, "+")
	if (base != "redis" && base != "rediss") || (kind != "" && kind != "cluster" && kind != "sentinel") {
		return nil, fmt.Errorf("%w: scheme %q: redis, rediss, each also with +cluster or +sentinel, are known", state.ErrInvalid, scheme)
	}
	plain := base + "://" + rest
	quiet := &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	switch kind {
	case "cluster":
		o, err := redis.ParseClusterURL(plain)
		if err != nil {
			return nil, badURL(err)
		}
		o.ContextTimeoutEnabled, o.DialerRetries, o.MaintNotificationsConfig = true, dialTries, quiet
		return redis.NewClusterClient(o), nil
	case "sentinel":
		o, err := redis.ParseFailoverURL(plain)
		if err != nil {
			return nil, badURL(err)
		}
		if o.MasterName == "" {
			return nil, fmt.Errorf("%w: the URL of a sentinel ends in ?master_name=NAME", state.ErrInvalid)
		}
		o.ContextTimeoutEnabled, o.DialerRetries = true, dialTries
		return redis.NewFailoverClient(o), nil
	}
	o, err := redis.ParseURL(plain)
	if err != nil {
		return nil, badURL(err)
	}
	o.ContextTimeoutEnabled, o.DialerRetries, o.MaintNotificationsConfig = true, dialTries, quiet
	return redis.NewClient(o), nil
}

// badURL leaves out the URL, which may hold a password.
func badURL(err error) error {
	var inURL *url.Error
	if errors.As(err, &inURL) {
		err = inURL.Err
	}
	return fmt.Errorf("%w: URL: %v", state.ErrInvalid, err)
}

// address is the host of a URL, for messages.
func address(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return "the given URL"
	}
	return u.Host
}

// usable says why the servers cannot keep battles, if so.
func usable(ctx context.Context, client redis.UniversalClient) error {
	if cluster, ok := client.(*redis.ClusterClient); ok {
		info, err := cluster.ClusterInfo(ctx).Result()
		if err != nil {
			return down(ctx, err)
		}
		if !strings.Contains(info, "cluster_state:ok") {
			return fmt.Errorf("%w: the cluster is down: some slots have no primary", state.ErrUnavailable)
		}
	}
	return each(ctx, client, func(ctx context.Context, node *redis.Client) error {
		// A server that requires a password, or a cluster that is down, answers only some commands.
		if err := node.Ping(ctx).Err(); err != nil {
			return down(ctx, err)
		}
		info, err := info(ctx, node)
		if err != nil {
			return err
		}
		if major, _, _ := strings.Cut(info["redis_version"], "."); major != "" {
			if n, err := strconv.Atoi(major); err == nil && n < 7 {
				return fmt.Errorf("%w: it is Redis %s; 7 or newer is needed", state.ErrInvalid, info["redis_version"])
			}
		}
		if info["role"] == "slave" {
			return fmt.Errorf("%w: it is a read-only replica of %s: name the primary, or use a +sentinel URL", state.ErrUnavailable, info["master_host"])
		}
		if _, cluster := client.(*redis.ClusterClient); info["cluster_enabled"] == "1" && !cluster {
			return fmt.Errorf("%w: it is part of a cluster: use a redis+cluster:// URL", state.ErrInvalid)
		}
		return nil
	})
}

// Warnings says what an operator should know about how the servers keep data: each is a sentence. It is
// meant for the start of a program.
func (s *Store) Warnings(ctx context.Context) ([]string, error) {
	if err := s.closedOr(nil); err != nil {
		return nil, err
	}
	var mu sync.Mutex
	var all []string
	err := each(ctx, s.client, func(ctx context.Context, node *redis.Client) error {
		found, err := warnings(ctx, node)
		mu.Lock()
		defer mu.Unlock()
		for _, w := range found {
			all = append(all, "redis at "+node.Options().Addr+" "+w)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("look at the settings of redis: %w", err)
	}
	return all, nil
}

func warnings(ctx context.Context, node *redis.Client) ([]string, error) {
	info, err := info(ctx, node)
	if err != nil {
		return nil, err
	}
	var found []string
	if policy := info["maxmemory_policy"]; policy != "noeviction" && policy != "" {
		found = append(found, "may throw battles away when its memory is full: maxmemory-policy is "+policy+", set it to noeviction")
	}
	if info["aof_last_write_status"] == "err" {
		found = append(found, "could not write its append-only file: look at its disk")
	}
	settings, err := node.ConfigGet(ctx, "save").Result()
	switch {
	case info["aof_enabled"] == "1":
	case err != nil:
		found = append(found, "has no append-only file (appendonly no), and does not say whether it saves otherwise: what it acknowledged may be lost when it stops")
	case settings["save"] == "":
		found = append(found, "keeps nothing on disk (appendonly no, save \"\"): every battle is lost when it stops; set appendonly to yes")
	default:
		found = append(found, "saves only now and then (appendonly no, save "+strconv.Quote(settings["save"])+"): what came after the last save is lost when it stops; set appendonly to yes")
	}
	return found, nil
}

// info reads the sections of INFO that we look at.
func info(ctx context.Context, node *redis.Client) (map[string]string, error) {
	text, err := node.Info(ctx, "server", "persistence", "memory", "replication", "cluster").Result()
	if err != nil {
		return nil, down(ctx, err)
	}
	fields := map[string]string{}
	for line := range strings.Lines(text) {
		if key, value, ok := strings.Cut(strings.TrimSpace(line), ":"); ok {
			fields[key] = value
		}
	}
	return fields, nil
}

// each calls do for the server, or for every primary of a cluster, at once.
func each(ctx context.Context, client redis.UniversalClient, do func(context.Context, *redis.Client) error) error {
	switch c := client.(type) {
	case *redis.Client:
		return do(ctx, c)
	case *redis.ClusterClient:
		err := c.ForEachMaster(ctx, do)
		if errors.Is(err, state.ErrUnavailable) || errors.Is(err, state.ErrInvalid) {
			return err
		}
		return down(ctx, err)
	}
	return fmt.Errorf("%w: client %T", state.ErrInvalid, client)
}
