package catalogue

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
)

// digest is the hash of all that the catalogue holds, as JSON with the fields in the order of the types.
func (c *Catalogue) digest() (sum [32]byte) {
	h := sha256.New()
	enc := json.NewEncoder(h)
	for _, table := range []any{
		c.weapons, c.classes, c.factors, c.armours, c.makes, c.shields, c.calibres, c.changes, c.ammunition, c.feeds,
		c.ranges, c.dropoffs, c.moves, c.jumps, c.pyramid, c.degrees, c.bleedings, c.defences, c.lights, c.traits, c.zones,
		c.parts, c.bodies, c.slots, c.options, c.levels, c.rules, c.props,
	} {
		if err := enc.Encode(table); err != nil {
			panic(fmt.Sprintf("catalogue table %T has no JSON form: %v", table, err))
		}
	}
	h.Sum(sum[:0])
	return sum
}
