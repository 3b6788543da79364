package db

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/x509"
	"encoding/binary"
	"encoding/pem"
	"errors"
	"fmt"
	"net"
	"strconv"
	"time"
)

// Client/server protocol 4.1, https://dev.mysql.com/doc/dev/mysql-server/latest/PAGE_PROTOCOL.html;
// MariaDB speaks the same, https://mariadb.com/kb/en/clientserver-protocol/.
const (
	capLongPassword = 0x1
	capLongFlag     = 0x4
	capWithDB       = 0x8
	cap41           = 0x200
	capTransactions = 0x2000
	capSecure       = 0x8000
	capPluginAuth   = 0x80000

	charsetUTF8    = 33
	comQuery       = 3
	comQuit        = 1
	mysqlMaxPacket = 1<<24 - 1
)

type mysqlConn struct {
	raw  net.Conn
	in   *bufio.Reader
	seq  byte
	read int64
}

func (c *mysqlConn) SetDeadline(t time.Time) error { return c.raw.SetDeadline(t) }

func (c *mysqlConn) Close() {
	_ = c.raw.SetDeadline(time.Now().Add(time.Second))
	c.seq = 0
	_ = c.send([]byte{comQuit})
	_ = c.raw.Close()
}

func (c *mysqlConn) packet() ([]byte, error) {
	head, err := readFull(c.in, 4)
	if err != nil {
		return nil, err
	}
	n := int(head[0]) | int(head[1])<<8 | int(head[2])<<16
	c.seq = head[3] + 1
	if n == mysqlMaxPacket {
		return nil, errors.New("the answer is longer than this program reads")
	}
	c.read += int64(n) + 4
	return readFull(c.in, n)
}

func (c *mysqlConn) send(body []byte) error {
	if len(body) >= mysqlMaxPacket {
		return errors.New("the statement is longer than this program sends")
	}
	message := make([]byte, 4, 4+len(body))
	message[0], message[1], message[2], message[3] = byte(len(body)), byte(len(body)>>8), byte(len(body)>>16), c.seq
	c.seq++
	_, err := c.raw.Write(append(message, body...))
	return err
}

func openMySQL(raw net.Conn, target Target) (Conn, error) {
	c := &mysqlConn{raw: raw, in: newReader(raw)}
	hello, err := c.packet()
	if err != nil {
		return nil, fmt.Errorf("no greeting of MySQL or MariaDB: %w", err)
	}
	if len(hello) > 0 && hello[0] == 0xff {
		return nil, mysqlError(hello)
	}
	nonce, plugin, err := greeting(hello)
	if err != nil {
		return nil, err
	}
	answer, err := scramble(plugin, target.Password, nonce)
	if err != nil {
		// Another way may still be agreed on.
		plugin, answer = "mysql_native_password", nativePassword(target.Password, nonce)
	}
	var login bytes.Buffer
	caps := uint32(capLongPassword | capLongFlag | capWithDB | cap41 | capTransactions | capSecure | capPluginAuth)
	_ = binary.Write(&login, binary.LittleEndian, caps)
	_ = binary.Write(&login, binary.LittleEndian, uint32(mysqlMaxPacket))
	login.WriteByte(charsetUTF8)
	login.Write(make([]byte, 23))
	login.WriteString(target.User + "\x00")
	login.WriteByte(byte(len(answer)))
	login.Write(answer)
	login.WriteString(target.Database + "\x00" + plugin + "\x00")
	if err := c.send(login.Bytes()); err != nil {
		return nil, err
	}
	return c, c.logIn(target, plugin, nonce)
}

// greeting gives the 20 bytes to scramble with and the way to log in.
func greeting(hello []byte) ([]byte, string, error) {
	end := bytes.IndexByte(hello, 0)
	if len(hello) == 0 || hello[0] != 10 || end < 0 || len(hello) < end+1+44 {
		return nil, "", errors.New("what answers there is not MySQL or MariaDB")
	}
	rest := hello[end+1:]
	nonce := append([]byte{}, rest[4:12]...)
	tail := rest[31:]
	nonce = append(nonce, tail[:12]...)
	plugin := "mysql_native_password"
	if len(tail) > 13 {
		plugin = string(bytes.TrimRight(tail[13:], "\x00"))
	}
	return nonce, plugin, nil
}

func scramble(plugin, password string, nonce []byte) ([]byte, error) {
	switch plugin {
	case "mysql_native_password":
		return nativePassword(password, nonce), nil
	case "caching_sha2_password":
		return cachingSha2(password, nonce), nil
	}
	return nil, fmt.Errorf("the server wants to be logged in to by %s, which tilekit does not know: give the user mysql_native_password or caching_sha2_password", plugin)
}

func nativePassword(password string, nonce []byte) []byte {
	if password == "" {
		return nil
	}
	once := sha1.Sum([]byte(password))
	twice := sha1.Sum(once[:])
	mask := sha1.Sum(append(append([]byte{}, nonce...), twice[:]...))
	return xor(once[:], mask[:])
}

func cachingSha2(password string, nonce []byte) []byte {
	if password == "" {
		return nil
	}
	once := sha256.Sum256([]byte(password))
	twice := sha256.Sum256(once[:])
	mask := sha256.Sum256(append(twice[:], nonce...))
	return xor(once[:], mask[:])
}

func xor(a, mask []byte) []byte {
	out := make([]byte, len(a))
	for i := range a {
		out[i] = a[i] ^ mask[i%len(mask)]
	}
	return out
}

// logIn answers until the server lets in or refuses.
func (c *mysqlConn) logIn(target Target, plugin string, nonce []byte) error {
	for {
		said, err := c.packet()
		if err != nil {
			return err
		}
		if len(said) == 0 {
			return errors.New("an empty answer to the log-in")
		}
		switch said[0] {
		case 0x00:
			return nil
		case 0xff:
			return mysqlError(said)
		case 0xfe:
			end := bytes.IndexByte(said, 0)
			if end < 0 || len(said) < end+21 {
				return errors.New("the server asks for the log-in of MySQL 4.0, which tilekit does not know")
			}
			plugin, nonce = string(said[1:end]), said[end+1:end+21]
			answer, err := scramble(plugin, target.Password, nonce)
			if err != nil {
				return err
			}
			if err := c.send(answer); err != nil {
				return err
			}
		case 0x01:
			if err := c.moreSha2(said[1:], target.Password, nonce); err != nil {
				return err
			}
		default:
			return fmt.Errorf("an answer to the log-in that is not known (%d)", said[0])
		}
	}
}

// moreSha2: 3 = the server knows this password already; 4 = it wants it whole, encrypted by its key,
// which it gives on request; a PEM is that key.
func (c *mysqlConn) moreSha2(said []byte, password string, nonce []byte) error {
	if len(said) == 1 && said[0] == 3 {
		return nil
	}
	if len(said) == 1 && said[0] == 4 {
		return c.send([]byte{2})
	}
	block, _ := pem.Decode(said)
	if block == nil {
		return errors.New("the server wants the password over TLS, which tilekit does not speak")
	}
	parsed, err := x509.ParsePKIXPublicKey(block.Bytes)
	key, isRSA := parsed.(*rsa.PublicKey)
	if err != nil || !isRSA {
		return errors.New("the server's key for passwords cannot be read")
	}
	plain := xor(append([]byte(password), 0), nonce)
	hidden, err := rsa.EncryptOAEP(sha1.New(), rand.Reader, key, plain, nil)
	if err != nil {
		return err
	}
	return c.send(hidden)
}

func mysqlError(said []byte) error {
	if len(said) < 3 {
		return errors.New("an error without words")
	}
	text := said[3:]
	if len(text) > 6 && text[0] == '#' {
		text = text[6:]
	}
	return &Error{Code: strconv.Itoa(int(binary.LittleEndian.Uint16(said[1:]))), Text: string(text)}
}

func (c *mysqlConn) Exec(sql string) (*Result, error) {
	c.seq = 0
	before := c.read
	if err := c.send(append([]byte{comQuery}, sql...)); err != nil {
		return nil, err
	}
	first, err := c.packet()
	if err != nil {
		return nil, err
	}
	if len(first) == 0 {
		return nil, errors.New("an empty answer")
	}
	result := &Result{}
	switch first[0] {
	case 0x00:
		affected, n := lengthInt(first[1:])
		last, _ := lengthInt(first[1+n:])
		result.Affected, result.LastID = int64(affected), int64(last)
	case 0xff:
		return nil, mysqlError(first)
	case 0xfb:
		return nil, errors.New("the server asks for a file of this client, which it does not get")
	default:
		if err := c.rows(result); err != nil {
			return nil, err
		}
	}
	result.Bytes = c.read - before
	return result, nil
}

func isEOF(packet []byte) bool { return len(packet) < 9 && len(packet) > 0 && packet[0] == 0xfe }

func (c *mysqlConn) rows(result *Result) error {
	for ends := 0; ends < 2; {
		packet, err := c.packet()
		if err != nil {
			return err
		}
		if isEOF(packet) {
			ends++
			continue
		}
		if len(packet) > 0 && packet[0] == 0xff {
			return mysqlError(packet)
		}
		if ends == 0 {
			continue // The definition of a column.
		}
		row, err := mysqlRow(packet)
		if err != nil {
			return err
		}
		result.Rows = append(result.Rows, row)
	}
	return nil
}

// mysqlRow reads the fields of a row; NULL is "".
func mysqlRow(packet []byte) (row []string, err error) {
	for len(packet) > 0 {
		if packet[0] == 0xfb {
			row, packet = append(row, ""), packet[1:]
			continue
		}
		length, n := lengthInt(packet)
		if n == 0 || uint64(len(packet)-n) < length {
			return nil, errors.New("a row that is cut short")
		}
		row = append(row, string(packet[n:n+int(length)]))
		packet = packet[n+int(length):]
	}
	return row, nil
}

// lengthInt reads a length-encoded integer and how many bytes it has; 0 where it is cut short.
func lengthInt(data []byte) (uint64, int) {
	if len(data) == 0 {
		return 0, 0
	}
	wide := map[byte]int{0xfc: 2, 0xfd: 3, 0xfe: 8}[data[0]]
	if wide == 0 {
		return uint64(data[0]), 1
	}
	if len(data) <= wide {
		return 0, 0
	}
	var n uint64
	for i := wide; i >= 1; i-- {
		n = n<<8 | uint64(data[i])
	}
	return n, wide + 1
}
