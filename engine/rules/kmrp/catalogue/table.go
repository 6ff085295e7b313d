package catalogue

import "autobattle/engine"

// TableRef names a table of distances or of energy loss.
type TableRef string

// hitLevels is how many hit difficulties there are: Poor (1) to Legendary (7).
const hitLevels = 7

// Range is a table of hit difficulties: the greatest distance, in blocks and inclusive, of each level from Poor up.
// Companion table 3.7.
type Range struct {
	Ref    TableRef    `yaml:"ref"`
	Text   engine.Text `yaml:"text"`
	Source `yaml:",inline"`
	Reach  []int32 `yaml:"reach"` // 1 to 7 rising distances; beyond the last nothing can be hit
}

func (e *Range) key() string { return string(e.Ref) }

// At is the hit difficulty at a distance in blocks; false beyond the last.
func (e *Range) At(distance int32) (level int32, ok bool) {
	for i, d := range e.Reach {
		if distance <= d {
			return int32(i) + 1, true
		}
	}
	return 0, false
}

// Limit is the greatest distance in blocks at which the difficulty is not above a level (KM-RNG-MOW-01). 0 where the
// level is below Poor.
func (e *Range) Limit(level int32) int32 {
	if level < 1 {
		return 0
	}
	return e.Reach[min(int(level), len(e.Reach))-1]
}

// DropOff is a table of energy lost with distance: what is added to the damage modifier at each hit difficulty from
// Poor up. Companion table 3.8.
type DropOff struct {
	Ref    TableRef    `yaml:"ref"`
	Text   engine.Text `yaml:"text"`
	Source `yaml:",inline"`
	Loss   []int32 `yaml:"loss"` // 1 to 7 numbers, 0 or less, never rising; the last holds for all above
}

func (e *DropOff) key() string { return string(e.Ref) }

// At is the change of the damage modifier at a hit difficulty; 0 below Poor.
func (e *DropOff) At(level int32) int32 {
	if level < 1 {
		return 0
	}
	return e.Loss[min(int(level), len(e.Loss))-1]
}

// Range finds a table of hit difficulties, or nil.
func (c *Catalogue) Range(ref TableRef) *Range {
	return lookup(c.ranges, ref, func(r *Range) TableRef { return r.Ref })
}

// Difficulty is the hit difficulty of a table at a distance in blocks (KM-RNG-02); false beyond its last distance and
// for a table that there is not.
func (c *Catalogue) Difficulty(ref TableRef, distance int32) (level int32, ok bool) {
	if r := c.Range(ref); r != nil {
		return r.At(distance)
	}
	return 0, false
}

// DropOff is the change of the damage modifier at a hit difficulty (KM-RNG-07); 0 for a table that there is not.
func (c *Catalogue) DropOff(ref TableRef, level int32) int32 {
	if d := lookup(c.dropoffs, ref, func(d *DropOff) TableRef { return d.Ref }); d != nil {
		return d.At(level)
	}
	return 0
}

// Gait is a kind of movement: a column of the speed table.
type Gait uint8

// The gaits. Free and crawling share a column; only free movement has a least of 1 block (AMB-16).
const (
	Free Gait = iota
	Crawl
	Crouched
	RunUp
	Run
)

// Move is a row of the speed table (KM-MOVE-01): blocks at a result of the Movement roll.
type Move struct {
	Level    int32 `yaml:"level"`
	Source   `yaml:",inline"`
	Free     int32 `yaml:"free"`
	Crouched int32 `yaml:"crouched"`
	RunUp    int32 `yaml:"run_up"`
	Run      int32 `yaml:"run"`
	Falls    bool  `yaml:"falls,omitempty"`    // whoever runs falls
	LostUp   bool  `yaml:"lost_up,omitempty"`  // the run-up column is starred: the run-up is lost
	LostRun  bool  `yaml:"lost_run,omitempty"` // likewise the run column
}

func (e *Move) key() string { return number(e.Level) }

// Move is the allowance at a Movement level for a gait: blocks, whether a runner falls, whether the run-up is lost.
// Beyond the printed rows the last row holds (KM-LVL-04).
func (c *Catalogue) Move(level int32, g Gait) (blocks int32, falls, losesRunUp bool) {
	row := &c.moves[clamp(level, c.moves[0].Level, c.moves[len(c.moves)-1].Level)-c.moves[0].Level]
	switch g {
	case Free:
		return max(1, row.Free), false, false // KM-MOVE-02: never less than 1
	case Crawl:
		return row.Free, false, false
	case Crouched:
		return row.Crouched, false, false
	case RunUp:
		return row.RunUp, false, row.LostUp
	}
	return row.Run, row.Falls, row.LostRun || row.Falls
}

// MoveBeyond is Move with the arithmetic of the table carried on above its last row: run-up rises by 1 a level, run by
// 2, crouched is ¾ of run-up, free ½, rounded down (KM-MOVE-01, option table_overflow extrapolate).
func (c *Catalogue) MoveBeyond(level int32, g Gait) (blocks int32, falls, losesRunUp bool) {
	last := &c.moves[len(c.moves)-1]
	if level <= last.Level {
		return c.Move(level, g)
	}
	up := last.RunUp + level - last.Level
	switch g {
	case Free, Crawl:
		return up / 2, false, false
	case Crouched:
		return 3 * up / 4, false, false
	case RunUp:
		return up, false, false
	}
	return 2 * up, false, false
}

// Jump is a row of the jump table (KM-JUMP-01): blocks at a result of the Dexterity roll.
type Jump struct {
	Level    int32 `yaml:"level"`
	Source   `yaml:",inline"`
	Standing int32 `yaml:"standing"` // long jump: blocks jumped over
	Running  int32 `yaml:"running"`
	Up       int32 `yaml:"up"`    // pull-up, rope: above head level; 0: falls
	Down     int32 `yaml:"down"`  // without damage; 0: falling damage
	Climb    int32 `yaml:"climb"` // up or down in one turn; 0: falls
}

func (e *Jump) key() string { return number(e.Level) }

// Jump is the row of the jump table at a Dexterity result. Below and above the printed rows the end rows hold, but
// nothing is jumped over below the first (KM-JUMP-01).
func (c *Catalogue) Jump(level int32) Jump {
	first, last := c.jumps[0].Level, c.jumps[len(c.jumps)-1].Level
	row := c.jumps[clamp(level, first, last)-first]
	if level < first {
		row.Standing, row.Running = 0, 0
	}
	return row
}

// Degree is the degree of a wound. The zero Degree is no wound.
type Degree uint8

// The degrees of wounds (KM-DMG-06).
const (
	NoWound Degree = iota
	Scratch
	LightWound
	HeavyWound
	CriticalWound
	DeadlyWound

	// Degrees is how many degrees of wounds there are.
	Degrees = int(DeadlyWound)
)

// DegreeRow is a degree of wounds: its band of damage and its penalties (KM-DMG-06, KM-WND-05).
type DegreeRow struct {
	Ref      string      `yaml:"ref"`
	Text     engine.Text `yaml:"text"`
	Source   `yaml:",inline"`
	Degree   int32  `yaml:"degree"`             // 1 to 5
	Damage   int32  `yaml:"damage"`             // the least
	Percent  int32  `yaml:"percent,omitempty"`  // penalty of each such wound, 0 or less
	Levels   int32  `yaml:"levels,omitempty"`   // likewise, in levels
	Breaks   bool   `yaml:"breaks,omitempty"`   // breaks concentration and reload (KM-WND-10)
	Excludes bool   `yaml:"excludes,omitempty"` // takes out of the battle (KM-WND-09)
	Soften   int32  `yaml:"soften,omitempty"`   // difficulty of the Endurance roll that makes it heavy; 0: none (KM-WND-11)
	Bleeding string `yaml:"bleeding,omitempty"` // that corresponds to it; empty: none (KM-WND-14)
}

func (e *DegreeRow) key() string { return e.Ref }

// Degree is the degree of a wound by its damage (KM-DMG-06). Damage below 0 wounds nobody.
func (c *Catalogue) Degree(damage int32) Degree {
	d := NoWound
	for i := range c.degrees {
		if damage >= c.degrees[i].Damage {
			d = Degree(c.degrees[i].Degree)
		}
	}
	return d
}

// Wound is the row of a degree; a zero row for NoWound and for what is no degree.
func (c *Catalogue) Wound(d Degree) DegreeRow {
	if d == NoWound || int(d) > len(c.degrees) {
		return DegreeRow{}
	}
	return c.degrees[d-1]
}

// Pyramid is a row of the wound pyramid (KM-WND-01): the slots of each degree at an Endurance level.
type Pyramid struct {
	Level  int32 `yaml:"level"`
	Source `yaml:",inline"`
	Slots  []int32 `yaml:"slots"` // scratch, light, heavy, critical, deadly
}

func (e *Pyramid) key() string { return number(e.Level) }

// Slots are the wound slots of an Endurance level, from scratch to deadly (KM-WND-01). Beyond the printed rows the end
// rows hold.
func (c *Catalogue) Slots(endurance int32) (slots [Degrees]int) {
	first, last := c.pyramid[0].Level, c.pyramid[len(c.pyramid)-1].Level
	for i, n := range c.pyramid[clamp(endurance, first, last)-first].Slots {
		slots[i] = int(n)
	}
	return slots
}

// Bleeding is a level of bleeding (KM-WND-14) and what it does. Companion table 3.14.
type Bleeding struct {
	Ref     string      `yaml:"ref"`
	Text    engine.Text `yaml:"text"`
	Coolant engine.Text `yaml:"coolant"` // its name for synthetic bodies (KM-WND-13)
	Source  `yaml:",inline"`
	Level   int32  `yaml:"level"` // 1 weak, 2 strong, 3 critical
	Every   int32  `yaml:"every"` // it wounds at the end of every n-th own turn
	Wound   string `yaml:"wound"` // the degree of that wound
	Aid     int32  `yaml:"aid"`   // difficulty of first aid
}

func (e *Bleeding) key() string { return e.Ref }

// Bleeding is a level of bleeding, 1 to 3; nil for 0 and above.
func (c *Catalogue) Bleeding(level int32) *Bleeding {
	if level < 1 || int(level) > len(c.bleedings) {
		return nil
	}
	return &c.bleedings[level-1]
}

// Bleeds is the bleeding that corresponds to a degree, 0 to 3, or the one below it (KM-WND-14).
func (c *Catalogue) Bleeds(d Degree, below bool) int32 {
	row := c.Wound(d)
	for i := range c.bleedings {
		if b := &c.bleedings[i]; b.Ref == row.Bleeding {
			if below && d < DeadlyWound {
				return b.Level - 1
			}
			return b.Level
		}
	}
	return 0
}

// Defence is a row of the multiple-defence table (KM-DEF-MULTI-02).
type Defence struct {
	Nth     int32 `yaml:"nth"` // which defence of the round, from 1
	Source  `yaml:",inline"`
	Percent int32 `yaml:"percent"` // 0 or less
}

func (e *Defence) key() string { return number(e.Nth) }

// DefencePenalty is the percent penalty on the n-th defence of a round, counted from 1; the last row holds for all
// after it (KM-DEF-MULTI-02). Below 1 it is 0.
func (c *Catalogue) DefencePenalty(nth int32) int32 {
	if nth < 1 {
		return 0
	}
	return c.defences[min(int(nth), len(c.defences))-1].Percent
}

// Light is a band of darkness: the light levels, 0 to 15, from which on it holds (KM-DARK-01, Part 4).
type Light struct {
	Band   engine.Band `yaml:"band"`
	Text   engine.Text `yaml:"text"`
	Source `yaml:",inline"`
	Level  int32 `yaml:"level"` // the least light level of the band
}

func (e *Light) key() string { return string(e.Band) }

// The bands of darkness (KM-DARK-01).
const (
	AbsoluteDarkness engine.Band = "absolute_darkness"
	HeavyShade       engine.Band = "heavy_shade"
	NormalLight      engine.Band = "normal_light"
)

// Light is the band of a light level, 0 to 15. Beyond these the end bands hold.
func (c *Catalogue) Light(level int32) engine.Band {
	band := c.lights[0].Band
	for i := range c.lights {
		if level >= c.lights[i].Level {
			band = c.lights[i].Band
		}
	}
	return band
}

func clamp(n, lo, hi int32) int32 { return max(lo, min(n, hi)) }
