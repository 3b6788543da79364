package smb

import (
	"bytes"
	"crypto/hmac"
	"crypto/md5"
	"encoding/binary"
	"errors"
	"strings"
	"time"
	"unicode/utf16"
)

// NTLM version 2 (MS-NLMP), the client's side. Older answers, which a listener can break, are never
// given.

const (
	ntlmUnicode     = 0x00000001
	ntlmTarget      = 0x00000004
	ntlmSign        = 0x00000010
	ntlmNTLM        = 0x00000200
	ntlmAlwaysSign  = 0x00008000
	ntlmExtended    = 0x00080000
	ntlmTargetInfo  = 0x00800000
	ntlm128         = 0x20000000
	ntlm56          = 0x80000000
	ntlmAsked       = ntlmUnicode | ntlmTarget | ntlmSign | ntlmNTLM | ntlmAlwaysSign | ntlmExtended | ntlmTargetInfo | ntlm128 | ntlm56
	ntlmHead        = "NTLMSSP\x00"
	authHead        = 88
	micAt           = 72
	avEnd           = 0
	avFlags         = 6
	avTime          = 7
	avFlagMIC       = 2
	fileTimeOf1970  = 116_444_736_000_000_000
	mostOfTargetAVs = 4096
)

var errNTLM = errors.New("what the server says of NTLM cannot be read")

// utf16le is text as Windows writes it.
func utf16le(text string) []byte {
	units := utf16.Encode([]rune(text))
	out := make([]byte, 2*len(units))
	for i, unit := range units {
		binary.LittleEndian.PutUint16(out[2*i:], unit)
	}
	return out
}

func hmacMD5(key []byte, texts ...[]byte) []byte {
	sum := hmac.New(md5.New, key)
	for _, text := range texts {
		sum.Write(text)
	}
	return sum.Sum(nil)
}

// ntlmNegotiate is the first message.
func ntlmNegotiate() []byte {
	out := make([]byte, 32)
	copy(out, ntlmHead)
	binary.LittleEndian.PutUint32(out[8:], 1)
	binary.LittleEndian.PutUint32(out[12:], ntlmAsked)
	return out
}

// challenge is what the server says to it.
type challenge struct {
	raw    []byte
	nonce  [8]byte
	flags  uint32
	target []byte
}

func readChallenge(raw []byte) (*challenge, error) {
	if len(raw) < 48 || string(raw[:8]) != ntlmHead || binary.LittleEndian.Uint32(raw[8:]) != 2 {
		return nil, errNTLM
	}
	c := &challenge{raw: raw, flags: binary.LittleEndian.Uint32(raw[20:])}
	copy(c.nonce[:], raw[24:])
	length, at := int(binary.LittleEndian.Uint16(raw[40:])), int64(binary.LittleEndian.Uint32(raw[44:]))
	if length > mostOfTargetAVs || at+int64(length) > int64(len(raw)) {
		return nil, errNTLM
	}
	if c.flags&ntlmUnicode == 0 {
		return nil, errNTLM
	}
	c.target = raw[at : at+int64(length)]
	return c, nil
}

// targetInfo with the mark that the messages bear a sum, where the server gives its time; and that
// time.
func (c *challenge) targetInfo() (info []byte, at uint64, sums bool, err error) {
	rest := c.target
	for len(rest) >= 4 {
		id, length := binary.LittleEndian.Uint16(rest), int(binary.LittleEndian.Uint16(rest[2:]))
		if id == avEnd {
			break
		}
		if 4+length > len(rest) {
			return nil, 0, false, errNTLM
		}
		if id == avTime && length == 8 {
			at, sums = binary.LittleEndian.Uint64(rest[4:]), true
		}
		if id != avFlags {
			info = append(info, rest[:4+length]...)
		}
		rest = rest[4+length:]
	}
	if sums {
		info = append(info, avFlags, 0, 4, 0, avFlagMIC, 0, 0, 0)
	} else {
		at = uint64(time.Now().UnixNano()/100) + fileTimeOf1970
	}
	return append(info, 0, 0, 0, 0), at, sums, nil
}

// responseKey of a user: the password goes no further than here.
func responseKey(domain, user, password string) []byte {
	hash := md4(utf16le(password))
	return hmacMD5(hash[:], utf16le(strings.ToUpper(user)+domain))
}

// proof that the password is known, with what it is about, and the key of the session.
func proof(key []byte, nonce, own [8]byte, at uint64, info []byte) (answer, session []byte) {
	about := make([]byte, 28, 28+len(info)+4)
	about[0], about[1] = 1, 1
	binary.LittleEndian.PutUint64(about[8:], at)
	copy(about[16:], own[:])
	about = append(append(about, info...), 0, 0, 0, 0)
	sum := hmacMD5(key, nonce[:], about)
	return append(append([]byte{}, sum...), about...), hmacMD5(key, sum)
}

// ntlmAuthenticate answers a challenge, and gives the key of the session.
func ntlmAuthenticate(c *challenge, domain, user, password string, own [8]byte) (message, session []byte, err error) {
	info, at, sums, err := c.targetInfo()
	if err != nil {
		return nil, nil, err
	}
	answer, session := proof(responseKey(domain, user, password), c.nonce, own, at, info)
	out := bytes.NewBuffer(make([]byte, 0, authHead+len(answer)+256))
	out.Write(make([]byte, authHead))
	head := make([]byte, authHead)
	copy(head, ntlmHead)
	binary.LittleEndian.PutUint32(head[8:], 3)
	for i, part := range [][]byte{make([]byte, 24), answer, utf16le(domain), utf16le(user), utf16le("tilekit"), nil} {
		binary.LittleEndian.PutUint16(head[12+8*i:], uint16(len(part)))
		binary.LittleEndian.PutUint16(head[14+8*i:], uint16(len(part)))
		binary.LittleEndian.PutUint32(head[16+8*i:], uint32(out.Len()))
		out.Write(part)
	}
	binary.LittleEndian.PutUint32(head[60:], c.flags&ntlmAsked)
	message = out.Bytes()
	copy(message, head)
	if sums {
		copy(message[micAt:], hmacMD5(session, ntlmNegotiate(), c.raw, message))
	}
	return message, session, nil
}

// ntlmSum signs the first text of a session; keys are not exchanged, so it is not encrypted.
func ntlmSum(session, text []byte) []byte {
	key := md5.Sum(append(append([]byte{}, session...), "session key to client-to-server signing key magic constant\x00"...))
	sum := hmacMD5(key[:], []byte{0, 0, 0, 0}, text)
	return append(append([]byte{1, 0, 0, 0}, sum[:8]...), 0, 0, 0, 0)
}
