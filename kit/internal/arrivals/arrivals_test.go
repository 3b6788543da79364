package arrivals

import (
	"math"
	"testing"
)

func times(t *testing.T, p Pattern, seconds float64) []float64 {
	t.Helper()
	if err := p.Check(); err != nil {
		t.Fatal(err)
	}
	schedule := New(p, seconds, 7)
	var all []float64
	for {
		at, more := schedule.Next()
		if !more {
			return all
		}
		if n := len(all); n > 0 && at.Seconds() < all[n-1] {
			t.Fatalf("arrival %d is before the one before it", n)
		}
		all = append(all, at.Seconds())
	}
}

func between(all []float64, from, to float64) (n int) {
	for _, at := range all {
		if at > from && at <= to {
			n++
		}
	}
	return n
}

func TestConstantSpacing(t *testing.T) {
	all := times(t, Pattern{Kind: "constant", Rate: []Point{{PerS: 100}}}, 10)
	if len(all) < 999 || len(all) > 1000 {
		t.Fatalf("%d arrivals", len(all))
	}
	for i := 1; i < len(all); i++ {
		if math.Abs(all[i]-all[i-1]-0.01) > 1e-6 {
			t.Fatalf("a gap of %v", all[i]-all[i-1])
		}
	}
}

func TestPoissonHasTheMeanAndTheSpreadOfOne(t *testing.T) {
	all := times(t, Pattern{Kind: "poisson", Rate: []Point{{PerS: 1000}}}, 100)
	if n := len(all); math.Abs(float64(n)-100_000) > 4*math.Sqrt(100_000) {
		t.Errorf("%d arrivals in 100 s at 1,000/s", n)
	}
	var sum, squares float64
	for i := 1; i < len(all); i++ {
		gap := all[i] - all[i-1]
		sum += gap
		squares += gap * gap
	}
	n := float64(len(all) - 1)
	// Deviation and mean of exponential gaps are equal.
	if ratio := math.Sqrt(squares/n-sum*sum/n/n) / (sum / n); ratio < 0.97 || ratio > 1.03 {
		t.Errorf("deviation by mean is %v", ratio)
	}
	again := times(t, Pattern{Kind: "poisson", Rate: []Point{{PerS: 1000}}}, 100)
	if len(again) != len(all) || again[999] != all[999] {
		t.Error("the same seed gives other times")
	}
}

func TestRampsGrowAndStay(t *testing.T) {
	p := Pattern{Kind: "constant", Rate: []Point{{AtS: 0, PerS: 0}, {AtS: 10, PerS: 100}}}
	all := times(t, p, 20)
	// A triangle of 500, then a hundred a second.
	for _, one := range []struct {
		from, to float64
		want     int
	}{{0, 5, 125}, {5, 10, 375}, {10, 20, 1000}} {
		if got := between(all, one.from, one.to); got < one.want-1 || got > one.want+1 {
			t.Errorf("%d arrivals from %v to %v s, not %d", got, one.from, one.to, one.want)
		}
	}
	if mean := p.MeanPerS(20); math.Abs(mean-75) > 0.01 {
		t.Errorf("mean %v", mean)
	}
}

func TestOnAndOffInTurns(t *testing.T) {
	all := times(t, Pattern{Kind: "poisson", Rate: []Point{{PerS: 500}}, OnS: 2, OffS: 3}, 10)
	if n := between(all, 2, 5) + between(all, 7, 10); n != 0 {
		t.Errorf("%d arrivals while it is off", n)
	}
	if n := between(all, 5, 7); n < 850 || n > 1150 {
		t.Errorf("%d arrivals in the second turn", n)
	}
}

func TestARateOfZeroEnds(t *testing.T) {
	if n := len(times(t, Pattern{Kind: "constant", Rate: []Point{{PerS: 0}}}, 1e6)); n != 0 {
		t.Errorf("%d arrivals", n)
	}
}

func TestWhatIsNoScheduleIsRefused(t *testing.T) {
	one := []Point{{PerS: 1}}
	for name, p := range map[string]Pattern{
		"kind":    {Kind: "bursty", Rate: one},
		"no rate": {Kind: "constant"},
		"below":   {Kind: "constant", Rate: []Point{{PerS: -1}}},
		"NaN":     {Kind: "constant", Rate: []Point{{PerS: math.NaN()}}},
		"order":   {Kind: "constant", Rate: []Point{{AtS: 5, PerS: 1}, {AtS: 5, PerS: 2}}},
		"only on": {Kind: "constant", Rate: one, OnS: 1},
	} {
		if p.Check() == nil {
			t.Errorf("%s is taken", name)
		}
	}
}
