package redis

import (
	"context"
	"crypto/tls"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"autobattle/state"
)

// The scripts, each in its file.
var (
	//go:embed scripts/commit.lua
	commitSource string
	//go:embed scripts/load.lua
	loadSource string
	//go:embed scripts/read.lua
	readSource string
	//go:embed scripts/find.lua
	findSource string
	//go:embed scripts/delete.lua
	deleteSource string
	//go:embed scripts/put.lua
	putSource string
	//go:embed scripts/get.lua
	getSource string

	commitScript = redis.NewScript(commitSource)
	loadScript   = redis.NewScript(loadSource)
	readScript   = redis.NewScript(readSource)
	findScript   = redis.NewScript(findSource)
	deleteScript = redis.NewScript(deleteSource)
	putScript    = redis.NewScript(putSource)
	getScript    = redis.NewScript(getSource)
)

// run runs a script by its hash, and sends its text when the server does not know it (any more).
func (s *Store) run(ctx context.Context, script *redis.Script, keys []string, args ...any) (any, error) {
	reply, err := script.Run(ctx, s.client, keys, args...).Result()
	return reply, s.closedOr(down(ctx, err))
}

// refusals are the beginnings of Redis errors that pass, or that an operator mends while we run.
var refusals = [...]string{
	"LOADING", "MASTERDOWN", "READONLY", "CLUSTERDOWN", "TRYAGAIN", "MOVED", "ASK", "NOREPLICAS", "MISCONF", "OOM",
	"BUSY", "NOAUTH", "WRONGPASS", "NOPERM", "UNBLOCKED", "ERR max number of clients", "ERR DB index", "NOGOODSLAVE",
	"ERR This instance has cluster support disabled",
}

// down maps an error of the client: a context's own, ErrUnavailable for what may pass, else ErrCorrupt.
func down(ctx context.Context, err error) error {
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case late(ctx): // the connection's deadline is the context's, which may not have noticed yet
		return context.DeadlineExceeded
	case errors.Is(err, redis.ErrClosed):
		return state.ErrClosed
	}
	if errors.Is(err, redis.Nil) { // no script answers nothing
		return fmt.Errorf("%w: no sentinel knows a primary of this master_name", state.ErrUnavailable)
	}
	var reply redis.Error
	if !errors.As(err, &reply) {
		return fmt.Errorf("%w: %s", state.ErrUnavailable, transport(err))
	}
	for _, refusal := range refusals {
		if strings.HasPrefix(reply.Error(), refusal) {
			return fmt.Errorf("%w: redis refuses: %s", state.ErrUnavailable, explain(reply.Error()))
		}
	}
	return fmt.Errorf("%w: redis says: %v", state.ErrCorrupt, reply)
}

// late reports whether the deadline of a context has passed.
func late(ctx context.Context) bool {
	deadline, ok := ctx.Deadline()
	return ok && !time.Now().Before(deadline)
}

// transport says in a word what is wrong with a connection.
func transport(err error) string {
	var dns *net.DNSError
	var certificate *tls.CertificateVerificationError
	var timeout net.Error
	switch {
	case errors.As(err, &dns):
		return fmt.Sprintf("no host %q: check the host in the URL", dns.Name)
	case errors.As(err, &certificate):
		return fmt.Sprintf("its certificate is not trusted: %v", certificate.Err)
	case errors.Is(err, io.EOF):
		return "the connection was closed"
	case errors.As(err, &timeout) && timeout.Timeout():
		return fmt.Sprintf("no answer in time (%v)", err)
	}
	return err.Error()
}

// explain adds to a refusal what to change.
func explain(reply string) string {
	for refusal, hint := range map[string]string{
		"NOAUTH":      "put user and password into the URL, redis://USER:PASSWORD@HOST",
		"WRONGPASS":   "check user and password in the URL",
		"READONLY":    "it is a replica: name the primary, or use a +sentinel URL",
		"MASTERDOWN":  "it is a replica without its primary",
		"CLUSTERDOWN": "some slots of the cluster have no primary",
		"MISCONF":     "it cannot save to its disk",
		"OOM":         "raise its maxmemory",
		"MOVED":       "it is part of a cluster: use a +cluster URL",
		"ERR This instance has cluster support disabled": "it is no part of a cluster: use a redis:// URL",
		"ERR DB index": "there is no such database number: check the end of the URL",
	} {
		if strings.HasPrefix(reply, refusal) {
			return reply + ": " + hint
		}
	}
	return reply
}
