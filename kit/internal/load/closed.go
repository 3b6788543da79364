package load

import (
	"context"
	"math/rand"
	"sync"
	"time"
)

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
			part, parts := r.part(i), r.parts()
			of := (len(users) - i%parts + parts - 1) / parts
			due := seconds(part.StartS + r.job.RampUpS*float64(i/parts)/float64(of))
			if r.owner != nil {
				// Users with a state of their own log in one after the other.
				sleep(offering, time.Until(r.start.Add(due)))
			}
			prepare(user)
			if now := time.Since(r.start); now > due {
				due = now
			}
			for {
				due = seconds(part.Next(due.Seconds()))
				if due >= end || !sleep(offering, time.Until(r.start.Add(due))) || working.Err() != nil {
					return
				}
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
