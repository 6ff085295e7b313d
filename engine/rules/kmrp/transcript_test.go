package kmrp

import (
	"testing"

	"autobattle/engine/enginetest"
	"autobattle/engine/rules/kmrp/catalogue"
)

func TestTranscripts(t *testing.T) {
	t.Run("melee", func(t *testing.T) {
		b := lobby(t, sys(t), nil, quiet(),
			fighter("anna", "red", 0, 0, south, traits(at(catalogue.OneHandedSkill, 4), at(catalogue.Parrying, 3), at(catalogue.Blocking, 3)), inMain("sword"), inOff("small_metal_shield")),
			fighter("boris", "blue", 0, 2, north, traits(at(catalogue.OneHandedSkill, 3), at(catalogue.Evasion, 3), at(catalogue.Parrying, 4), at(catalogue.Grouping, 3)), inMain("sword")))
		enginetest.Transcript(t, "testdata/melee.txt", enginetest.Setup{System: sys(t), Battle: b})
	})
}
