package catalogue

// sheet is the content of the files, before it is checked and joined.
type sheet struct {
	Weapons       list[weaponEntry, *weaponEntry]
	Classes       list[Class, *Class]
	Factors       list[Factor, *Factor]
	Armours       list[Armour, *Armour]
	ArmourClasses list[ArmourClass, *ArmourClass]
	Shields       list[Shield, *Shield]
	Calibres      list[Calibre, *Calibre]
	Modifications list[Modification, *Modification]
	Ammunition    list[ammoEntry, *ammoEntry]
	Feeds         list[Feed, *Feed]
	Ranges        list[Range, *Range]
	DropOffs      list[DropOff, *DropOff]
	Moves         list[Move, *Move]
	Jumps         list[Jump, *Jump]
	Pyramid       list[Pyramid, *Pyramid]
	Degrees       list[DegreeRow, *DegreeRow]
	Bleedings     list[Bleeding, *Bleeding]
	Defences      list[Defence, *Defence]
	Lights        list[Light, *Light]
	Traits        list[Trait, *Trait]
	Zones         list[Zone, *Zone]
	Parts         list[Part, *Part]
	Bodies        list[Body, *Body]
	Slots         list[Slot, *Slot]
	Options       list[optionEntry, *optionEntry]
	Levels        list[levelEntry, *levelEntry]
	Rules         list[ruleEntry, *ruleEntry]
	Props         list[Prop, *Prop]
}

// sectionNames are the sections of catalogue files.
func sectionNames() []string {
	return []string{
		"weapons", "classes", "factors", "armours", "armour_classes", "shields", "calibres", "modifications",
		"ammunition", "feeds", "ranges", "drop_offs", "moves", "jumps", "pyramid", "degrees", "bleedings", "defences",
		"lights", "traits", "zones", "parts", "bodies", "slots", "options", "levels", "rules", "props",
	}
}

// clone is a copy whose entries can be replaced and added to.
func (s *sheet) clone() *sheet {
	out := &sheet{}
	for _, n := range sectionNames() {
		out.section(n).take(s.section(n))
	}
	return out
}

// section finds a section by its name in the files, or nil.
func (s *sheet) section(name string) section {
	switch name {
	case "weapons":
		return &s.Weapons
	case "classes":
		return &s.Classes
	case "factors":
		return &s.Factors
	case "armours":
		return &s.Armours
	case "armour_classes":
		return &s.ArmourClasses
	case "shields":
		return &s.Shields
	case "calibres":
		return &s.Calibres
	case "modifications":
		return &s.Modifications
	case "ammunition":
		return &s.Ammunition
	case "feeds":
		return &s.Feeds
	case "ranges":
		return &s.Ranges
	case "drop_offs":
		return &s.DropOffs
	case "moves":
		return &s.Moves
	case "jumps":
		return &s.Jumps
	case "pyramid":
		return &s.Pyramid
	case "degrees":
		return &s.Degrees
	case "bleedings":
		return &s.Bleedings
	case "defences":
		return &s.Defences
	case "lights":
		return &s.Lights
	case "traits":
		return &s.Traits
	case "zones":
		return &s.Zones
	case "parts":
		return &s.Parts
	case "bodies":
		return &s.Bodies
	case "slots":
		return &s.Slots
	case "options":
		return &s.Options
	case "levels":
		return &s.Levels
	case "rules":
		return &s.Rules
	case "props":
		return &s.Props
	}
	return nil
}
