package db

import (
	"context"
	"errors"
	"sync"
	"time"
)

// Pool of sessions on one server, bounded: who finds none free waits for one.
type Pool struct {
	Target Target
	free   chan struct{}
	mu     sync.Mutex
	idle   []Conn
	closed bool
}

// ErrBusy: all sessions were taken for as long as somebody could wait.
var ErrBusy = errors.New("every connection to the database is taken")

// NewPool of so many sessions at most; each logs in when it is first needed.
func NewPool(target Target, most int) *Pool {
	return &Pool{Target: target, free: make(chan struct{}, most)}
}

// Take a session until the deadline; give it back.
func (p *Pool) Take(ctx context.Context, deadline time.Time) (Conn, error) {
	select {
	case p.free <- struct{}{}:
	case <-ctx.Done():
		return nil, ErrBusy
	}
	p.mu.Lock()
	var one Conn
	if last := len(p.idle) - 1; last >= 0 {
		one, p.idle = p.idle[last], p.idle[:last]
	}
	p.mu.Unlock()
	var err error
	if one == nil {
		one, err = Open(p.Target, deadline)
	}
	if err == nil {
		err = one.SetDeadline(deadline)
	}
	if err != nil {
		<-p.free
		return nil, err
	}
	return one, nil
}

// Give back a session; nil is one that was closed.
func (p *Pool) Give(one Conn) {
	p.mu.Lock()
	if p.closed && one != nil {
		one.Close()
	} else if one != nil {
		p.idle = append(p.idle, one)
	}
	p.mu.Unlock()
	<-p.free
}

// Close ends the sessions that nobody has, and the others when they are given back.
func (p *Pool) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	for _, one := range p.idle {
		one.Close()
	}
	p.idle = nil
}
