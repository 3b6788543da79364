package load

import (
	"context"
	"math/rand"
	"sync"
	"time"
)

// queues hold the arrivals of users who have one each.
type queues struct {
	mu    sync.Mutex
	of    []queue
	limit int
	all   int
	// Users who have prepared: arrivals are for them, or for anybody before there is one.
	ready []int
}

type queue struct {
	waiting []arrival
	busy    bool
	wake    chan struct{}
}

func newQueues(users, limit int) *queues {
	q := &queues{of: make([]queue, users), limit: limit}
	for i := range q.of {
		// Busy until it has prepared.
		q.of[i] = queue{busy: true, wake: make(chan struct{}, 1)}
	}
	return q
}

func (q *queues) waiting() int64 {
	q.mu.Lock()
	defer q.mu.Unlock()
	return int64(q.all)
}

func (q *queues) open(user int) {
	q.mu.Lock()
	q.of[user].busy = false
	q.ready = append(q.ready, user)
	q.mu.Unlock()
}

// put gives an arrival to a user; busy = it has to wait for that one, shed = too many wait.
func (q *queues) put(due time.Duration, owner Owner, random *rand.Rand) (busy, shed bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.all >= q.limit {
		return false, true
	}
	user := 0
	if len(q.ready) > 0 {
		user = q.ready[owner.Choose(len(q.ready), random)]
	} else {
		user = owner.Choose(len(q.of), random)
	}
	one := &q.of[user]
	busy = one.busy || len(one.waiting) > 0
	one.waiting = append(one.waiting, arrival{intended: due, free: !busy})
	q.all++
	select {
	case one.wake <- struct{}{}:
	default:
	}
	return busy, false
}

// take the next arrival of a user; false where none waits, and the user is idle.
func (q *queues) take(user int) (arrival, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	one := &q.of[user]
	if len(one.waiting) == 0 {
		one.waiting, one.busy = nil, false
		return arrival{}, false
	}
	next := one.waiting[0]
	one.waiting = one.waiting[1:]
	one.busy = true
	q.all--
	return next, true
}

// owned is the open loop of users who each have arrivals of their own.
func (r *run) owned(offering, working context.Context, users []User) {
	over := make(chan struct{})
	var all sync.WaitGroup
	for i, user := range users {
		all.Add(1)
		go func(i int, user User) {
			defer all.Done()
			begins := r.job.RampUpS * float64(i) / float64(len(users))
			if !sleep(offering, time.Until(r.start.Add(time.Duration(begins*float64(time.Second))))) {
				return
			}
			prepare(user)
			r.queues.open(i)
			for ending := false; ; {
				if next, is := r.queues.take(i); is {
					r.do(user, next)
					if working.Err() != nil {
						return
					}
					continue
				}
				if ending {
					return
				}
				select {
				case <-r.queues.of[i].wake:
				case <-over:
					ending = true
				case <-working.Done():
					return
				}
			}
		}(i, user)
	}
	random := rand.New(rand.NewSource(r.job.Seed + 2))
	r.dispatch(offering, 0, 1, func(dues []time.Duration) (shed int64) {
		busy := int64(0)
		for _, due := range dues {
			isBusy, isShed := r.queues.put(due, r.owner, random)
			if isBusy {
				busy++
			}
			if isShed {
				shed++
			}
		}
		r.recorder.UserBusy(busy)
		return shed
	})
	sleep(offering, time.Until(r.start.Add(time.Duration(r.job.DurationS*float64(time.Second)))))
	close(over)
	all.Wait()
}
