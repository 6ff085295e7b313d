package server

import (
	"context"
	"fmt"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/types/known/wrapperspb"

	pb "autobattle/proto/autobattle/v1"
	"autobattle/state"
	"autobattle/state/bolt"
	"autobattle/state/memory"
)

// echo is a bare gRPC server that sends 1 KB back: the yardstick of a call on this machine.
func echo(b *testing.B) func() {
	b.Helper()
	handler := func(_ any, ctx context.Context, dec func(any) error, _ grpc.UnaryServerInterceptor) (any, error) {
		m := &wrapperspb.BytesValue{}
		return m, dec(m)
	}
	srv := grpc.NewServer()
	srv.RegisterService(&grpc.ServiceDesc{ServiceName: "echo", HandlerType: (*any)(nil), Methods: []grpc.MethodDesc{{MethodName: "Echo", Handler: handler}}}, struct{}{})
	l := listen(b)
	var wg sync.WaitGroup
	wg.Go(func() { _ = srv.Serve(l) })
	conn, err := grpc.NewClient(l.Addr().String(), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		_ = conn.Close()
		srv.Stop()
		wg.Wait()
	})
	in, out := wrapperspb.Bytes(make([]byte, 1024)), &wrapperspb.BytesValue{}
	return func() {
		if err := conn.Invoke(b.Context(), "/echo/Echo", in, out); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkAct answers prompts over loopback gRPC, each beside an echo of 1 KB; echoes is how many of these one costs.
func BenchmarkAct(b *testing.B) {
	for name, open := range map[string]func() state.Store{
		"memory": func() state.Store { return memory.Open() },
		"bolt": func() state.Store {
			s, err := bolt.Open(filepath.Join(b.TempDir(), "battles"))
			if err != nil {
				b.Fatal(err)
			}
			return s
		},
	} {
		b.Run(name, func(b *testing.B) {
			r := start(b, closing(b, open()), seeded(7))
			arena := r.upload(hall(b))
			send := echo(b)
			var mine, theirs time.Duration
			n := 0
			for b.Loop() {
				id := fmt.Sprintf("bench-%d", n/400)
				if n%400 == 0 {
					r.duel(id, arena, swords())
				}
				p := live(b, r.get(asMaster, id, "").GetPrompts())
				t0 := time.Now()
				_, err := r.battles().Act(r.as(asMaster), &pb.ActRequest{BattleId: id, CommandId: fmt.Sprint(n), PromptId: p.GetId(), Intents: []*pb.Intent{{Act: "pass"}}})
				t1 := time.Now()
				if err != nil {
					b.Fatal(err)
				}
				send()
				mine, theirs = mine+t1.Sub(t0), theirs+time.Since(t1)
				n++
			}
			b.ReportMetric(float64(mine)/float64(n), "ns/act")
			b.ReportMetric(float64(mine)/float64(theirs), "echoes")
		})
	}
}

// BenchmarkWatch delivers one commit to many viewers.
func BenchmarkWatch(b *testing.B) {
	for _, viewers := range []int{10, 200} {
		b.Run(fmt.Sprint(viewers), func(b *testing.B) {
			r := start(b, memory.Open(), seeded(7))
			r.duel("seen", nil, swords())
			streams := make([]pb.BattleService_WatchBattleClient, viewers)
			for i := range streams {
				streams[i] = r.open(asViewer, &pb.WatchBattleRequest{BattleId: "seen"})
				recv(b, streams[i])
			}
			for b.Loop() {
				r.say("seen", "something")
				for _, s := range streams {
					recv(b, s)
				}
			}
			b.ReportMetric(float64(b.Elapsed())/float64(b.N)/float64(viewers), "ns/delivery")
		})
	}
}
