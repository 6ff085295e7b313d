package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/fatih/color"
	"golang.org/x/term"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	pb "autobattle/proto/autobattle/v1"
)

// printer writes answers: as text for people, or as JSON for programs.
type printer struct {
	w     io.Writer
	json  bool
	color bool
}

func newPrinter(w *os.File, asJSON, plain bool) *printer {
	return &printer{w: w, json: asJSON, color: !plain && !asJSON && os.Getenv("NO_COLOR") == "" && term.IsTerminal(int(w.Fd()))}
}

// message prints a message as one line of JSON.
func (p *printer) message(m proto.Message) error {
	raw, err := protojson.MarshalOptions{EmitUnpopulated: false}.Marshal(m)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(p.w, "%s\n", raw)
	return err
}

func (p *printer) printf(format string, args ...any) { fmt.Fprintf(p.w, format+"\n", args...) }

// paint is text in a colour, where there is one.
func (p *printer) paint(text string, attrs ...color.Attribute) string {
	if !p.color {
		return text
	}
	c := color.New(attrs...)
	c.EnableColor()
	return c.Sprint(text)
}

// line prints one line of a battle log: headings stand out, what follows is indented.
func (p *printer) line(text string) {
	if strings.HasPrefix(text, "—") {
		p.printf("%s", p.paint(text, color.Bold))
		return
	}
	p.printf("  %s", text)
}

// lines prints the sentences of a result.
func (p *printer) lines(ls []*pb.TextLine) {
	for _, l := range ls {
		p.line(l.GetText())
	}
}

// detailOf is the ErrorDetail of an error, or nil.
func detailOf(err error) *pb.ErrorDetail {
	for _, d := range status.Convert(err).Details() {
		if e, ok := d.(*pb.ErrorDetail); ok {
			return e
		}
	}
	return nil
}

// report prints an error: what was wrong, by which rule, and what would be right.
func report(w io.Writer, err error) {
	d := detailOf(err)
	if d == nil {
		s := status.Convert(err)
		if s.Code() != 2 { // a call failed without a detail
			fmt.Fprintf(w, "autobattle: %s (%s)\n", s.Message(), s.Code())
			return
		}
		fmt.Fprintf(w, "autobattle: %v\n", err)
		return
	}
	fmt.Fprintf(w, "autobattle: %s\n", d.GetMessage())
	fmt.Fprintf(w, "  reason %s, code %s", strings.ToLower(strings.TrimPrefix(d.GetReason().String(), "ERROR_REASON_")), status.Code(err))
	if d.GetRule() != "" {
		fmt.Fprintf(w, ", rule %s", d.GetRule())
	}
	if d.GetField() != "" {
		fmt.Fprintf(w, ", field %s", d.GetField())
	}
	if d.GetCurrentVersion() != 0 {
		fmt.Fprintf(w, ", the battle is at version %d", d.GetCurrentVersion())
	}
	if d.GetRetryable() {
		fmt.Fprint(w, "; the same call may succeed later")
	}
	fmt.Fprintln(w)
	for _, c := range d.GetCells() {
		fmt.Fprintf(w, "  block %d %d %d is in the way\n", c.GetX(), c.GetY(), c.GetZ())
	}
	if n := len(d.GetRegion()); n > 0 {
		fmt.Fprintf(w, "  %d cells can be reached\n", n)
	}
}

// percent is parts per million as a percentage with one digit.
func percent(ppm uint32) string { return fmt.Sprintf("%d.%d %%", ppm/10000, ppm/1000%10) }
