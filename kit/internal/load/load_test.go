package load

import (
	"bytes"
	"context"
	"encoding/json"
	"math/rand"
	"strings"
	"sync"
	"testing"
	"time"

	"tilekit/internal/job"
	"tilekit/internal/record"
)

// gate is a scenario whose operations wait while it is closed.
type gate struct{ mu sync.RWMutex }

func (g *gate) Operations() []string          { return []string{"even", "odd"} }
func (g *gate) User(i int, _ *rand.Rand) User { return &visitor{g: g, n: i} }

type visitor struct {
	g *gate
	n int
}

func (v *visitor) Next() int               { v.n++; return v.n % 2 }
func (v *visitor) Close()                  {}
func (v *visitor) CycleFloorS(int) float64 { return 0 }
func (v *visitor) Do(op int, _ time.Time) record.Outcome {
	v.g.mu.RLock()
	defer v.g.mu.RUnlock()
	if v.n%97 == 0 {
		return record.Outcome{Class: "status", Requests: 1}
	}
	return record.Outcome{Requests: 1, Bytes: 10}
}

func parse(t *testing.T, text string) *job.Job {
	t.Helper()
	j, err := job.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return j
}

func lines(t *testing.T, out *bytes.Buffer) (all []record.Line) {
	t.Helper()
	for _, text := range strings.Split(strings.TrimSpace(out.String()), "\n") {
		if strings.Contains(text, `"op"`) {
			var line record.Line
			if err := json.Unmarshal([]byte(text), &line); err != nil {
				t.Fatal(err)
			}
			all = append(all, line)
		}
	}
	return all
}

func TestAStallIsSeenFromTheIntendedTimeAndNothingIsLost(t *testing.T) {
	g := &gate{}
	go func() {
		time.Sleep(time.Second)
		g.mu.Lock()
		time.Sleep(500 * time.Millisecond)
		g.mu.Unlock()
	}()
	var out bytes.Buffer
	j := parse(t, `{"schema":1,"scenario":"gate","durationS":3,"users":4,"seed":3,
		"arrivals":{"kind":"constant","rate":[{"atS":0,"perS":200}]}}`)
	end, recorder, err := Run(context.Background(), "test", j, g, &out)
	if err != nil {
		t.Fatal(err)
	}
	if end.Offered < 599 || end.Done+end.Failed["status"] != end.Offered || end.Shed != 0 || end.Unfinished != 0 {
		t.Errorf("not all is accounted for: %+v", end)
	}
	latency, service := recorder.Totals()
	// A sixth of the arrivals waits 0 to 500 ms; from sending, only four did.
	if p := latency.Percentile(95); p < 250_000 {
		t.Errorf("95th percentile from the intended time is %d µs", p)
	}
	if p := service.Percentile(95); p > 50_000 {
		t.Errorf("95th percentile of the service time is %d µs", p)
	}
	var offered, started, whole int64
	var backlog int64
	for _, line := range lines(t, &out) {
		if line.Op == record.All {
			offered += line.Offered
			whole += line.Done
			if line.Backlog > backlog {
				backlog = line.Backlog
			}
		} else {
			started += line.Started
			whole -= line.Done
		}
	}
	if offered != end.Offered || started != end.Offered || whole != 0 {
		t.Errorf("the seconds do not add up: offered %d, started %d, difference %d", offered, started, whole)
	}
}

func TestAFullQueueShedsAndSaysSo(t *testing.T) {
	g := &gate{}
	g.mu.Lock()
	go func() {
		time.Sleep(1200 * time.Millisecond)
		g.mu.Unlock()
	}()
	var out bytes.Buffer
	j := parse(t, `{"schema":1,"scenario":"gate","durationS":1,"users":2,"queueLimit":10,
		"arrivals":{"kind":"poisson","rate":[{"atS":0,"perS":400}]}}`)
	end, _, err := Run(context.Background(), "test", j, g, &out)
	if err != nil {
		t.Fatal(err)
	}
	if end.Shed < 100 || end.Offered != end.Shed+end.Done+end.Failed["status"] {
		t.Errorf("%+v", end)
	}
}

func TestAClosedLoopWaitsForItsAnswersAndThinks(t *testing.T) {
	var out bytes.Buffer
	j := parse(t, `{"schema":1,"scenario":"gate","mode":"closed","durationS":3,"users":50,"cycleS":0.1,"rampUpS":0.5,"seed":9}`)
	end, _, err := Run(context.Background(), "test", j, &gate{}, &out)
	if err != nil {
		t.Fatal(err)
	}
	// 50 users, ten starts a second each, half a second of ramp: about 1,375.
	if end.Offered < 900 || end.Offered > 1_600 || end.Unfinished != 0 {
		t.Errorf("%d operations", end.Offered)
	}
}

func TestAStopEndsSoonAndIsWritten(t *testing.T) {
	g := &gate{}
	g.mu.Lock()
	defer g.mu.Unlock()
	ctx, stop := context.WithCancel(context.Background())
	time.AfterFunc(300*time.Millisecond, stop)
	var out bytes.Buffer
	j := parse(t, `{"schema":1,"scenario":"gate","durationS":1000,"users":2,
		"arrivals":{"kind":"constant","rate":[{"atS":0,"perS":50}]}}`)
	end, _, err := Run(ctx, "test", j, g, &out)
	if err != nil || end.Reason != "stopped" || end.Unfinished != end.Offered || end.Offered == 0 {
		t.Errorf("%+v %v", end, err)
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, bytes.ErrTooLarge }

func TestAnOutputThatCannotBeWrittenEndsTheRun(t *testing.T) {
	j := parse(t, `{"schema":1,"scenario":"gate","durationS":1000,"users":1,
		"arrivals":{"kind":"constant","rate":[{"atS":0,"perS":5}]}}`)
	if _, _, err := Run(context.Background(), "test", j, &gate{}, full{}); err == nil {
		t.Error("it went on")
	}
}

// owned is the gate where each arrival is for one user: for the first three of four.
type owned struct{ gate }

func (o *owned) Choose(users int, random *rand.Rand) int {
	if users > 3 {
		users = 3
	}
	return random.Intn(users)
}

func TestAnArrivalWaitsForItsOwnUserAndIsCounted(t *testing.T) {
	g := &owned{}
	g.mu.Lock()
	go func() {
		time.Sleep(300 * time.Millisecond)
		g.mu.Unlock()
	}()
	var out bytes.Buffer
	j := parse(t, `{"schema":1,"scenario":"gate","durationS":1,"users":4,"queueLimit":50,
		"arrivals":{"kind":"constant","rate":[{"atS":0,"perS":100}]}}`)
	end, _, err := Run(context.Background(), "test", j, g, &out)
	if err != nil {
		t.Fatal(err)
	}
	// Three begin and stand in the gate; all others until it opens wait for them, though the fourth is free.
	if end.UserBusy < 20 || end.UserBusy > end.Offered-3 || end.Unfinished != 0 {
		t.Errorf("%+v", end)
	}
	if end.Offered != end.Done+end.Failed["status"]+end.Shed {
		t.Errorf("not all is accounted for: %+v", end)
	}
}
