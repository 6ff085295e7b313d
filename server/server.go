// Package server serves battles: gRPC on one port; JSON, Connect and gRPC-Web of the same services, health and metrics on
// another. It turns messages into commands and facts into messages; what is decided, engine decides, and what is
// remembered, state remembers.
package server

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"buf.build/go/protovalidate"
	"connectrpc.com/connect"
	"connectrpc.com/vanguard"
	"connectrpc.com/vanguard/vanguardgrpc"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"go.opentelemetry.io/contrib/instrumentation/google.golang.org/grpc/otelgrpc"
	"go.uber.org/zap"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/encoding"
	"google.golang.org/grpc/health"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/reflection"

	"autobattle/engine"
	pb "autobattle/proto/autobattle/v1"
	"autobattle/server/text"
	"autobattle/state"
)

// Defaults are the settings of a server that was told nothing.
func Defaults() Settings {
	return Settings{
		Version: "dev", CacheBattles: 4096, MaxActors: 256, MaxCells: 128 * 128 * 256,
		MaxMessage: 4 << 20, MaxWatches: 1000,
	}
}

// Server is the services over one store. Serve GRPC on a listener and HTTP by an http.Server.
type Server struct {
	GRPC   *grpc.Server
	HTTP   http.Handler
	Core   *Core
	Keys   *Keys
	health *health.Server
	store  state.Store
}

// New puts a server together. TLS may be nil. Every command goes through the same interceptors on both ports.
func New(ctx context.Context, store state.Store, systems []*engine.System, settings Settings, log *zap.Logger, secure *tls.Config) (*Server, error) {
	reg := prometheus.NewRegistry()
	reg.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	m := newMetrics(reg)
	core, err := NewCore(store, systems, settings, log, m)
	if err != nil {
		return nil, err
	}
	key, err := cursorKey(ctx, store)
	if err != nil {
		return nil, err
	}
	cur, err := newCursors(key)
	if err != nil {
		return nil, err
	}
	validate, err := protovalidate.New()
	if err != nil {
		return nil, fmt.Errorf("message validation: %w", err)
	}
	keys := NewKeys(store)
	g := &gate{keys: keys, validate: validate, most: settings.MaxMessage, log: log, metrics: m}
	// The gate holds the limit and explains it. What is far over it is cut off below, before it fills the memory.
	cut := settings.MaxMessage + settings.MaxMessage/4 + 1<<16
	opts := []grpc.ServerOption{
		grpc.UnaryInterceptor(g.unary), grpc.StreamInterceptor(g.stream),
		grpc.MaxRecvMsgSize(cut), grpc.StatsHandler(otelgrpc.NewServerHandler()),
	}
	if secure != nil {
		opts = append(opts, grpc.Creds(credentials.NewTLS(secure)))
	}
	s := &Server{GRPC: grpc.NewServer(opts...), Core: core, Keys: keys, health: health.NewServer(), store: store}
	b := &battles{Core: core, cursors: cur, limits: &watchLimits{most: settings.MaxWatches, open: map[string]int{}}}
	pb.RegisterBattleServiceServer(s.GRPC, b)
	pb.RegisterArenaServiceServer(s.GRPC, &arenaService{battles: b})
	pb.RegisterCharacterServiceServer(s.GRPC, &characters{Core: core})
	pb.RegisterMasterServiceServer(s.GRPC, &masterService{battles: b})
	pb.RegisterRulesServiceServer(s.GRPC, &rulesService{Core: core})
	pb.RegisterReplayServiceServer(s.GRPC, &replayService{battles: b})
	healthpb.RegisterHealthServer(s.GRPC, s.health)
	reflection.Register(s.GRPC)
	encoding.RegisterCodec(vanguardgrpc.NewCodec(&jsonCodec{}))
	transcoder, err := vanguardgrpc.NewTranscoder(s.GRPC, vanguard.WithDefaultServiceOptions(vanguard.WithMaxMessageBufferBytes(uint32(cut))))
	if err != nil {
		return nil, fmt.Errorf("JSON and Connect: %w", err)
	}
	s.HTTP = s.routes(transcoder, reg, int64(cut))
	return s, nil
}

// routes are what the HTTP port answers.
func (s *Server) routes(api http.Handler, reg *prometheus.Registry, most int64) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/metrics", promhttp.HandlerFor(reg, promhttp.HandlerOpts{}))
	mux.HandleFunc("/healthz", func(w http.ResponseWriter, r *http.Request) {
		if err := s.store.Health(r.Context()); err != nil {
			http.Error(w, "store unavailable", http.StatusServiceUnavailable)
			return
		}
		_, _ = w.Write([]byte("ok\n"))
	})
	mux.Handle("/", plainJSON(small(api, most)))
	return mux
}

// plainJSON lets a plain POST of JSON, as curl and Lua send it, pass as a Connect call; and answers the preflights of
// browsers, which send a key and no cookies, so that any page may ask.
func plainJSON(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		if origin := r.Header.Get("Origin"); origin != "" {
			h.Set("Access-Control-Allow-Origin", "*")
			h.Set("Access-Control-Expose-Headers", "Grpc-Status, Grpc-Message, Grpc-Status-Details-Bin, Connect-Protocol-Version")
			if r.Method == http.MethodOptions {
				h.Set("Access-Control-Allow-Methods", "POST, GET")
				h.Set("Access-Control-Allow-Headers", "Authorization, Content-Type, Connect-Protocol-Version, Connect-Timeout-Ms, X-Grpc-Web, X-User-Agent, Grpc-Timeout")
				h.Set("Access-Control-Max-Age", "7200")
				w.WriteHeader(http.StatusNoContent)
				return
			}
		}
		if r.Method == http.MethodPost && isJSON(r.Header.Get("Content-Type")) && r.Header.Get("Connect-Protocol-Version") == "" {
			r.Header.Set("Connect-Protocol-Version", "1")
		}
		next.ServeHTTP(w, r)
	})
}

func isJSON(contentType string) bool { return strings.HasPrefix(contentType, "application/json") }

// small refuses a unary call whose message is far over the limit, before it is read.
func small(next http.Handler, most int64) http.Handler {
	errs := connect.NewErrorWriter()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		kind := r.Header.Get("Content-Type")
		if r.ContentLength <= most || !isJSON(kind) && !strings.HasPrefix(kind, "application/proto") {
			next.ServeHTTP(w, r)
			return
		}
		p := problemOf(tooLarge(r.ContentLength, most), text.Match(r.Header.Get("Accept-Language")))
		err := connect.NewError(connect.Code(p.code), errors.New(p.detail.GetMessage()))
		if d, derr := connect.NewErrorDetail(p.detail); derr == nil {
			err.AddDetail(d)
		}
		r.Header.Set("Connect-Protocol-Version", "1")
		// Most clients read no answer before they have sent everything.
		_, _ = io.CopyN(io.Discard, r.Body, 16*most)
		_ = errs.Write(w, r, err)
	})
}

// cursorKey is the key of the cursors, made by the first process on a store and shared by all.
func cursorKey(ctx context.Context, store state.Docs) (key [32]byte, err error) {
	docs := state.Collection{Kind: "settings", Tenant: state.Global}
	doc, err := store.GetDoc(ctx, docs, "cursor-key")
	if errors.Is(err, state.ErrNotFound) {
		if _, err := rand.Read(key[:]); err != nil {
			return key, fmt.Errorf("draw the cursor key: %w", err)
		}
		if _, err := store.PutDoc(ctx, docs, "cursor-key", 0, key[:]); err == nil {
			return key, nil
		} else if !errors.Is(err, state.ErrConflict) {
			return key, fmt.Errorf("store the cursor key: %w", err)
		}
		doc, err = store.GetDoc(ctx, docs, "cursor-key")
	}
	if err != nil {
		return key, fmt.Errorf("read the cursor key: %w", err)
	}
	if len(doc.Data) != len(key) {
		return key, fmt.Errorf("%w: cursor key of %d bytes", state.ErrCorrupt, len(doc.Data))
	}
	copy(key[:], doc.Data)
	return key, nil
}

// Ready tells health checks whether this process takes calls.
func (s *Server) Ready(ready bool) {
	st := healthpb.HealthCheckResponse_NOT_SERVING
	if ready {
		st = healthpb.HealthCheckResponse_SERVING
	}
	s.health.SetServingStatus("", st)
}
