package network

import (
	"context"
	"sync"
	"time"

	"tilekit/internal/record"
)

// seen holds what was sent against what the server counted, second by second of the sender's clock.
// A second is judged half a second after its end: what is still on its way is not lost.
type seen struct {
	scenario *scenario
	search   *searcher
	recorder *record.Recorder
	start    time.Time

	mu    sync.Mutex
	total int64
	// By second, from the first one that is not judged yet; of streams nothing.
	bySecond map[uint32]int64
	// Only the goroutine that asks uses these.
	next      uint32
	told      Counts
	expected  int64
	shown     int64
	end, over chan struct{}
}

func newSeen(s *scenario, search *Search) *seen {
	w := &seen{scenario: s, bySecond: map[uint32]int64{}, end: make(chan struct{}), over: make(chan struct{})}
	if search != nil {
		w.search = newSearcher(*search)
	}
	return w
}

func (w *seen) second() uint32 { return uint32(time.Since(w.start) / time.Second) }

func (w *seen) sent(second uint32, n int64) {
	w.mu.Lock()
	w.total += n
	if w.scenario.options.Kind == kindPackets {
		w.bySecond[second] += n
	}
	w.mu.Unlock()
}

// Shows names what the server has counted.
func (s *counted) Shows() string { return "received" }

// Watch begins to ask the server, once a second in the midst of it.
func (s *counted) Watch(recorder *record.Recorder) { s.seen.watch(recorder) }

// Settle waits until all has arrived, or nothing more does.
func (s *counted) Settle(working context.Context) { s.seen.settle(working) }

// As counted.
func (s *watched) Shows() string                   { return "received" }
func (s *watched) Watch(recorder *record.Recorder) { s.seen.watch(recorder) }
func (s *watched) Settle(working context.Context)  { s.seen.settle(working) }

// PerS is the rate that the search tries at this time of the load.
func (s *watched) PerS(at time.Duration) float64 { return s.seen.search.perS(at) }

func (w *seen) watch(recorder *record.Recorder) {
	w.recorder, w.start = recorder, time.Now()
	go func() {
		defer close(w.over)
		for due := 500 * time.Millisecond; ; due += time.Second {
			select {
			case <-w.end:
				return
			case <-time.After(time.Until(w.start.Add(due))):
			}
			if counts, err := w.scenario.control.ask(false); err == nil {
				w.judge(counts, uint32(due/time.Second))
			} else {
				w.scenario.control.close()
			}
		}
	}()
}

// judge the seconds before this one, and whatever else has grown.
func (w *seen) judge(counts *Counts, before uint32) {
	if w.scenario.options.Kind == kindStreams {
		w.mu.Lock()
		total := w.total
		w.mu.Unlock()
		w.show(total-w.expected, counts.Bytes-w.shown)
	}
	for ; w.next < before && w.scenario.options.Kind == kindPackets; w.next++ {
		w.mu.Lock()
		sent := w.bySecond[w.next]
		delete(w.bySecond, w.next)
		w.mu.Unlock()
		w.show(sent, counts.Seconds[w.next])
		if w.search != nil {
			w.search.judge(w.next, sent, counts.Seconds[w.next])
		}
	}
	w.recorder.ShownBeside(grown(&w.told, counts))
	w.told = *counts
}

func (w *seen) show(expected, shown int64) {
	w.expected += expected
	w.shown += shown
	w.recorder.Expected(expected)
	w.recorder.ShownMany(shown)
}

// grown is what is counted beside, since the last time.
func grown(before, now *Counts) map[string]int64 {
	all := map[string]int64{}
	for _, one := range []struct {
		name        string
		before, now int64
	}{
		{"reordered", before.Reordered, now.Reordered},
		{"duplicates", before.Duplicates, now.Duplicates},
		{"damaged", before.Damaged, now.Damaged},
		// The server's socket is everybody's; what it dropped before this load is not of it.
		{"socketDrops", before.SocketDrops, now.SocketDrops},
	} {
		if n := one.now - one.before; n > 0 && (one.name != "socketDrops" || before.Session != 0) {
			all[one.name] = n
		}
	}
	return all
}

// How long after the last packet that arrived the rest is given up.
const quietFor = time.Second

func (w *seen) settle(working context.Context) {
	close(w.end)
	<-w.over
	w.recorder.EndShown()
	w.mu.Lock()
	total := w.total
	w.mu.Unlock()
	arrived, since := int64(-1), time.Now()
	for working.Err() == nil {
		counts, err := w.scenario.control.ask(false)
		if err == nil {
			now := counts.Packets
			if w.scenario.options.Kind == kindStreams {
				now = counts.Bytes
			}
			if now >= total {
				break
			}
			if now != arrived {
				arrived, since = now, time.Now()
			}
		} else {
			w.scenario.control.close()
		}
		if time.Since(since) > quietFor {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	counts, err := w.scenario.control.ask(true)
	if w.search != nil {
		w.recorder.Found(w.search.found())
	}
	if err != nil {
		// What is not known is not lost.
		w.recorder.NotCounted()
		w.show(total-w.expected, 0)
		return
	}
	now := counts.Packets
	if w.scenario.options.Kind == kindStreams {
		now = counts.Bytes
	}
	w.show(total-w.expected, now-w.shown)
	w.recorder.ShownBeside(grown(&w.told, counts))
}
