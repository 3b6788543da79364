package record

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"
)

func TestASecondIsMarkedWhereTheClientWasLateStoodStillOrFull(t *testing.T) {
	var out bytes.Buffer
	r := New(&out, []string{"op"}, Limits{Late: 25 * time.Millisecond, Still: 100 * time.Millisecond, CPUPct: 95})
	flush := func(second int, stood time.Duration, cpuPct float64) {
		if err := r.Flush(second, 1, stood, 0, cpuPct, 2); err != nil {
			t.Fatal(err)
		}
	}
	flush(0, time.Millisecond, 120)
	flush(1, 0, 191)
	// Lines of the seconds in which the whole program was stopped: no arrival tells of it.
	flush(2, 1_500*time.Millisecond, 0)
	r.Started(0, 30*time.Millisecond)
	flush(3, 90*time.Millisecond, 10)
	end, err := r.Finish("done", 4, 1)
	if err != nil {
		t.Fatal(err)
	}
	want := []struct {
		saturated bool
		lateMs    int64
	}{{false, 0}, {true, 0}, {true, 1_500}, {true, 30}}
	var all []Line
	for _, text := range strings.Split(strings.TrimSpace(out.String()), "\n") {
		var line Line
		if err := json.Unmarshal([]byte(text), &line); err == nil && line.Op == All {
			all = append(all, line)
		}
	}
	if len(all) != len(want) || end.Saturated != 3 {
		t.Fatalf("%d lines, %d saturated", len(all), end.Saturated)
	}
	for i, line := range all {
		if line.Saturated != want[i].saturated || line.LateP99Us/1_000 != want[i].lateMs {
			t.Errorf("second %d: %+v", i, line)
		}
	}
}
