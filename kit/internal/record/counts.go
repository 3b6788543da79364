package record

import "tilekit/internal/hdr"

type counts struct {
	started, done, requests, bytes int64
	counted                        map[string]int64
	failed                         map[string]int64
	latency, service               *hdr.Histogram
}

func newCounts() *counts {
	return &counts{failed: map[string]int64{}, counted: map[string]int64{}, latency: hdr.New(), service: hdr.New()}
}

func (c *counts) reset() {
	c.started, c.done, c.requests, c.bytes = 0, 0, 0, 0
	c.failed = map[string]int64{}
	c.counted = map[string]int64{}
	c.latency.Reset()
	c.service.Reset()
}

func (c *counts) add(o *counts) {
	c.started += o.started
	c.done += o.done
	c.requests += o.requests
	c.bytes += o.bytes
	for class, n := range o.failed {
		c.failed[class] += n
	}
	for name, n := range o.counted {
		c.counted[name] += n
	}
	c.latency.Add(o.latency)
	c.service.Add(o.service)
}

func lineOf(second int, lengthS float64, op string, c *counts) Line {
	line := Line{Second: second, LengthS: float64(int64(lengthS*1000)) / 1000, Op: op, Started: c.started, Done: c.done, Requests: c.requests, Bytes: c.bytes}
	if len(c.failed) > 0 {
		line.Failed = c.failed
	}
	if len(c.counted) > 0 {
		line.Counts = c.counted
	}
	if c.latency.Count() > 0 {
		line.Latency = c.latency.Encode()
		line.Service = c.service.Encode()
	}
	return line
}
