// Package load offers work to a scenario, in an open or a closed loop, and records how it went.
package load

import (
	"context"
	"fmt"
	"io"
	"math/rand"
	"runtime"
	"time"

	"tilekit/internal/job"
	"tilekit/internal/record"
	"tilekit/internal/usage"
)

// Scenario is a kind of work; the recipe is in RECIPES.md.
type Scenario interface {
	// Operations by name; the users' Next gives an index into them.
	Operations() []string
	// User makes one of the users; each is used by one goroutine at a time.
	User(index int, random *rand.Rand) User
}

// User does one operation after the other and keeps what a user keeps: connection, cookies, cart.
type User interface {
	// Next chooses the operation to come; it waits for nothing.
	Next() int
	// Do does it, until the deadline at most.
	Do(op int, deadline time.Time) record.Outcome
	// CycleFloorS is the least time from start to start of this operation in a closed loop.
	CycleFloorS(op int) float64
	Close()
}

// Owner is a scenario whose arrivals are each for one of its users: where that one is busy, the
// arrival waits for it and for nobody else.
type Owner interface {
	// Choose one of so many users for an arrival.
	Choose(users int, random *rand.Rand) int
}

// Watcher is a scenario of which something shows later than the answer to an operation.
type Watcher interface {
	// Watch is told before the load begins where to count it, and since when time is told.
	Watch(recorder *record.Recorder)
	// Shows names it.
	Shows() string
	// Settle waits until all has shown, or until the run's own end.
	Settle(working context.Context)
}

// Paced is a scenario that says itself at which rate arrivals are due, in the open loop.
type Paced interface {
	// PerS is the rate at a time of the load; above 0.
	PerS(at time.Duration) float64
}

// Due is a user who wants to know since when its next operation was due.
type Due interface{ Due(intended time.Time) }

func tellDue(user User, intended time.Time) {
	if one, wants := user.(Due); wants {
		one.Due(intended)
	}
}

// Preparer is a user who has something to do before its turn: a log-in that is no part of the load.
type Preparer interface{ Prepare() }

func prepare(user User) {
	if one, can := user.(Preparer); can {
		one.Prepare()
	}
}

type run struct {
	job      *job.Job
	recorder *record.Recorder
	start    time.Time
	// The open loop of users without arrivals of their own: a lane for each part of them.
	lanes []*lane
	// Where each arrival is for one user: a queue each, and how many wait in all of them.
	owner   Owner
	queues  *queues
	stop    context.CancelFunc
	watcher Watcher
	paced   Paced
}

// backlog is how many arrivals wait.
func (r *run) backlog() int64 {
	if r.queues != nil {
		return r.queues.waiting()
	}
	all := int64(0)
	for _, one := range r.lanes {
		all += int64(len(one.queue))
	}
	return all
}

// How long a run that is stopped waits for what is under way.
const graceOfStop = 2 * time.Second

// Lines that are written later than this were so because the program stood still.
const stillLimit = 100 * time.Millisecond

type arrival struct {
	intended time.Duration
	// A user was free when it was released: all delay until it begins is this program's own.
	free bool
}

// Run does a whole job and writes its lines; it ends early when the context does.
func Run(ctx context.Context, kit string, j *job.Job, scenario Scenario, out io.Writer) (record.End, *record.Recorder, error) {
	_, owns := scenario.(Owner)
	_, paces := scenario.(Paced)
	if len(j.Parts) > 0 && (owns || paces) {
		return record.End{}, nil, fmt.Errorf("parts have no place in the scenario %s: its users, or its rate, have a time of their own", j.Scenario)
	}
	limits := record.Limits{Late: time.Duration(j.LatenessLimitMs * float64(time.Millisecond)), Still: stillLimit, CPUPct: 95}
	r := &run{job: j, recorder: record.New(out, scenario.Operations(), limits)}
	r.owner, _ = scenario.(Owner)
	r.paced, _ = scenario.(Paced)
	if r.watcher, _ = scenario.(Watcher); r.watcher != nil {
		r.recorder.Watch(r.watcher.Shows())
		r.watcher.Watch(r.recorder)
	}
	if r.owner != nil && j.Mode == "open" {
		r.queues = newQueues(j.Users, j.QueueLimit)
	}
	users := make([]User, j.Users)
	seeds := rand.New(rand.NewSource(j.Seed))
	for i := range users {
		users[i] = scenario.User(i, rand.New(rand.NewSource(seeds.Int63())))
		defer users[i].Close()
	}
	offering, endOffer := context.WithCancel(ctx)
	defer endOffer()
	working, stop := context.WithCancel(context.Background())
	defer stop()
	r.stop = stop
	r.start = time.Now()
	if err := r.recorder.Begin(record.Head{
		Kit: kit, Schema: record.Schema, StartUnixNs: r.start.UnixNano(), Scenario: j.Scenario,
		Mode: j.Mode, Seed: j.Seed,
	}); err != nil {
		return record.End{}, nil, err
	}
	for i := 0; r.queues == nil && j.Mode == "open" && i < r.parts(); i++ {
		r.lanes = append(r.lanes, &lane{queue: make(chan arrival, (j.QueueLimit+r.parts()-1)/r.parts())})
	}
	finished := make(chan struct{})
	go func() {
		switch {
		case r.queues != nil:
			r.owned(offering, working, users)
		case j.Mode == "open":
			r.open(offering, working, users)
		default:
			r.closed(offering, working, users)
		}
		if r.watcher != nil {
			r.watcher.Settle(working)
		}
		close(finished)
	}()
	cpu, err := r.seconds(ctx, finished, endOffer)
	reason := "done"
	if ctx.Err() != nil {
		reason = "stopped"
	}
	end, last := r.recorder.Finish(reason, time.Since(r.start).Seconds(), cpu)
	if err == nil {
		err = last
	}
	if err != nil {
		err = fmt.Errorf("the output cannot be written: %w", err)
	}
	return end, r.recorder, err
}

// seconds writes each second as it ends, and a last, shorter one.
func (r *run) seconds(ctx context.Context, finished <-chan struct{}, endOffer func()) (float64, error) {
	began := usage.CPUSeconds()
	before, cores := began, runtime.GOMAXPROCS(0)
	limit := time.Duration((r.job.DurationS + r.job.DrainS) * float64(time.Second))
	var failure error
	var over <-chan time.Time
	stopped := ctx.Done()
	flush := func(second int, length float64, stood time.Duration) {
		now := usage.CPUSeconds()
		if err := r.recorder.Flush(second, length, stood, r.backlog(), (now-before)/length*100, cores); err != nil && failure == nil {
			failure = err
			endOffer()
			r.stop()
		}
		before = now
	}
	last := func(second int) (float64, error) {
		if length := time.Since(r.start).Seconds() - float64(second); length > 0 {
			flush(second, length, 0)
		}
		return usage.CPUSeconds() - began, failure
	}
	for second := 0; ; {
		due := time.Duration(second+r.job.EveryS) * time.Second
		timer := time.NewTimer(time.Until(r.start.Add(due)))
		select {
		case <-finished:
			timer.Stop()
			return last(second)
		case <-over:
			timer.Stop()
			return last(second)
		case <-stopped:
			stopped = nil
			over = time.After(graceOfStop)
			r.stop()
		case <-timer.C:
			flush(second, float64(r.job.EveryS), time.Since(r.start)-due)
			second += r.job.EveryS
			if due >= limit {
				r.stop()
			}
		}
		timer.Stop()
	}
}

// deadline of an operation: its own limit, and the end of the drain.
func (r *run) deadline(sent time.Duration) time.Time {
	own := sent + time.Duration(r.job.TimeoutMs)*time.Millisecond
	end := time.Duration((r.job.DurationS + r.job.DrainS) * float64(time.Second))
	if end > sent && end < own {
		own = end
	}
	return r.start.Add(own)
}

func (r *run) do(user User, next arrival) {
	op := user.Next()
	sent := time.Since(r.start)
	late := time.Duration(-1)
	if next.free {
		late = sent - next.intended
	}
	r.recorder.Started(op, late)
	tellDue(user, r.start.Add(next.intended))
	outcome := user.Do(op, r.deadline(sent))
	done := time.Since(r.start)
	r.recorder.Finished(op, outcome, done-next.intended, done-sent)
}

func sleep(ctx context.Context, wait time.Duration) bool {
	if wait <= 0 {
		return ctx.Err() == nil
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
