package network

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tilekit/internal/job"
	"tilekit/internal/load"
	"tilekit/internal/record"
)

// peer is a server in this process; ended holds what it said of each load.
type peer struct {
	address string
	stop    func()
	mu      sync.Mutex
	ended   []Counts
}

func serve(t *testing.T) *peer {
	t.Helper()
	ctx, end := context.WithCancel(context.Background())
	one, ready, over := &peer{}, make(chan string, 1), make(chan error, 1)
	server := Server{Listen: "127.0.0.1:0"}
	go func() {
		over <- server.Serve(ctx, "test", func(address string) { ready <- address }, func(counts Counts) {
			one.mu.Lock()
			one.ended = append(one.ended, counts)
			one.mu.Unlock()
		})
	}()
	select {
	case one.address = <-ready:
	case err := <-over:
		t.Fatal(err)
	}
	var once sync.Once
	one.stop = func() {
		once.Do(func() {
			end()
			if err := <-over; err != nil {
				t.Error(err)
			}
		})
	}
	t.Cleanup(one.stop)
	return one
}

func (p *peer) last(t *testing.T) Counts {
	t.Helper()
	p.stop()
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.ended) == 0 {
		t.Fatal("the server has said nothing")
	}
	return p.ended[len(p.ended)-1]
}

// run offers a load at an address; more is JSON of the job and of its options.
func run(t *testing.T, address, ofJob, ofNet string) (record.End, string, error) {
	t.Helper()
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		t.Fatal(err)
	}
	j, err := job.Parse([]byte(fmt.Sprintf(
		`{"schema":1,"scenario":"net",%s,"net":{"host":%q,"port":%s%s}}`, ofJob, host, port, ofNet)))
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(j)
	if err != nil {
		return record.End{}, "", err
	}
	var out bytes.Buffer
	end, _, err := load.Run(context.Background(), "test", j, s, &out)
	return end, out.String(), err
}

const steady = `"durationS":2,"users":3,"arrivals":{"kind":"constant","rate":[{"atS":0,"perS":500}]}`

func TestPacketsAreCountedAtTheOtherEnd(t *testing.T) {
	for _, protocol := range []string{"udp", "tcp"} {
		p := serve(t)
		end, _, err := run(t, p.address, steady, `,"protocol":"`+protocol+`","sendBytes":200`)
		if err != nil || end.Done < 998 || end.Shown == nil || end.Shown.Done != end.Done || end.Shown.Missing != 0 {
			t.Fatalf("%s: %+v %v", protocol, end, err)
		}
		if own := p.last(t); own.Packets != end.Done || own.Bytes != end.Done*200 || own.Reordered != 0 || own.Duplicates != 0 {
			t.Errorf("%s: the server counted %+v of %d", protocol, own, end.Done)
		}
	}
}

func TestRequestsAreAnsweredAndHeldAgainstWhatWasAsked(t *testing.T) {
	for _, protocol := range []string{"udp", "tcp"} {
		p := serve(t)
		end, _, err := run(t, p.address, steady, `,"kind":"requests","protocol":"`+protocol+`","receiveBytes":3000`)
		if err != nil || end.Done < 998 || end.Done != end.Offered || end.Bytes != end.Done*3125 {
			t.Fatalf("%s: %+v %v", protocol, end, err)
		}
		if own := p.last(t); own.Answered != end.Done {
			t.Errorf("%s: the server answered %d of %d", protocol, own.Answered, end.Done)
		}
	}
}

func TestStreamsCarryWhatBothSidesCount(t *testing.T) {
	const held = `"durationS":1,"users":2,"arrivals":{"kind":"constant","rate":[{"atS":0,"perS":40}]}`
	p := serve(t)
	end, _, err := run(t, p.address, held, `,"kind":"streams"`)
	if err != nil || end.Done < 39 || end.Shown.Expected != end.Bytes || end.Shown.Missing != 0 {
		t.Fatalf("%+v %v", end, err)
	}
	if own := p.last(t); own.Bytes != end.Bytes || own.Damaged != 0 {
		t.Errorf("the server counted %+v of %d", own, end.Bytes)
	}
	end, _, err = run(t, serve(t).address, held, `,"kind":"streams","direction":"receive"`)
	if err != nil || end.Done < 39 || end.Bytes != end.Done*blockBytes || len(end.Failed) > 0 {
		t.Errorf("%+v %v", end, err)
	}
}

// relay stands before a server: TCP goes through, of datagrams it does what a bad line does.
func relay(t *testing.T, to string, carry func(n int, packet []byte, send func([]byte))) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	conn, err := net.ListenPacket("udp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close(); _ = conn.Close() })
	go func() {
		for {
			one, err := listener.Accept()
			if err != nil {
				return
			}
			other, err := net.Dial("tcp", to)
			if err != nil {
				_ = one.Close()
				continue
			}
			pass := func(a, b net.Conn) {
				text := make([]byte, 64<<10)
				for {
					n, err := a.Read(text)
					if n > 0 {
						_, _ = b.Write(text[:n])
					}
					if err != nil {
						_ = b.Close()
						return
					}
				}
			}
			go pass(one, other)
			go pass(other, one)
		}
	}()
	go func() {
		out, err := net.Dial("udp", to)
		if err != nil {
			return
		}
		defer out.Close()
		text := make([]byte, mostOfDatagram)
		for n := 0; ; n++ {
			size, _, err := conn.ReadFrom(text)
			if err != nil {
				return
			}
			carry(n, append([]byte{}, text[:size]...), func(packet []byte) { _, _ = out.Write(packet) })
		}
	}()
	return listener.Addr().String()
}

func TestLossOrderCopiesAndDamageAreToldApart(t *testing.T) {
	p := serve(t)
	var lost, damaged, copied, late int64
	var held []byte
	address := relay(t, p.address, func(n int, packet []byte, send func([]byte)) {
		switch {
		case n%10 == 3:
			lost++
			return
		case n%50 == 4:
			packet[headerBytes+5] ^= 1
			damaged++
		case n%50 == 16:
			send(packet)
			copied++
		case n%50 == 21 && held == nil:
			held = packet
			return
		}
		send(packet)
		if held != nil && n%50 == 25 {
			send(held)
			held = nil
			late++
		}
	})
	end, text, err := run(t, address, `"durationS":3,"users":1,"arrivals":{"kind":"constant","rate":[{"atS":0,"perS":400}]}`, "")
	if err != nil {
		t.Fatal(err)
	}
	own := p.last(t)
	missing := lost + damaged
	if held != nil {
		missing++
	}
	if end.Shown.Missing != missing || own.Damaged != damaged || own.Duplicates != copied || own.Reordered != late {
		t.Errorf("lost %d, damaged %d, copied %d, late %d: %+v and %+v", lost, damaged, copied, late, own, end.Shown)
	}
	if counts := end.Shown.Counts; counts["duplicates"] != copied || counts["reordered"] != late || counts["damaged"] != damaged {
		t.Errorf("%+v", counts)
	}
	// Each whole second tells its own loss: twelve in a hundred.
	seconds := 0
	for _, one := range strings.Split(text, "\n") {
		var line record.Line
		if json.Unmarshal([]byte(one), &line) == nil && line.Op == "received" && line.Expected > 390 {
			seconds++
			if loss := float64(line.Expected-line.Done) / float64(line.Expected) * 100; loss < 11 || loss > 13 {
				t.Errorf("a second lost %v %%", loss)
			}
		}
	}
	if seconds < 2 {
		t.Errorf("%d seconds were judged", seconds)
	}
}

func TestALossySecondEndsTheSearchAndTheRateBelowIsHeld(t *testing.T) {
	p := serve(t)
	var second, carried int64
	address := relay(t, p.address, func(_ int, packet []byte, send func([]byte)) {
		if now := time.Now().Unix(); atomic.SwapInt64(&second, now) != now {
			carried = 0
		}
		if carried++; carried <= 1_500 {
			send(packet)
		}
	})
	end, _, err := run(t, address, `"durationS":13,"users":1,"arrivals":{"kind":"constant","rate":[{"atS":0,"perS":1}]}`,
		`,"search":{"lossPct":1,"stepS":1,"fromPerS":200,"maxPerS":100000}`)
	found, is := end.Found.(*Found)
	// The relay's seconds are not the sender's: a step of 1,600 may pass through two of them.
	if err != nil || !is || found.PerS < 700 || found.PerS > 2_500 || found.LimitedBy == "ceiling" {
		t.Errorf("%+v %+v %v", found, end, err)
	}
}

func TestAServerThatGoesIsNotCalledLoss(t *testing.T) {
	p := serve(t)
	time.AfterFunc(700*time.Millisecond, p.stop)
	end, _, err := run(t, p.address, `"durationS":2,"drainS":1,"users":2,"timeoutMs":500,"arrivals":{"kind":"constant","rate":[{"atS":0,"perS":100}]}`, "")
	if err != nil || !end.Shown.NotCounted || end.Done == 0 {
		t.Errorf("%+v %v", end.Shown, err)
	}
}

func TestRequestsThatNobodyAnswersFailInTime(t *testing.T) {
	p := serve(t)
	address := relay(t, p.address, func(int, []byte, func([]byte)) {})
	end, _, err := run(t, address, `"durationS":1,"users":4,"timeoutMs":100,"arrivals":{"kind":"constant","rate":[{"atS":0,"perS":20}]}`,
		`,"kind":"requests","protocol":"udp"`)
	if err != nil || end.Failed["timeout"] != end.Offered || end.Offered < 19 {
		t.Errorf("%+v %v", end, err)
	}
}

func options(t *testing.T, address string, more string) *Options {
	t.Helper()
	host, port, _ := net.SplitHostPort(address)
	o, err := Read([]byte(fmt.Sprintf(`{"host":%q,"port":%s%s}`, host, port, more)))
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func TestWhatIsWrongWithTheOtherSideIsSaid(t *testing.T) {
	p := serve(t)
	if err := Verify(options(t, p.address, "")); err != nil {
		t.Error(err)
	}
	silent := relay(t, p.address, func(int, []byte, func([]byte)) {})
	other, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	go func() {
		for {
			conn, err := other.Accept()
			if err != nil {
				return
			}
			_, _ = conn.Write([]byte("220 mail\r\n"))
		}
	}()
	nobody, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = nobody.Close()
	for address, says := range map[string]string{
		silent:                     "of 20 datagrams of 125 bytes none arrived",
		other.Addr().String():      "is no tilekit serve",
		nobody.Addr().String():     "no tilekit serve answers",
		"no-such-host.invalid:502": "is not known",
	} {
		err := Verify(options(t, address, ""))
		if problem, is := err.(*job.Problem); !is || !strings.Contains(problem.Text, says) || problem.Blames == "" {
			t.Errorf("%s: %v", says, err)
		}
	}
}

func TestOptionsThatCannotBeAreNamed(t *testing.T) {
	for text, says := range map[string]string{
		`{}`:                             "net.host",
		`{"host":"a","port":70000}`:      "net.port",
		`{"host":"a","kind":"x"}`:        "net.kind",
		`{"host":"a","protocol":"x"}`:    "net.protocol",
		`{"host":"a","sendBytes":31}`:    "net.sendBytes",
		`{"host":"a","sendBytes":65508}`: "net.sendBytes",
		`{"host":"a","receiveBytes":2000000,"protocol":"tcp"}`: "net.receiveBytes",
		`{"host":"a","direction":"x"}`:                         "net.direction",
		`{"host":"a","kind":"requests","search":{"stepS":1}}`:  "net.search",
		`{"host":"a","search":{"stepS":0}}`:                    "stepS",
		`{"host":"a","search":{"stepS":1,"fromPerS":0}}`:       "fromPerS",
		`{"host":"a","search":{"stepS":1,"fromPerS":9}}`:       "maxPerS",
		`{"host":"a","search":{"lossPct":-1,"stepS":1}}`:       "lossPct",
		`{"host":"a","sent":1}`:                                "sent",
	} {
		if _, err := Read([]byte(text)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestStrangersGetNothing(t *testing.T) {
	p := serve(t)
	conn, err := net.Dial("udp", p.address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	packet := newPacket(125)
	header{session: 99, number: 1}.put(packet)
	for _, one := range [][]byte{packet, []byte("x"), {}} {
		if _, err := conn.Write(one); err != nil {
			t.Fatal(err)
		}
	}
	// The server still counts for those it knows, and has answered nobody.
	if err := Verify(options(t, p.address, `,"kind":"requests"`)); err != nil {
		t.Error(err)
	}
	_ = conn.SetReadDeadline(time.Now().Add(100 * time.Millisecond))
	if n, err := conn.Read(packet); err == nil {
		t.Errorf("it answered %d bytes", n)
	}
	link, err := net.Dial("tcp", p.address)
	if err != nil {
		t.Fatal(err)
	}
	defer link.Close()
	_, _ = link.Write([]byte(strings.Repeat("x", 100<<10)))
	_ = link.SetReadDeadline(time.Now().Add(5 * time.Second))
	if n, err := link.Read(packet); err == nil {
		t.Errorf("it said %q", packet[:n])
	}
}
