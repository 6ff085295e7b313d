package arenas

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// A tag is a value of the named binary tags that worlds are stored in: int64 for all whole numbers, float64, string, []byte, []int32,
// []int64, []tag or compound.
type tag any

type compound map[string]tag

// Limits of what is read: deeper nesting or a longer list than the data has bytes is refused.
const maxDepth = 128

var errShort = errors.New("ends in the middle of a value")

type nbt struct {
	data []byte
	at   int
}

// readNBT returns the compound that data begins with.
func readNBT(data []byte) (compound, error) {
	n := &nbt{data: data}
	kind, err := n.byte()
	if err != nil {
		return nil, err
	}
	if kind != 10 {
		return nil, fmt.Errorf("begins with a tag of kind %d; it must be a compound, kind 10", kind)
	}
	if _, err := n.string(); err != nil {
		return nil, err
	}
	v, err := n.value(kind, 0)
	if err != nil {
		return nil, fmt.Errorf("at byte %d: %w", n.at, err)
	}
	return v.(compound), nil
}

func (n *nbt) take(size int) ([]byte, error) {
	if size < 0 || size > len(n.data)-n.at {
		return nil, errShort
	}
	n.at += size
	return n.data[n.at-size : n.at], nil
}

func (n *nbt) byte() (byte, error) {
	b, err := n.take(1)
	if err != nil {
		return 0, err
	}
	return b[0], nil
}

func (n *nbt) string() (string, error) {
	b, err := n.take(2)
	if err != nil {
		return "", err
	}
	b, err = n.take(int(binary.BigEndian.Uint16(b)))
	return string(b), err
}

// length reads the length of a list whose elements have at least so many bytes.
func (n *nbt) length(size int) (int, error) {
	b, err := n.take(4)
	if err != nil {
		return 0, err
	}
	l := int(int32(binary.BigEndian.Uint32(b)))
	if l < 0 {
		return 0, fmt.Errorf("a list has the length %d", l)
	}
	if l > (len(n.data)-n.at)/size {
		return 0, errShort
	}
	return l, nil
}

func (n *nbt) number(size int) (int64, error) {
	b, err := n.take(size)
	if err != nil {
		return 0, err
	}
	v := int64(int8(b[0]))
	for _, x := range b[1:] {
		v = v<<8 | int64(x)
	}
	return v, nil
}

func (n *nbt) value(kind byte, depth int) (tag, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("is nested deeper than %d", maxDepth)
	}
	switch kind {
	case 1, 2, 3, 4:
		return n.number(1 << (kind - 1))
	case 5:
		v, err := n.number(4)
		return float64(math.Float32frombits(uint32(v))), err
	case 6:
		v, err := n.number(8)
		return math.Float64frombits(uint64(v)), err
	case 7:
		l, err := n.length(1)
		if err != nil {
			return nil, err
		}
		return n.take(l)
	case 8:
		return n.string()
	case 9:
		return n.list(depth)
	case 10:
		out := compound{}
		for {
			kind, err := n.byte()
			if err != nil || kind == 0 {
				return out, err
			}
			name, err := n.string()
			if err != nil {
				return nil, err
			}
			if out[name], err = n.value(kind, depth+1); err != nil {
				return nil, err
			}
		}
	case 11:
		l, err := n.length(4)
		if err != nil {
			return nil, err
		}
		out := make([]int32, l)
		for i := range out {
			v, err := n.number(4)
			if err != nil {
				return nil, err
			}
			out[i] = int32(v)
		}
		return out, nil
	case 12:
		l, err := n.length(8)
		if err != nil {
			return nil, err
		}
		out := make([]int64, l)
		for i := range out {
			if out[i], err = n.number(8); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
	return nil, fmt.Errorf("a tag has the kind %d; the last known is 12", kind)
}

func (n *nbt) list(depth int) (tag, error) {
	kind, err := n.byte()
	if err != nil {
		return nil, err
	}
	l, err := n.length(1)
	if kind == 0 {
		return []tag{}, err // empty lists may have no kind
	}
	if err != nil {
		return nil, err
	}
	out := make([]tag, 0, min(l, 1<<16))
	for range l {
		v, err := n.value(kind, depth+1)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}

// Of a compound: the value by a name, or the zero value where there is none or it is of another kind.

func (c compound) in(name string) compound  { v, _ := c[name].(compound); return v }
func (c compound) list(name string) []tag   { v, _ := c[name].([]tag); return v }
func (c compound) bytes(name string) []byte { v, _ := c[name].([]byte); return v }
func (c compound) longs(name string) []int64 {
	v, _ := c[name].([]int64)
	return v
}
func (c compound) text(name string) string  { v, _ := c[name].(string); return v }
func (c compound) number(name string) int64 { v, _ := c[name].(int64); return v }
func (c compound) has(name string) bool     { _, ok := c[name]; return ok }
