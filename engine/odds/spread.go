package odds

import "slices"

// Spread adds up chances by what happened: a list of rows sorted by key.
type Spread[K any] struct {
	compare func(a, b K) int
	rows    []Row[K]
}

// Row is what can happen, and how likely it is.
type Row[K any] struct {
	Key    K
	Chance Chance
}

// NewSpread makes an empty spread. Keys for which compare is 0 are one.
func NewSpread[K any](compare func(a, b K) int) *Spread[K] { return &Spread[K]{compare: compare} }

// Add adds the chance to what has the key.
func (s *Spread[K]) Add(key K, c Chance) {
	i, found := s.find(key)
	if found {
		s.rows[i].Chance = s.rows[i].Chance.Add(c)
		return
	}
	s.rows = slices.Insert(s.rows, i, Row[K]{key, c})
}

// Of is the chance of the key; 0 if it was never added.
func (s *Spread[K]) Of(key K) Chance {
	if i, found := s.find(key); found {
		return s.rows[i].Chance
	}
	return Chance{}
}

// Rows is everything added, in order of the keys. The slice is the spread's own and must not be changed.
func (s *Spread[K]) Rows() []Row[K] { return s.rows }

// Total is the sum of all chances: 1 after a whole [Walk] that added every way.
func (s *Spread[K]) Total() (total Chance) {
	for i := range s.rows {
		total = total.Add(s.rows[i].Chance)
	}
	return total
}

func (s *Spread[K]) find(key K) (int, bool) {
	return slices.BinarySearchFunc(s.rows, key, func(r Row[K], k K) int { return s.compare(r.Key, k) })
}
