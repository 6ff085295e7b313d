// Command autobattled serves battles.
package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"github.com/alecthomas/kong"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"golang.org/x/sync/errgroup"
	"golang.org/x/term"

	"autobattle/engine"
	"autobattle/engine/rules/eclipse"
	"autobattle/engine/rules/empia"
	"autobattle/engine/rules/kmrp"
	"autobattle/engine/rules/kmrp/catalogue"
	"autobattle/server"
	"autobattle/state/open"
)

// version is set when a release is built.
var version = "dev"

type flags struct {
	Config  kong.ConfigFlag  `help:"JSON file of flags; names with dashes." type:"path" env:"AUTOBATTLE_CONFIG"`
	Version kong.VersionFlag `help:"Print the version."`
	Serve   serveCmd         `cmd:"" default:"withargs" help:"Serve battles."`
	Keys    keysCmd          `cmd:"" help:"Make, list and remove API keys."`
}

type storeFlag struct {
	Store string `help:"Where battles are kept: bolt:PATH, memory:, redis://HOST:PORT/DB, rediss://, redis+cluster://, redis+sentinel://." default:"bolt:autobattle.db" env:"AUTOBATTLE_STORE"`
}

type serveCmd struct {
	storeFlag
	Listen      string        `help:"Address of the gRPC port." default:":7446" env:"AUTOBATTLE_LISTEN"`
	HTTP        string        `help:"Address of the HTTP port: JSON, Connect, gRPC-Web, health, metrics. Empty: none." default:":7447" env:"AUTOBATTLE_HTTP"`
	PortsFile   string        `help:"Write the addresses that were bound to this file, as JSON." env:"AUTOBATTLE_PORTS_FILE"`
	LocalKey    string        `help:"Make a key with every role for the tenant local and write it to this file, unless it holds a good one." env:"AUTOBATTLE_LOCAL_KEY"`
	Catalogue   string        `help:"Folder of KMRP catalogue files that replace or extend the built-in ones." type:"existingdir" env:"AUTOBATTLE_CATALOGUE"`
	TLSCert     string        `help:"Certificate, PEM; with --tls-key both ports speak TLS." type:"existingfile" env:"AUTOBATTLE_TLS_CERT"`
	TLSKey      string        `help:"Private key, PEM." type:"existingfile" env:"AUTOBATTLE_TLS_KEY"`
	TLSClientCA string        `help:"Authorities of client certificates, PEM; clients must show one (mutual TLS)." type:"existingfile" env:"AUTOBATTLE_TLS_CLIENT_CA"`
	LogLevel    string        `help:"debug (a line per command), info (refusals), warn, error." enum:"debug,info,warn,error" default:"info" env:"AUTOBATTLE_LOG_LEVEL"`
	LogFormat   string        `help:"json, console, or auto: console on a terminal." enum:"auto,json,console" default:"auto" env:"AUTOBATTLE_LOG_FORMAT"`
	LogFile     string        `help:"Write the log to this file instead of standard error." env:"AUTOBATTLE_LOG_FILE"`
	MaxMessage  int           `help:"Largest message, in bytes." default:"4194304" env:"AUTOBATTLE_MAX_MESSAGE"`
	MaxActors   int           `help:"Most actors in a battle." default:"256" env:"AUTOBATTLE_MAX_ACTORS"`
	MaxCells    int64         `help:"Most blocks in an arena." default:"4194304" env:"AUTOBATTLE_MAX_CELLS"`
	MaxWatches  int           `help:"Most open watches of one key." default:"1000" env:"AUTOBATTLE_MAX_WATCHES"`
	Cache       int           `help:"Decoded battles kept in memory." default:"4096" env:"AUTOBATTLE_CACHE"`
	Grace       time.Duration `help:"How long calls may go on after SIGTERM." default:"10s" env:"AUTOBATTLE_GRACE"`
	GivenSeed   uint64        `help:"Make every battle's dice from this number and its id: for demonstrations and tests, not for play." env:"AUTOBATTLE_GIVEN_SEED"`
}

type keysCmd struct {
	Add struct {
		storeFlag
		Tenant string   `help:"Whose battles it may see." required:""`
		Roles  []string `help:"plugin, master, viewer." name:"role" required:""`
		Name   string   `help:"For your own memory."`
	} `cmd:"" help:"Make a key and print it, once."`
	List   storeFlag `cmd:"" help:"List keys: ids, tenants, roles. Secrets are stored nowhere."`
	Remove struct {
		storeFlag
		ID string `arg:"" help:"Id that keys list shows."`
	} `cmd:"" help:"Take a key back; running servers notice within ten seconds."`
}

// gcPercent trades memory for time: a battle's step makes some 25 KB of short-lived values, and the heap that stays is small.
const gcPercent = 400

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	var f flags
	ctx := kong.Parse(&f, kong.Name("autobattled"), kong.Description("The authoritative combat server for voxel games."),
		kong.Configuration(kong.JSON), kong.Vars{"version": version}, kong.UsageOnError())
	if err := run(ctx.Command(), &f); err != nil {
		fmt.Fprintln(os.Stderr, "autobattled:", err)
		os.Exit(1)
	}
}

func run(command string, f *flags) error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, os.Interrupt)
	defer stop()
	switch {
	case strings.HasPrefix(command, "keys add"):
		return withKeys(ctx, f.Keys.Add.Store, func(k *server.Keys) error {
			roles := make([]server.Role, len(f.Keys.Add.Roles))
			for i, r := range f.Keys.Add.Roles {
				roles[i] = server.Role(r)
			}
			secret, rec, err := k.Add(ctx, f.Keys.Add.Tenant, f.Keys.Add.Name, roles)
			if err != nil {
				return err
			}
			fmt.Fprintf(os.Stderr, "key %s of tenant %s; it is shown only now:\n", rec.ID, rec.Tenant)
			fmt.Println(secret)
			return nil
		})
	case strings.HasPrefix(command, "keys list"):
		return withKeys(ctx, f.Keys.List.Store, func(k *server.Keys) error {
			recs, err := k.List(ctx)
			if err != nil {
				return err
			}
			for _, r := range recs {
				fmt.Printf("%s  %-16s %v  %s  %s\n", r.ID, r.Tenant, r.Roles, time.UnixMilli(r.CreatedMS).UTC().Format(time.RFC3339), r.Name)
			}
			return nil
		})
	case strings.HasPrefix(command, "keys remove"):
		return withKeys(ctx, f.Keys.Remove.Store, func(k *server.Keys) error { return k.Remove(ctx, f.Keys.Remove.ID) })
	}
	return f.Serve.serve(ctx)
}

func withKeys(ctx context.Context, url string, do func(*server.Keys) error) error {
	if url == "memory:" {
		return errors.New("keys in a memory store are gone when this command ends: use serve --local-key")
	}
	store, err := open.Store(ctx, url)
	if err != nil {
		return err
	}
	return errors.Join(do(server.NewKeys(store)), store.Close())
}

// systems are the rulesets this program plays.
func (c *serveCmd) systems() ([]*engine.System, error) {
	cat := catalogue.Default()
	if c.Catalogue != "" {
		var err error
		if cat, err = catalogue.Load(os.DirFS(c.Catalogue)); err != nil {
			return nil, fmt.Errorf("catalogue %s: %w", c.Catalogue, err)
		}
	}
	ec, err := eclipse.New()
	if err != nil {
		return nil, err
	}
	em, err := empia.New()
	if err != nil {
		return nil, err
	}
	return []*engine.System{ec, em, kmrp.New(cat)}, nil
}

func (c *serveCmd) serve(ctx context.Context) (err error) {
	log, closeLog, err := c.logger()
	if err != nil {
		return err
	}
	defer closeLog()
	systems, err := c.systems()
	if err != nil {
		return err
	}
	secure, err := c.tls()
	if err != nil {
		return err
	}
	if path, ok := strings.CutPrefix(c.Store, "bolt:"); ok {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
	}
	store, err := open.Store(ctx, c.Store)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	warnings, err := open.Warnings(ctx, store)
	if err != nil {
		return err
	}
	for _, w := range warnings {
		log.Warn(w)
	}
	settings := server.Defaults()
	settings.Version, settings.CacheBattles, settings.MaxActors, settings.MaxCells = version, c.Cache, c.MaxActors, c.MaxCells
	settings.MaxMessage, settings.MaxWatches, settings.GivenSeed = c.MaxMessage, c.MaxWatches, c.GivenSeed
	if c.GivenSeed != 0 {
		log.Warn("dice come from a given seed: for demonstrations and tests, not for play")
	}
	srv, err := server.New(ctx, store, systems, settings, log, secure)
	if err != nil {
		return err
	}
	if c.LocalKey != "" {
		if err := localKey(ctx, srv.Keys, c.LocalKey); err != nil {
			return err
		}
	}
	return c.listen(ctx, srv, secure, log)
}

// localKey writes a key to a file, unless the file holds one that works.
func localKey(ctx context.Context, keys *server.Keys, path string) error {
	if raw, err := os.ReadFile(path); err == nil {
		if _, err := keys.Check(ctx, strings.TrimSpace(string(raw))); err == nil {
			return nil
		}
	}
	secret, _, err := keys.Add(ctx, "local", "local key", []server.Role{server.RoleMaster, server.RolePlugin, server.RoleViewer})
	if err != nil {
		return err
	}
	return writeFile(path, secret+"\n")
}

// writeFile replaces a file in one step, readable by its owner alone.
func writeFile(path, text string) error {
	tmp := path + ".new"
	if err := os.WriteFile(tmp, []byte(text), 0o600); err != nil {
		return err
	}
	return os.Rename(tmp, path)
}

// listen serves both ports until ctx ends, then drains.
func (c *serveCmd) listen(ctx context.Context, srv *server.Server, secure *tls.Config, log *zap.Logger) error {
	rpc, err := net.Listen("tcp", c.Listen)
	if err != nil {
		return err
	}
	web := &http.Server{Handler: srv.HTTP, ReadHeaderTimeout: 10 * time.Second, TLSConfig: secure}
	web.Protocols = new(http.Protocols)
	web.Protocols.SetHTTP1(true)
	web.Protocols.SetHTTP2(true)
	web.Protocols.SetUnencryptedHTTP2(true)
	var site net.Listener
	if c.HTTP != "" {
		if site, err = net.Listen("tcp", c.HTTP); err != nil {
			return err
		}
	}
	if c.PortsFile != "" {
		ports := struct {
			GRPC string `json:"grpc"`
			HTTP string `json:"http,omitempty"`
		}{GRPC: rpc.Addr().String()}
		if site != nil {
			ports.HTTP = site.Addr().String()
		}
		raw, err := json.Marshal(ports)
		if err != nil {
			return err
		}
		if err := writeFile(c.PortsFile, string(raw)+"\n"); err != nil {
			return err
		}
	}
	work, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	group, ctx := errgroup.WithContext(ctx) // a port that fails ends the program
	group.Go(func() error { return srv.GRPC.Serve(rpc) })
	if site != nil {
		group.Go(func() error {
			var err error
			if secure != nil {
				err = web.ServeTLS(site, "", "")
			} else {
				err = web.Serve(site)
			}
			if errors.Is(err, http.ErrServerClosed) {
				return nil
			}
			return err
		})
	}
	group.Go(func() error { srv.Core.RunDeadlines(work); return nil })
	group.Go(func() error {
		<-ctx.Done()
		log.Info("draining", zap.Duration("grace", c.Grace))
		srv.Ready(false)
		srv.Core.Drain()
		end, stop := context.WithTimeout(work, c.Grace)
		defer stop()
		// The calls of the HTTP port run on the gRPC server too, and must be over before it stops gracefully.
		if err := web.Shutdown(end); err != nil {
			log.Warn("calls on the HTTP port cut off", zap.Error(err))
			_ = web.Close()
			srv.GRPC.Stop()
		} else {
			deadline := context.AfterFunc(end, srv.GRPC.Stop)
			srv.GRPC.GracefulStop()
			deadline()
		}
		cancel()
		return nil
	})
	srv.Ready(true)
	bound := ""
	if site != nil {
		bound = site.Addr().String()
	}
	log.Info("serving", zap.String("grpc", rpc.Addr().String()), zap.String("http", bound), zap.String("store", storeKind(c.Store)), zap.String("version", version))
	err = group.Wait()
	log.Info("stopped")
	return err
}

// storeKind is a store's URL without what may be secret.
func storeKind(url string) string {
	kind, _, _ := strings.Cut(url, ":")
	return kind
}

// tls is the configuration of both ports; nil: plain text.
func (c *serveCmd) tls() (*tls.Config, error) {
	if c.TLSCert == "" && c.TLSKey == "" {
		if c.TLSClientCA != "" {
			return nil, errors.New("--tls-client-ca needs --tls-cert and --tls-key")
		}
		return nil, nil
	}
	if c.TLSCert == "" || c.TLSKey == "" {
		return nil, errors.New("--tls-cert and --tls-key go together")
	}
	cert, err := tls.LoadX509KeyPair(c.TLSCert, c.TLSKey)
	if err != nil {
		return nil, fmt.Errorf("TLS: %w", err)
	}
	conf := &tls.Config{Certificates: []tls.Certificate{cert}, MinVersion: tls.VersionTLS12, NextProtos: []string{"h2", "http/1.1"}}
	if c.TLSClientCA != "" {
		pem, err := os.ReadFile(c.TLSClientCA)
		if err != nil {
			return nil, fmt.Errorf("TLS: %w", err)
		}
		conf.ClientCAs = x509.NewCertPool()
		if !conf.ClientCAs.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("TLS: %s holds no PEM certificate", c.TLSClientCA)
		}
		conf.ClientAuth = tls.RequireAndVerifyClientCert
	}
	return conf, nil
}

// logger makes the log: JSON for machines, a console format for people.
func (c *serveCmd) logger() (*zap.Logger, func(), error) {
	level, err := zapcore.ParseLevel(c.LogLevel)
	if err != nil {
		return nil, nil, err
	}
	out, terminal := os.Stderr, term.IsTerminal(int(os.Stderr.Fd()))
	closeFile := func() {}
	if c.LogFile != "" {
		if out, err = os.OpenFile(c.LogFile, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600); err != nil {
			return nil, nil, fmt.Errorf("log: %w", err)
		}
		terminal = false
		closeFile = func() { _ = out.Close() }
	}
	conf := zap.NewProductionEncoderConfig()
	conf.EncodeTime = zapcore.RFC3339NanoTimeEncoder
	enc := zapcore.NewJSONEncoder(conf)
	if c.LogFormat == "console" || c.LogFormat == "auto" && terminal {
		conf.EncodeTime = zapcore.TimeEncoderOfLayout("15:04:05.000")
		conf.EncodeLevel = zapcore.CapitalColorLevelEncoder
		enc = zapcore.NewConsoleEncoder(conf)
	}
	log := zap.New(zapcore.NewCore(enc, zapcore.Lock(out), level))
	return log, func() { _ = log.Sync(); closeFile() }, nil
}
