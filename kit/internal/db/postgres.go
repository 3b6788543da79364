package db

import (
	"bufio"
	"bytes"
	"crypto/hmac"
	"crypto/md5"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
	"time"
)

// Protocol 3.0, https://www.postgresql.org/docs/15/protocol.html; simple queries only.
type pgConn struct {
	raw  net.Conn
	in   *bufio.Reader
	read int64
}

func (c *pgConn) SetDeadline(t time.Time) error { return c.raw.SetDeadline(t) }

func (c *pgConn) Close() {
	_ = c.raw.SetDeadline(time.Now().Add(time.Second))
	_ = c.send('X', nil)
	_ = c.raw.Close()
}

func (c *pgConn) message() (byte, []byte, error) {
	head, err := readFull(c.in, 5)
	if err != nil {
		return 0, nil, err
	}
	n := int(binary.BigEndian.Uint32(head[1:]))
	if n < 4 {
		return 0, nil, errors.New("what answers there is not PostgreSQL")
	}
	c.read += int64(n) + 1
	body, err := readFull(c.in, n-4)
	return head[0], body, err
}

// send writes one message; kind 0 is the first, which has none.
func (c *pgConn) send(kind byte, body []byte) error {
	message := make([]byte, 0, len(body)+5)
	if kind != 0 {
		message = append(message, kind)
	}
	var length [4]byte
	binary.BigEndian.PutUint32(length[:], uint32(len(body)+4))
	_, err := c.raw.Write(append(append(message, length[:]...), body...))
	return err
}

func openPostgres(raw net.Conn, target Target) (Conn, error) {
	c := &pgConn{raw: raw, in: newReader(raw)}
	start := []byte{0, 3, 0, 0}
	for _, text := range []string{"user", target.User, "database", target.Database, "application_name", "tilekit"} {
		start = append(append(start, text...), 0)
	}
	if err := c.send(0, append(start, 0)); err != nil {
		return nil, err
	}
	var scram *scramClient
	for {
		kind, body, err := c.message()
		if err != nil {
			return nil, fmt.Errorf("no answer of PostgreSQL: %w", err)
		}
		switch kind {
		case 'E':
			return nil, pgError(body)
		case 'R':
			if err := c.authenticate(body, target, &scram); err != nil {
				return nil, err
			}
		case 'Z':
			if scram != nil && !scram.proved {
				return nil, errors.New("the server let in without proving that it knows the password")
			}
			return c, nil
		case 'S', 'K', 'N':
		default:
			return nil, errors.New("what answers there is not PostgreSQL")
		}
	}
}

func (c *pgConn) authenticate(body []byte, target Target, scram **scramClient) error {
	if len(body) < 4 {
		return errors.New("a request to log in that is cut short")
	}
	way, rest := binary.BigEndian.Uint32(body), body[4:]
	switch way {
	case 0:
		return nil
	case 3:
		return errors.New("the server wants the password in clear, which tilekit does not send without TLS: set scram-sha-256 in pg_hba.conf")
	case 5:
		if len(rest) < 4 {
			return errors.New("a request to log in that is cut short")
		}
		inner := md5.Sum([]byte(target.Password + target.User))
		outer := md5.Sum(append([]byte(hex.EncodeToString(inner[:])), rest[:4]...))
		return c.send('p', []byte("md5"+hex.EncodeToString(outer[:])+"\x00"))
	case 10:
		if !bytes.Contains(rest, []byte("SCRAM-SHA-256\x00")) {
			return errors.New("the server offers no SCRAM-SHA-256")
		}
		made, err := newScram(target.Password)
		if err != nil {
			return err
		}
		*scram = made
		first := made.first()
		var length [4]byte
		binary.BigEndian.PutUint32(length[:], uint32(len(first)))
		return c.send('p', append(append([]byte("SCRAM-SHA-256\x00"), length[:]...), first...))
	case 11, 12:
		if *scram == nil {
			return errors.New("SCRAM that nobody began")
		}
		if way == 12 {
			return (*scram).check(string(rest))
		}
		answer, err := (*scram).answer(string(rest))
		if err != nil {
			return err
		}
		return c.send('p', []byte(answer))
	}
	return fmt.Errorf("the server wants a log-in that tilekit does not know (%d): set scram-sha-256 or md5 in pg_hba.conf", way)
}

// scramClient is SCRAM-SHA-256 of RFC 5802 and 7677, without channel binding; the user stands in the
// first message of the protocol, so it is empty here.
type scramClient struct {
	user, password, nonce, server string
	proved                        bool
}

func newScram(password string) (*scramClient, error) {
	nonce := make([]byte, 18)
	_, err := rand.Read(nonce)
	return &scramClient{password: password, nonce: base64.StdEncoding.EncodeToString(nonce)}, err
}

func (s *scramClient) bare() string  { return "n=" + s.user + ",r=" + s.nonce }
func (s *scramClient) first() string { return "n,," + s.bare() }

// mostRounds a server may ask for: a hostile one could ask for hours.
const mostRounds = 1_000_000

func (s *scramClient) answer(said string) (string, error) {
	var nonce, salt64 string
	rounds := 0
	for _, part := range strings.Split(said, ",") {
		switch {
		case strings.HasPrefix(part, "r="):
			nonce = part[2:]
		case strings.HasPrefix(part, "s="):
			salt64 = part[2:]
		case strings.HasPrefix(part, "i="):
			rounds, _ = strconv.Atoi(part[2:])
		}
	}
	salt, err := base64.StdEncoding.DecodeString(salt64)
	if err != nil || !strings.HasPrefix(nonce, s.nonce) || len(nonce) <= len(s.nonce) || rounds < 1 || rounds > mostRounds {
		return "", errors.New("the server's part of SCRAM is not one")
	}
	salted := hi([]byte(s.password), salt, rounds)
	clientKey := mac(salted, "Client Key")
	stored := sha256.Sum256(clientKey)
	final := "c=biws,r=" + nonce
	message := s.bare() + "," + said + "," + final
	proof := xor(clientKey, mac(stored[:], message))
	s.server = base64.StdEncoding.EncodeToString(mac(mac(salted, "Server Key"), message))
	return final + ",p=" + base64.StdEncoding.EncodeToString(proof), nil
}

func (s *scramClient) check(said string) error {
	if !strings.HasPrefix(said, "v=") || s.server == "" || !hmac.Equal([]byte(said[2:]), []byte(s.server)) {
		return errors.New("the server does not know the password it asks for: it is another one")
	}
	s.proved = true
	return nil
}

func mac(key []byte, text string) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(text))
	return h.Sum(nil)
}

// hi is PBKDF2 with one block.
func hi(password, salt []byte, rounds int) []byte {
	h := hmac.New(sha256.New, password)
	h.Write(salt)
	h.Write([]byte{0, 0, 0, 1})
	u := h.Sum(nil)
	out := append([]byte{}, u...)
	for i := 1; i < rounds; i++ {
		h.Reset()
		h.Write(u)
		u = h.Sum(u[:0])
		for k := range out {
			out[k] ^= u[k]
		}
	}
	return out
}

func pgError(body []byte) error {
	failure := &Error{}
	for _, field := range bytes.Split(body, []byte{0}) {
		if len(field) > 1 && field[0] == 'M' {
			failure.Text = string(field[1:])
		} else if len(field) > 1 && field[0] == 'C' {
			failure.Code = string(field[1:])
		}
	}
	return failure
}

func (c *pgConn) Exec(sql string) (*Result, error) {
	before := c.read
	if err := c.send('Q', append([]byte(sql), 0)); err != nil {
		return nil, err
	}
	result := &Result{}
	var failure error
	for {
		kind, body, err := c.message()
		if err != nil {
			return nil, err
		}
		switch kind {
		case 'D':
			row, err := pgRow(body)
			if err != nil {
				return nil, err
			}
			result.Rows = append(result.Rows, row)
		case 'C':
			words := strings.Fields(strings.TrimRight(string(body), "\x00"))
			if len(words) > 1 {
				result.Affected, _ = strconv.ParseInt(words[len(words)-1], 10, 64)
			}
		case 'E':
			failure = pgError(body)
		case 'G', 'W', 'H':
			return nil, errors.New("the server asks for COPY, which tilekit does not speak")
		case 'Z':
			result.Bytes = c.read - before
			if failure != nil {
				return nil, failure
			}
			return result, nil
		}
	}
}

// pgRow reads the fields of a row; NULL is "".
func pgRow(body []byte) ([]string, error) {
	cut := errors.New("a row that is cut short")
	if len(body) < 2 {
		return nil, cut
	}
	row := make([]string, 0, binary.BigEndian.Uint16(body))
	count := int(binary.BigEndian.Uint16(body))
	body = body[2:]
	for i := 0; i < count; i++ {
		if len(body) < 4 {
			return nil, cut
		}
		length := int(int32(binary.BigEndian.Uint32(body)))
		body = body[4:]
		if length < 0 {
			row = append(row, "")
			continue
		}
		if len(body) < length {
			return nil, cut
		}
		row, body = append(row, string(body[:length])), body[length:]
	}
	return row, nil
}
