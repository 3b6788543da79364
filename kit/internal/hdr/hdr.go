// Package hdr is a histogram with a bounded relative error, in the layout of HdrHistogram.
package hdr

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"math"
	"math/bits"
)

// Two significant digits: a bucket is at most 1/128 of its value wide. Values are microseconds.
const (
	digits        = 2
	halfMagnitude = 7
	halfCount     = 1 << halfMagnitude
	mask          = halfCount<<1 - 1
	// Highest value that is told apart: ten minutes. Above it the last bucket counts.
	highest = 600_000_000
)

var buckets = index(highest) + 1

// Histogram counts microseconds from 0 to ten minutes. Not safe for use from several goroutines.
type Histogram struct {
	counts []int64
	total  int64
	max    int64
	// Highest index that was used, for short copies and encodings.
	top int
}

// New gives an empty histogram.
func New() *Histogram { return &Histogram{counts: make([]int64, buckets), top: -1} }

func index(v int64) int {
	bucket := bits.Len64(uint64(v|mask)) - (halfMagnitude + 1)
	return (bucket+1)<<halfMagnitude + int(v>>uint(bucket)) - halfCount
}

// lowest is the smallest value that falls into the bucket; width is how many values do.
func lowest(i int) (value, width int64) {
	bucket := i>>halfMagnitude - 1
	sub := int64(i&(halfCount-1)) + halfCount
	if bucket < 0 {
		return sub - halfCount, 1
	}
	return sub << uint(bucket), 1 << uint(bucket)
}

// Record counts one value in microseconds; what is below zero counts as zero.
func (h *Histogram) Record(us int64) {
	if us < 0 {
		us = 0
	}
	if us > h.max {
		h.max = us
	}
	if us > highest {
		us = highest
	}
	i := index(us)
	h.counts[i]++
	h.total++
	if i > h.top {
		h.top = i
	}
}

// Add counts all of another histogram.
func (h *Histogram) Add(other *Histogram) {
	for i := 0; i <= other.top; i++ {
		h.counts[i] += other.counts[i]
	}
	h.total += other.total
	if other.top > h.top {
		h.top = other.top
	}
	if other.max > h.max {
		h.max = other.max
	}
}

// Reset empties it.
func (h *Histogram) Reset() {
	for i := 0; i <= h.top; i++ {
		h.counts[i] = 0
	}
	h.total, h.max, h.top = 0, 0, -1
}

// Count is how many values were recorded.
func (h *Histogram) Count() int64 { return h.total }

// Max is the largest value in microseconds, exact.
func (h *Histogram) Max() int64 { return h.max }

// Percentile gives the middle of the bucket in which the p-th percentile lies, in microseconds; 0
// where nothing was recorded.
func (h *Histogram) Percentile(p float64) int64 {
	if h.total == 0 {
		return 0
	}
	wanted := int64(math.Ceil(p / 100 * float64(h.total)))
	if wanted < 1 {
		wanted = 1
	}
	var seen int64
	for i := 0; i <= h.top; i++ {
		seen += h.counts[i]
		if seen >= wanted {
			value, width := lowest(i)
			middle := value + width/2
			if middle > h.max {
				return h.max
			}
			return middle
		}
	}
	return h.max
}

// Cookies of HdrHistogram's second encoding, plain and compressed.
const (
	plainCookie      = 0x1c849303 | 0x10
	compressedCookie = 0x1c849304 | 0x10
)

// Encode gives HdrHistogram's compressed encoding, version 2, in base64: any HdrHistogram library
// reads it.
func (h *Histogram) Encode() string {
	counts := make([]byte, 0, 256)
	for i := 0; i <= h.top; i++ {
		if h.counts[i] != 0 {
			counts = zigzag(counts, h.counts[i])
			continue
		}
		zeros := int64(0)
		for i <= h.top && h.counts[i] == 0 {
			zeros++
			i++
		}
		i--
		counts = zigzag(counts, -zeros)
	}
	var plain bytes.Buffer
	for _, field := range []interface{}{
		int32(plainCookie), int32(len(counts)), int32(0), int32(digits),
		int64(1), int64(highest), float64(1),
	} {
		_ = binary.Write(&plain, binary.BigEndian, field)
	}
	plain.Write(counts)
	var packed bytes.Buffer
	writer := zlib.NewWriter(&packed)
	_, _ = writer.Write(plain.Bytes())
	_ = writer.Close()
	out := make([]byte, 8, 8+packed.Len())
	binary.BigEndian.PutUint32(out[0:], compressedCookie)
	binary.BigEndian.PutUint32(out[4:], uint32(packed.Len()))
	return base64.StdEncoding.EncodeToString(append(out, packed.Bytes()...))
}

// zigzag appends a signed number in seven bits a byte; the ninth byte has eight.
func zigzag(to []byte, n int64) []byte {
	u := uint64(n<<1) ^ uint64(n>>63)
	for i := 0; i < 8; i++ {
		if u < 0x80 {
			return append(to, byte(u))
		}
		to = append(to, byte(u)|0x80)
		u >>= 7
	}
	return append(to, byte(u))
}
