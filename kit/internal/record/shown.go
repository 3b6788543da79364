package record

import "time"

// Watch makes lines of something that shows later than an operation's answer; before Begin.
func (r *Recorder) Watch(op string) {
	r.shownOp, r.shown, r.shownTotal = op, newCounts(), newCounts()
}

// Expected counts what is to show.
func (r *Recorder) Expected(n int64) {
	r.mu.Lock()
	if r.shownEnded {
		r.expectedOfTotal += n
	} else {
		r.expected += n
	}
	r.mu.Unlock()
}

// Shown counts one that has, with its time from the intended time and from sending. It is no
// operation: offered = done + failed + shed + unfinished holds without it.
func (r *Recorder) Shown(latency, service time.Duration) {
	r.mu.Lock()
	r.shown.done++
	r.shown.latency.Record(latency.Microseconds())
	r.shown.service.Record(service.Microseconds())
	r.mu.Unlock()
}

// ShownMany counts some of which no time is known.
func (r *Recorder) ShownMany(n int64) {
	r.mu.Lock()
	r.ofNow().done += n
	r.mu.Unlock()
}

// ShownBeside counts what is told beside them, by name.
func (r *Recorder) ShownBeside(counts map[string]int64) {
	r.mu.Lock()
	for name, n := range counts {
		r.ofNow().counted[name] += n
	}
	r.mu.Unlock()
}

func (r *Recorder) ofNow() *counts {
	if r.shownEnded {
		return r.shownTotal
	}
	return r.shown
}

// EndShown says that what is told from now on is of no second: it stands in the last line alone.
func (r *Recorder) EndShown() {
	r.mu.Lock()
	r.shownEnded = true
	r.mu.Unlock()
}

// NotCounted says that the other side could not be asked at the end.
func (r *Recorder) NotCounted() {
	r.mu.Lock()
	r.notCounted = true
	r.mu.Unlock()
}

// Found is what was searched for; part of the last line.
func (r *Recorder) Found(found interface{}) {
	r.mu.Lock()
	r.found = found
	r.mu.Unlock()
}

// Unasked counts one that shows though nobody awaits it.
func (r *Recorder) Unasked() {
	r.mu.Lock()
	r.unasked++
	r.mu.Unlock()
}

func (r *Recorder) flushShown(second int, lengthS float64) {
	r.shownTotal.add(r.shown)
	r.expectedOfTotal += r.expected
	if !r.shownEnded || r.shown.done+r.expected > 0 {
		line := lineOf(second, lengthS, r.shownOp, r.shown)
		line.Expected, line.Pending = r.expected, r.expectedOfTotal-r.shownTotal.done
		_ = r.write(line)
	}
	r.shown.reset()
	r.expected = 0
}

// wholeShown is of the whole run; only where something was watched.
func (r *Recorder) wholeShown() *Shown {
	return &Shown{
		Op: r.shownOp, Expected: r.expectedOfTotal, Done: r.shownTotal.done,
		Missing: r.expectedOfTotal - r.shownTotal.done, Unasked: r.unasked,
		NotCounted: r.notCounted, Counts: r.shownTotal.counted,
		Latency: r.shownTotal.latency.Encode(), Service: r.shownTotal.service.Encode(),
	}
}
