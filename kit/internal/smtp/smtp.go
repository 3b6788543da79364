// Package smtp is a small client of SMTP (RFC 5321): one message to some
// recipients, no TLS. It says so where a server asks for more.
package smtp

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"fmt"
	"net"
	"strconv"
	"strings"
	"time"
)

// Error is what the server itself answered; the session goes on.
type Error struct {
	Code int
	Text string
}

func (e *Error) Error() string { return fmt.Sprintf("%s (%d)", e.Text, e.Code) }

// Conn is one session; of one goroutine at a time.
type Conn struct {
	raw  net.Conn
	in   *bufio.Reader
	caps map[string]string
}

// Open greets, until the deadline at most; a user logs in by AUTH PLAIN, ” does not.
func Open(address, user, password string, deadline time.Time) (*Conn, error) {
	dialer := net.Dialer{Deadline: deadline}
	raw, err := dialer.Dial("tcp", address)
	if err != nil {
		return nil, err
	}
	c := &Conn{raw: raw, in: bufio.NewReader(raw), caps: map[string]string{}}
	if err := c.enter(user, password, deadline); err != nil {
		_ = raw.Close()
		return nil, err
	}
	return c, nil
}

func (c *Conn) enter(user, password string, deadline time.Time) error {
	if err := c.raw.SetDeadline(deadline); err != nil {
		return err
	}
	if _, err := c.answer(220); err != nil {
		return err
	}
	lines, err := c.ask("EHLO tilekit.invalid", 250)
	if err != nil {
		return err
	}
	for _, line := range lines[1:] {
		words := strings.SplitN(line, " ", 2)
		c.caps[strings.ToUpper(words[0])] = strings.Join(words[1:], "")
	}
	if user == "" {
		return nil
	}
	if !strings.Contains(" "+c.caps["AUTH"]+" ", " PLAIN ") {
		return &Error{503, "the server offers no log-in by AUTH PLAIN without TLS, which tilekit does not speak"}
	}
	_, err = c.ask("AUTH PLAIN "+base64.StdEncoding.EncodeToString([]byte("\x00"+user+"\x00"+password)), 235)
	return err
}

// SetDeadline of all that comes next.
func (c *Conn) SetDeadline(deadline time.Time) error { return c.raw.SetDeadline(deadline) }

// Close says good-bye and waits for nothing.
func (c *Conn) Close() {
	_, _ = c.raw.Write([]byte("QUIT\r\n"))
	_ = c.raw.Close()
}

const mostLines = 100

// answer reads one reply and holds its code against the wanted one.
func (c *Conn) answer(want int) (lines []string, err error) {
	for len(lines) < mostLines {
		line, err := c.in.ReadSlice('\n')
		if err != nil {
			return nil, err
		}
		text := strings.TrimRight(string(line), "\r\n")
		code := 0
		if len(text) >= 3 {
			code, _ = strconv.Atoi(text[:3])
		}
		if code < 200 || code > 599 {
			return nil, fmt.Errorf("what answers there is no SMTP server: it says %.60q", text)
		}
		rest := ""
		if len(text) > 4 {
			rest = text[4:]
		}
		lines = append(lines, rest)
		if len(text) > 3 && text[3] == '-' {
			continue
		}
		if code != want {
			return nil, &Error{code, strings.Join(lines, " ")}
		}
		return lines, nil
	}
	return nil, fmt.Errorf("what answers there is no SMTP server: more than %d lines at once", mostLines)
}

func (c *Conn) ask(command string, want int) ([]string, error) {
	if _, err := c.raw.Write([]byte(command + "\r\n")); err != nil {
		return nil, err
	}
	return c.answer(want)
}

// Envelope tells the server who writes to whom; refused gives why some recipients were not taken. An
// error means that nothing can be sent.
func (c *Conn) Envelope(from string, to []string) (taken []int, refused error, err error) {
	if _, err := c.ask("MAIL FROM:<"+from+">", 250); err != nil {
		return nil, nil, err
	}
	for i, one := range to {
		_, err := c.ask("RCPT TO:<"+one+">", 250)
		if answered, is := err.(*Error); is {
			refused = answered
			continue
		}
		if err != nil {
			return nil, nil, err
		}
		taken = append(taken, i)
	}
	if len(taken) == 0 && refused != nil {
		return nil, refused, refused
	}
	return taken, refused, nil
}

// Data sends the message; lines end with CR LF. Without an error the server has taken it.
func (c *Conn) Data(message []byte) error {
	if _, err := c.ask("DATA", 354); err != nil {
		return err
	}
	// A line that begins with a dot gets another one.
	message = bytes.ReplaceAll(message, []byte("\r\n."), []byte("\r\n.."))
	if _, err := c.raw.Write(append(message, ".\r\n"...)); err != nil {
		return err
	}
	_, err := c.answer(250)
	return err
}
