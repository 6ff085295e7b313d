package server

import "sync"

// watchLimits counts the open watches of each key. It is small: one entry for a key that watches.
type watchLimits struct {
	mu   sync.Mutex
	most int
	open map[string]int
}

// take admits one watch more of a key, and gives a function that ends it.
func (w *watchLimits) take(key string) (release func(), err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.open[key] >= w.most {
		return nil, limit("watches", int64(w.open[key])+1, int64(w.most))
	}
	w.open[key]++
	var once sync.Once
	return func() {
		once.Do(func() {
			w.mu.Lock()
			defer w.mu.Unlock()
			if w.open[key]--; w.open[key] == 0 {
				delete(w.open, key)
			}
		})
	}, nil
}

// watching admits a watch of a caller.
func (s *battles) watching(c Caller) (release func(), err error) {
	end, err := s.limits.take(c.Key)
	if err != nil {
		return nil, err
	}
	s.metrics.watches.Inc()
	var once sync.Once
	return func() { once.Do(func() { end(); s.metrics.watches.Dec() }) }, nil
}
