// Package wire turns engine values into messages and messages into engine values. It is the only place that knows both.
//
// A function named like a type makes its message; the one with From before the name reads it, and returns a *FieldError for a
// message that is malformed. What is read owns its slices. Empty lists are read as nil.
//
// Commits, snapshots, secrets and arenas for the store are encoded canonically: equal values give equal bytes.
package wire

import (
	"fmt"
	"strconv"
	"strings"
)

// FieldError is a field of a message that cannot be used. Field is its path, such as intents[0].path[3].x; Why says what is wrong
// and what would be right.
type FieldError struct {
	Field string
	Why   string
}

// Error returns the path and the reason.
func (e *FieldError) Error() string { return e.Field + " " + e.Why }

// step is one part of a path: a field, and with at ≥ 0 a place in its list.
type step struct {
	field string
	at    int
}

// reader reads messages. The first error stays; what is read after it is not used.
type reader struct {
	path []step
	err  *FieldError
}

// done is the error of a reading that is over. A nil *FieldError must not become an error.
func (r *reader) done() error {
	if r.err == nil {
		return nil
	}
	return r.err
}

// fail records that a field of the message being read is wrong; with an empty field, the message itself.
func (r *reader) fail(field, format string, args ...any) {
	if r.err != nil {
		return
	}
	var sb strings.Builder
	for _, s := range r.path {
		if sb.Len() > 0 {
			sb.WriteByte('.')
		}
		sb.WriteString(s.field)
		if s.at >= 0 {
			sb.WriteByte('[')
			sb.WriteString(strconv.Itoa(s.at))
			sb.WriteByte(']')
		}
	}
	if field != "" {
		if sb.Len() > 0 {
			sb.WriteByte('.')
		}
		sb.WriteString(field)
	}
	r.err = &FieldError{Field: sb.String(), Why: fmt.Sprintf(format, args...)}
}

func (r *reader) push(field string, at int) { r.path = append(r.path, step{field, at}) }
func (r *reader) pop()                      { r.path = r.path[:len(r.path)-1] }

// sub reads a message that may be missing; then it is the zero value.
func sub[M, V any](r *reader, field string, m *M, read func(*reader, *M) V) (v V) {
	if m == nil || r.err != nil {
		return v
	}
	r.push(field, -1)
	v = read(r, m)
	r.pop()
	return v
}

// need reads a message that must be there.
func need[M, V any](r *reader, field string, m *M, read func(*reader, *M) V) (v V) {
	if m == nil {
		r.fail(field, "is missing")
		return v
	}
	return sub(r, field, m, read)
}

// list reads a list of messages.
func list[M, V any](r *reader, field string, ms []*M, read func(*reader, *M) V) []V {
	if len(ms) == 0 || r.err != nil {
		return nil
	}
	out := make([]V, len(ms))
	for i, m := range ms {
		r.push(field, i)
		if m == nil {
			r.fail("", "is missing")
		} else {
			out[i] = read(r, m)
		}
		r.pop()
		if r.err != nil {
			return nil
		}
	}
	return out
}

// narrow reads a number into a smaller type.
func (r *reader) narrow(field string, v, lo, hi int64) int64 {
	if v < lo || v > hi {
		r.fail(field, "is %d; it must be %d to %d", v, lo, hi)
		return 0
	}
	return v
}

// hash reads 32 bytes; none are the zero hash.
func (r *reader) hash(field string, b []byte) (h [32]byte) {
	switch len(b) {
	case 0:
	case len(h):
		copy(h[:], b)
	default:
		r.fail(field, "has %d bytes; it must have 32, or none", len(b))
	}
	return h
}

// hashBytes is a hash as a field; the zero hash is no bytes.
func hashBytes(h *[32]byte) []byte {
	if *h == ([32]byte{}) {
		return nil
	}
	return append([]byte(nil), h[:]...)
}

// each makes the messages of a list, in one piece of memory.
func each[V, M any](in []V, fill func(*M, *V)) []*M {
	if len(in) == 0 {
		return nil
	}
	all := make([]M, len(in))
	out := make([]*M, len(in))
	for i := range in {
		fill(&all[i], &in[i])
		out[i] = &all[i]
	}
	return out
}

// one makes the message of a value.
func one[V, M any](v *V, fill func(*M, *V)) *M {
	m := new(M)
	fill(m, v)
	return m
}

// words are names as strings.
func words[T ~string](in []T) []string {
	if len(in) == 0 {
		return nil
	}
	out := make([]string, len(in))
	for i, s := range in {
		out[i] = string(s)
	}
	return out
}

// names are strings as names.
func names[T ~string](in []string) []T {
	if len(in) == 0 {
		return nil
	}
	out := make([]T, len(in))
	for i, s := range in {
		out[i] = T(s)
	}
	return out
}

// numbers are ids as numbers, or numbers as ids.
func numbers[T, V ~uint32](in []V) []T {
	if len(in) == 0 {
		return nil
	}
	out := make([]T, len(in))
	for i, n := range in {
		out[i] = T(n)
	}
	return out
}

// after is the enum value of an engine constant whose zero means something: one more.
func after[E ~int32, V ~uint8](v V) E { return E(v) + 1 }

// same is the enum value of an engine constant that counts from 1, so that zero is "none" in both.
func same[E ~int32, V ~uint8](v V) E { return E(v) }

// choice reads an enum value made by after.
func choice[V ~uint8, E ~int32](r *reader, field string, e E, last V) V {
	if e < 1 || e > E(last)+1 {
		r.fail(field, "is %d; it must be one of the values 1 to %d of its enum", e, int32(last)+1)
		return 0
	}
	return V(e - 1)
}

// maybe reads an enum value made by after, of which unspecified means the engine's zero.
func maybe[V ~uint8, E ~int32](r *reader, field string, e E, last V) V {
	if e == 0 {
		return 0
	}
	return choice(r, field, e, last)
}

// plain reads an enum value made by same.
func plain[V ~uint8, E ~int32](r *reader, field string, e E, last V) V {
	if e < 0 || e > E(last) {
		r.fail(field, "is %d; it must be one of the values 1 to %d of its enum", e, last)
		return 0
	}
	return V(e)
}

// given refuses an enum value that is unspecified.
func given[V ~uint8](r *reader, field string, v V) V {
	if v == 0 {
		r.fail(field, "is not given; it must be one of the values of its enum")
	}
	return v
}
