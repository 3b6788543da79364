package job

import (
	"strings"
	"testing"
)

func TestWhatIsWrongWithAJobIsSaidByItsField(t *testing.T) {
	const rate = `"arrivals":{"kind":"constant","rate":[{"atS":0,"perS":1}]}`
	for text, word := range map[string]string{
		`{"schema":2,"durationS":1,"users":1,` + rate + `}`:                   "schema",
		`{"schema":1,"durationS":0,"users":1,` + rate + `}`:                   "durationS",
		`{"schema":1,"durationS":1,"users":0,` + rate + `}`:                   "users",
		`{"schema":1,"durationS":1,"users":1}`:                                "arrivals",
		`{"schema":1,"durationS":1,"users":1,"mode":"closed",` + rate + `}`:   "arrivals",
		`{"schema":1,"durationS":1,"users":1,"mode":"sideways",` + rate + `}`: "mode",
		`{"schema":1,"durationS":1,"users":1,"speed":3,` + rate + `}`:         "speed",
		`{"schema":1`: "cannot be read",
	} {
		if _, err := Parse([]byte(text)); err == nil || !strings.Contains(err.Error(), word) {
			t.Errorf("%s: %v", text, err)
		}
	}
	j, err := Parse([]byte(`{"schema":1,"durationS":1,"users":1,` + rate + `}`))
	if err != nil || j.Mode != "open" || j.QueueLimit != 100_000 {
		t.Errorf("%+v %v", j, err)
	}
}
