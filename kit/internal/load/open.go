package load

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"tilekit/internal/arrivals"
	"tilekit/internal/job"
)

// lane is a part of the users with the arrivals that any of them takes.
type lane struct {
	queue chan arrival
	idle  int64
}

// parts of the users: one where the job names none.
func (r *run) parts() int {
	if len(r.job.Parts) == 0 {
		return 1
	}
	return len(r.job.Parts)
}

func (r *run) part(i int) job.Part {
	if len(r.job.Parts) == 0 {
		return job.Part{}
	}
	return r.job.Parts[i%len(r.job.Parts)]
}

// open releases arrivals by the schedule; any free user of the part takes the next one.
func (r *run) open(offering, working context.Context, users []User) {
	var all, dispatching sync.WaitGroup
	for i, user := range users {
		all.Add(1)
		go func(one *lane, user User) {
			defer all.Done()
			prepare(user)
			atomic.AddInt64(&one.idle, 1)
			for {
				select {
				case next, more := <-one.queue:
					if !more {
						return
					}
					atomic.AddInt64(&one.idle, -1)
					r.do(user, next)
					atomic.AddInt64(&one.idle, 1)
				case <-working.Done():
					return
				}
			}
		}(r.lanes[i%len(r.lanes)], user)
	}
	for i, one := range r.lanes {
		dispatching.Add(1)
		go func(i int, one *lane) {
			defer dispatching.Done()
			of := (len(users) - i + len(r.lanes) - 1) / len(r.lanes)
			r.dispatch(offering, i, float64(of)/float64(len(users)), one.offer)
		}(i, one)
	}
	dispatching.Wait()
	// The run lasts as long as it was asked to, also where its last arrival is long before the end.
	sleep(offering, time.Until(r.start.Add(time.Duration(r.job.DurationS*float64(time.Second)))))
	for _, one := range r.lanes {
		close(one.queue)
	}
	all.Wait()
}

// dispatch puts the arrivals of a part, which has this share of the rate, into its queue when they are
// due. It never waits for the queue.
func (r *run) dispatch(offering context.Context, part int, share float64, offer func(due []time.Duration) (shed int64)) {
	pattern, begins := r.job.Arrivals.Times(share), r.part(part)
	if begins.OnS > 0 {
		pattern.OnS, pattern.OffS = begins.OnS, begins.OffS
	}
	lasts := r.job.DurationS - begins.StartS
	if lasts <= 0 {
		return
	}
	perS := pattern.MeanPerS(lasts)
	next := arrivals.New(pattern, lasts, r.job.Seed+1+int64(part)*7919).Next
	if r.paced != nil {
		next = arrivals.Paced(pattern, r.paced.PerS, lasts, r.job.Seed+1)
		perS = exactBelowPerS
	}
	start := r.start.Add(time.Duration(begins.StartS * float64(time.Second)))
	later := start.Sub(r.start)
	sleeper := newSleeper(perS)
	defer sleeper.close()
	due, more := next()
	var dues []time.Duration
	for more {
		if !sleeper.until(offering, start.Add(due)) {
			return
		}
		now := time.Since(start)
		dues = dues[:0]
		for more && due <= now {
			dues = append(dues, later+due)
			due, more = next()
		}
		r.recorder.Offered(int64(len(dues)), offer(dues))
	}
}

func (l *lane) offer(dues []time.Duration) (shed int64) {
	free := atomic.LoadInt64(&l.idle) - int64(len(l.queue))
	for _, due := range dues {
		select {
		case l.queue <- arrival{intended: due, free: free > 0}:
			free--
		default:
			shed++
		}
	}
	return shed
}
