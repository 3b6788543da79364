package db

import (
	"bytes"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha1"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"net"
	"strings"
	"testing"
	"time"
)

func TestScramIsThatOfRFC7677(t *testing.T) {
	s := &scramClient{user: "user", password: "pencil", nonce: "rOprNGfwEbeRWgbNEkqO"}
	answer, err := s.answer("r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096")
	if err != nil || !strings.HasSuffix(answer, ",p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=") {
		t.Errorf("%q, %v", answer, err)
	}
	if err := s.check("v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4="); err != nil {
		t.Error(err)
	}
	if err := s.check("v=AAAA"); err == nil {
		t.Error("a server that does not know the password is believed")
	}
	for _, said := range []string{"", "r=other,s=AAAA,i=1", "r=rOprNGfwEbeRWgbNEkqOx,s=AAAA,i=2000000000", "r=rOprNGfwEbeRWgbNEkqO,s=AAAA,i=1"} {
		if _, err := s.answer(said); err == nil {
			t.Errorf("%q is taken", said)
		}
	}
}

func TestATextIsQuotedAndWhatCannotBeIsRefused(t *testing.T) {
	if got := Quote("it's"); got != "'it''s'" {
		t.Error(got)
	}
	for _, bad := range []string{`a\b`, "a\nb", "a\x00b"} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%q is taken", bad)
				}
			}()
			Quote(bad)
		}()
	}
}

// mysqlServer plays one log-in of a server that wants caching_sha2_password: there is none among
// Debian's packages to meet.
func mysqlServer(t *testing.T, talk func(c *mysqlConn)) net.Conn {
	t.Helper()
	client, server := net.Pipe()
	go func() {
		defer server.Close()
		c := &mysqlConn{raw: server}
		c.in = newReader(server)
		talk(c)
	}()
	_ = client.SetDeadline(time.Now().Add(10 * time.Second))
	return client
}

var nonce = []byte("abcdefghijklmnopqrst")

func greet(c *mysqlConn) []byte {
	hello := append([]byte{10}, "8.0.36\x00\x01\x00\x00\x00"...)
	hello = append(hello, nonce[:8]...)
	hello = append(hello, 0, 0xff, 0xff, 33, 2, 0, 0xff, 0xff, 21)
	hello = append(hello, make([]byte, 10)...)
	hello = append(hello, nonce[8:]...)
	c.seq = 0
	_ = c.send(append(hello, "\x00caching_sha2_password\x00"...))
	login, _ := c.packet()
	return login
}

func TestCachingSha2WithThePasswordKnownAndWithTheServersKey(t *testing.T) {
	key, err := rsa.GenerateKey(rand.Reader, 1024)
	if err != nil {
		t.Fatal(err)
	}
	der, _ := x509.MarshalPKIXPublicKey(&key.PublicKey)
	public := pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})
	got := make(chan string, 1)
	for _, known := range []bool{true, false} {
		raw := mysqlServer(t, func(c *mysqlConn) {
			login := greet(c)
			if !bytes.Contains(login, cachingSha2("secret", nonce)) {
				got <- "the scramble is missing"
				return
			}
			if known {
				_ = c.send([]byte{1, 3})
			} else {
				_ = c.send([]byte{1, 4})
				_, _ = c.packet()
				_ = c.send(append([]byte{1}, public...))
				hidden, _ := c.packet()
				plain, err := rsa.DecryptOAEP(sha1.New(), nil, key, hidden, nil)
				if err != nil || string(xor(plain, nonce)) != "secret\x00" {
					got <- "the password did not arrive"
					return
				}
			}
			_ = c.send([]byte{0, 0, 0, 2, 0, 0, 0})
			got <- ""
		})
		if _, err := openMySQL(raw, Target{User: "u", Password: "secret", Database: "d"}); err != nil {
			t.Errorf("known %v: %v", known, err)
		}
		if problem := <-got; problem != "" {
			t.Errorf("known %v: %s", known, problem)
		}
	}
}

func TestAServersRefusalAndWhatIsNoDatabaseAreSaidInWords(t *testing.T) {
	raw := mysqlServer(t, func(c *mysqlConn) {
		greet(c)
		_ = c.send(append([]byte{0xff, 0x15, 0x04}, "#28000Access denied"...))
	})
	_, err := openMySQL(raw, Target{User: "u", Password: "p"})
	var answered *Error
	if !errors.As(err, &answered) || answered.Code != "1045" || answered.Text != "Access denied" || Class(err) != "status" {
		t.Errorf("%v", err)
	}
	for _, said := range []string{"HTTP/1.1 400 Bad Request\r\n\r\n", "SSH-2.0-OpenSSH_9\r\n", "\x05\x00\x00\x00\x09abcd", ""} {
		for _, open := range []func(net.Conn, Target) (Conn, error){openMySQL, openPostgres} {
			client, server := net.Pipe()
			go func() {
				go func() { _, _ = newReader(server).Discard(1 << 20) }()
				_, _ = server.Write([]byte(said))
				_ = server.Close()
			}()
			_ = client.SetDeadline(time.Now().Add(10 * time.Second))
			if _, err := open(client, Target{User: "u", Database: "d"}); err == nil {
				t.Errorf("%q is taken for a database", said)
			}
		}
	}
}

func TestRowsThatAreCutShortAreNoRows(t *testing.T) {
	for _, packet := range [][]byte{{5, 'a'}, {0xfc, 1}, {0xfe, 1, 2, 3}} {
		if _, err := mysqlRow(packet); err == nil {
			t.Errorf("%v is a row", packet)
		}
	}
	for _, packet := range [][]byte{{0}, {0, 1, 0, 0, 0}, {0, 1, 0, 0, 0, 9, 'a'}} {
		if _, err := pgRow(packet); err == nil {
			t.Errorf("%v is a row", packet)
		}
	}
	row, err := mysqlRow([]byte{1, 'a', 0xfb, 0})
	if err != nil || len(row) != 3 || row[0] != "a" || row[1] != "" {
		t.Errorf("%v, %v", row, err)
	}
}
