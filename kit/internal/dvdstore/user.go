package dvdstore

import (
	"errors"
	"math/rand"
	"time"

	"tilekit/internal/db"
	"tilekit/internal/job"
	"tilekit/internal/load"
	"tilekit/internal/record"
)

type scenario struct {
	o     *Options
	scale Scale
	// Where its users go, one after the other.
	places []place
}

// place is a node of the database, or a web tier.
type place struct {
	address string
	enter   func() shop
}

// New reads the scenario's options from a job, and looks whether the data set is there.
func New(j *job.Job) (load.Scenario, error) {
	o, err := Read(j.Dvdstore)
	if err != nil {
		return nil, err
	}
	if err := Verify(o); err != nil {
		return nil, err
	}
	scale, err := scaleOf(o.Size)
	if err != nil {
		return nil, err
	}
	s := &scenario{o: o, scale: scale}
	if len(o.Tiers) > 0 {
		for _, tier := range o.Tiers {
			s.places = append(s.places, placeOfTier(tier))
		}
		return s, nil
	}
	targets, err := o.targets()
	if err != nil {
		return nil, err
	}
	for _, target := range targets {
		s.places = append(s.places, placeOfNode(target))
	}
	return s, nil
}

func placeOfNode(target db.Target) place {
	return place{address: target.Address, enter: func() shop { return &session{target: target} }}
}

// One operation: an order from log-in to purchase. Its time is the sum of its calls.
func (s *scenario) Operations() []string { return []string{"order"} }

func (s *scenario) User(index int, random *rand.Rand) load.User {
	at := s.places[index%len(s.places)]
	return &user{s: s, random: random, place: at, shop: at.enter()}
}

type user struct {
	s      *scenario
	random *rand.Rand
	place  place
	shop   shop
}

func (u *user) Next() int               { return 0 }
func (u *user) CycleFloorS(int) float64 { return 0 }

// Prepare logs in before the user's turn: DVD Store's time of an order has no log-in to the database.
// What fails here fails again, and is counted, with its first order.
func (u *user) Prepare() { _ = u.shop.begin(time.Now().Add(logInLimit)) }

func (u *user) Close() { u.shop.close() }

func (u *user) Do(_ int, deadline time.Time) record.Outcome {
	before := u.shop.bytes()
	order := &order{shop: u.shop, o: u.s.o, scale: u.s.scale, random: u.random, counts: map[string]int64{}}
	err := order.run(deadline)
	out := record.Outcome{Requests: order.steps, Counts: order.counts}
	if err != nil {
		out.Class = classOf(err)
		u.shop.failed(err)
		var tier *tierError
		if errors.As(err, &tier) && tier.node != "" {
			out.Counts[failedAt(tier.node+" behind "+u.place.address, tier.why)]++
		} else if len(u.s.places) > 1 {
			out.Counts[failedAt(u.place.address, out.Class)]++
		}
	} else if len(u.s.places) > 1 {
		out.Counts["done "+u.place.address]++
	}
	out.Bytes = u.shop.bytes() - before
	return out
}

// failedAt is the name under which the failures of a place are counted.
func failedAt(place, class string) string { return "failed " + place + " " + class }

func classOf(err error) string {
	var tier *tierError
	switch {
	case errors.Is(err, errContent):
		return "content"
	case errors.As(err, &tier):
		return tier.class
	}
	return db.Class(err)
}
