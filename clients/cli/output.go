package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/fatih/color"
	"golang.org/x/term"
	"google.golang.org/grpc/codes"
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
func (p *printer) line(text string, attrs ...color.Attribute) {
	if strings.HasPrefix(text, "—") {
		p.printf("%s", p.paint(text, color.Bold))
		return
	}
	p.printf("  %s", p.paint(text, attrs...))
}

// lines prints sentences, each in the colour of the fact that it tells.
func (p *printer) lines(ls []*pb.TextLine, facts []*pb.Fact) {
	for _, l := range ls {
		var attrs []color.Attribute
		if i := int(l.GetFact()); i >= 0 && i < len(facts) {
			attrs = colours(facts[i])
		}
		p.line(l.GetText(), attrs...)
	}
}

// colours makes the dice faint, and wounds and the end stand out.
func colours(f *pb.Fact) []color.Attribute {
	switch {
	case f.GetRolled() != nil, f.GetTallied() != nil, f.GetQueued() != nil:
		return []color.Attribute{color.Faint}
	case f.GetConditionSet() != nil:
		return []color.Attribute{color.FgRed}
	case f.GetResolved() != nil:
		return []color.Attribute{color.FgYellow}
	case f.GetEnded() != nil:
		return []color.Attribute{color.FgGreen, color.Bold}
	}
	return nil
}

// failure is the status of a failed call, without the words of what wraps it; nil: no call failed.
func failure(err error) *status.Status {
	var s interface{ GRPCStatus() *status.Status }
	if !errors.As(err, &s) {
		return nil
	}
	return s.GRPCStatus()
}

// detailOf is the ErrorDetail of an error, or nil.
func detailOf(err error) *pb.ErrorDetail {
	for _, d := range failure(err).Details() {
		if e, ok := d.(*pb.ErrorDetail); ok {
			return e
		}
	}
	return nil
}

// mostCells is how many cells in reach an error names.
const mostCells = 6

// report prints an error: what was wrong, by which rule, and what would be right. For programs a failed call is a
// google.rpc.Status, whose details hold the ErrorDetail.
func report(w io.Writer, err error, asJSON bool) {
	s, d := failure(err), detailOf(err)
	switch {
	case s != nil && asJSON:
		if raw, err := protojson.Marshal(s.Proto()); err == nil {
			fmt.Fprintf(w, "%s\n", raw)
			return
		}
	case s != nil && d == nil && s.Code() == codes.Unavailable:
		fmt.Fprintf(w, "autobattle: the server cannot be reached: %s\n", s.Message())
		return
	case s != nil && d == nil:
		fmt.Fprintf(w, "autobattle: %s (%s)\n", s.Message(), s.Code())
		return
	}
	if d == nil {
		fmt.Fprintf(w, "autobattle: %v\n", err)
		return
	}
	fmt.Fprintf(w, "autobattle: %s\n", d.GetMessage())
	fmt.Fprintf(w, "  reason %s, code %s", word(d.GetReason().String(), "ERROR_REASON_"), s.Code())
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
	if len(d.GetCells()) > 0 {
		fmt.Fprintf(w, "  blocks: %s\n", cellWords(d.GetCells()))
	}
	if n := len(d.GetRegion()); n > 0 {
		near := nearest(d.GetRegion(), d.GetCells())
		fmt.Fprintf(w, "  in reach are %d cells, the nearest %s\n", n, cellWords(near[:min(n, mostCells)]))
	}
}

// nearest are the cells of a region, those nearest to the first of the others first.
func nearest(region []*pb.CellCost, to []*pb.Cell) []*pb.Cell {
	out := make([]*pb.Cell, len(region))
	for i, c := range region {
		out[i] = c.GetCell()
	}
	if len(to) > 0 {
		slices.SortStableFunc(out, func(a, b *pb.Cell) int { return cmp.Compare(apart(a, to[0]), apart(b, to[0])) })
	}
	return out
}

// apart is the square of the distance of two cells.
func apart(a, b *pb.Cell) int64 {
	x, y, z := int64(a.GetX()-b.GetX()), int64(a.GetY()-b.GetY()), int64(a.GetZ()-b.GetZ())
	return x*x + y*y + z*z
}

func cellWord(c *pb.Cell) string { return fmt.Sprintf("%d,%d,%d", c.GetX(), c.GetY(), c.GetZ()) }

func cellWords(cs []*pb.Cell) string {
	words := make([]string, len(cs))
	for i, c := range cs {
		words[i] = cellWord(c)
	}
	return strings.Join(words, " ")
}

// percent is parts per million as a percentage with one digit; what is possible at all is never 0.
func percent(ppm uint32) string {
	if tenths := (ppm + 500) / 1000; tenths > 0 {
		return fmt.Sprintf("%d.%d %%", tenths/10, tenths%10)
	}
	return "< 0.1 %"
}
