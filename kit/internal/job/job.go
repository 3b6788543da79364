// Package job reads what is to be run: a file of JSON, never a command line.
package job

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"

	"tilekit/internal/arrivals"
)

// Schema is the version of job files.
const Schema = 1

// Job is one load on one target.
type Job struct {
	Schema   int    `json:"schema"`
	Scenario string `json:"scenario"`
	Seed     int64  `json:"seed"`
	// How long work is offered; what waits then is still done, for drainS at most.
	DurationS float64 `json:"durationS"`
	DrainS    float64 `json:"drainS"`
	// How many whole seconds a line is about.
	EveryS int `json:"everyS"`
	// "open": work is due by a schedule, whether or not the work before it is done. "closed": each
	// user waits for its answer and then thinks.
	Mode  string `json:"mode"`
	Users int    `json:"users"`
	// Open loop only.
	Arrivals *arrivals.Pattern `json:"arrivals,omitempty"`
	// Parts of the users that have a time of their own: user i is of part i modulo their number, and the
	// open loop's rate is shared by users. Absent = all are there from start to end.
	Parts []Part `json:"parts,omitempty"`
	// Most arrivals that wait for a free user; further ones are shed, and counted.
	QueueLimit int `json:"queueLimit"`
	// Closed loop only: mean seconds from start to start, negative exponential; and over how many
	// seconds the users begin (in the open loop too, where users log in: mail).
	CycleS  float64 `json:"cycleS,omitempty"`
	RampUpS float64 `json:"rampUpS,omitempty"`
	// Closed loop, in place of cycleS: the mean pause after an answer, uniform from 0 to twice this.
	ThinkS float64 `json:"thinkS,omitempty"`
	// An operation that takes longer has failed.
	TimeoutMs int `json:"timeoutMs"`
	// A second in which this program was later than this is the client's own.
	LatenessLimitMs float64 `json:"latenessLimitMs"`
	// Parameters of the scenario; read by it.
	Web      json.RawMessage `json:"web,omitempty"`
	Dvdstore json.RawMessage `json:"dvdstore,omitempty"`
	Mail     json.RawMessage `json:"mail,omitempty"`
	Net      json.RawMessage `json:"net,omitempty"`
	Orders   json.RawMessage `json:"orders,omitempty"`
	File     json.RawMessage `json:"file,omitempty"`
}

// Part of the users, with the time in which it works.
type Part struct {
	// From the start of the load; a ramp, and the points of a rate, begin then.
	StartS float64 `json:"startS,omitempty"`
	// On and off in turns from then, beginning with on; 0 = on to the end. What is under way when a turn
	// ends is brought to its end.
	OnS  float64 `json:"onS,omitempty"`
	OffS float64 `json:"offS,omitempty"`
}

// mostParts: ours.
const mostParts = 64

// Next is the first time, from the start of the load, at which the part is on and that is not before
// this one.
func (p Part) Next(atS float64) float64 {
	if atS < p.StartS {
		return p.StartS
	}
	if p.OnS <= 0 {
		return atS
	}
	cycle := p.OnS + p.OffS
	into := math.Mod(atS-p.StartS, cycle)
	if into < p.OnS {
		return atS
	}
	return atS + cycle - into
}

func (j *Job) checkParts() error {
	if len(j.Parts) > mostParts || len(j.Parts) > j.Users {
		return fmt.Errorf("parts are %d; they are %d at most, and no more than users", len(j.Parts), mostParts)
	}
	for i, part := range j.Parts {
		if !(part.StartS >= 0 && part.StartS <= 1e7) {
			return fmt.Errorf("parts[%d].startS is %v; it is from 0 to 10,000,000", i, part.StartS)
		}
		if !(part.OnS >= 0 && part.OnS <= 1e6) || !(part.OffS >= 0 && part.OffS <= 1e6) || (part.OnS > 0) != (part.OffS > 0) {
			return fmt.Errorf("parts[%d].onS and offS are both above 0, or both left out", i)
		}
	}
	return nil
}

// Read takes a job from a file; "-" is standard input.
func Read(path string) (*Job, error) {
	text, err := Text(path)
	if err != nil {
		return nil, err
	}
	return Parse(text)
}

// Text is what stands in a job file; "-" is standard input.
func Text(path string) ([]byte, error) {
	if path == "" {
		return nil, fmt.Errorf("--job is missing")
	}
	if path == "-" {
		return io.ReadAll(io.LimitReader(os.Stdin, 1<<20))
	}
	return os.ReadFile(path)
}

// Parse reads a job and says what is wrong with it, by its field. A field that is not known is
// refused: it would have meant something.
func Parse(text []byte) (*Job, error) {
	j := &Job{DrainS: 10, EveryS: 1, Mode: "open", QueueLimit: 100_000, TimeoutMs: 30_000, LatenessLimitMs: 25}
	if err := Strict(text, j); err != nil {
		return nil, err
	}
	if j.Schema != Schema {
		return nil, fmt.Errorf("schema is %d; this tilekit reads %d", j.Schema, Schema)
	}
	for _, one := range []struct {
		name      string
		value     float64
		low, high float64
	}{
		{"durationS", j.DurationS, 0.1, 1e7},
		{"drainS", j.DrainS, 0, 600},
		{"everyS", float64(j.EveryS), 1, 3_600},
		{"users", float64(j.Users), 1, 100_000},
		{"queueLimit", float64(j.QueueLimit), 1, 10_000_000},
		{"timeoutMs", float64(j.TimeoutMs), 1, 600_000},
		{"latenessLimitMs", j.LatenessLimitMs, 0.1, 60_000},
		{"cycleS", j.CycleS, 0, 3_600},
		{"rampUpS", j.RampUpS, 0, 1e6},
		{"thinkS", j.ThinkS, 0, 3_600},
	} {
		if !(one.value >= one.low && one.value <= one.high) {
			return nil, fmt.Errorf("%s is %v; it is from %v to %v", one.name, one.value, one.low, one.high)
		}
	}
	if err := j.checkParts(); err != nil {
		return nil, err
	}
	switch j.Mode {
	case "open":
		if j.Arrivals == nil {
			return nil, fmt.Errorf("arrivals is missing: the open loop needs a schedule")
		}
		return j, j.Arrivals.Check()
	case "closed":
		if j.Arrivals != nil {
			return nil, fmt.Errorf("arrivals belongs to the open loop; the closed one has users and cycleS")
		}
		if j.CycleS > 0 && j.ThinkS > 0 {
			return nil, fmt.Errorf("cycleS and thinkS are two ways to pause: give one")
		}
		return j, nil
	}
	return nil, fmt.Errorf("mode is %q; it is open or closed", j.Mode)
}

// Strict reads JSON and refuses fields that are not known.
func Strict(text []byte, into interface{}) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return fmt.Errorf("the job cannot be read: %w", err)
	}
	return nil
}
