// Package wordbook reads the vocabulary of a small ruleset from YAML: every name with its English and Russian text.
package wordbook

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"slices"

	"github.com/goccy/go-yaml"

	"autobattle/engine"
	"autobattle/engine/voxel"
)

// book is the form of the file names.yaml.
type book struct {
	Name     engine.Text `yaml:"name"`
	Acts     []act       `yaml:"acts"`
	Traits   []trait     `yaml:"traits"`
	Gauges   []gauge     `yaml:"gauges"`
	Conds    []cond      `yaml:"conditions"`
	Mods     []Entry     `yaml:"modifiers"`
	Slots    []Entry     `yaml:"slots"`
	Outcomes []Entry     `yaml:"outcomes"`
	Grades   []Entry     `yaml:"grades"`
	Purposes []Entry     `yaml:"purposes"`
	Asks     []Entry     `yaml:"asks"`
	Figures  []figure    `yaml:"figures"`
	Bands    []Entry     `yaml:"bands"`
	Bodies   []Entry     `yaml:"bodies"`
	Options  []option    `yaml:"options"`
	Rules    []Entry     `yaml:"rules"`
}

// Entry is a name with its texts, as the files have it.
type Entry struct {
	Name        string `yaml:"name"`
	engine.Text `yaml:",inline"`
}

type act struct {
	Entry   `yaml:",inline"`
	Class   engine.ActName `yaml:"class"`
	Rule    engine.Rule    `yaml:"rule"`
	Targets needs          `yaml:"targets"`
	Items   needs          `yaml:"items"`
	About   needs          `yaml:"about"`
	Path    needs          `yaml:"path"`
	Amount  needs          `yaml:"amount"`
	Ends    bool           `yaml:"ends"`
}

type trait struct {
	Entry     `yaml:",inline"`
	Group     string `yaml:"group"`
	Min       int32  `yaml:"min"`
	Max       int32  `yaml:"max"`
	PlayerMax int32  `yaml:"player_max"`
	Untrained bool   `yaml:"untrained"`
}

type gauge struct {
	Entry `yaml:",inline"`
	Scale int64 `yaml:"scale"`
	Kept  bool  `yaml:"kept"`
}

type cond struct {
	Entry  `yaml:",inline"`
	Unique unique `yaml:"unique"`
	Good   bool   `yaml:"good"`
}

type figure struct {
	Entry `yaml:",inline"`
	Ruled bool   `yaml:"ruled"`
	Min   int64  `yaml:"min"`
	Max   int64  `yaml:"max"`
	Unit  string `yaml:"unit"`
}

type option struct {
	Entry   `yaml:",inline"`
	Rule    engine.Rule `yaml:"rule"`
	Words   []string    `yaml:"words"`
	Min     int64       `yaml:"min"`
	Max     int64       `yaml:"max"`
	Default string      `yaml:"default"`
	Number  int64       `yaml:"number"`
}

type needs engine.Needs

// UnmarshalYAML reads none, maybe, one or some.
func (n *needs) UnmarshalYAML(b []byte) error {
	i, err := word(b, "none", "maybe", "one", "some")
	*n = needs(i)
	return err
}

type unique engine.CondUnique

// UnmarshalYAML reads many, bearer, pair or about.
func (u *unique) UnmarshalYAML(b []byte) error {
	i, err := word(b, "many", "bearer", "pair", "about")
	*u = unique(i)
	return err
}

func word(b []byte, words ...string) (int, error) {
	var s string
	if err := yaml.Unmarshal(b, &s); err != nil {
		return 0, err
	}
	i := slices.Index(words, s)
	if i < 0 {
		return 0, fmt.Errorf("%q: it is one of %v", s, words)
	}
	return i, nil
}

// Decode reads one YAML file, refusing keys that into has no field for.
func Decode(files fs.FS, path string, into any) error {
	raw, err := fs.ReadFile(files, path)
	if err != nil {
		return err
	}
	if err := yaml.UnmarshalWithOptions(raw, into, yaml.Strict()); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// Read fills a Spec from the file names.yaml: all but its items. The options that the engine reads are added, and Hash
// is that of all the files and the revision.
func Read(files fs.FS, id engine.RulesetID, revision int32) (*engine.Spec, error) {
	var k book
	if err := Decode(files, "names.yaml", &k); err != nil {
		return nil, err
	}
	s := &engine.Spec{ID: id, Revision: revision, Name: k.Name, Depth: 1}
	for _, a := range k.Acts {
		s.Acts = append(s.Acts, engine.ActSpec{
			Name: engine.ActName(a.Name), Text: a.Text, Class: a.Class, Rule: a.Rule, Targets: engine.Needs(a.Targets), Items: engine.Needs(a.Items),
			About: engine.Needs(a.About), Path: engine.Needs(a.Path), Amount: engine.Needs(a.Amount), Look: engine.NeedsMaybe, Ends: a.Ends,
		})
	}
	for _, t := range k.Traits {
		s.Traits = append(s.Traits, engine.TraitSpec{
			Name: engine.TraitName(t.Name), Text: t.Text, Group: t.Group, Min: t.Min, Max: t.Max, PlayerMax: cmp.Or(t.PlayerMax, t.Max), Untrained: t.Untrained,
		})
	}
	for _, g := range k.Gauges {
		s.Gauges = append(s.Gauges, engine.GaugeSpec{Name: engine.GaugeName(g.Name), Text: g.Text, Scale: max(g.Scale, 1), Kept: g.Kept})
	}
	for _, c := range k.Conds {
		s.Conds = append(s.Conds, engine.CondSpec{Name: engine.CondName(c.Name), Text: c.Text, Unique: engine.CondUnique(c.Unique), Good: c.Good})
	}
	for _, f := range k.Figures {
		s.Figures = append(s.Figures, engine.FigureSpec{Name: engine.Quantity(f.Name), Text: f.Text, Ruled: f.Ruled, Min: f.Min, Max: f.Max, Unit: f.Unit})
	}
	for _, o := range k.Options {
		s.Options = append(s.Options, engine.OptionSpec{
			Name: engine.OptionName(o.Name), Text: o.Text, Rule: o.Rule, Words: o.Words, Min: o.Min, Max: o.Max,
			Default: engine.Option{Name: engine.OptionName(o.Name), Word: o.Default, N: o.Number},
		})
	}
	for _, b := range k.Bodies {
		s.Bodies = append(s.Bodies, engine.BodySpec{Name: engine.BodyName(b.Name), Text: b.Text, Body: voxel.Human()})
	}
	for _, r := range k.Rules {
		s.Rules = append(s.Rules, engine.RuleSpec{ID: engine.Rule(r.Name), Text: r.Text})
	}
	s.Mods, s.Slots, s.Outcomes, s.Grades = names(k.Mods), names(k.Slots), names(k.Outcomes), names(k.Grades)
	s.Purposes, s.Asks, s.Bands = names(k.Purposes), names(k.Asks), names(k.Bands)
	s.Options = append(s.Options, engine.BaseOptions()...)
	slices.SortFunc(s.Options, func(a, b engine.OptionSpec) int { return cmp.Compare(a.Name, b.Name) })
	var err error
	s.Hash, err = hash(files, revision)
	return s, err
}

func names(in []Entry) []engine.NameSpec {
	out := make([]engine.NameSpec, len(in))
	for i, n := range in {
		out[i] = engine.NameSpec{Name: n.Name, Text: n.Text}
	}
	return out
}

// hash is the SHA-256 of the revision and of the files, each with its name and length.
func hash(files fs.FS, revision int32) (sum [32]byte, err error) {
	h := sha256.New()
	fmt.Fprintf(h, "revision %d\n", revision)
	err = fs.WalkDir(files, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := fs.ReadFile(files, path)
		fmt.Fprintf(h, "%s %d\n", path, len(raw))
		h.Write(raw)
		return err
	})
	h.Sum(sum[:0])
	return sum, err
}
