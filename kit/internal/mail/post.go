package mail

import (
	"sync"
	"time"

	"tilekit/internal/record"
)

// delivery of one message to one recipient.
type delivery struct {
	due, sent time.Time
	accepted  bool
	// It may be seen before its sender is told that it was accepted.
	seen time.Time
}

// post is what was sent and has not been seen yet, by recipient and number of the message.
type post struct {
	mu       sync.Mutex
	of       []map[string]*delivery
	pending  int
	recorder *record.Recorder
}

func newPost(users int) *post { return &post{of: make([]map[string]*delivery, users)} }

// begin is told before a message is sent: it may arrive at once.
func (p *post) begin(token string, to []int, due, sent time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, user := range to {
		if p.of[user] == nil {
			p.of[user] = map[string]*delivery{}
		}
		p.of[user][token] = &delivery{due: due, sent: sent}
	}
}

// end is told which recipients the server has taken the message for: those are awaited.
func (p *post) end(token string, to []int, taken map[int]bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, user := range to {
		one := p.of[user][token]
		switch {
		case one == nil:
		case !taken[user]:
			delete(p.of[user], token)
			if !one.seen.IsZero() && p.recorder != nil {
				p.recorder.Unasked()
			}
		default:
			one.accepted = true
			p.pending++
			p.recorder.Expected(1)
			if !one.seen.IsZero() {
				p.show(user, token, one)
			}
		}
	}
}

func (p *post) show(user int, token string, one *delivery) {
	delete(p.of[user], token)
	p.pending--
	p.recorder.Shown(one.seen.Sub(one.due), one.seen.Sub(one.sent))
}

// see is told what a recipient's session sees.
func (p *post) see(user int, token string, at time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	one := p.of[user][token]
	switch {
	case one == nil:
		p.recorder.Unasked()
	case !one.seen.IsZero():
		p.recorder.Unasked()
	default:
		one.seen = at
		if one.accepted {
			p.show(user, token, one)
		}
	}
}

// oldest is since when a recipient awaits something; zero = nothing.
func (p *post) oldest(user int) (since time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, one := range p.of[user] {
		if one.accepted && (since.IsZero() || one.sent.Before(since)) {
			since = one.sent
		}
	}
	return since
}

func (p *post) awaited() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.pending
}
