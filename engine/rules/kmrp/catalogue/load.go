package catalogue

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

//go:embed data/*.yaml
var embedded embed.FS

// Default is the catalogue of the rulebook with our defaults in place of its lost tables. It is read once.
func Default() *Catalogue { return standard() }

var standard = sync.OnceValue(func() *Catalogue {
	c, err := Load(nil)
	if err != nil {
		panic(fmt.Sprintf("the catalogue that was built in is broken: %v", err))
	}
	return c
})

// Load reads the built-in catalogue and then the YAML files of a directory, sub-directories included: an entry with a
// known name takes the place of the built-in one, whole; others are added. A nil directory adds nothing. Errors are all
// found at once, joined, each an *Error.
func Load(dir fs.FS) (*Catalogue, error) {
	l := builtIn()
	if dir != nil {
		l.layer++
		l.read(dir)
	}
	c := l.build()
	if len(l.errs) > 0 {
		return nil, l.err()
	}
	return c, nil
}

// builtIn is a loader that has read the built-in files. They are read once; their entries are shared and never written.
func builtIn() *loader {
	base := builtInOnce()
	return &loader{sheet: base.sheet.clone(), errs: slices.Clone(base.errs)}
}

var builtInOnce = sync.OnceValue(func() *loader {
	l := &loader{sheet: &sheet{}}
	l.read(embedded)
	return l
})

// Error is one thing wrong with a catalogue file.
type Error struct {
	File  string
	Line  int    // from 1; 0: the file as a whole
	Entry string // the section and the entry, as in weapons "sabre"; empty: the file as a whole
	Why   string // what is wrong and what would be right
}

// Error says where the fault is, then what it is.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.File)
	if e.Line > 0 {
		b.WriteString(":" + strconv.Itoa(e.Line))
	}
	if e.Entry != "" {
		b.WriteString(": " + e.Entry)
	}
	return b.String() + ": " + e.Why
}

// Limits of catalogue files.
const (
	maxFile  = 1 << 20 // bytes
	maxDepth = 16      // brackets open at once
	maxLead  = 64      // spaces and list dashes that a line begins with
)

// place is where an entry stands.
type place struct {
	file    string
	line    int
	section string
	layer   int // 0: built in
}

// loader collects entries and errors.
type loader struct {
	sheet *sheet
	layer int
	errs  []*Error
}

func (l *loader) fail(p place, entry, format string, args ...any) {
	if p.section != "" {
		entry = strings.TrimSpace(p.section + " " + entry)
	}
	l.errs = append(l.errs, &Error{File: p.file, Line: p.line, Entry: entry, Why: fmt.Sprintf(format, args...)})
}

// err joins the errors in the order of files and lines.
func (l *loader) err() error {
	slices.SortStableFunc(l.errs, func(a, b *Error) int {
		if c := strings.Compare(a.File, b.File); c != 0 {
			return c
		}
		return a.Line - b.Line
	})
	all := make([]error, len(l.errs))
	for i, e := range l.errs {
		all[i] = e
	}
	return errors.Join(all...)
}

// read reads every YAML file of a file system, in the order of names.
func (l *loader) read(dir fs.FS) {
	err := fs.WalkDir(dir, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			l.fail(place{file: name}, "", "cannot be read: %v", err)
			return nil
		}
		if ext := path.Ext(name); d.IsDir() || ext != ".yaml" && ext != ".yml" {
			return nil
		}
		src, err := fs.ReadFile(dir, name)
		switch {
		case err != nil:
			l.fail(place{file: name}, "", "cannot be read: %v", err)
		case len(src) > maxFile:
			l.fail(place{file: name}, "", "has %d bytes; a catalogue file has at most %d: divide it", len(src), maxFile)
		default:
			l.parse(name, src)
		}
		return nil
	})
	if err != nil {
		l.fail(place{file: "."}, "", "cannot be listed: %v", err)
	}
}

// parse reads one file: a mapping of section names to lists of entries.
func (l *loader) parse(name string, src []byte) {
	at := place{file: name, layer: l.layer}
	depth, lead := nesting(src)
	if depth > maxDepth || lead > maxLead {
		l.fail(at, "", "has %d brackets open at once and lines that begin %d columns in; a catalogue needs no more than %d and %d",
			depth, lead, maxDepth, maxLead)
		return
	}
	file, err := parser.ParseBytes(src, 0)
	if err != nil {
		at.line = lineOf(err)
		l.fail(at, "", "is not YAML: %s", messageOf(err))
		return
	}
	for _, doc := range file.Docs {
		if doc.Body == nil || doc.Body.Type() == ast.NullType || doc.Body.Type() == ast.CommentType {
			continue
		}
		body, ok := doc.Body.(*ast.MappingNode)
		if !ok {
			at.line = line(doc.Body)
			l.fail(at, "", "is %s; a catalogue file is a mapping of sections, as in \"weapons:\" (%s)",
				kindOf(doc.Body), strings.Join(sectionNames(), ", "))
			continue
		}
		for _, v := range body.Values {
			l.section(at, v)
		}
	}
}

func (l *loader) section(at place, v *ast.MappingValueNode) {
	at.line = line(v.Key)
	name := v.Key.String()
	s := l.sheet.section(name)
	if s == nil {
		l.fail(at, "", "section %q is not known; the sections are %s", name, strings.Join(sectionNames(), ", "))
		return
	}
	at.section = name
	switch list := v.Value.(type) {
	case *ast.SequenceNode:
		for _, n := range list.Values {
			s.read(l, at, n)
		}
	case *ast.NullNode:
	default:
		l.fail(at, "", "is %s; it must be a list of entries, each beginning with \"- \"", kindOf(v.Value))
	}
}

// entry is a record and where it stands.
type entry[T any] struct {
	val T
	at  place
}

// record is what a section is made of: a struct with a key that is unique in the section.
type record[T any] interface {
	*T
	key() string
}

// list is the entries of one section.
type list[T any, P record[T]] struct{ items []entry[T] }

// section is one section of the files: it reads entries.
type section interface {
	read(l *loader, at place, n ast.Node)
	take(from section) // becomes a copy of the other
}

func (s *list[T, P]) read(l *loader, at place, n ast.Node) {
	at.line = line(n)
	e := entry[T]{at: at}
	if !l.plain(at, n) {
		return
	}
	if err := yaml.NodeToValue(n, &e.val, yaml.Strict()); err != nil {
		if at := lineOf(err); at > 0 {
			e.at.line = at
		}
		l.fail(e.at, named(n), "%s", messageOf(err))
		return
	}
	key := P(&e.val).key()
	for i := range s.items {
		old := &s.items[i]
		if P(&old.val).key() != key {
			continue
		}
		if old.at.layer == at.layer {
			l.fail(at, strconv.Quote(key), "stands at %s:%d already; a name is given once", old.at.file, old.at.line)
			return
		}
		*old = e
		return
	}
	s.items = append(s.items, e)
}

func (s *list[T, P]) take(from section) { s.items = slices.Clone(from.(*list[T, P]).items) }

// plain refuses what YAML has and catalogues have no use for: aliases, tags, and numbers that are not whole, which the
// decoder would cut off.
func (l *loader) plain(at place, n ast.Node) bool {
	v := &visitor{l: l, at: at, name: named(n)}
	ast.Walk(v, n)
	return !v.bad
}

type visitor struct {
	l    *loader
	at   place
	name string
	bad  bool
}

// Visit looks at one node.
func (v *visitor) Visit(n ast.Node) ast.Visitor {
	if n == nil {
		return nil
	}
	why := ""
	switch n.(type) {
	case *ast.AnchorNode, *ast.AliasNode, *ast.MergeKeyNode:
		why = "anchors, aliases and merges are not used in catalogues; write the value out"
	case *ast.TagNode:
		why = "tags are not used in catalogues; leave it out"
	case *ast.FloatNode, *ast.InfinityNode, *ast.NanNode:
		why = fmt.Sprintf("%s is not a whole number", n.String())
	}
	if why != "" {
		v.bad = true
		v.at.line = line(n)
		v.l.fail(v.at, v.name, "%s", why)
		return nil
	}
	return v
}

// named is the name of an entry that could not be decoded, quoted, or nothing.
func named(n ast.Node) string {
	m, ok := n.(*ast.MappingNode)
	if !ok {
		return ""
	}
	for _, v := range m.Values {
		switch v.Key.String() {
		case "ref", "name", "id", "level", "nth", "band":
			if v.Value != nil && v.Value.GetToken() != nil {
				return strconv.Quote(v.Value.GetToken().Value)
			}
		}
	}
	return ""
}

func line(n ast.Node) int {
	if n == nil || n.GetToken() == nil || n.GetToken().Position == nil {
		return 0
	}
	return n.GetToken().Position.Line
}

func kindOf(n ast.Node) string {
	if n == nil {
		return "empty"
	}
	return "a " + strings.ToLower(n.Type().YAMLName())
}

func lineOf(err error) int {
	var e yaml.Error
	if errors.As(err, &e) && e.GetToken() != nil && e.GetToken().Position != nil {
		return e.GetToken().Position.Line
	}
	return 0
}

func messageOf(err error) string {
	var e yaml.Error
	if errors.As(err, &e) {
		return strings.ReplaceAll(e.GetMessage(), "Go struct field ", "field ")
	}
	return err.Error()
}

// nesting is how deep the values of a file may be nested at most: the brackets open at once, and the spaces and dashes
// that a line begins with. Strings and comments are not told apart. The decoder takes long over deep nesting.
func nesting(src []byte) (depth, lead int) {
	open, run, leading := 0, 0, true
	for _, b := range src {
		leading = b == '\n' || leading && (b == ' ' || b == '-')
		switch {
		case b == '\n':
			run = 0
		case leading:
			run++
			lead = max(lead, run)
		case b == '[' || b == '{':
			open++
			depth = max(depth, open)
		case b == ']' || b == '}':
			open = max(0, open-1)
		}
	}
	return depth, lead
}

// number is the key of an entry that is known by a number.
func number(n int32) string { return strconv.Itoa(int(n)) }
