package redis

import (
	"errors"
	"net"
	"strings"
	"testing"

	"autobattle/state"
	"autobattle/state/redis/redistest"
	"autobattle/state/statetest"
)

func TestRefusedURLs(t *testing.T) {
	locked := redistest.Start(t, "--requirepass", "secret")
	plain := redistest.Start(t)
	host, port, err := net.SplitHostPort(plain.Addr)
	must(t, err)
	replica := redistest.Start(t, "--replicaof", host+" "+port)
	clustered := redistest.Start(t, "--cluster-enabled", "yes")
	must(t, store(t, "redis://:secret@"+locked.Addr).Health(t.Context()))
	for url, test := range map[string]struct {
		want error
		text string
	}{
		"redis://" + locked.Addr:                {state.ErrUnavailable, "put user and password into the URL"},
		"redis://:wrong@" + locked.Addr:         {state.ErrUnavailable, "check user and password"},
		"redis://" + replica.Addr:               {state.ErrUnavailable, "read-only replica"},
		"redis://" + clustered.Addr:             {state.ErrInvalid, "+cluster"},
		"redis+cluster://" + clustered.Addr:     {state.ErrUnavailable, ""},
		"redis+cluster://" + plain.Addr:         {state.ErrUnavailable, "cluster support disabled"},
		"redis+sentinel://" + plain.Addr:        {state.ErrInvalid, "master_name"},
		"rediss://" + plain.Addr:                {state.ErrUnavailable, ""},
		"redis://" + plain.Addr + "/99":         {state.ErrUnavailable, "no such database"},
		"redis://" + plain.Addr + "/x":          {state.ErrInvalid, "database"},
		"redis://" + plain.Addr + "?nonsense=1": {state.ErrInvalid, "nonsense"},
		"redis://no-such-host.invalid":          {state.ErrUnavailable, "check the host in the URL"},
		"redis://:pa%ss@host":                   {state.ErrInvalid, "URL"},
		"http://localhost":                      {state.ErrInvalid, "scheme"},
	} {
		s, err := Open(t.Context(), url)
		if !errors.Is(err, test.want) || !strings.Contains(err.Error(), test.text) {
			t.Errorf("%s: %v, want %v with %q", url, err, test.want, test.text)
		}
		if err == nil {
			_ = s.Close()
		} else if strings.Contains(err.Error(), "\n") || strings.Contains(err.Error(), "wrong") || strings.Contains(err.Error(), "pa%ss") {
			t.Errorf("%s: the message is no line fit to be shown: %v", url, err)
		}
	}
}

func TestWarnings(t *testing.T) {
	for name, test := range map[string]struct {
		args []string
		want []string
	}{
		"safe":     {[]string{"--appendonly", "yes"}, nil},
		"nothing":  {nil, []string{"keeps nothing on disk"}},
		"saves":    {[]string{"--save", "60 1"}, []string{"now and then"}},
		"evicting": {[]string{"--appendonly", "yes", "--maxmemory-policy", "allkeys-lru"}, []string{"allkeys-lru"}},
		"both":     {[]string{"--maxmemory-policy", "volatile-ttl"}, []string{"volatile-ttl", "keeps nothing on disk"}},
	} {
		got, err := store(t, redistest.Start(t, test.args...).URL()).Warnings(t.Context())
		must(t, err)
		if len(got) != len(test.want) {
			t.Errorf("%s: warnings %q", name, got)
			continue
		}
		for i := range got {
			if !strings.Contains(got[i], test.want[i]) {
				t.Errorf("%s: warning %q, want %q", name, got[i], test.want[i])
			}
		}
	}
}

func TestRefusedWrites(t *testing.T) {
	server := redistest.Start(t)
	s := store(t, server.URL())
	must(t, persist(t.Context(), s, 1, 3))
	for _, test := range []struct {
		break_, mend []any
		text         string
	}{
		{[]any{"CONFIG", "SET", "maxmemory", "1"}, []any{"CONFIG", "SET", "maxmemory", "0"}, "maxmemory"},
		{[]any{"REPLICAOF", "127.0.0.1", "1"}, []any{"REPLICAOF", "NO", "ONE"}, "replica"},
		{[]any{"ACL", "SETUSER", "default", "-evalsha", "-eval"}, []any{"ACL", "SETUSER", "default", "+@all"}, "NOPERM"},
	} {
		server.Do(test.break_...)
		err := s.Append(t.Context(), duel, entry(4), state.Head{}, nil)
		server.Do(test.mend...)
		if !errors.Is(err, state.ErrUnavailable) || !strings.Contains(err.Error(), test.text) {
			t.Errorf("%v: %v", test.break_, err)
		}
	}
	must(t, persist(t.Context(), s, 4, 4))
}

// TestACL runs the suite as a user who may do only what README.md lists.
func TestACL(t *testing.T) {
	server := redistest.Start(t)
	server.Do("ACL", "SETUSER", "battles", "on", ">secret", "~ab:*", "&ab:*", "+@read", "+@write", "+@scripting", "+@pubsub", "+ping", "+info", "+config|get")
	statetest.Run(t, func(t *testing.T) state.Store {
		server.Do("FLUSHALL")
		s := open(t, "redis://battles:secret@"+server.Addr)
		if _, err := s.Warnings(t.Context()); err != nil {
			t.Error(err)
		}
		return s
	})
}

// TestCluster runs the suite on three primaries.
func TestCluster(t *testing.T) {
	nodes := redistest.Cluster(t)
	url := "redis+cluster://" + nodes[0].Addr
	statetest.Run(t, func(t *testing.T) state.Store {
		for _, node := range nodes {
			node.Do("FLUSHALL")
		}
		return open(t, url)
	})
	for _, node := range nodes {
		if n := node.Do("DBSIZE").(int64); n == 0 {
			t.Errorf("%s holds no keys", node.Addr)
		}
	}
}

// TestSentinel runs the suite on a server found through a sentinel.
func TestSentinel(t *testing.T) {
	server := redistest.Start(t)
	sentinel := redistest.Sentinel(t, "arena", server)
	statetest.Run(t, func(t *testing.T) state.Store {
		server.Do("FLUSHALL")
		return open(t, "redis+sentinel://"+sentinel.Addr+"?master_name=arena")
	})
	_, err := Open(t.Context(), "redis+sentinel://"+sentinel.Addr+"?master_name=nobody")
	if !errors.Is(err, state.ErrUnavailable) {
		t.Errorf("a name that the sentinel does not know: %v", err)
	}
}

// TestShards looks at how the shards spread over a cluster of three.
func TestShards(t *testing.T) {
	nodes := redistest.Cluster(t)
	thirds := map[int64]int{}
	slots := map[int64]bool{}
	for i := range shards {
		slot := nodes[0].Do("CLUSTER", "KEYSLOT", shardPrefix(i)+"due").(int64)
		slots[slot] = true
		thirds[slot/5462]++
	}
	if len(slots) != shards {
		t.Errorf("%d shards share %d slots", shards, len(slots))
	}
	for third := range int64(3) {
		if n := thirds[third]; n < shards/5 || n > shards/2 {
			t.Errorf("primary %d of 3 holds %d of %d shards", third+1, n, shards)
		}
	}
}
