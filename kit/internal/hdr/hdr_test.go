package hdr

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"io"
	"math"
	"math/rand"
	"sort"
	"testing"
)

// vector was encoded here and read by HdrHistogram's own Go library (hdrhistogram-go 1.1.2), which
// found it equal to its own histogram of the same values.
const vector = "HISTFAAAADd4nJJpmSzMwMAgwgABTFCaEUQoH3ZjsP8AlWDqZmbKZmL5yMzSyc70lIdpsxATIAAA//+9UggC"

func sample() *Histogram {
	h := New()
	for _, us := range []int64{0, 1, 200, 255, 256, 257, 1_000, 1_000, 12_345, 999_999, 600_000_000} {
		h.Record(us)
	}
	return h
}

// unpack gives what stands inside: how well it is packed depends on the version of Go.
func unpack(t *testing.T, text string) string {
	t.Helper()
	packed, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	reader, err := zlib.NewReader(bytes.NewReader(packed[8:]))
	if err != nil {
		t.Fatal(err)
	}
	plain, err := io.ReadAll(reader)
	if err != nil {
		t.Fatal(err)
	}
	return string(plain)
}

func TestEncodingIsTheOneThatOtherLibrariesRead(t *testing.T) {
	if got := sample().Encode(); unpack(t, got) != unpack(t, vector) {
		t.Fatalf("the encoding is %s", got)
	}
}

func TestPercentilesLieWithinOnePartIn128(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	h, parts := New(), []*Histogram{New(), New()}
	var values []int64
	for i := 0; i < 20_000; i++ {
		us := int64(math.Exp(random.Float64() * 18))
		values = append(values, us)
		h.Record(us)
		parts[i%2].Record(us)
	}
	sort.Slice(values, func(a, b int) bool { return values[a] < values[b] })
	sum := New()
	for _, part := range parts {
		sum.Add(part)
	}
	for _, p := range []float64{0, 1, 50, 90, 99, 99.9, 100} {
		rank := int(math.Ceil(p/100*float64(len(values)))) - 1
		if rank < 0 {
			rank = 0
		}
		exact := float64(values[rank])
		if got := float64(h.Percentile(p)); math.Abs(got-exact) > exact/128+1 {
			t.Errorf("percentile %v is %v, not %v", p, got, exact)
		}
		if h.Percentile(p) != sum.Percentile(p) {
			t.Errorf("percentile %v of the parts together is another one", p)
		}
	}
	if h.Count() != 20_000 || h.Max() != values[len(values)-1] {
		t.Errorf("count %d, largest %d", h.Count(), h.Max())
	}
	h.Reset()
	if h.Count() != 0 || h.Percentile(99) != 0 || h.Encode() != New().Encode() {
		t.Error("an emptied histogram holds something")
	}
}

func TestStrangeValuesAreCounted(t *testing.T) {
	h := New()
	h.Record(-5)
	h.Record(1 << 60)
	if h.Count() != 2 || h.Percentile(1) != 0 {
		t.Errorf("count %d, first %d", h.Count(), h.Percentile(1))
	}
}
