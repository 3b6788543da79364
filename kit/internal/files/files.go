package files

import (
	"fmt"
	"math/rand"
	"strconv"
	"time"

	"tilekit/internal/job"
	"tilekit/internal/load"
)

type scenario struct {
	o        *Options
	password string
	// Tells what this run makes from what others made.
	run string
	// Of the first writing; later ones count on.
	generation uint32
}

// New makes the scenario of a job.
func New(j *job.Job) (load.Scenario, error) {
	o, err := Read(j.File)
	if err != nil {
		return nil, err
	}
	if j.Users > o.Users {
		return nil, fmt.Errorf("users are %d and file.users %d: a user has a folder of its own", j.Users, o.Users)
	}
	password, err := o.secret()
	if err != nil {
		return nil, err
	}
	now := time.Now()
	return &scenario{
		o: o, password: password, run: strconv.FormatInt(now.UnixNano(), 36),
		generation: uint32(now.Unix()) | 2,
	}, nil
}

func (s *scenario) Operations() []string { return operations }

// Choose lets every user be as likely: an arrival is for one of them.
func (s *scenario) Choose(users int, random *rand.Rand) int { return random.Intn(users) }

func (s *scenario) User(index int, random *rand.Rand) load.User {
	one := &user{
		s: s, index: index, dice: random, random: rand.New(rand.NewSource(random.Int63())),
		generation: s.generation, gone: map[string]bool{},
	}
	for file := 0; file < s.o.Files; file++ {
		one.files = append(one.files, &kept{name: setFile(file), id: file})
	}
	return one
}
