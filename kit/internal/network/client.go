package network

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"time"

	"tilekit/internal/job"
)

// How long the server may take for an answer that is no part of the load.
const answerWithin = 5 * time.Second

// connect opens a connection for a part of a load and hears that the server knows it.
func connect(o *Options, id uint64, as string, within time.Duration) (net.Conn, *bufio.Reader, error) {
	conn, err := net.DialTimeout("tcp", o.address(), within)
	if err != nil {
		return nil, nil, err
	}
	_ = conn.SetDeadline(time.Now().Add(within))
	reader := bufio.NewReaderSize(conn, 64<<10)
	err = say(conn, hello{
		Tilekit: "net", Session: id, As: as, Kind: o.Kind, SendBytes: o.SendBytes, ReceiveBytes: o.ReceiveBytes,
	})
	var answer welcome
	if err == nil {
		err = hear(reader, &answer)
	}
	switch {
	case err != nil:
	case answer.Tilekit != "net":
		err = errors.New("it is no tilekit serve")
	case answer.Problem != "":
		err = &job.Problem{Blames: "host", Text: fmt.Sprintf("tilekit serve on %s refuses: %s", o.address(), answer.Problem)}
	}
	if err != nil {
		_ = conn.Close()
		return nil, nil, err
	}
	_ = conn.SetDeadline(time.Time{})
	return conn, reader, nil
}

func hear(reader *bufio.Reader, into interface{}) error {
	text, err := reader.ReadBytes('\n')
	if err != nil {
		return err
	}
	return json.Unmarshal(text, into)
}

// control is the connection over which the server tells what it has counted; opened again where it
// was lost.
type control struct {
	options *Options
	id      uint64
	conn    net.Conn
	reader  *bufio.Reader
}

func (c *control) open() error {
	if c.conn != nil {
		return nil
	}
	var err error
	c.conn, c.reader, err = connect(c.options, c.id, "control", answerWithin)
	return err
}

// ask for the counts; last = the load is over.
func (c *control) ask(last bool) (*Counts, error) {
	if err := c.open(); err != nil {
		return nil, err
	}
	word := "counts\n"
	if last {
		word = "bye\n"
	}
	_ = c.conn.SetDeadline(time.Now().Add(answerWithin))
	_, err := io.WriteString(c.conn, word)
	counts := &Counts{}
	if err == nil {
		err = hear(c.reader, counts)
	}
	if err != nil || last {
		c.close()
	}
	return counts, err
}

func (c *control) close() {
	if c.conn != nil {
		_ = c.conn.Close()
		c.conn = nil
	}
}

// Verify says what is wrong with the server, or between here and it; an error is a *job.Problem.
func Verify(o *Options) error {
	one := &control{options: o, id: newID()}
	if err := one.open(); err != nil {
		return refusal(o, err)
	}
	defer func() { _, _ = one.ask(true) }()
	if o.Protocol != "udp" {
		return nil
	}
	conn, err := net.Dial("udp", o.address())
	if err != nil {
		return &job.Problem{Blames: "host", Text: fmt.Sprintf("no datagram can be sent to %s: %v", o.address(), err)}
	}
	defer conn.Close()
	packet := newPacket(o.SendBytes)
	for number := uint64(0); number < 20; number++ {
		header{session: one.id, number: number}.put(packet)
		if _, err := conn.Write(packet); err != nil {
			return &job.Problem{Blames: "sendBytes", Text: fmt.Sprintf("no datagram of %d bytes can be sent to %s: %v", o.SendBytes, o.address(), err)}
		}
		time.Sleep(50 * time.Millisecond)
		counts, err := one.ask(false)
		if err != nil {
			return refusal(o, err)
		}
		if counts.Packets+counts.Answered > 0 {
			return nil
		}
	}
	return &job.Problem{Blames: "port", Text: fmt.Sprintf(
		"tilekit serve on %s answers by TCP, but of 20 datagrams of %d bytes none arrived", o.address(), o.SendBytes)}
}

func refusal(o *Options, err error) error {
	var problem *job.Problem
	if errors.As(err, &problem) {
		return problem
	}
	var unknown *net.DNSError
	if errors.As(err, &unknown) {
		return &job.Problem{Blames: "host", Text: fmt.Sprintf("the name %s is not known to this client", o.Host)}
	}
	var operation *net.OpError
	if errors.As(err, &operation) && operation.Op == "dial" {
		return &job.Problem{Blames: "port", Text: fmt.Sprintf("no tilekit serve answers on %s: %v", o.address(), operation.Err)}
	}
	return &job.Problem{Blames: "port", Text: fmt.Sprintf("what answers on %s is no tilekit serve", o.address())}
}
