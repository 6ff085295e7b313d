package statetest

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"autobattle/state"
)

// What a caller of a benchmark appends: like a commit of a duel, with a snapshot now and then.
const (
	benchData     = 300  // bytes of an entry
	benchSnapshot = 2000 // bytes of a snapshot
	benchEvery    = 20   // entries for a snapshot
	benchRound    = 50   // appends of each caller in a round
)

// Yardstick is one append by a caller in the barest way that the machine offers, to compare with.
type Yardstick func(ctx context.Context, caller int) error

// Bench measures appends of 1 and of 64 callers, each to a battle of its own. With a yardstick it runs
// in rounds in turn with the store's, and the ratio of the medians is reported.
func Bench(b *testing.B, s state.Store, raw Yardstick) {
	for _, callers := range []int{1, 64} {
		b.Run(fmt.Sprintf("callers=%d", callers), func(b *testing.B) { bench(b, s, raw, callers) })
	}
}

func bench(b *testing.B, s state.Store, raw Yardstick, callers int) {
	ctx := b.Context()
	run := time.Now().UnixNano() // a battle of each caller in each run
	ids, versions := make([]state.ID, callers), make([]uint64, callers)
	for i := range ids {
		ids[i] = state.ID{Tenant: "bench", Battle: fmt.Sprintf("%d-%d", run, i)}
		versions[i] = 1
		if err := s.Create(ctx, ids[i], entry(1), head(1)); err != nil {
			b.Fatal(err)
		}
	}
	data, snapshot := bytes.Repeat([]byte("d"), benchData), bytes.Repeat([]byte("s"), benchSnapshot)
	appends := func(ctx context.Context, i int) error {
		versions[i]++
		e := entry(versions[i])
		e.Data = data
		var snap []byte
		if versions[i]%benchEvery == 0 {
			snap = snapshot
		}
		return s.Append(ctx, ids[i], e, head(e.Version), snap)
	}
	var ours, theirs []time.Duration
	for b.Loop() {
		ours = append(ours, round(b, callers, appends))
		if raw != nil {
			theirs = append(theirs, round(b, callers, raw))
		}
	}
	b.ReportMetric(float64(callers*benchRound)/median(ours).Seconds(), "appends/s")
	b.ReportMetric(0, "ns/op")
	if raw != nil {
		b.ReportMetric(float64(callers*benchRound)/median(theirs).Seconds(), "raw/s")
		b.ReportMetric(median(theirs).Seconds()/median(ours).Seconds(), "append/raw")
	}
}

// round has every caller append, and takes the time until all are done.
func round(b *testing.B, callers int, do Yardstick) time.Duration {
	b.Helper()
	begun := time.Now()
	var all sync.WaitGroup
	for i := range callers {
		all.Go(func() {
			for range benchRound {
				if err := do(b.Context(), i); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
	if b.Failed() {
		b.FailNow()
	}
	return time.Since(begun)
}

func median(ds []time.Duration) time.Duration {
	slices.Sort(ds)
	return ds[len(ds)/2]
}
