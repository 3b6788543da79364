// Package load offers work to a scenario, in an open or a closed loop, and records how it went.
package load

import (
	"context"
	"fmt"
	"io"
	"math/rand"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"tilekit/internal/arrivals"
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
	queue    chan arrival
	// Where each arrival is for one user: a queue each, and how many wait in all of them.
	owner   Owner
	queues  *queues
	idle    int64
	stop    context.CancelFunc
	watcher Watcher
	paced   Paced
}

// backlog is how many arrivals wait.
func (r *run) backlog() int64 {
	if r.queues != nil {
		return r.queues.waiting()
	}
	return int64(len(r.queue))
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

// open releases arrivals by the schedule; any free user takes the next one.
func (r *run) open(offering, working context.Context, users []User) {
	r.queue = make(chan arrival, r.job.QueueLimit)
	var all sync.WaitGroup
	for _, user := range users {
		all.Add(1)
		go func(user User) {
			defer all.Done()
			prepare(user)
			atomic.AddInt64(&r.idle, 1)
			for {
				select {
				case next, more := <-r.queue:
					if !more {
						return
					}
					atomic.AddInt64(&r.idle, -1)
					r.do(user, next)
					atomic.AddInt64(&r.idle, 1)
				case <-working.Done():
					return
				}
			}
		}(user)
	}
	r.dispatch(offering, r.offerToAll)
	// The run lasts as long as it was asked to, also where its last arrival is long before the end.
	sleep(offering, time.Until(r.start.Add(time.Duration(r.job.DurationS*float64(time.Second)))))
	close(r.queue)
	all.Wait()
}

// dispatch puts arrivals into the queue when they are due. It never waits for the queue.
func (r *run) dispatch(offering context.Context, offer func(due []time.Duration) (shed int64)) {
	perS := r.job.Arrivals.MeanPerS(r.job.DurationS)
	next := arrivals.New(*r.job.Arrivals, r.job.DurationS, r.job.Seed+1).Next
	if r.paced != nil {
		next = arrivals.Paced(*r.job.Arrivals, r.paced.PerS, r.job.DurationS, r.job.Seed+1)
		perS = exactBelowPerS
	}
	sleeper := newSleeper(perS)
	defer sleeper.close()
	due, more := next()
	var dues []time.Duration
	for more {
		if !sleeper.until(offering, r.start.Add(due)) {
			return
		}
		now := time.Since(r.start)
		dues = dues[:0]
		for more && due <= now {
			dues = append(dues, due)
			due, more = next()
		}
		r.recorder.Offered(int64(len(dues)), offer(dues))
	}
}

func (r *run) offerToAll(dues []time.Duration) (shed int64) {
	free := atomic.LoadInt64(&r.idle) - int64(len(r.queue))
	for _, due := range dues {
		select {
		case r.queue <- arrival{intended: due, free: free > 0}:
			free--
		default:
			shed++
		}
	}
	return shed
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

// closed lets each user begin its next operation a cycle after it began the last one, or when that
// has been answered, whichever is later; or after a pause that begins with the answer.
func (r *run) closed(offering, working context.Context, users []User) {
	var all sync.WaitGroup
	end := time.Duration(r.job.DurationS * float64(time.Second))
	for i, user := range users {
		all.Add(1)
		go func(i int, user User) {
			defer all.Done()
			random := rand.New(rand.NewSource(r.job.Seed + int64(i)*7919))
			seconds := func(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
			due := seconds(r.job.RampUpS * float64(i) / float64(len(users)))
			if r.owner != nil {
				// Users with a state of their own log in one after the other.
				sleep(offering, time.Until(r.start.Add(due)))
			}
			prepare(user)
			if now := time.Since(r.start); now > due {
				due = now
			}
			for due < end && sleep(offering, time.Until(r.start.Add(due))) && working.Err() == nil {
				began := due
				r.recorder.Offered(1, 0)
				op := r.doClosed(user, due)
				cycle := random.ExpFloat64() * r.job.CycleS
				if floor := user.CycleFloorS(op); cycle < floor && r.job.CycleS > 0 {
					cycle = floor
				}
				due = began + seconds(cycle)
				if r.job.ThinkS > 0 {
					due = time.Since(r.start) + seconds(2*r.job.ThinkS*random.Float64())
				}
				if now := time.Since(r.start); now > due {
					due = now
				}
			}
		}(i, user)
	}
	all.Wait()
}

func (r *run) doClosed(user User, due time.Duration) int {
	op := user.Next()
	sent := time.Since(r.start)
	r.recorder.Started(op, sent-due)
	tellDue(user, r.start.Add(due))
	outcome := user.Do(op, r.deadline(sent))
	done := time.Since(r.start)
	r.recorder.Finished(op, outcome, done-due, done-sent)
	return op
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
