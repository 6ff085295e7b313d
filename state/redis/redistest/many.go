package redistest

import (
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// slots is how many slots a cluster has.
const slots = 16384

// Cluster starts three primaries that share the slots evenly, and waits until all agree.
func Cluster(t testing.TB) []*Server {
	t.Helper()
	var nodes []*Server
	for i := range 3 {
		// The bus of a cluster listens on a port of its own, by default the other plus 10000.
		node := Start(t, "--cluster-enabled", "yes", "--cluster-port", strconv.Itoa(freePort(t)))
		node.Do("CLUSTER", "ADDSLOTSRANGE", i*slots/3, (i+1)*slots/3-1)
		node.Do("CLUSTER", "SET-CONFIG-EPOCH", i+1)
		nodes = append(nodes, node)
	}
	host, port, _ := net.SplitHostPort(nodes[0].Addr)
	bus := nodes[0].Do("CONFIG", "GET", "cluster-port").(map[any]any)["cluster-port"]
	for _, node := range nodes[1:] {
		node.Do("CLUSTER", "MEET", host, port, bus)
	}
	wait(t, "the cluster", func() bool {
		for _, node := range nodes {
			info := node.Do("CLUSTER", "INFO").(string)
			if !strings.Contains(info, "cluster_state:ok") || !strings.Contains(info, "cluster_known_nodes:3") {
				return false
			}
		}
		return true
	})
	return nodes
}

// Sentinel starts a sentinel that knows the server as the primary of the given name.
func Sentinel(t testing.TB, name string, primary *Server) *Server {
	t.Helper()
	host, port, _ := net.SplitHostPort(primary.Addr)
	file := filepath.Join(t.TempDir(), "sentinel.conf")
	if err := os.WriteFile(file, []byte("sentinel monitor "+name+" "+host+" "+port+" 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return start(t, file, "--sentinel")
}

// wait calls done until it is true, and fails the test when that takes too long.
func wait(t testing.TB, what string, done func() bool) {
	t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	late := time.After(startWithin)
	for !done() {
		select {
		case <-tick.C:
		case <-late:
			t.Fatalf("%s is not ready after %v", what, startWithin)
		}
	}
}

func freePort(t testing.TB) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().(*net.TCPAddr).Port
}
