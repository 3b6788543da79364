// Package network is the scenario `net`: packets, requests or streams between this program and its
// own server, which counts for itself what it received.
package network

import (
	"fmt"
	"net"
	"strconv"

	"tilekit/internal/job"
)

// DefaultPort of the server.
const DefaultPort = 5202

// What a load is of.
const (
	kindPackets  = "packets"
	kindRequests = "requests"
	kindStreams  = "streams"
)

// Options of the scenario in a job file.
type Options struct {
	Host string `json:"host"`
	Port int    `json:"port"`
	// "packets": one way, counted where they arrive. "requests": each is answered. "streams": bytes,
	// as many as go through.
	Kind string `json:"kind"`
	// "udp" or "tcp"; streams are of TCP.
	Protocol string `json:"protocol"`
	// Payload of a packet, request or write, and of an answer; without the headers of UDP, TCP and IP.
	SendBytes    int `json:"sendBytes"`
	ReceiveBytes int `json:"receiveBytes"`
	// Streams: "send" or "receive", as the client sees it.
	Direction string `json:"direction"`
	// Packets: look for the highest rate whose loss stays below a bound, and hold it.
	Search *Search `json:"search,omitempty"`
}

// Search for a rate; it begins at FromPerS and doubles.
type Search struct {
	LossPct  float64 `json:"lossPct"`
	StepS    int     `json:"stepS"`
	FromPerS float64 `json:"fromPerS"`
	MaxPerS  float64 `json:"maxPerS"`
}

// The largest payload that one datagram carries over IPv4.
const mostOfDatagram = 65_507

// The largest payload otherwise.
const mostBytes = 1 << 20

// Read takes the options and says what is wrong, by its field.
func Read(text []byte) (*Options, error) {
	o := &Options{
		Port: DefaultPort, Kind: kindPackets, Protocol: "udp", SendBytes: 125, ReceiveBytes: 125, Direction: "send",
	}
	if len(text) == 0 {
		return nil, fmt.Errorf("net is missing: the scenario's host and kind")
	}
	if err := job.Strict(text, o); err != nil {
		return nil, err
	}
	if o.Kind == kindStreams {
		o.Protocol = "tcp"
	}
	most := mostBytes
	if o.Protocol == "udp" {
		most = mostOfDatagram
	}
	switch {
	case o.Host == "":
		return nil, fmt.Errorf("net.host is missing: the machine where tilekit serve runs")
	case o.Port < 1 || o.Port > 65_535:
		return nil, fmt.Errorf("net.port is %d; it is from 1 to 65535", o.Port)
	case o.Kind != kindPackets && o.Kind != kindRequests && o.Kind != kindStreams:
		return nil, fmt.Errorf("net.kind is %q; it is packets, requests or streams", o.Kind)
	case o.Protocol != "udp" && o.Protocol != "tcp":
		return nil, fmt.Errorf("net.protocol is %q; it is udp or tcp", o.Protocol)
	case o.SendBytes < headerBytes || o.SendBytes > most:
		return nil, fmt.Errorf("net.sendBytes is %d; it is from %d to %d", o.SendBytes, headerBytes, most)
	case o.ReceiveBytes < headerBytes || o.ReceiveBytes > most:
		return nil, fmt.Errorf("net.receiveBytes is %d; it is from %d to %d", o.ReceiveBytes, headerBytes, most)
	case o.Direction != "send" && o.Direction != "receive":
		return nil, fmt.Errorf("net.direction is %q; it is send or receive", o.Direction)
	}
	return o, o.checkSearch()
}

func (o *Options) checkSearch() error {
	s := o.Search
	switch {
	case s == nil:
		return nil
	case o.Kind != kindPackets:
		return fmt.Errorf("net.search is for packets; %s have no loss to search by", o.Kind)
	case !(s.LossPct >= 0 && s.LossPct <= 100):
		return fmt.Errorf("net.search.lossPct is %v; it is from 0 to 100", s.LossPct)
	case s.StepS < 1 || s.StepS > 600:
		return fmt.Errorf("net.search.stepS is %d; it is from 1 to 600", s.StepS)
	case !(s.FromPerS >= 1 && s.FromPerS <= 1e6):
		return fmt.Errorf("net.search.fromPerS is %v; it is from 1 to 1000000", s.FromPerS)
	case !(s.MaxPerS >= s.FromPerS && s.MaxPerS <= 1e6):
		return fmt.Errorf("net.search.maxPerS is %v; it is from fromPerS to 1000000", s.MaxPerS)
	}
	return nil
}

func (o *Options) address() string { return net.JoinHostPort(o.Host, strconv.Itoa(o.Port)) }
