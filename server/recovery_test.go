package server

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"

	pb "autobattle/proto/autobattle/v1"
	"autobattle/state"
	"autobattle/state/bolt"
	"autobattle/state/memory"
)

// panicky is a store that panics where it is told to.
type panicky struct {
	state.Store
	battle string
}

// Head panics for one battle.
func (s *panicky) Head(ctx context.Context, id state.ID) (state.Head, error) {
	if id.Battle == s.battle {
		panic("the secret of " + id.Battle)
	}
	return s.Store.Head(ctx, id)
}

// Load panics for one battle.
func (s *panicky) Load(ctx context.Context, id state.ID) (state.Stored, error) {
	if id.Battle == s.battle {
		panic("the secret of " + id.Battle)
	}
	return s.Store.Load(ctx, id)
}

// TestPanic survives a panicking handler: INTERNAL with an id that the log has, and nothing else.
func TestPanic(t *testing.T) {
	store := &panicky{Store: memory.Open()}
	core, logs := observer.New(zapcore.InfoLevel)
	r := start(t, store, seeded(7), func(s *setup) { s.log = zap.New(core) })
	r.duel("good", nil, swords())
	r.duel("bad", nil, swords())
	store.battle = "bad"
	d := inBoth(t, codes.Internal, pb.ErrorReason_ERROR_REASON_INTERNAL, func(locale string) error {
		_, err := r.battles().GetBattle(r.as(asMaster), &pb.GetBattleRequest{BattleId: "bad", Locale: locale})
		return err
	})
	id := ""
	for _, a := range d.GetArgs() {
		if a.GetKey() == "id" {
			id = a.GetText()
		}
	}
	if id == "" || strings.Contains(d.String(), "secret") || !strings.Contains(d.GetMessage(), id) {
		t.Errorf("the caller is told %v", d)
	}
	logged := 0
	for _, e := range logs.FilterMessage("panic").All() {
		if e.ContextMap()["id"] == id && strings.Contains(e.ContextMap()["stack"].(string), "Head") {
			logged++
		}
	}
	if logged != 1 {
		t.Errorf("the log has the panic %d times: %v", logged, logs.All())
	}
	stream := r.open(asViewer, &pb.WatchBattleRequest{BattleId: "bad"})
	_, err := stream.Recv()
	refused(t, err, codes.Internal, pb.ErrorReason_ERROR_REASON_INTERNAL)
	if _, on := r.answer("good"); !on {
		t.Error("the other battle does not go on")
	}
	if code, _ := r.post("GetBattle", asMaster, `{"battleId": "bad"}`); code != http.StatusInternalServerError {
		t.Errorf("by JSON: %d", code)
	}
}

// scrambled is a store whose snapshots are damaged.
type scrambled struct{ state.Store }

// Load damages the snapshot.
func (s *scrambled) Load(ctx context.Context, id state.ID) (state.Stored, error) {
	st, err := s.Store.Load(ctx, id)
	if st.Snapshot.Version > 0 {
		st.Snapshot.Data = []byte("not a snapshot")
	}
	return st, err
}

// TestSnapshots loads a battle from a snapshot, and from its log where the snapshot is damaged.
func TestSnapshots(t *testing.T) {
	stores(t, func(t *testing.T, open func() state.Store) {
		store := open()
		r := start(t, store, seeded(7))
		const id = "long"
		r.duel(id, r.upload(hall(t)), swords(), &pb.Option{Name: "turn_limit_s", Number: 3600})
		for range snapshotEvery {
			r.say(id, "on and on")
		}
		r.answer(id)
		st, err := store.Load(t.Context(), state.ID{Tenant: "acme", Battle: id})
		r.ok(err)
		if st.Snapshot.Version == 0 || len(st.Entries) >= snapshotEvery {
			t.Fatalf("snapshot at %d and %d entries", st.Snapshot.Version, len(st.Entries))
		}
		want := r.get(asMaster, id, "")
		for name, s := range map[string]state.Store{"good": store, "damaged": &scrambled{store}} {
			core, logs := observer.New(zapcore.WarnLevel)
			r := start(t, s, seeded(7), func(s *setup) { s.log = zap.New(core) })
			got := r.get(asMaster, id, "")
			sameBattle(t, name, folded(t, nil, []*pb.Update{{Snapshot: got.GetBattle()}}), want.GetBattle())
			if got.GetPrompts()[0].GetDeadlineMs() != want.GetPrompts()[0].GetDeadlineMs() {
				t.Errorf("%s: another deadline", name)
			}
			warned := logs.FilterMessageSnippet("snapshot").Len()
			if (name == "damaged") != (warned == 1) {
				t.Errorf("%s: %d warnings", name, warned)
			}
			if _, on := r.answer(id); !on {
				t.Errorf("%s: the battle does not go on", name)
			}
			want = r.get(asMaster, id, "")
		}
		if v := r.verdict(id); !v.GetSound() {
			t.Error(v)
		}
	})
}

// TestKeys makes, lists and removes keys; the secret is stored nowhere.
func TestKeys(t *testing.T) {
	path := filepath.Join(t.TempDir(), "battles")
	store, err := bolt.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	r := start(t, store, seeded(7))
	secret, rec, err := r.srv.Keys.Add(t.Context(), "acme", "for a test", []Role{RolePlugin, RoleMaster})
	r.ok(err)
	ctx := withKey(t.Context(), secret)
	info, err := r.rules().GetServerInfo(ctx, &pb.GetServerInfoRequest{})
	r.ok(err)
	if info.GetTenant() != "acme" || info.GetRole() != "master" || info.GetLimits().GetMessageBytes() != 4<<20 {
		t.Errorf("told %v", info)
	}
	list, err := r.srv.Keys.List(t.Context())
	r.ok(err)
	found := false
	for _, k := range list {
		found = found || k.ID == rec.ID && k.Name == "for a test" && len(k.Roles) == 2
	}
	if len(list) != 5 || !found {
		t.Errorf("listed %v", list)
	}
	r.ok(r.srv.Keys.Remove(t.Context(), rec.ID))
	_, err = r.rules().GetServerInfo(ctx, &pb.GetServerInfoRequest{})
	refused(t, err, codes.Unauthenticated, badKey)
	for _, id := range []string{rec.ID, "", "nothing", list[0].ID[:3]} {
		if err := r.srv.Keys.Remove(t.Context(), id); err == nil {
			t.Errorf("removed %q", id)
		}
	}
	for _, c := range []struct {
		tenant string
		roles  []Role
	}{{"", []Role{RoleMaster}}, {"Acme", []Role{RoleMaster}}, {"acme", nil}, {"acme", []Role{"god"}}, {state.Global, []Role{RoleMaster}}} {
		if _, _, err := r.srv.Keys.Add(t.Context(), c.tenant, "", c.roles); err == nil {
			t.Errorf("made a key of tenant %q with roles %v", c.tenant, c.roles)
		}
	}
	// A key that another process removed dies within its age.
	secret, rec, err = r.srv.Keys.Add(t.Context(), "acme", "", []Role{RoleViewer})
	r.ok(err)
	now := time.Now()
	r.srv.Keys.now = func() time.Time { return now }
	ctx = withKey(t.Context(), secret)
	_, err = r.rules().GetServerInfo(ctx, &pb.GetServerInfoRequest{})
	r.ok(err)
	r.ok(NewKeys(store).Remove(t.Context(), rec.ID))
	now = now.Add(keyAge + time.Second)
	_, err = r.rules().GetServerInfo(ctx, &pb.GetServerInfoRequest{})
	refused(t, err, codes.Unauthenticated, badKey)
	secret, _, err = r.srv.Keys.Add(t.Context(), "acme", "", []Role{RoleViewer})
	r.ok(err)
	r.stop()
	r.ok(store.Close())
	raw, err := os.ReadFile(path)
	r.ok(err)
	if strings.Contains(string(raw), secret) || strings.Contains(string(raw), strings.TrimPrefix(secret, keyPrefix)) {
		t.Error("the file holds the secret")
	}
}

// certificate makes a certificate by an authority, or the authority itself.
func certificate(t testing.TB, name string, by *tls.Certificate) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	c := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: name}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	parent, signer := c, any(key)
	if by == nil {
		c.IsCA, c.BasicConstraintsValid, c.KeyUsage = true, true, x509.KeyUsageCertSign
	} else {
		parent, signer = by.Leaf, by.PrivateKey
	}
	der, err := x509.CreateCertificate(rand.Reader, c, parent, key.Public(), signer)
	if err != nil {
		t.Fatal(err)
	}
	leaf, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key, Leaf: leaf}
}

// TestTLS speaks TLS and mutual TLS on both ports.
func TestTLS(t *testing.T) {
	ca, other := certificate(t, "authority", nil), certificate(t, "another authority", nil)
	pool := func(c tls.Certificate) *x509.CertPool {
		p := x509.NewCertPool()
		p.AddCert(c.Leaf)
		return p
	}
	client, stranger := certificate(t, "client", &ca), certificate(t, "stranger", &other)
	for name, mutual := range map[string]bool{"TLS": false, "mutual TLS": true} {
		t.Run(name, func(t *testing.T) {
			conf := &tls.Config{Certificates: []tls.Certificate{certificate(t, "server", &ca)}, MinVersion: tls.VersionTLS12, NextProtos: []string{"h2", "http/1.1"}}
			if mutual {
				conf.ClientCAs, conf.ClientAuth = pool(ca), tls.RequireAndVerifyClientCert
			}
			srv, err := New(t.Context(), memory.Open(), testSystems(), Defaults(), zap.NewNop(), conf)
			if err != nil {
				t.Fatal(err)
			}
			secret, _, err := srv.Keys.Add(t.Context(), "acme", "", []Role{RoleMaster})
			if err != nil {
				t.Fatal(err)
			}
			rpc, site := listen(t), listen(t)
			web := &http.Server{Handler: srv.HTTP, TLSConfig: conf, ReadHeaderTimeout: time.Minute, ErrorLog: nil}
			done := make(chan error, 2)
			go func() { done <- srv.GRPC.Serve(rpc) }()
			go func() { done <- web.ServeTLS(site, "", "") }()
			defer func() {
				srv.GRPC.Stop()
				_ = web.Close()
				<-done
				<-done
			}()
			call := func(conf *tls.Config) error {
				conn, err := grpc.NewClient(rpc.Addr().String(), grpc.WithTransportCredentials(credentials.NewTLS(conf)))
				if err != nil {
					t.Fatal(err)
				}
				defer func() { _ = conn.Close() }()
				_, err = pb.NewRulesServiceClient(conn).ListRulesets(withKey(t.Context(), secret), &pb.ListRulesetsRequest{})
				transport := &http.Transport{TLSClientConfig: conf.Clone(), DisableKeepAlives: true}
				req, herr := http.NewRequestWithContext(t.Context(), http.MethodPost, "https://"+site.Addr().String()+"/autobattle.v1.RulesService/ListRulesets", strings.NewReader("{}"))
				if herr != nil {
					t.Fatal(herr)
				}
				req.Header.Set("Content-Type", "application/json")
				req.Header.Set("Authorization", "Bearer "+secret)
				resp, herr := (&http.Client{Transport: transport}).Do(req)
				if herr == nil {
					raw, _ := io.ReadAll(resp.Body)
					_ = resp.Body.Close()
					if resp.StatusCode != http.StatusOK || !strings.Contains(string(raw), "kmrp") {
						t.Errorf("the HTTP port answers %d %s", resp.StatusCode, raw)
					}
				}
				if (err == nil) != (herr == nil) {
					t.Errorf("gRPC: %v, HTTP: %v", err, herr)
				}
				return errors.Join(err, herr)
			}
			with := func(c ...tls.Certificate) *tls.Config {
				return &tls.Config{RootCAs: pool(ca), Certificates: c, MinVersion: tls.VersionTLS12}
			}
			if err := call(with(client)); err != nil {
				t.Errorf("with a certificate: %v", err)
			}
			if err := call(with()); (err != nil) != mutual {
				t.Errorf("without a certificate: %v", err)
			}
			if err := call(with(stranger)); (err != nil) != mutual {
				t.Errorf("with a stranger's certificate: %v", err)
			}
			if err := call(&tls.Config{RootCAs: pool(other), MinVersion: tls.VersionTLS12}); err == nil {
				t.Error("a client trusts a server that it does not know")
			}
		})
	}
}
