package network

import (
	"sync"
	"time"
)

const (
	// Arrivals that wait while a rate is searched; what is more is dropped, and the step has failed.
	searchQueue = 5_000
	// A client that sends less than this share of a rate cannot hold it.
	heldShare = 0.95
	// The search ends where the lowest rate that failed is at most this much above the best.
	closeEnough = 1.05
)

// Found is the end of a search.
type Found struct {
	// The highest rate that kept the bound; 0 = none did.
	PerS float64 `json:"perS"`
	// Of its step.
	LossPct float64 `json:"lossPct"`
	// What the next higher rate failed by: "loss" or "client"; or "ceiling"; or "time": the load
	// ended before the search.
	LimitedBy string  `json:"limitedBy"`
	Steps     int     `json:"steps"`
	AfterS    float64 `json:"afterS"`
}

// searcher doubles a rate until it fails, and then halves the distance. A step is of whole seconds of
// the sender's clock; while the last of them is judged the best rate goes on.
type searcher struct {
	mu     sync.Mutex
	wanted Search
	rate   float64
	// Seconds of the step: [from, from + stepS).
	from uint32
	sent int64
	took int64
	best Found
	// Lowest rate that failed; 0 = none.
	failed   float64
	failedBy string
	over     bool
}

func newSearcher(wanted Search) *searcher {
	// The first second is of connections that open.
	return &searcher{wanted: wanted, rate: wanted.FromPerS, from: 1}
}

// perS is the rate at a time of the load.
func (s *searcher) perS(at time.Duration) float64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	if second := uint32(at / time.Second); s.over || second < s.from || second >= s.from+uint32(s.wanted.StepS) {
		if s.best.PerS > 0 {
			return s.best.PerS
		}
		return minimum(s.rate, s.wanted.FromPerS)
	}
	return s.rate
}

// judge a second; after the last of a step the next one is chosen.
func (s *searcher) judge(second uint32, sent, received int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over || second < s.from || second >= s.from+uint32(s.wanted.StepS) {
		return
	}
	s.sent += sent
	s.took += received
	if second+1 < s.from+uint32(s.wanted.StepS) {
		return
	}
	s.best.Steps++
	lossPct := 100.0
	if s.sent > 0 {
		lossPct = float64(s.sent-s.took) / float64(s.sent) * 100
	}
	switch {
	case float64(s.sent) < heldShare*s.rate*float64(s.wanted.StepS):
		s.failed, s.failedBy = s.rate, "client"
	case lossPct > s.wanted.LossPct:
		s.failed, s.failedBy = s.rate, "loss"
	default:
		s.best.PerS, s.best.LossPct = s.rate, lossPct
	}
	s.best.AfterS = float64(second + 1)
	s.choose()
	// One whole second between, in which nothing is judged.
	s.from, s.sent, s.took = second+3, 0, 0
}

func (s *searcher) choose() {
	switch {
	case s.failed == 0 && s.best.PerS >= s.wanted.MaxPerS:
		s.over, s.best.LimitedBy = true, "ceiling"
	case s.failed == 0:
		s.rate = minimum(2*s.rate, s.wanted.MaxPerS)
	case s.failed <= 1:
		s.over, s.best.LimitedBy = true, s.failedBy
	case s.best.PerS == 0:
		s.rate = s.failed / 2
	case s.failed <= closeEnough*s.best.PerS:
		s.over, s.best.LimitedBy = true, s.failedBy
	default:
		s.rate = (s.failed + s.best.PerS) / 2
	}
}

// found is how it ended.
func (s *searcher) found() *Found {
	s.mu.Lock()
	defer s.mu.Unlock()
	result := s.best
	if !s.over {
		result.LimitedBy = "time"
	}
	return &result
}

func minimum(a, b float64) float64 {
	if a < b {
		return a
	}
	return b
}
