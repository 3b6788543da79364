package record

// Schema is the version of the lines; readers refuse one they do not know.
const Schema = 1

// All is the operation under which a second stands as a whole.
const All = "*"

// Head is the first line of an output.
type Head struct {
	Kit         string `json:"kit"`
	Schema      int    `json:"schema"`
	StartUnixNs int64  `json:"startUnixNs"`
	Scenario    string `json:"scenario"`
	Mode        string `json:"mode"`
	Seed        int64  `json:"seed"`
}

// Line is one second of one operation. Offered, shed, backlog and lateness are of the whole: what
// waits has no operation yet.
type Line struct {
	Second int    `json:"t"`
	Op     string `json:"op"`
	// How many seconds; the last line may be of fewer.
	LengthS float64 `json:"lengthS"`
	// Arrivals that were due in this second.
	Offered int64 `json:"offered,omitempty"`
	Started int64 `json:"started"`
	Done    int64 `json:"done"`
	// By class: connect, timeout, reset, status, content.
	Failed map[string]int64 `json:"failed,omitempty"`
	// Arrivals that were dropped because the queue was full.
	Shed int64 `json:"shed,omitempty"`
	// Arrivals that wait for a free user at the end of the second.
	Backlog int64 `json:"backlog,omitempty"`
	// Arrivals whose own user was busy when they were due.
	UserBusy int64 `json:"userBusy,omitempty"`
	// Of what shows later than the operation's answer: how much is to show, and what of all of it has
	// not shown at the end of the second. Done = shown.
	Expected int64 `json:"expected,omitempty"`
	Pending  int64 `json:"pending,omitempty"`
	Requests int64 `json:"requests"`
	Bytes    int64 `json:"bytes"`
	// What the scenario counts beside: orders, rollbacks.
	Counts map[string]int64 `json:"counts,omitempty"`
	// How late this program itself was: from the intended time until a free user began.
	LateMeanUs int64 `json:"lateMeanUs,omitempty"`
	LateP99Us  int64 `json:"lateP99Us,omitempty"`
	LateMaxUs  int64 `json:"lateMaxUs,omitempty"`
	// Of one core, in per cent; absent where the system does not tell.
	CPUPct float64 `json:"cpuPct,omitempty"`
	// The client was too slow: what this second says of the server is not to be trusted.
	Saturated bool `json:"saturated,omitempty"`
	// HdrHistograms in microseconds: from the intended time, and from the first byte sent.
	Latency string `json:"latency,omitempty"`
	Service string `json:"service,omitempty"`
}

// End is the last line of an output that is whole.
type End struct {
	End     bool             `json:"end"`
	Reason  string           `json:"reason"`
	Seconds float64          `json:"seconds"`
	Offered int64            `json:"offered"`
	Done    int64            `json:"done"`
	Failed  map[string]int64 `json:"failed,omitempty"`
	Shed    int64            `json:"shed"`
	// Neither done nor failed nor shed when the run ended.
	Unfinished int64            `json:"unfinished"`
	Requests   int64            `json:"requests"`
	Bytes      int64            `json:"bytes"`
	Counts     map[string]int64 `json:"counts,omitempty"`
	UserBusy   int64            `json:"userBusy,omitempty"`
	Shown      *Shown           `json:"shown,omitempty"`
	// What a scenario searched for.
	Found      interface{} `json:"found,omitempty"`
	CPUSeconds float64     `json:"cpuSeconds,omitempty"`
	Saturated  int         `json:"saturatedSeconds"`
	Latency    string      `json:"latency"`
	Service    string      `json:"service"`
}

// Shown is the whole of what shows later than the operation's answer; Missing has not been seen.
type Shown struct {
	Op       string `json:"op"`
	Expected int64  `json:"expected"`
	Done     int64  `json:"done"`
	Missing  int64  `json:"missing"`
	// Of this run and not awaited: the sender was told nothing of them, or they came twice.
	Unasked int64 `json:"unasked,omitempty"`
	// The other side could not be asked at the end: missing is not known.
	NotCounted bool `json:"notCounted,omitempty"`
	// What is counted beside it.
	Counts  map[string]int64 `json:"counts,omitempty"`
	Latency string           `json:"latency"`
	Service string           `json:"service"`
}
