package mail

import (
	"context"
	"fmt"
	"math/rand"
	"strconv"
	"sync/atomic"
	"time"

	"tilekit/internal/job"
	"tilekit/internal/load"
	"tilekit/internal/record"
)

const logInLimit = 15 * time.Second

type scenario struct {
	o        *Options
	password string
	users    int
	// Tells this run's messages from those of others.
	run      string
	sent     int64
	post     *post
	sessions []*session
}

// New makes the scenario of a job.
func New(j *job.Job) (load.Scenario, error) {
	o, err := Read(j.Mail)
	if err != nil {
		return nil, err
	}
	if j.Users > o.Mailboxes {
		return nil, fmt.Errorf("users are %d and mail.mailboxes %d: a user has a mailbox of its own", j.Users, o.Mailboxes)
	}
	password, err := job.Secret(o.PasswordFile)
	if err != nil {
		return nil, err
	}
	return &scenario{o: o, password: password, users: j.Users, run: runName(), post: newPost(j.Users)}, nil
}

func runName() string { return strconv.FormatInt(time.Now().UnixNano(), 36) }

func (s *scenario) Operations() []string { return operations }

// Choose lets every user be as likely: an arrival is for one of them.
func (s *scenario) Choose(users int, random *rand.Rand) int { return random.Intn(users) }

func (s *scenario) Shows() string                   { return "delivered" }
func (s *scenario) Watch(recorder *record.Recorder) { s.post.recorder = recorder }

// Settle waits until all that was accepted has been seen.
func (s *scenario) Settle(working context.Context) {
	for s.post.awaited() > 0 {
		select {
		case <-time.After(10 * time.Millisecond):
		case <-working.Done():
			return
		}
	}
}

func (s *scenario) User(index int, random *rand.Rand) load.User {
	one := &session{
		s: s, index: index, random: random, turn: make(chan struct{}, 1), wake: make(chan struct{}, 1),
		over: make(chan struct{}),
	}
	s.sessions = append(s.sessions, one)
	go one.watch()
	return one
}

// token of the next message: the value of its header.
func (s *scenario) token() string {
	return "sent " + s.run + " " + strconv.FormatInt(atomic.AddInt64(&s.sent, 1), 10)
}

// recipients of a message: others, each once; a lone user writes to itself.
func (s *scenario) recipients(from int, random *rand.Rand) []int {
	if s.users == 1 {
		return []int{0}
	}
	wanted := minimum(s.o.howMany(random), s.users-1)
	to := make([]int, 0, wanted)
	taken := map[int]bool{from: true}
	for len(to) < wanted {
		if one := random.Intn(s.users); !taken[one] {
			taken[one] = true
			to = append(to, one)
		}
	}
	return to
}
