package text

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/goccy/go-yaml"

	"autobattle/engine/voxel"
	autobattlev1 "autobattle/proto/autobattle/v1"
)

// raw reads a message file as it is.
func raw(t *testing.T, l Locale) map[string]string {
	t.Helper()
	src, err := files.ReadFile("messages." + string(l) + ".yaml")
	if err != nil {
		t.Fatal(err)
	}
	var m map[string]string
	if err := yaml.UnmarshalWithOptions(src, &m, yaml.Strict()); err != nil {
		t.Fatal(err)
	}
	return m
}

func TestBothLanguagesSayTheSame(t *testing.T) {
	en, ru := raw(t, English), raw(t, Russian)
	for key, src := range en {
		other, ok := ru[key]
		if !ok {
			t.Errorf("messages.ru.yaml lacks %s", key)
			continue
		}
		if (src == "") != (other == "") {
			t.Errorf("%s: says something in one language only: %q, %q", key, src, other)
		}
		a, b := catalogue(English).at(key), catalogue(Russian).at(key)
		if !reflect.DeepEqual(a.holds, b.holds) {
			t.Errorf("%s: placeholders %v in English, %v in Russian", key, a.holds, b.holds)
		}
	}
	for key := range ru {
		if _, ok := en[key]; !ok {
			t.Errorf("messages.en.yaml lacks %s", key)
		}
	}
	for _, s := range signatures {
		if _, ok := en[s.base]; !ok {
			t.Errorf("messages.en.yaml lacks %s", s.base)
		}
	}
	for key, src := range ru {
		letters := strip.ReplaceAllString(src, "")
		if strings.ContainsFunc(letters, unicode.IsLetter) && !strings.ContainsFunc(src, func(r rune) bool { return unicode.Is(unicode.Cyrillic, r) }) {
			t.Errorf("%s is not in Russian: %q", key, src)
		}
	}
}

var strip = regexp.MustCompile(`\{[^}]*\}`)

// at is the message of a full key, nil where there is none.
func (m *messages) at(key string) *template {
	base, variant, has := strings.Cut(key, ".")
	msg := m.all[base]
	if msg == nil {
		return nil
	}
	if has {
		return msg.variants[variant]
	}
	return msg.base
}

// must fails for a key that one of the files lacks, or that says nothing where something must be said.
func must(t *testing.T, speaks bool, keys ...string) {
	t.Helper()
	for _, l := range []Locale{English, Russian} {
		for _, k := range keys {
			switch m := catalogue(l).at(k); {
			case m == nil:
				t.Errorf("messages.%s.yaml lacks %s", l, k)
			case speaks && m.silent():
				t.Errorf("messages.%s.yaml: %s says nothing", l, k)
			}
		}
	}
}

// source parses the engine's own files.
func source(t *testing.T) []*ast.File {
	t.Helper()
	dir := filepath.Join("..", "..", "engine")
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var out []*ast.File
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".go") && !strings.HasSuffix(e.Name(), "_test.go") {
			f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, e.Name()), nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, f)
		}
	}
	return out
}

// constants are the names and, for strings, the values of the constants of a type, in their order.
func constants(files []*ast.File, typ string) (names, values []string) {
	for _, f := range files {
		for _, d := range f.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.CONST {
				continue
			}
			current := ""
			for _, s := range g.Specs {
				v := s.(*ast.ValueSpec)
				if id, ok := v.Type.(*ast.Ident); ok {
					current = id.Name
				} else if v.Type == nil && len(v.Values) > 0 {
					current = ""
				}
				if current != typ {
					continue
				}
				for i, n := range v.Names {
					names = append(names, n.Name)
					if i < len(v.Values) {
						if lit, ok := v.Values[i].(*ast.BasicLit); ok {
							s, _ := strconv.Unquote(lit.Value)
							values = append(values, s)
						}
					}
				}
			}
		}
	}
	return names, values
}

var camel = regexp.MustCompile(`([a-z])([A-Z])`)

func snake(s string) string { return strings.ToLower(camel.ReplaceAllString(s, "${1}_$2")) }

func TestEveryFactHasAMessage(t *testing.T) {
	events := eventTypes(source(t))
	if len(events) < 37 {
		t.Fatalf("found only %d events: %v", len(events), events)
	}
	for _, e := range events {
		must(t, false, snake(e))
	}
}

// eventTypes are the types with an apply method.
func eventTypes(files []*ast.File) []string {
	var out []string
	for _, f := range files {
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Name.Name == "apply" && fn.Recv != nil {
				if id, ok := fn.Recv.List[0].Type.(*ast.Ident); ok {
					out = append(out, id.Name)
				}
			}
		}
	}
	slices.Sort(out)
	return out
}

func TestEveryEnumHasItsMessages(t *testing.T) {
	files := source(t)
	tests := []struct {
		typ, prefix, base string
		words             []string
		speaks            bool
	}{
		{"ClearWhy", "Clear", "why", whyWords[:], true},
		{"PromptEnd", "Prompt", "prompt_closed", nil, false},
		{"PromptKind", "Prompt", "prompt_kind", promptWords[:], true},
		{"Phase", "", "", nil, true},
		{"KnownLevel", "", "known_set", knownWords[:], true},
		{"ScopeKind", "Scope", "scope", scopeWords[:], true},
		{"RefKind", "Ref", "ref", refWords[:], true},
		{"ModKind", "Mod", "mod", modWords[:], true},
		{"BaseKind", "Base", "base", baseWords[:], false},
		{"PlanKind", "Plan", "plan_set", planWords[:], true},
		{"PlanKind", "Plan", "plan_cleared", planWords[:], false},
		{"ShapeKind", "Shape", "zone_set", nil, true},
		{"ControllerKind", "", "controller", nil, true},
	}
	for _, tt := range tests {
		names, _ := constants(files, tt.typ)
		if len(names) < 2 {
			t.Errorf("found no constants of %s", tt.typ)
			continue
		}
		for _, n := range names {
			if !ast.IsExported(n) {
				continue // the engine's own, which no fact carries
			}
			word := snake(strings.TrimPrefix(n, tt.prefix))
			switch {
			case tt.typ == "Phase":
				must(t, true, map[string]string{"lobby": "phase_set.lobby", "running": "phase_set.begins", "paused": "phase_set.paused", "over": "phase_set.over"}[word])
				continue
			case tt.typ == "ControllerKind":
				word = strings.TrimPrefix(word, "by_")
			}
			must(t, tt.speaks, tt.base+"."+word)
			if tt.words != nil && !slices.Contains(tt.words, word) {
				t.Errorf("%s: no word for %s", tt.typ, n)
			}
		}
	}
	_, rules := constants(files, "Rule")
	if len(rules) < 12 {
		t.Fatalf("found only %d rules of the engine", len(rules))
	}
	for _, r := range rules {
		must(t, true, "rule."+r)
	}
}

func TestEveryReasonHasASentence(t *testing.T) {
	_, reasons := constants(source(t), "Reason")
	if len(reasons) < 33 {
		t.Fatalf("found only %d reasons: %v", len(reasons), reasons)
	}
	for _, r := range reasons {
		must(t, true, "refusal."+r)
	}
	for n, name := range autobattlev1.ErrorReason_name {
		key := strings.ToLower(strings.TrimPrefix(name, "ERROR_REASON_"))
		switch {
		case n == 0 || n >= 100:
			must(t, true, "error."+key)
		default:
			must(t, true, "refusal."+key)
			if !slices.Contains(reasons, key) {
				t.Errorf("%s is no reason of the engine", name)
			}
		}
	}
}

// walkEngine gives the text of every file of the engine and its rulesets, tests aside.
func walkEngine(t *testing.T, see func(path, src string)) {
	t.Helper()
	err := filepath.WalkDir(filepath.Join("..", "..", "engine"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		src, err := os.ReadFile(path)
		if err == nil {
			see(path, string(src))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

var (
	argKey   = regexp.MustCompile(`\b(?:Num|Level|Named|Words|Refers|Cell)\("([a-z_0-9]+)"`)
	wordsArg = regexp.MustCompile(`\bWords\("[a-z_0-9]+", "([^"]+)"`)
	saidKey  = regexp.MustCompile(`\bSaid\{[^}]*Key: "([a-z_0-9]+)"`)
)

func TestEveryArgumentHasAName(t *testing.T) {
	found := 0
	walkEngine(t, func(path, src string) {
		for _, m := range argKey.FindAllStringSubmatch(src, -1) {
			found++
			must(t, true, "arg."+m[1])
		}
		for _, m := range wordsArg.FindAllStringSubmatch(src, -1) {
			must(t, true, "phrase."+slug(m[1]))
		}
		for _, m := range saidKey.FindAllStringSubmatch(src, -1) {
			must(t, true, "said."+m[1])
		}
	})
	for r := voxel.Refused(1); !strings.HasPrefix(r.String(), "refused("); r++ {
		must(t, true, "phrase."+slug(r.String()))
	}
	for p := range voxel.Postures {
		must(t, true, "phrase."+slug(p.String()))
	}
	if found < 50 {
		t.Errorf("found only %d arguments", found)
	}
}

func TestBadMessagesAreRefused(t *testing.T) {
	tests := map[string]string{
		"unknown key":          `nonsense: "x"`,
		"unknown placeholder":  `clocked: "{rund}"`,
		"open brace":           `clocked: "{round"`,
		"close brace":          `clocked: "round}"`,
		"open bracket":         `clocked: "[{round}"`,
		"close bracket":        `clocked: "{round}]"`,
		"nested part":          `clocked: "[{round}[{slot}]]x"`,
		"part without a value": `clocked: "[round]"`,
		"unknown form":         `clocked: "{round:dat}"`,
		"three forms":          `clocked: "{round|a|b|c}"`,
		"no name":              `clocked: "{}"`,
		"braces in a choice":   `clocked: "{round|a|[b}"`,
		"twice":                "clocked: a\nclocked: b",
		"refusal's unknown":    `refusal.phase: "{nothing_such}"`,
	}
	for name, src := range tests {
		if _, err := load(English, []byte(src)); err == nil {
			t.Errorf("%s: %q was taken", name, src)
		}
	}
	if _, err := load(English, []byte(`clocked: "{{{round}}} [[x]] [{slot}]"`)); err != nil {
		t.Error(err)
	}
}
