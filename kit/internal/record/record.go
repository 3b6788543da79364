// Package record keeps what happened in the current second and writes it as lines of JSON.
package record

import (
	"encoding/json"
	"io"
	"sync"
	"time"

	"tilekit/internal/hdr"
)

// Schema is the version of the lines; readers refuse one they do not know.
const Schema = 1

// All is the operation under which a second stands as a whole.
const All = "*"

// Head is the first line of an output.
type Head struct {
	Kit         string `json:"kit"`
	Schema      int    `json:"schema"`
	StartUnixNs int64  `json:"startUnixNs"`
	Scenario    string `json:"scenario"`
	Mode        string `json:"mode"`
	Seed        int64  `json:"seed"`
}

// Line is one second of one operation. Offered, shed, backlog and lateness are of the whole: what
// waits has no operation yet.
type Line struct {
	Second int    `json:"t"`
	Op     string `json:"op"`
	// How many seconds; the last line may be of fewer.
	LengthS float64 `json:"lengthS"`
	// Arrivals that were due in this second.
	Offered int64 `json:"offered,omitempty"`
	Started int64 `json:"started"`
	Done    int64 `json:"done"`
	// By class: connect, timeout, reset, status, content.
	Failed map[string]int64 `json:"failed,omitempty"`
	// Arrivals that were dropped because the queue was full.
	Shed int64 `json:"shed,omitempty"`
	// Arrivals that wait for a free user at the end of the second.
	Backlog int64 `json:"backlog,omitempty"`
	// Arrivals whose own user was busy when they were due.
	UserBusy int64 `json:"userBusy,omitempty"`
	// Of what shows later than the operation's answer: how much is to show, and what of all of it has
	// not shown at the end of the second. Done = shown.
	Expected int64 `json:"expected,omitempty"`
	Pending  int64 `json:"pending,omitempty"`
	Requests int64 `json:"requests"`
	Bytes    int64 `json:"bytes"`
	// What the scenario counts beside: orders, rollbacks.
	Counts map[string]int64 `json:"counts,omitempty"`
	// How late this program itself was: from the intended time until a free user began.
	LateMeanUs int64 `json:"lateMeanUs,omitempty"`
	LateP99Us  int64 `json:"lateP99Us,omitempty"`
	LateMaxUs  int64 `json:"lateMaxUs,omitempty"`
	// Of one core, in per cent; absent where the system does not tell.
	CPUPct float64 `json:"cpuPct,omitempty"`
	// The client was too slow: what this second says of the server is not to be trusted.
	Saturated bool `json:"saturated,omitempty"`
	// HdrHistograms in microseconds: from the intended time, and from the first byte sent.
	Latency string `json:"latency,omitempty"`
	Service string `json:"service,omitempty"`
}

// End is the last line of an output that is whole.
type End struct {
	End     bool             `json:"end"`
	Reason  string           `json:"reason"`
	Seconds float64          `json:"seconds"`
	Offered int64            `json:"offered"`
	Done    int64            `json:"done"`
	Failed  map[string]int64 `json:"failed,omitempty"`
	Shed    int64            `json:"shed"`
	// Neither done nor failed nor shed when the run ended.
	Unfinished int64            `json:"unfinished"`
	Requests   int64            `json:"requests"`
	Bytes      int64            `json:"bytes"`
	Counts     map[string]int64 `json:"counts,omitempty"`
	UserBusy   int64            `json:"userBusy,omitempty"`
	Shown      *Shown           `json:"shown,omitempty"`
	// What a scenario searched for.
	Found      interface{} `json:"found,omitempty"`
	CPUSeconds float64     `json:"cpuSeconds,omitempty"`
	Saturated  int         `json:"saturatedSeconds"`
	Latency    string      `json:"latency"`
	Service    string      `json:"service"`
}

// Shown is the whole of what shows later than the operation's answer; Missing has not been seen.
type Shown struct {
	Op       string `json:"op"`
	Expected int64  `json:"expected"`
	Done     int64  `json:"done"`
	Missing  int64  `json:"missing"`
	// Of this run and not awaited: the sender was told nothing of them, or they came twice.
	Unasked int64 `json:"unasked,omitempty"`
	// The other side could not be asked at the end: missing is not known.
	NotCounted bool `json:"notCounted,omitempty"`
	// What is counted beside it.
	Counts  map[string]int64 `json:"counts,omitempty"`
	Latency string           `json:"latency"`
	Service string           `json:"service"`
}

// Outcome is how one operation went; Class is empty where it succeeded.
type Outcome struct {
	Class    string
	Requests int64
	Bytes    int64
	// By names of the scenario's own, also of what then failed.
	Counts map[string]int64
}

type counts struct {
	started, done, requests, bytes int64
	counted                        map[string]int64
	failed                         map[string]int64
	latency, service               *hdr.Histogram
}

func newCounts() *counts {
	return &counts{failed: map[string]int64{}, counted: map[string]int64{}, latency: hdr.New(), service: hdr.New()}
}

func (c *counts) reset() {
	c.started, c.done, c.requests, c.bytes = 0, 0, 0, 0
	c.failed = map[string]int64{}
	c.counted = map[string]int64{}
	c.latency.Reset()
	c.service.Reset()
}

func (c *counts) add(o *counts) {
	c.started += o.started
	c.done += o.done
	c.requests += o.requests
	c.bytes += o.bytes
	for class, n := range o.failed {
		c.failed[class] += n
	}
	for name, n := range o.counted {
		c.counted[name] += n
	}
	c.latency.Add(o.latency)
	c.service.Add(o.service)
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
		end.Shown = &Shown{
			Op: r.shownOp, Expected: r.expectedOfTotal, Done: r.shownTotal.done,
			Missing: r.expectedOfTotal - r.shownTotal.done, Unasked: r.unasked,
			NotCounted: r.notCounted, Counts: r.shownTotal.counted,
			Latency: r.shownTotal.latency.Encode(), Service: r.shownTotal.service.Encode(),
		}
	}
	return end, r.write(end)
}

// Totals gives the whole run's latency and service time; only after Finish.
func (r *Recorder) Totals() (latency, service *hdr.Histogram) {
	return r.total.latency, r.total.service
}

func lineOf(second int, lengthS float64, op string, c *counts) Line {
	line := Line{Second: second, LengthS: float64(int64(lengthS*1000)) / 1000, Op: op, Started: c.started, Done: c.done, Requests: c.requests, Bytes: c.bytes}
	if len(c.failed) > 0 {
		line.Failed = c.failed
	}
	if len(c.counted) > 0 {
		line.Counts = c.counted
	}
	if c.latency.Count() > 0 {
		line.Latency = c.latency.Encode()
		line.Service = c.service.Encode()
	}
	return line
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
