// Package db is a small client of two databases: MySQL or MariaDB, and PostgreSQL. It sends text and
// reads text; it knows no prepared statements, no TLS and no COPY, and says so where a server asks
// for more.
package db

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"time"

	"tilekit/internal/record"
)

// Kinds of databases.
const (
	MySQL    = "mysql"
	Postgres = "postgres"
)

// Target is where a database is and who logs in.
type Target struct {
	Kind     string
	Address  string
	User     string
	Password string
	Database string
}

// Result of one statement.
type Result struct {
	Rows [][]string
	// Changed rows.
	Affected int64
	// The identity a MySQL insert made; PostgreSQL gives it as a row, by RETURNING.
	LastID int64
	Bytes  int64
}

// Error is what the server itself answered; the session goes on.
type Error struct {
	// MySQL's number or PostgreSQL's SQLSTATE.
	Code string
	Text string
}

func (e *Error) Error() string { return e.Text + " (" + e.Code + ")" }

// IsDuplicate tells that a row with this key is there.
func (e *Error) IsDuplicate() bool { return e.Code == "1062" || e.Code == "23505" }

// Conn is one session; of one goroutine at a time.
type Conn interface {
	// Exec runs one statement. An error that is no *Error leaves the session unusable.
	Exec(sql string) (*Result, error)
	SetDeadline(time.Time) error
	Close()
}

// Open logs in, until the deadline at most.
func Open(target Target, deadline time.Time) (Conn, error) {
	dialer := net.Dialer{Deadline: deadline}
	raw, err := dialer.Dial("tcp", target.Address)
	if err != nil {
		return nil, err
	}
	if err := raw.SetDeadline(deadline); err != nil {
		return nil, err
	}
	var conn Conn
	if target.Kind == MySQL {
		conn, err = openMySQL(raw, target)
	} else {
		conn, err = openPostgres(raw, target)
	}
	if err != nil {
		_ = raw.Close()
		return nil, err
	}
	return conn, nil
}

// Class of a failure as record has them: connect, timeout, reset, status.
func Class(err error) string {
	var answered *Error
	if errors.As(err, &answered) {
		return "status"
	}
	return record.NetClass(err)
}

// Quote makes a text literal of both databases. What this program writes never needs more: a
// backslash or a character that does not print is refused.
func Quote(text string) string {
	for _, r := range text {
		if r == '\\' || r < ' ' {
			panic(fmt.Sprintf("%q is no text of this program", text))
		}
	}
	return "'" + strings.ReplaceAll(text, "'", "''") + "'"
}

// mostBytes of one message: what a server claims beyond it is no answer of a database.
const mostBytes = 64 << 20

func newReader(r io.Reader) *bufio.Reader { return bufio.NewReaderSize(r, 16<<10) }

func readFull(r io.Reader, n int) ([]byte, error) {
	if n < 0 || n > mostBytes {
		return nil, fmt.Errorf("the answer is not one of a database (%d bytes)", n)
	}
	data := make([]byte, n)
	_, err := io.ReadFull(r, data)
	return data, err
}
