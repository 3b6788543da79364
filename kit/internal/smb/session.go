package smb

import (
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"
)

// Share is where to, and as whom.
type Share struct {
	// Address with port.
	Address string
	Host    string
	Name    string
	// DOMAIN\user, or a user of the server.
	User     string
	Password string
	// Sign every request, also where the server does not demand it.
	Sign bool
}

const (
	dialect202 = 0x0202
	dialect210 = 0x0210

	signEnabled  = 1
	signRequired = 2

	sessionGuest     = 1
	sessionNull      = 2
	sessionEncrypted = 4

	shareDisk      = 1
	shareEncrypted = 0x8000
)

var errEncrypted = errors.New("the server demands the encryption of SMB 3, which tilekit does not speak")

// Open logs in and connects to the share, until the deadline at most.
func Open(share Share, deadline time.Time) (*Conn, error) {
	dialer := net.Dialer{Deadline: deadline}
	raw, err := dialer.Dial("tcp", share.Address)
	if err != nil {
		return nil, err
	}
	return start(raw, share, deadline)
}

func start(raw net.Conn, share Share, deadline time.Time) (*Conn, error) {
	c := &Conn{raw: raw}
	err := c.SetDeadline(deadline)
	if err == nil {
		err = c.enter(share)
	}
	if err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

func (c *Conn) enter(share Share) error {
	if err := c.negotiate(share.Sign); err != nil {
		return err
	}
	if err := c.logOn(share); err != nil {
		return err
	}
	return c.connect(share)
}

func (c *Conn) negotiate(sign bool) error {
	body := c.begin(36, 36)
	le.PutUint16(body[2:], 2)
	body[4] = signEnabled
	if sign {
		body[4] |= signRequired
	}
	if _, err := rand.Read(body[12:28]); err != nil {
		return err
	}
	c.out = append(c.out, dialect202&0xff, dialect202>>8, dialect210&0xff, dialect210>>8)
	answer, status, err := c.ask(cmdNegotiate, 65)
	if status == statusNotSupported || status == statusInvalid {
		return errors.New("the server speaks neither SMB 2.0.2 nor 2.1; tilekit speaks nothing else")
	}
	var said *Error
	if err != nil && !errors.As(err, &said) {
		return fmt.Errorf("what answers there is no SMB server that tilekit can talk to: %w", err)
	}
	if err != nil {
		return err
	}
	if dialect := le.Uint16(answer[4:]); dialect != dialect202 && dialect != dialect210 {
		return errMalformed
	}
	c.mustSign = sign || answer[2]&signRequired != 0
	c.mostRead, c.mostWrite = payload(le.Uint32(answer[32:])), payload(le.Uint32(answer[36:]))
	if c.mostRead < 4096 || c.mostWrite < 4096 {
		return errMalformed
	}
	return nil
}

func payload(most uint32) int {
	if most > mostPayload {
		return mostPayload
	}
	return int(most)
}

func (c *Conn) logOn(share Share) error {
	domain, user := "", share.User
	if at := strings.IndexByte(user, '\\'); at >= 0 {
		domain, user = user[:at], user[at+1:]
	}
	answer, status, err := c.setUp(spnegoInit(ntlmNegotiate()))
	if err != nil {
		return err
	}
	if status != statusMore {
		return errSPNEGO
	}
	token, err := tokenOf(answer)
	if err != nil {
		return err
	}
	asked, err := readChallenge(append([]byte{}, token...))
	if err != nil {
		return err
	}
	var own [8]byte
	if _, err := rand.Read(own[:]); err != nil {
		return err
	}
	message, key, err := ntlmAuthenticate(asked, domain, user, share.Password, own)
	if err != nil {
		return err
	}
	answer, status, err = c.setUp(spnegoAnswer(message, ntlmSum(key, mechanisms())))
	if err != nil {
		return err
	}
	if status != statusOK {
		return errSPNEGO
	}
	flags := le.Uint16(answer[2:])
	if flags&sessionEncrypted != 0 {
		return errEncrypted
	}
	if flags&(sessionGuest|sessionNull) != 0 {
		// A guest has no key.
		if c.mustSign {
			return errors.New("signatures are demanded, and the server lets the user in as a guest only, who cannot sign")
		}
		return nil
	}
	if c.mustSign {
		c.key = key
	}
	return nil
}

func (c *Conn) setUp(token []byte) (answer []byte, status uint32, err error) {
	body := c.begin(24, 25)
	body[3] = signEnabled
	if c.mustSign {
		body[3] = signRequired
	}
	le.PutUint16(body[12:], headBytes+24)
	le.PutUint16(body[14:], uint16(len(token)))
	c.out = append(c.out, token...)
	return c.ask(cmdSessionSetup, 9, statusMore)
}

func tokenOf(answer []byte) ([]byte, error) {
	if len(answer) < 8 {
		return nil, errMalformed
	}
	text, err := part(answer, int(le.Uint16(answer[4:])), int(le.Uint16(answer[6:])))
	if err != nil {
		return nil, err
	}
	return spnegoToken(text)
}

func (c *Conn) connect(share Share) error {
	path := utf16le(`\\` + share.Host + `\` + share.Name)
	body := c.begin(8, 9)
	le.PutUint16(body[4:], headBytes+8)
	le.PutUint16(body[6:], uint16(len(path)))
	c.out = append(c.out, path...)
	answer, _, err := c.ask(cmdTreeConnect, 16)
	if err != nil {
		return err
	}
	if answer[2] != shareDisk {
		return fmt.Errorf("the share %s is no share of files", share.Name)
	}
	if le.Uint32(answer[4:])&shareEncrypted != 0 {
		return errEncrypted
	}
	// The tree stands in the head of the answer.
	c.tree = le.Uint32(c.in[36:])
	return nil
}

// Echo asks whether the server still answers.
func (c *Conn) Echo() error {
	c.begin(4, 4)
	_, _, err := c.ask(cmdEcho, 4)
	return err
}
