package network

import (
	"math"
	"testing"
	"time"
)

func TestEachPacketCountsOnceInWhateverOrder(t *testing.T) {
	one := newSession(hello{Session: 7})
	take := func(numbers ...uint64) {
		for _, number := range numbers {
			one.packet(header{session: 7, sender: 1, second: 3, number: number}, 100, true)
		}
	}
	take(5, 6, 8, 7, 8, 4)
	take(window+20, 9, 10, window+20)
	// Behind the window nobody can tell a copy from a packet: it does not count.
	take(11, 2)
	one.packet(header{session: 7, sender: 2, second: 4, number: 1}, 100, true)
	one.packet(header{session: 7, sender: 2, second: 4, number: 2}, 100, false)
	counts := one.told(true)
	if counts.Packets != 7 || counts.Bytes != 700 || counts.Reordered != 2 || counts.Duplicates != 6 || counts.Damaged != 1 {
		t.Errorf("%+v", counts)
	}
	if counts.Seconds[3] != 6 || counts.Seconds[4] != 1 {
		t.Errorf("%+v", counts.Seconds)
	}
}

func TestOnlyTheLastSecondsAreKept(t *testing.T) {
	one := newSession(hello{})
	for second := uint32(0); second < 1_000; second++ {
		one.packet(header{second: second, number: uint64(second)}, 1, true)
	}
	counts := one.told(true)
	if len(counts.Seconds) != keptSeconds || counts.Seconds[999] != 1 || counts.Packets != 1_000 {
		t.Errorf("%d seconds, %d packets", len(counts.Seconds), counts.Packets)
	}
}

// search runs a searcher against a line that carries so much, second by second.
func search(wanted Search, carries, sends float64, seconds int) *Found {
	s := newSearcher(wanted)
	for second := 0; second < seconds; second++ {
		rate := s.perS(time.Duration(second) * time.Second)
		sent := minimum(rate, sends)
		s.judge(uint32(second), int64(math.Ceil(sent)), int64(minimum(math.Ceil(sent), carries)))
	}
	return s.found()
}

func TestTheHighestRateIsFoundAndWhatLimitsIt(t *testing.T) {
	wanted := Search{LossPct: 0.1, StepS: 2, FromPerS: 1_000, MaxPerS: 100_000}
	for _, one := range []struct {
		name           string
		carries, sends float64
		from, to       float64
		by             string
	}{
		{"a line that is full", 12_345, 1e9, 11_700, 12_358, "loss"},
		{"a client that is too slow", 1e9, 30_000, 28_000, 31_579, "client"},
		{"neither", 1e9, 1e9, 100_000, 100_000, "ceiling"},
		{"a line that is full at the first step", 90, 1e9, 85, 91, "loss"},
		{"a line that carries nothing", 0, 1e9, 0, 0, "loss"},
	} {
		found := search(wanted, one.carries, one.sends, 200)
		if found.PerS < one.from || found.PerS > one.to || found.LimitedBy != one.by || found.LossPct > 0.1 {
			t.Errorf("%s: %+v", one.name, found)
		}
	}
	if found := search(wanted, 12_345, 1e9, 12); found.LimitedBy != "time" || found.PerS < 1_000 {
		t.Errorf("a load that ended before: %+v", found)
	}
}
