package network

import (
	"bufio"
	crypto "crypto/rand"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand"
	"net"
	"sync/atomic"
	"time"

	"tilekit/internal/job"
	"tilekit/internal/load"
	"tilekit/internal/record"
)

// What one operation of a stream is.
const blockBytes = 128 << 10

// Operations by kind.
var operations = map[string]string{kindPackets: "packet", kindRequests: "request", kindStreams: "block"}

type scenario struct {
	options *Options
	id      uint64
	control *control
	seen    *seen
	// How many are not closed yet.
	users int32
}

func newID() uint64 {
	var bytes [8]byte
	_, _ = crypto.Read(bytes[:])
	return binary.BigEndian.Uint64(bytes[:])
}

// New reads the scenario's options from a job, and meets the server.
func New(j *job.Job) (load.Scenario, error) {
	options, err := Read(j.Net)
	if err != nil {
		return nil, err
	}
	if options.Search != nil {
		if j.Mode != "open" {
			return nil, fmt.Errorf("net.search belongs to the open loop")
		}
		// What a client cannot send in time is dropped: it must not burden the next step.
		if j.QueueLimit > searchQueue {
			j.QueueLimit = searchQueue
		}
	}
	s := &scenario{options: options, id: newID()}
	s.control = &control{options: options, id: s.id}
	if err := s.control.open(); err != nil {
		return nil, refusal(options, err)
	}
	if !s.isCounted() {
		return s, nil
	}
	s.seen = newSeen(s, options.Search)
	if options.Search != nil {
		return &watched{scenario: s}, nil
	}
	return &counted{scenario: s}, nil
}

// isCounted says whether the server's count is told: of what goes one way.
func (s *scenario) isCounted() bool {
	return s.options.Kind == kindPackets || s.options.Kind == kindStreams && s.options.Direction == "send"
}

func (s *scenario) Operations() []string { return []string{operations[s.options.Kind]} }

func (s *scenario) User(index int, _ *rand.Rand) load.User {
	atomic.AddInt32(&s.users, 1)
	u := &user{s: s, index: uint32(index)}
	if s.options.Kind != kindStreams {
		u.packet = newPacket(s.options.SendBytes)
		u.answer = make([]byte, s.options.ReceiveBytes)
	} else {
		u.answer = make([]byte, blockBytes)
	}
	return u
}

// counted is a scenario whose work shows at the server; watched is one whose rate is searched too.
type counted struct{ *scenario }
type watched struct{ *scenario }

type user struct {
	s      *scenario
	index  uint32
	conn   net.Conn
	reader *bufio.Reader
	number uint64
	packet []byte
	answer []byte
	// Of a stream: how many bytes went.
	at int64
}

func (u *user) Next() int               { return 0 }
func (u *user) CycleFloorS(int) float64 { return 0 }
func (u *user) Prepare()                { _ = u.open(time.Now().Add(answerWithin)) }
func (u *user) options() *Options       { return u.s.options }
func failed(err error) record.Outcome   { return record.Outcome{Class: record.NetClass(err)} }
func (u *user) isDatagrams() bool       { return u.options().Protocol == "udp" }

// Close lets the server know with the last one that the load is over.
func (u *user) Close() {
	u.drop()
	if atomic.AddInt32(&u.s.users, -1) == 0 && !u.s.isCounted() {
		_, _ = u.s.control.ask(true)
	}
}

func (u *user) drop() {
	if u.conn != nil {
		_ = u.conn.Close()
		u.conn = nil
	}
}

func (u *user) open(deadline time.Time) (err error) {
	if u.conn != nil {
		return nil
	}
	if u.isDatagrams() {
		u.conn, err = net.Dial("udp", u.options().address())
		if err == nil {
			u.reader = nil
		}
		return err
	}
	as := u.options().Kind
	if as == kindStreams {
		as = u.options().Direction
	}
	u.at = 0
	u.conn, u.reader, err = connect(u.options(), u.s.id, as, time.Until(deadline))
	return err
}

func (u *user) Do(_ int, deadline time.Time) record.Outcome {
	if err := u.open(deadline); err != nil {
		return failed(err)
	}
	var out record.Outcome
	switch u.options().Kind {
	case kindPackets:
		out = u.send(deadline)
	case kindRequests:
		out = u.request(deadline)
	default:
		out = u.block(deadline)
	}
	// A datagram that failed leaves nothing behind; a connection is in the midst of something.
	if out.Class != "" && !u.isDatagrams() {
		u.drop()
	}
	return out
}

// send puts one packet on its way.
func (u *user) send(deadline time.Time) record.Outcome {
	second := u.s.seen.second()
	u.number++
	header{session: u.s.id, sender: u.index, second: second, number: u.number}.put(u.packet)
	if !u.isDatagrams() {
		_ = u.conn.SetWriteDeadline(deadline)
	}
	n, err := u.conn.Write(u.packet)
	if err != nil {
		return failed(err)
	}
	u.s.seen.sent(second, 1)
	return record.Outcome{Requests: 1, Bytes: int64(n)}
}

// request waits for the answer that bears its number; a late one to an earlier request is passed over.
func (u *user) request(deadline time.Time) record.Outcome {
	u.number++
	header{session: u.s.id, sender: u.index, number: u.number}.put(u.packet)
	_ = u.conn.SetDeadline(deadline)
	if _, err := u.conn.Write(u.packet); err != nil {
		return failed(err)
	}
	out := record.Outcome{Requests: 1}
	for {
		n, err := len(u.answer), error(nil)
		if u.isDatagrams() {
			n, err = u.conn.Read(u.answer)
		} else {
			_, err = io.ReadFull(u.reader, u.answer)
		}
		if err != nil {
			out.Class = record.NetClass(err)
			return out
		}
		head, ok := readHeader(u.answer[:n])
		if !ok || n != len(u.answer) || !isWhole(u.answer) || head.session != u.s.id || head.number > u.number {
			out.Class = "content"
			return out
		}
		if head.number == u.number && head.sender == u.index {
			out.Bytes = int64(len(u.packet) + n)
			return out
		}
	}
}

// block of a stream: so many bytes more.
func (u *user) block(deadline time.Time) record.Outcome {
	_ = u.conn.SetDeadline(deadline)
	if u.options().Direction == "send" {
		from := u.at % period
		n, err := u.conn.Write(pattern[from : from+blockBytes])
		u.at += int64(n)
		u.s.seen.sent(0, int64(n))
		if err != nil {
			return failed(err)
		}
		return record.Outcome{Requests: 1, Bytes: int64(n)}
	}
	n, err := io.ReadFull(u.reader, u.answer)
	whole := isPattern(u.answer[:n], u.at)
	u.at += int64(n)
	switch {
	case err != nil:
		return record.Outcome{Class: record.NetClass(err), Bytes: int64(n)}
	case !whole:
		return record.Outcome{Class: "content", Bytes: int64(n)}
	}
	return record.Outcome{Requests: 1, Bytes: int64(n)}
}
