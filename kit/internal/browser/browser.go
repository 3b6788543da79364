// Package browser is an HTTP client of one user: one kept connection, cookies, dates of what it has seen.
package browser

import (
	"bufio"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http/httputil"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"
)

// Classes of failure, as they stand in the output.
const (
	Connect = "connect"
	Timeout = "timeout"
	Reset   = "reset"
	Status  = "status"
	Content = "content"
)

// Browser is one connection that is kept, with the cookies and the dates of one user. Requests are
// written and answers read by the user's own goroutine: net/http hands each over to two others.
type Browser struct {
	// What is sent back is kept, up to mostKept bytes of an answer.
	Keep    bool
	target  *url.URL
	address string
	conn    net.Conn
	reader  *bufio.Reader
	cookies map[string]string
	cookie  string
	// Last-Modified by path, for If-Modified-Since.
	dates map[string]string
	text  []byte
}

// Reply to one request.
type Reply struct {
	Status int
	Bytes  int64
	Class  string
	// Requests that were sent: one, or two where a kept connection had been closed.
	Sent int64
	// What was sent back; of a browser that keeps it.
	Body []byte
}

// New browser of http://host:port; it connects with its first request.
func New(target *url.URL) *Browser {
	address := target.Host
	if target.Port() == "" {
		address = net.JoinHostPort(target.Hostname(), map[string]string{"http": "80", "https": "443"}[target.Scheme])
	}
	return &Browser{target: target, address: address, cookies: map[string]string{}, dates: map[string]string{}}
}

// Close ends its connection; the next request makes another.
func (b *Browser) Close() {
	if b.conn != nil {
		_ = b.conn.Close()
		b.conn = nil
	}
}

func (b *Browser) dial(deadline time.Time) error {
	dialer := net.Dialer{Deadline: deadline}
	conn, err := dialer.Dial("tcp", b.address)
	if err != nil {
		return err
	}
	if b.target.Scheme == "https" {
		// The machine under load has a certificate of its own making; it is not what is measured.
		secure := tls.Client(conn, &tls.Config{ServerName: b.target.Hostname(), InsecureSkipVerify: true})
		_ = secure.SetDeadline(deadline)
		if err := secure.Handshake(); err != nil {
			_ = conn.Close()
			return err
		}
		conn = secure
	}
	b.conn = conn
	if b.reader == nil {
		b.reader = bufio.NewReaderSize(conn, 8<<10)
	} else {
		b.reader.Reset(conn)
	}
	return nil
}

// Get asks for a path; with ifModified, only when it changed since it was last had.
func (b *Browser) Get(path string, ifModified bool, deadline time.Time) Reply {
	return b.ask("GET", path, "", ifModified, deadline)
}

// Post sends a form.
func (b *Browser) Post(path, form string, deadline time.Time) Reply {
	return b.ask("POST", path, form, false, deadline)
}

func (b *Browser) ask(method, path, form string, ifModified bool, deadline time.Time) Reply {
	var sent int64
	for {
		kept := b.conn != nil
		if !kept {
			if err := b.dial(deadline); err != nil {
				return Reply{Class: classOf(err, Connect), Sent: sent}
			}
		}
		_ = b.conn.SetDeadline(deadline)
		sent++
		answer, err := b.exchange(method, path, form, ifModified)
		answer.Sent = sent
		if err == nil {
			return answer
		}
		b.Close()
		// A server may close a kept connection just as it is used again: no answer, no failure.
		if kept && answer.Status == 0 && sent == 1 && method == "GET" && isClosed(err) {
			sent = 0
			continue
		}
		answer.Class = classOf(err, Reset)
		return answer
	}
}

func (b *Browser) exchange(method, path, form string, ifModified bool) (Reply, error) {
	text := append(b.text[:0], method...)
	text = append(text, ' ')
	text = append(text, path...)
	text = append(text, " HTTP/1.1\r\nHost: "...)
	text = append(text, b.target.Host...)
	text = append(text, "\r\nUser-Agent: tilekit\r\n"...)
	if b.cookie != "" {
		text = append(text, "Cookie: "...)
		text = append(text, b.cookie...)
		text = append(text, "\r\n"...)
	}
	if date := b.dates[path]; ifModified && date != "" {
		text = append(text, "If-Modified-Since: "...)
		text = append(text, date...)
		text = append(text, "\r\n"...)
	}
	if method == "POST" {
		text = append(text, "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: "...)
		text = strconv.AppendInt(text, int64(len(form)), 10)
		text = append(text, "\r\n"...)
	}
	text = append(text, "\r\n"...)
	text = append(text, form...)
	b.text = text
	if _, err := b.conn.Write(text); err != nil {
		return Reply{}, err
	}
	return b.receive(path, ifModified)
}

type header struct {
	status  int
	length  int64
	chunked bool
	closes  bool
}

func (b *Browser) receive(path string, keepDate bool) (Reply, error) {
	var head header
	for {
		var err error
		if head, err = b.head(path, keepDate); err != nil {
			return Reply{}, err
		}
		if head.status >= 200 {
			break
		}
	}
	answer := Reply{Status: head.status}
	var err error
	switch {
	case head.status == 204 || head.status == 304:
	case head.chunked:
		err = b.body(&answer, httputil.NewChunkedReader(b.reader))
		if err == nil {
			// The empty line after the last chunk; trailers before it.
			err = b.untilEmptyLine()
		}
	case head.length >= 0 && b.Keep:
		err = b.body(&answer, io.LimitReader(b.reader, head.length))
		if err == nil && answer.Bytes < head.length {
			err = io.ErrUnexpectedEOF
		}
	case head.length >= 0:
		var n int
		n, err = b.reader.Discard(int(head.length))
		answer.Bytes = int64(n)
	default:
		head.closes = true
		err = b.body(&answer, b.reader)
	}
	if err != nil {
		return answer, err
	}
	if head.closes {
		b.Close()
	}
	return answer, nil
}

// mostKept of one answer: what comes after it is read and counted, not kept.
const mostKept = 1 << 20

func (b *Browser) body(answer *Reply, from io.Reader) (err error) {
	if b.Keep {
		if answer.Body, err = io.ReadAll(io.LimitReader(from, mostKept)); err != nil {
			return err
		}
	}
	rest, err := io.Copy(io.Discard, from)
	answer.Bytes = int64(len(answer.Body)) + rest
	return err
}

var errHead = errors.New("the answer is not HTTP/1.1")

func (b *Browser) head(path string, keepDate bool) (header, error) {
	head := header{length: -1}
	line, err := b.reader.ReadSlice('\n')
	if err != nil {
		return head, err
	}
	if len(line) < 13 || string(line[:7]) != "HTTP/1." {
		return head, errHead
	}
	head.closes = line[7] == '0'
	if head.status, err = strconv.Atoi(string(line[9:12])); err != nil {
		return head, errHead
	}
	for {
		line, err := b.reader.ReadSlice('\n')
		if err != nil {
			return head, err
		}
		name, value, whole := splitHeader(line)
		if !whole {
			return head, nil
		}
		switch {
		case equalFold(name, "content-length"):
			n, err := strconv.ParseInt(string(value), 10, 62)
			if err != nil || n < 0 {
				return head, errHead
			}
			head.length = n
		case equalFold(name, "transfer-encoding"):
			head.chunked = equalFold(value, "chunked")
		case equalFold(name, "connection"):
			head.closes = equalFold(value, "close") || (head.closes && !equalFold(value, "keep-alive"))
		case equalFold(name, "set-cookie"):
			b.keepCookie(string(value))
		case keepDate && equalFold(name, "last-modified"):
			if string(value) != b.dates[path] {
				b.dates[path] = string(value)
			}
		}
	}
}

// splitHeader gives name and value of a line; false for the empty line.
func splitHeader(line []byte) (name, value []byte, whole bool) {
	end := len(line)
	for end > 0 && (line[end-1] == '\n' || line[end-1] == '\r' || line[end-1] == ' ') {
		end--
	}
	if end == 0 {
		return nil, nil, false
	}
	for i := 0; i < end; i++ {
		if line[i] == ':' {
			from := i + 1
			for from < end && line[from] == ' ' {
				from++
			}
			return line[:i], line[from:end], true
		}
	}
	return line[:end], nil, true
}

func equalFold(text []byte, lower string) bool {
	if len(text) != len(lower) {
		return false
	}
	for i := range text {
		c := text[i]
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != lower[i] {
			return false
		}
	}
	return true
}

func (b *Browser) keepCookie(value string) {
	pair := strings.SplitN(strings.SplitN(value, ";", 2)[0], "=", 2)
	if len(pair) != 2 || b.cookies[pair[0]] == pair[1] {
		return
	}
	b.cookies[pair[0]] = pair[1]
	all := make([]string, 0, len(b.cookies))
	for name, value := range b.cookies {
		all = append(all, name+"="+value)
	}
	b.cookie = strings.Join(all, "; ")
}

func (b *Browser) untilEmptyLine() error {
	for {
		line, err := b.reader.ReadSlice('\n')
		if err != nil {
			return err
		}
		if _, _, whole := splitHeader(line); !whole {
			return nil
		}
	}
}

func isClosed(err error) bool {
	var timeout net.Error
	return !(errors.As(err, &timeout) && timeout.Timeout()) && !errors.Is(err, errHead)
}

func classOf(err error, otherwise string) string {
	var timeout net.Error
	if errors.Is(err, os.ErrDeadlineExceeded) || (errors.As(err, &timeout) && timeout.Timeout()) {
		return Timeout
	}
	if errors.Is(err, errHead) {
		return Content
	}
	return otherwise
}
