package dvdstore

import (
	"context"
	"errors"
	"sync"
	"time"

	"tilekit/internal/db"
)

// pool of sessions on one node of a database, bounded: who finds none free waits for one.
type pool struct {
	target db.Target
	free   chan struct{}
	mu     sync.Mutex
	idle   []*session
	closed bool
}

// errBusy: all sessions were taken for as long as the request could wait.
var errBusy = errors.New("every connection to the database is taken")

func newPool(target db.Target, most int) *pool {
	return &pool{target: target, free: make(chan struct{}, most)}
}

// take a session that is logged in; give it back.
func (p *pool) take(ctx context.Context, deadline time.Time) (*session, error) {
	select {
	case p.free <- struct{}{}:
	case <-ctx.Done():
		return nil, errBusy
	}
	p.mu.Lock()
	one := &session{target: p.target}
	if last := len(p.idle) - 1; last >= 0 {
		one, p.idle = p.idle[last], p.idle[:last]
	}
	p.mu.Unlock()
	if err := one.begin(deadline); err != nil {
		<-p.free
		return nil, err
	}
	return one, nil
}

// give back a session; one that failed is closed, or put right.
func (p *pool) give(one *session, err error) {
	if err != nil {
		one.failed(err)
	}
	p.mu.Lock()
	if p.closed {
		one.close()
	} else if one.conn != nil {
		p.idle = append(p.idle, one)
	}
	p.mu.Unlock()
	<-p.free
}

func (p *pool) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	for _, one := range p.idle {
		one.close()
	}
	p.idle = nil
}
