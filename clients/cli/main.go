// Command autobattle talks to an autobattle server: it plays the demonstration duel, watches, inspects, acts, exports and
// verifies battles. It knows the messages of the API and nothing else.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/alecthomas/kong"
)

// Exit codes: 0 done, 1 refused or failed, 2 wrong usage.
const (
	exitFailed = 1
	exitUsage  = 2
)

// version is set when a release is built.
var version = "dev"

// cli is the flags, each of which is read from AUTOBATTLE_NAME too, and the commands.
type cli struct {
	Addr      string `help:"Address of the server's gRPC port." default:"127.0.0.1:7446"`
	PortsFile string `help:"File in which the server writes its addresses; waited for; replaces --addr."`
	Key       string `help:"API key."`
	KeyFile   string `help:"File with the API key; waited for."`
	Player    string `help:"Speak for this player."`
	Lang      string `help:"Language of texts." enum:"en,ru" default:"en"`
	JSON      bool   `help:"Print messages as JSON, one a line." name:"json"`
	NoColor   bool   `help:"No colour; NO_COLOR does the same."`
	TLS       bool   `help:"Speak TLS."`
	CA        string `help:"Authorities that vouch for the server, PEM; implies --tls." type:"existingfile" name:"ca"`
	Cert      string `help:"Certificate to show, PEM, for mutual TLS; implies --tls." type:"existingfile"`
	CertKey   string `help:"Private key of --cert, PEM." type:"existingfile" aliases:"keyfile-tls"`

	Version kong.VersionFlag `help:"Print the version." env:"-"`

	Wait    waitCmd    `cmd:"" help:"Wait until the server answers."`
	Info    infoCmd    `cmd:"" help:"What the server is and what this key may do."`
	List    listCmd    `cmd:"" help:"List battles."`
	Demo    demoCmd    `cmd:"" help:"Fight the demonstration duel and print its log."`
	Watch   watchCmd   `cmd:"" help:"Follow a battle."`
	Choices choicesCmd `cmd:"" help:"What may be answered now."`
	Act     actCmd     `cmd:"" help:"Answer a prompt."`
	Odds    oddsCmd    `cmd:"" help:"What an answer would lead to."`
	Inspect inspectCmd `cmd:"" help:"What one actor sees of another, and why."`
	Arena   struct {
		Import importCmd `cmd:"" help:"Read a world, a .schem or a .schematic file, and cut a box out of it; --put uploads it."`
	} `cmd:"" help:"Arenas."`
	Export exportCmd `cmd:"" help:"Write a battle to a file."`
	Verify verifyCmd `cmd:"" help:"Check an exported battle: every hash, face and fact."`
}

func main() {
	var c cli
	parser := kong.Must(&c, kong.Name("autobattle"), kong.Description("Client of the autobattle combat server."),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}), kong.DefaultEnvars("AUTOBATTLE"), kong.Vars{"version": version})
	k, err := parser.Parse(os.Args[1:])
	if err != nil {
		parser.Errorf("%s; see autobattle --help", err)
		os.Exit(exitUsage)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	out := newPrinter(os.Stdout, c.JSON, c.NoColor)
	k.BindTo(ctx, (*context.Context)(nil))
	if err := k.Run(&c, out); err != nil {
		report(os.Stderr, err, c.JSON)
		var u usageError
		if errors.As(err, &u) {
			os.Exit(exitUsage)
		}
		os.Exit(exitFailed)
	}
}

// usageError is a mistake in the words of the call.
type usageError string

// Error is the mistake.
func (u usageError) Error() string { return string(u) }

func usagef(format string, args ...any) error { return usageError(fmt.Sprintf(format, args...)) }
