package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/status"

	pb "autobattle/proto/autobattle/v1"
)

const (
	fileWait   = 10 * time.Second // how long the files of a starting server are waited for
	serverWait = 15 * time.Second // how long wait waits
	maxAnswer  = 64 << 20         // the largest message that is taken, in bytes
)

// retries sends every call again while the server cannot be reached. That is safe: what changes something has a command_id,
// and happens once.
const retries = `{"methodConfig": [{"name": [{}], "retryPolicy": {"maxAttempts": 5, "initialBackoff": "0.1s", "maxBackoff": "1s",
	"backoffMultiplier": 2, "retryableStatusCodes": ["UNAVAILABLE"]}}]}`

// api is a connection with the services on it.
type api struct {
	conn    *grpc.ClientConn
	battle  pb.BattleServiceClient
	arena   pb.ArenaServiceClient
	rules   pb.RulesServiceClient
	replay  pb.ReplayServiceClient
	health  healthpb.HealthClient
	locale  string
	player  string
	address string
}

// bearer puts the key into every call.
type bearer struct {
	key    string
	secure bool
}

// GetRequestMetadata is the key as metadata.
func (b bearer) GetRequestMetadata(context.Context, ...string) (map[string]string, error) {
	return map[string]string{"authorization": "Bearer " + b.key}, nil
}

// RequireTransportSecurity reports whether the key may travel in TLS only.
func (b bearer) RequireTransportSecurity() bool { return b.secure }

// dial opens the connection. Nothing is sent yet.
func (c *cli) dial(ctx context.Context) (*api, error) {
	addr := c.Addr
	if c.PortsFile != "" {
		raw, err := waitFile(ctx, c.PortsFile)
		if err != nil {
			return nil, err
		}
		var ports struct {
			GRPC string `json:"grpc"`
		}
		if err := json.Unmarshal(raw, &ports); err != nil {
			return nil, fmt.Errorf("%s: %w", c.PortsFile, err)
		}
		addr = ports.GRPC
	}
	key := c.Key
	if key == "" && c.KeyFile != "" {
		raw, err := waitFile(ctx, c.KeyFile)
		if err != nil {
			return nil, err
		}
		key = strings.TrimSpace(string(raw))
	}
	secure, err := c.credentials()
	if err != nil {
		return nil, err
	}
	creds := insecure.NewCredentials()
	if secure != nil {
		creds = credentials.NewTLS(secure)
	}
	conn, err := grpc.NewClient(addr, grpc.WithTransportCredentials(creds), grpc.WithPerRPCCredentials(bearer{key, secure != nil}),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(maxAnswer)), grpc.WithDefaultServiceConfig(retries))
	if err != nil {
		return nil, fmt.Errorf("connect to %s: %w", addr, err)
	}
	return &api{
		conn: conn, battle: pb.NewBattleServiceClient(conn), arena: pb.NewArenaServiceClient(conn), rules: pb.NewRulesServiceClient(conn),
		replay: pb.NewReplayServiceClient(conn), health: healthpb.NewHealthClient(conn), locale: c.Lang, player: c.Player, address: addr,
	}, nil
}

// credentials is the TLS to speak; nil: none.
func (c *cli) credentials() (*tls.Config, error) {
	if !c.TLS && c.CA == "" && c.Cert == "" {
		return nil, nil
	}
	conf := &tls.Config{MinVersion: tls.VersionTLS12}
	if c.CA != "" {
		pem, err := os.ReadFile(c.CA)
		if err != nil {
			return nil, err
		}
		conf.RootCAs = x509.NewCertPool()
		if !conf.RootCAs.AppendCertsFromPEM(pem) {
			return nil, usagef("--ca %s holds no PEM certificate", c.CA)
		}
	}
	if c.Cert != "" {
		cert, err := tls.LoadX509KeyPair(c.Cert, c.CertKey)
		if err != nil {
			return nil, fmt.Errorf("--cert and --cert-key: %w", err)
		}
		conf.Certificates = []tls.Certificate{cert}
	}
	return conf, nil
}

// waitFile reads a file that a starting server is about to write.
func waitFile(ctx context.Context, path string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, fileWait)
	defer cancel()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		if raw, err := os.ReadFile(path); err == nil && len(raw) > 0 {
			return raw, nil
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("%s did not appear within %s: is the server running, and told to write it?", path, fileWait)
		case <-tick.C:
		}
	}
}

type waitCmd struct{}

// Run waits until the server serves.
func (w *waitCmd) Run(ctx context.Context, c *cli, out *printer) error {
	a, err := c.dial(ctx)
	if err != nil {
		return err
	}
	defer a.conn.Close()
	ctx, cancel := context.WithTimeout(ctx, serverWait)
	defer cancel()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		r, err := a.health.Check(ctx, &healthpb.HealthCheckRequest{}, grpc.WaitForReady(true))
		if err == nil && r.GetStatus() == healthpb.HealthCheckResponse_SERVING {
			if out.json {
				return out.message(r)
			}
			return nil
		}
		if err != nil && status.Code(err) != codes.Unavailable && ctx.Err() == nil {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("no server answered at %s within %s: is autobattled running, and is this its gRPC port?", a.address, serverWait)
		case <-tick.C:
		}
	}
}
