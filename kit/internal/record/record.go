// Package record keeps what happened in the current second and writes it as lines of JSON.
package record

import (
	"encoding/json"
	"io"
	"sync"
	"time"

	"tilekit/internal/hdr"
)

// Outcome is how one operation went; Class is empty where it succeeded.
type Outcome struct {
	Class    string
	Requests int64
	Bytes    int64
	// By names of the scenario's own, also of what then failed.
	Counts map[string]int64
}

// Limits above which a second is the client's own, not the server's.
type Limits struct {
	Late time.Duration
	// How late the lines themselves may be written; later, the whole program stood still.
	Still time.Duration
	// Per cent of all cores together.
	CPUPct float64
}

// Recorder is safe for use from several goroutines.
type Recorder struct {
	mu            sync.Mutex
	out           io.Writer
	ops           []string
	second        []*counts
	whole         *counts
	total         *counts
	offered, shed int64
	sumOffered    int64
	sumShed       int64
	userBusy      int64
	sumUserBusy   int64
	// What shows later: its name, this second's and the whole; nil = nothing does.
	shownOp                   string
	shown, shownTotal         *counts
	expected, expectedOfTotal int64
	unasked                   int64
	notCounted                bool
	shownEnded                bool
	found                     interface{}
	late                      *hdr.Histogram
	lateSumUs                 int64
	limits                    Limits
	saturated                 int
	failure                   error
}

// New writes to out, one line a second and operation, each by one write.
func New(out io.Writer, ops []string, limits Limits) *Recorder {
	r := &Recorder{out: out, ops: ops, limits: limits, late: hdr.New(), whole: newCounts(), total: newCounts()}
	for range ops {
		r.second = append(r.second, newCounts())
	}
	return r
}

// Offered counts arrivals that are due, and those of them that were dropped.
func (r *Recorder) Offered(n, shed int64) {
	r.mu.Lock()
	r.offered += n
	r.shed += shed
	r.mu.Unlock()
}

// UserBusy counts arrivals that had to wait for their own user.
func (r *Recorder) UserBusy(n int64) {
	r.mu.Lock()
	r.userBusy += n
	r.mu.Unlock()
}

// Started counts an operation that begins. late is this program's own delay; below zero = unknown,
// because the arrival had to wait for a user.
func (r *Recorder) Started(op int, late time.Duration) {
	r.mu.Lock()
	r.second[op].started++
	if late >= 0 {
		r.late.Record(late.Microseconds())
		r.lateSumUs += late.Microseconds()
	}
	r.mu.Unlock()
}

// Finished counts an operation that ended. Times are of operations that succeeded.
func (r *Recorder) Finished(op int, outcome Outcome, latency, service time.Duration) {
	r.mu.Lock()
	c := r.second[op]
	c.requests += outcome.Requests
	c.bytes += outcome.Bytes
	for name, n := range outcome.Counts {
		c.counted[name] += n
	}
	if outcome.Class == "" {
		c.done++
		c.latency.Record(latency.Microseconds())
		c.service.Record(service.Microseconds())
	} else {
		c.failed[outcome.Class]++
	}
	r.mu.Unlock()
}

// Begin writes the first line.
func (r *Recorder) Begin(head Head) error { return r.write(head) }

// Flush writes the lines of so many seconds and begins the next ones. stood is how long after their
// end it is called. cpuPct is of one core; below zero = unknown.
func (r *Recorder) Flush(second int, lengthS float64, stood time.Duration, backlog int64, cpuPct float64, cores int) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.whole.reset()
	for i, c := range r.second {
		if c.started != 0 || c.done != 0 || len(c.failed) != 0 {
			_ = r.write(lineOf(second, lengthS, r.ops[i], c))
		}
		r.whole.add(c)
		c.reset()
	}
	if r.shown != nil {
		r.flushShown(second, lengthS)
	}
	line := lineOf(second, lengthS, All, r.whole)
	line.Offered, line.Shed, line.Backlog, line.UserBusy = r.offered, r.shed, backlog, r.userBusy
	if n := r.late.Count(); n > 0 {
		line.LateMeanUs = r.lateSumUs / n
		line.LateP99Us = r.late.Percentile(99)
		line.LateMaxUs = r.late.Max()
	}
	if cpuPct > 0 {
		line.CPUPct = float64(int64(cpuPct*10)) / 10
	}
	// A program that stood still has no arrival in the second to be late with.
	if us := stood.Microseconds(); stood > r.limits.Still && stood > r.limits.Late {
		if us > line.LateP99Us {
			line.LateP99Us = us
		}
		if us > line.LateMaxUs {
			line.LateMaxUs = us
		}
	}
	line.Saturated = line.LateP99Us > r.limits.Late.Microseconds() ||
		(r.limits.CPUPct > 0 && cpuPct > r.limits.CPUPct*float64(cores))
	if line.Saturated {
		r.saturated++
	}
	r.total.add(r.whole)
	r.sumOffered += r.offered
	r.sumShed += r.shed
	r.sumUserBusy += r.userBusy
	r.offered, r.shed, r.userBusy, r.lateSumUs = 0, 0, 0, 0
	r.late.Reset()
	return r.write(line)
}

// Finish writes the last line, after the last Flush.
func (r *Recorder) Finish(reason string, seconds, cpuSeconds float64) (End, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	unfinished := r.sumOffered - r.sumShed - r.total.done
	for _, n := range r.total.failed {
		unfinished -= n
	}
	end := End{
		End: true, Reason: reason, Seconds: seconds, Offered: r.sumOffered, Done: r.total.done,
		Failed: r.total.failed, Shed: r.sumShed, Unfinished: unfinished, Requests: r.total.requests,
		Bytes: r.total.bytes, Counts: r.total.counted, CPUSeconds: cpuSeconds, Saturated: r.saturated,
		Latency: r.total.latency.Encode(), Service: r.total.service.Encode(), UserBusy: r.sumUserBusy,
		Found: r.found,
	}
	if r.shown != nil {
		end.Shown = r.wholeShown()
	}
	return end, r.write(end)
}

// Totals gives the whole run's latency and service time; only after Finish.
func (r *Recorder) Totals() (latency, service *hdr.Histogram) {
	return r.total.latency, r.total.service
}

// write remembers its first failure: an output that has a hole is worth nothing.
func (r *Recorder) write(line interface{}) error {
	if r.failure != nil {
		return r.failure
	}
	text, err := json.Marshal(line)
	if err == nil {
		_, err = r.out.Write(append(text, '\n'))
	}
	r.failure = err
	return err
}
