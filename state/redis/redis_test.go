package redis

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"

	"autobattle/state"
	"autobattle/state/redis/redistest"
	"autobattle/state/statetest"
)

func TestStore(t *testing.T) {
	server := redistest.Start(t)
	statetest.Run(t, func(t *testing.T) state.Store {
		server.Do("FLUSHALL")
		return open(t, server.URL())
	})
}

func open(t testing.TB, url string) *Store {
	t.Helper()
	s, err := Open(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// rawScript compares and appends, and nothing more.
var rawScript = redis.NewScript(`
local v = tonumber(redis.call('HGET', KEYS[1], 'v') or '0')
if tonumber(ARGV[1]) ~= v then return -1 end
v = v + 1
redis.call('HSET', KEYS[1], 'v', v, 's', ARGV[2])
redis.call('XADD', KEYS[2], 'MAXLEN', '~', 1000, '*', 'e', ARGV[3])
return v`)

func BenchmarkAppend(b *testing.B) {
	server := redistest.Start(b, "--appendonly", "yes", "--appendfsync", "everysec")
	s := open(b, server.URL())
	defer func() { _ = s.Close() }()
	client := redis.NewClient(&redis.Options{Addr: server.Addr})
	defer func() { _ = client.Close() }()
	snapshot, data := strings.Repeat("s", 2000), strings.Repeat("d", 300)
	var versions [64]int
	statetest.Bench(b, s, func(ctx context.Context, caller int) error {
		keys := []string{fmt.Sprintf("raw:%d", caller), fmt.Sprintf("raw:%d:log", caller)}
		v, err := rawScript.Run(ctx, client, keys, versions[caller], snapshot, data).Int()
		versions[caller]++
		if err == nil && v != versions[caller] {
			err = fmt.Errorf("version %d after %d", v, versions[caller]-1)
		}
		return err
	})
}
