// Package arrivals says when work is due: a rate over time, and how arrivals lie in it.
package arrivals

import (
	"fmt"
	"math"
	"math/rand"
	"time"
)

// Point is a rate at a time; between two points the rate is a straight line, after the last one it
// stays.
type Point struct {
	AtS  float64 `json:"atS"`
	PerS float64 `json:"perS"`
}

// Pattern is a schedule of arrivals.
type Pattern struct {
	// "constant" spacing, or "poisson".
	Kind string `json:"kind"`
	// One point is a constant rate; more are ramps.
	Rate []Point `json:"rate"`
	// On and off in turns, beginning with on; 0 = always on.
	OnS  float64 `json:"onS,omitempty"`
	OffS float64 `json:"offS,omitempty"`
}

// Check says what is wrong with a pattern, in words.
func (p Pattern) Check() error {
	if p.Kind != "constant" && p.Kind != "poisson" {
		return fmt.Errorf("arrivals.kind is %q; it is constant or poisson", p.Kind)
	}
	if len(p.Rate) == 0 {
		return fmt.Errorf("arrivals.rate has no point")
	}
	last := math.Inf(-1)
	for i, point := range p.Rate {
		// Not below, so that NaN is refused too.
		if !(point.PerS >= 0 && point.PerS <= 1e6) || !(point.AtS >= 0 && point.AtS <= 1e7) {
			return fmt.Errorf("arrivals.rate[%d] is not a rate of 0 to 1,000,000 at 0 s or later", i)
		}
		if point.AtS <= last {
			return fmt.Errorf("arrivals.rate[%d] is not later than the one before", i)
		}
		last = point.AtS
	}
	if !(p.OnS >= 0) || !(p.OffS >= 0) || (p.OffS > 0) != (p.OnS > 0) {
		return fmt.Errorf("arrivals.onS and offS are both above 0, or both left out")
	}
	return nil
}

// Times is the same pattern at so many times its rate.
func (p Pattern) Times(share float64) Pattern {
	rate := make([]Point, len(p.Rate))
	for i, point := range p.Rate {
		rate[i] = Point{AtS: point.AtS, PerS: point.PerS * share}
	}
	p.Rate = rate
	return p
}

// MeanPerS is the mean rate in the first seconds.
func (p Pattern) MeanPerS(seconds float64) float64 {
	sum := 0.0
	for at := 0.0; at < seconds; {
		end := math.Min(p.edge(at), seconds)
		sum += p.area(at, end)
		at = end
	}
	return sum / seconds
}

// edge is the next time after `at` at which the rate bends, starts or stops.
func (p Pattern) edge(at float64) float64 {
	next := math.Inf(1)
	for _, point := range p.Rate {
		if point.AtS > at {
			next = point.AtS
			break
		}
	}
	if p.OnS > 0 {
		cycle := p.OnS + p.OffS
		start := math.Floor(at/cycle) * cycle
		for _, turn := range []float64{start + p.OnS, start + cycle, start + cycle + p.OnS} {
			// Rounding must not give the same time again.
			if turn > at+1e-9 {
				next = math.Min(next, turn)
				break
			}
		}
	}
	return next
}

// line is the straight line of the rate between points, on or off apart.
func (p Pattern) line(at float64) float64 {
	before := p.Rate[0]
	for _, point := range p.Rate {
		if point.AtS > at {
			if point.AtS == before.AtS {
				break
			}
			share := math.Max(0, (at-before.AtS)/(point.AtS-before.AtS))
			return before.PerS + share*(point.PerS-before.PerS)
		}
		before = point
	}
	return before.PerS
}

func (p Pattern) on(at float64) bool {
	return p.OnS == 0 || math.Mod(at, p.OnS+p.OffS) < p.OnS
}

// area is how many arrivals are due between two times without an edge between them.
func (p Pattern) area(from, to float64) float64 {
	if !p.on((from + math.Min(to, from+1)) / 2) {
		return 0
	}
	if math.IsInf(to, 1) {
		return math.Inf(1)
	}
	return (p.line(from) + p.line(to)) / 2 * (to - from)
}

// Schedule gives one arrival after the other.
type Schedule struct {
	pattern Pattern
	random  *rand.Rand
	at      float64
	endS    float64
}

// New starts a schedule of so many seconds; the same seed gives the same times.
func New(p Pattern, seconds float64, seed int64) *Schedule {
	return &Schedule{pattern: p, random: rand.New(rand.NewSource(seed)), endS: seconds}
}

// Next is when the next arrival is due, from the start; false after the last one.
func (s *Schedule) Next() (time.Duration, bool) {
	due := 1.0
	if s.pattern.Kind == "poisson" {
		due = s.random.ExpFloat64()
	}
	for {
		end := math.Min(s.pattern.edge(s.at), s.endS)
		area := s.pattern.area(s.at, end)
		if area >= due {
			s.at += s.solve(s.at, end, due)
			return time.Duration(s.at * float64(time.Second)), true
		}
		due -= area
		s.at = end
		if end >= s.endS {
			return 0, false
		}
	}
}

// solve gives after how many seconds `due` arrivals were due on the straight line from a to b.
func (s *Schedule) solve(a, b, due float64) float64 {
	from := s.pattern.line(a)
	slope := (s.pattern.line(b) - from) / (b - a)
	if math.Abs(slope) < 1e-9 {
		return due / from
	}
	return 2 * due / (from + math.Sqrt(math.Max(0, from*from+2*slope*due)))
}

// Paced gives one arrival after the other at a rate that is asked for anew before each.
func Paced(p Pattern, perS func(at time.Duration) float64, seconds float64, seed int64) func() (time.Duration, bool) {
	random := rand.New(rand.NewSource(seed))
	at := 0.0
	return func() (time.Duration, bool) {
		due := 1.0
		if p.Kind == "poisson" {
			due = random.ExpFloat64()
		}
		at += due / perS(time.Duration(at*float64(time.Second)))
		return time.Duration(at * float64(time.Second)), at < seconds
	}
}
