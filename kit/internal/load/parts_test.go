package load

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"math/rand"
	"sync"
	"testing"
	"time"

	"tilekit/internal/job"
	"tilekit/internal/record"
)

// diary is a scenario that notes when each of its users was due.
type diary struct {
	mu   sync.Mutex
	dues map[int][]time.Time
}

func (d *diary) Operations() []string          { return []string{"note"} }
func (d *diary) User(i int, _ *rand.Rand) User { return &writer{d: d, i: i} }

type writer struct {
	d *diary
	i int
}

func (w *writer) Next() int               { return 0 }
func (w *writer) Close()                  {}
func (w *writer) CycleFloorS(int) float64 { return 0 }
func (w *writer) Due(at time.Time) {
	w.d.mu.Lock()
	w.d.dues[w.i%2] = append(w.d.dues[w.i%2], at)
	w.d.mu.Unlock()
}
func (w *writer) Do(int, time.Time) record.Outcome {
	time.Sleep(time.Millisecond)
	return record.Outcome{Requests: 1}
}

// duesOf a run by the part of the users, in seconds from its start.
func duesOf(t *testing.T, text string) (map[int][]float64, record.End) {
	t.Helper()
	d := &diary{dues: map[int][]time.Time{}}
	var out bytes.Buffer
	end, _, err := Run(context.Background(), "test", parse(t, text), d, &out)
	if err != nil {
		t.Fatal(err)
	}
	var head record.Head
	first, _ := out.ReadBytes('\n')
	if err := json.Unmarshal(first, &head); err != nil {
		t.Fatal(err)
	}
	dues := map[int][]float64{}
	for part, all := range d.dues {
		for _, at := range all {
			dues[part] = append(dues[part], at.Sub(time.Unix(0, head.StartUnixNs)).Seconds())
		}
	}
	return dues, end
}

const parts = `"parts":[{},{"startS":0.4,"onS":0.2,"offS":0.2}]`

func isOn(at float64) bool {
	const little = 1e-3
	return at > 0.4-little && math.Mod(at-0.4+little, 0.4) < 0.2+2*little
}

func TestInTheOpenLoopAPartOfTheUsersHasItsShareOfTheRateInItsOwnTime(t *testing.T) {
	dues, end := duesOf(t, `{"schema":1,"scenario":"diary","durationS":1.2,"users":3,`+parts+`,
		"arrivals":{"kind":"constant","rate":[{"atS":0,"perS":90}]}}`)
	// 60 a second of two users, 30 of one, who is on for 0.4 s.
	if n := len(dues[0]); n < 71 || n > 72 {
		t.Errorf("%d of the first part", n)
	}
	if n := len(dues[1]); n < 11 || n > 12 {
		t.Errorf("%d of the second part", n)
	}
	for _, at := range dues[1] {
		if !isOn(at) {
			t.Errorf("due at %.3f s, when the part is off", at)
		}
	}
	if end.Done != end.Offered || int(end.Offered) != len(dues[0])+len(dues[1]) {
		t.Errorf("%+v", end)
	}
}

func TestInTheClosedLoopAPartOfTheUsersJoinsLaterAndPausesInItsTurns(t *testing.T) {
	dues, _ := duesOf(t, `{"schema":1,"scenario":"diary","durationS":3,"users":3,"mode":"closed",`+parts+`}`)
	if len(dues[0]) == 0 || len(dues[1]) == 0 {
		t.Fatalf("nothing of a part: %v", dues)
	}
	for _, at := range dues[1] {
		if !isOn(at) {
			t.Errorf("due at %.3f s, when the part is off", at)
		}
	}
}

func TestPartsThatMeanNothingAreRefused(t *testing.T) {
	for _, bad := range []string{`[{},{},{}]`, `[{"onS":1}]`, `[{"offS":1}]`, `[{"startS":-1}]`, `[{"onS":-1,"offS":-1}]`} {
		if _, err := job.Parse([]byte(`{"schema":1,"scenario":"diary","durationS":1,"users":2,"mode":"closed","parts":` + bad + `}`)); err == nil {
			t.Errorf("%s is taken", bad)
		}
	}
	for _, one := range []struct{ at, next float64 }{{0, 10}, {10, 10}, {14, 14}, {15, 30}, {29, 30}, {31, 31}} {
		if next := (job.Part{StartS: 10, OnS: 5, OffS: 15}).Next(one.at); next < one.next-1e-9 || next > one.next+1e-9 {
			t.Errorf("from %v s the next is %v, not %v", one.at, next, one.next)
		}
	}
}
