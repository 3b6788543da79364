// Package smb is a small client of SMB 2.0.2 and 2.1 (MS-SMB2), as much as the scenario file needs:
// one request at a time, log-in by NTLM version 2, signing. It speaks neither SMB 1 nor SMB 3, so it
// does not encrypt, and says so where a server asks for it.
package smb

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"time"
)

var le = binary.LittleEndian

const (
	headBytes = 64
	// Payload of one read or write: one credit, in every dialect.
	mostPayload = 64 << 10
	// What one message may measure; a server that claims more is none to talk to.
	mostMessage = mostPayload + 4<<10
	// Credits that are asked for with every request; one is used at a time.
	creditsAsked = 16
	// Words of a server that it is still at it, before it answers.
	mostInterim = 64
)

const (
	cmdNegotiate = iota
	cmdSessionSetup
	cmdLogOff
	cmdTreeConnect
	cmdTreeDisconnect
	cmdCreate
	cmdClose
	cmdFlush
	cmdRead
	cmdWrite
	cmdLock
	cmdIOCtl
	cmdCancel
	cmdEcho
	cmdQueryDirectory
	cmdChangeNotify
	cmdQueryInfo
)

const (
	flagResponse = 1
	flagAsync    = 2
	flagSigned   = 8
)

var errMalformed = errors.New("what the server answers is no SMB 2")

// Conn is a session on one share; of one goroutine at a time. An error that is no *Error leaves it
// unusable.
type Conn struct {
	raw       net.Conn
	message   uint64
	session   uint64
	tree      uint32
	mostRead  int
	mostWrite int
	// The server's own demand, or ours, before there is a key.
	mustSign bool
	key      []byte
	out, in  []byte
	// Requests sent so far.
	Requests int64
}

// SetDeadline of all that comes next.
func (c *Conn) SetDeadline(deadline time.Time) error { return c.raw.SetDeadline(deadline) }

// Close ends the session without a word: the server sees the connection end.
func (c *Conn) Close() { _ = c.raw.Close() }

// begin a request: its fixed part of so many bytes, the first two of which are its size as the
// protocol has it. What is variable is appended.
func (c *Conn) begin(fixed int, size uint16) []byte {
	need := 4 + headBytes + fixed
	if cap(c.out) < need {
		c.out = make([]byte, need, need+512)
	}
	c.out = c.out[:need]
	for i := range c.out {
		c.out[i] = 0
	}
	body := c.out[4+headBytes:]
	le.PutUint16(body, size)
	return body
}

// ask sends what was begun, and gives the body of the answer: valid until the next request.
func (c *Conn) ask(command uint16, size uint16, accepted ...uint32) ([]byte, uint32, error) {
	message := c.out[4:]
	c.out[0] = 0
	c.out[1], c.out[2], c.out[3] = byte(len(message)>>16), byte(len(message)>>8), byte(len(message))
	copy(message, "\xfeSMB")
	le.PutUint16(message[4:], headBytes)
	if command != cmdNegotiate {
		le.PutUint16(message[6:], 1)
	}
	le.PutUint16(message[12:], command)
	le.PutUint16(message[14:], creditsAsked)
	id := c.message
	c.message++
	le.PutUint64(message[24:], id)
	le.PutUint32(message[36:], c.tree)
	le.PutUint64(message[40:], c.session)
	if c.key != nil {
		le.PutUint32(message[16:], flagSigned)
		copy(message[48:], c.signature(message))
	}
	c.Requests++
	if _, err := c.raw.Write(c.out); err != nil {
		return nil, 0, err
	}
	answer, err := c.answer(command, id)
	if err != nil {
		return nil, 0, err
	}
	status := le.Uint32(answer[8:])
	body := answer[headBytes:]
	fine := status == statusOK
	for _, one := range accepted {
		fine = fine || status == one
	}
	if !fine {
		return nil, status, &Error{status}
	}
	if len(body) < 2 || len(body) < int(size&^1) || le.Uint16(body) != size {
		// Words beside a status need not have the form of an answer.
		if status != statusOK {
			return nil, status, nil
		}
		return nil, status, errMalformed
	}
	return body, status, nil
}

// answer to one request: messages that say that it takes longer are passed over.
func (c *Conn) answer(command uint16, id uint64) ([]byte, error) {
	for interim := 0; interim < mostInterim; interim++ {
		message, err := c.frame()
		if err != nil {
			return nil, err
		}
		flags := le.Uint32(message[16:])
		if le.Uint16(message[12:]) != command || flags&flagResponse == 0 || le.Uint64(message[24:]) != id || le.Uint32(message[20:]) != 0 {
			return nil, errMalformed
		}
		if le.Uint32(message[8:]) == statusPending && flags&flagAsync != 0 {
			continue
		}
		if c.session == 0 {
			c.session = le.Uint64(message[40:])
		}
		if c.key != nil {
			if err := c.holds(message, flags); err != nil {
				return nil, err
			}
		}
		return message, nil
	}
	return nil, errMalformed
}

// frame is one message with its length in front.
func (c *Conn) frame() ([]byte, error) {
	var head [4]byte
	if _, err := io.ReadFull(c.raw, head[:]); err != nil {
		return nil, err
	}
	length := int(head[1])<<16 | int(head[2])<<8 | int(head[3])
	if head[0] != 0 || length < headBytes || length > mostMessage {
		return nil, errMalformed
	}
	if cap(c.in) < length {
		c.in = make([]byte, length, mostOf(length, 8<<10))
	}
	c.in = c.in[:length]
	if _, err := io.ReadFull(c.raw, c.in); err != nil {
		return nil, err
	}
	if string(c.in[:4]) == "\xffSMB" {
		return nil, errors.New("the server speaks SMB 1 only; tilekit speaks SMB 2.0.2 and 2.1")
	}
	if string(c.in[:4]) == "\xfdSMB" {
		return nil, errEncrypted
	}
	if string(c.in[:4]) != "\xfeSMB" || le.Uint16(c.in[4:]) != headBytes {
		return nil, errMalformed
	}
	return c.in, nil
}

func (c *Conn) signature(message []byte) []byte {
	sum := hmac.New(sha256.New, c.key)
	sum.Write(message[:48])
	sum.Write(make([]byte, 16))
	sum.Write(message[64:])
	return sum.Sum(nil)[:16]
}

// holds an answer's signature against its bytes.
func (c *Conn) holds(message []byte, flags uint32) error {
	if status := le.Uint32(message[8:]); flags&flagSigned == 0 && (status == statusSessionDeleted || status == statusSessionExpired) {
		// A server that has forgotten the session has no key to sign with.
		return nil
	}
	if flags&flagSigned == 0 || !hmac.Equal(message[48:64], c.signature(message)) {
		return fmt.Errorf("an answer does not bear the signature of the session: something between changed it, or another server answers")
	}
	return nil
}

// part of a message, by an offset from its head as the protocol has it.
func part(body []byte, offset, length int) ([]byte, error) {
	offset -= headBytes
	if length == 0 {
		return nil, nil
	}
	if offset < 0 || length < 0 || offset+length > len(body) {
		return nil, errMalformed
	}
	return body[offset : offset+length], nil
}

func mostOf(a, b int) int {
	if a > b {
		return a
	}
	return b
}
