// Package imap is a small client of IMAP4rev1 (RFC 3501), as much as the scenario mail needs: UIDs
// only, one mailbox selected at a time, no TLS. It says so where a server asks for more.
package imap

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Error is what the server itself answered, NO or BAD; the session goes on.
type Error struct {
	Status string
	Text   string
}

func (e *Error) Error() string { return e.Text + " (" + e.Status + ")" }

// Mailbox is the one that was selected.
type Mailbox struct {
	Exists      int
	UIDNext     uint32
	UIDValidity uint32
}

// Header is one message: its number, its size in bytes, and the value of one header field.
type Header struct {
	UID   uint32
	Size  int64
	Value string
}

// Conn is a session that has logged in; of one goroutine at a time. An error that is no *Error leaves
// it unusable.
type Conn struct {
	raw  net.Conn
	in   *bufio.Reader
	tag  int
	caps map[string]bool
	// News: messages have come since Seen was called.
	news bool
	// Bytes read so far.
	Bytes int64
}

// response is an untagged line; where literals stood, its text has their length in braces.
type response struct {
	text     string
	literals [][]byte
}

// piece of a command: text, or a literal.
type piece struct {
	text    string
	literal []byte
}

// Most bytes of one line and of one literal: what a server claims beyond is no answer of mail.
const (
	mostLine    = 16 << 20
	mostLiteral = 64 << 20
)

// Open logs in, until the deadline at most.
func Open(address, user, password string, deadline time.Time) (*Conn, error) {
	dialer := net.Dialer{Deadline: deadline}
	raw, err := dialer.Dial("tcp", address)
	if err != nil {
		return nil, err
	}
	c := &Conn{raw: raw, in: bufio.NewReaderSize(raw, 4<<10), caps: map[string]bool{}}
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
	greeting, err := c.response()
	if err != nil {
		return err
	}
	if !strings.HasPrefix(greeting.text, "* OK") {
		return fmt.Errorf("what answers there is no IMAP server: it says %.60q", greeting.text)
	}
	if err := c.capability(); err != nil {
		return err
	}
	if c.caps["LOGINDISABLED"] {
		return &Error{"NO", "the server takes passwords over TLS only, which tilekit does not speak"}
	}
	if _, err := c.do(piece{text: "LOGIN "}, word(user), piece{text: " "}, word(password)); err != nil {
		return err
	}
	return c.capability()
}

func (c *Conn) capability() error {
	answers, err := c.do(piece{text: "CAPABILITY"})
	if err != nil {
		return err
	}
	c.caps = map[string]bool{}
	for _, answer := range answers {
		if strings.HasPrefix(answer.text, "* CAPABILITY ") {
			for _, name := range strings.Fields(answer.text)[2:] {
				c.caps[strings.ToUpper(name)] = true
			}
		}
	}
	return nil
}

// Can tells whether the server has an extension.
func (c *Conn) Can(extension string) bool { return c.caps[extension] }

// SetDeadline of all that comes next.
func (c *Conn) SetDeadline(deadline time.Time) error { return c.raw.SetDeadline(deadline) }

// Close ends the session without a word: the server sees the connection end.
func (c *Conn) Close() { _ = c.raw.Close() }

// Logout ends it in form.
func (c *Conn) Logout() {
	_ = c.raw.SetDeadline(time.Now().Add(2 * time.Second))
	_, _ = c.do(piece{text: "LOGOUT"})
	c.Close()
}

// word is a string of IMAP: quoted where it can be, else a literal.
func word(text string) piece {
	for _, r := range text {
		if r < ' ' || r > '~' {
			return piece{literal: []byte(text)}
		}
	}
	return piece{text: `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`}
}

func (c *Conn) line() (string, error) {
	var whole []byte
	for {
		part, err := c.in.ReadSlice('\n')
		c.Bytes += int64(len(part))
		whole = append(whole, part...)
		if err == nil {
			return strings.TrimRight(string(whole), "\r\n"), nil
		}
		if err != bufio.ErrBufferFull {
			return "", err
		}
		if len(whole) > mostLine {
			return "", fmt.Errorf("the answer is not one of a mail server: a line of %d bytes", len(whole))
		}
	}
}

var literalEnd = regexp.MustCompile(`\{(\d{1,10})\}$`)

func (c *Conn) response() (response, error) {
	var r response
	for {
		line, err := c.line()
		if err != nil {
			return r, err
		}
		r.text += line
		found := literalEnd.FindStringSubmatch(line)
		if found == nil {
			return r, nil
		}
		n, _ := strconv.Atoi(found[1])
		if n > mostLiteral {
			return r, fmt.Errorf("the answer is not one of a mail server: %d bytes at once", n)
		}
		data := make([]byte, n)
		if _, err := io.ReadFull(c.in, data); err != nil {
			return r, err
		}
		c.Bytes += int64(n)
		r.literals = append(r.literals, data)
	}
}

var exists = regexp.MustCompile(`^\* \d+ EXISTS`)

// do sends one command and reads until its own answer.
func (c *Conn) do(pieces ...piece) ([]response, error) {
	c.tag++
	tag := "t" + strconv.Itoa(c.tag)
	buffer := []byte(tag + " ")
	for _, p := range pieces {
		buffer = append(buffer, p.text...)
		if p.literal == nil {
			continue
		}
		if c.caps["LITERAL+"] {
			buffer = append(buffer, fmt.Sprintf("{%d+}\r\n", len(p.literal))...)
		} else {
			buffer = append(buffer, fmt.Sprintf("{%d}\r\n", len(p.literal))...)
			if _, err := c.raw.Write(buffer); err != nil {
				return nil, err
			}
			buffer = buffer[:0]
			if answers, err := c.until(tag, true); err != nil {
				return answers, err
			}
		}
		buffer = append(buffer, p.literal...)
	}
	if _, err := c.raw.Write(append(buffer, "\r\n"...)); err != nil {
		return nil, err
	}
	return c.until(tag, false)
}

// until the tagged answer, or, where the server is to say that it is ready for a literal, until that.
func (c *Conn) until(tag string, ready bool) (answers []response, err error) {
	for {
		answer, err := c.response()
		if err != nil {
			return answers, err
		}
		switch text := answer.text; {
		case strings.HasPrefix(text, tag+" "):
			rest := text[len(tag)+1:]
			status := strings.SplitN(rest, " ", 2)[0]
			if status == "OK" && !ready {
				return answers, nil
			}
			return answers, &Error{status, strings.TrimSpace(rest[len(status):])}
		case strings.HasPrefix(text, "+"):
			if ready {
				return answers, nil
			}
		case strings.HasPrefix(text, "* BYE"):
			if c.tag > 0 && len(answers) == 0 {
				// The answer to LOGOUT, or the end: the next read tells.
				continue
			}
		default:
			if exists.MatchString(text) {
				c.news = true
			}
			answers = append(answers, answer)
		}
	}
}
