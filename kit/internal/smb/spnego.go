package smb

import (
	"bytes"
	"errors"
)

// The wrapping of NTLM in SPNEGO (RFC 4178), in DER: as much as one mechanism needs.

var (
	oidSPNEGO = []byte{0x06, 0x06, 0x2b, 0x06, 0x01, 0x05, 0x05, 0x02}
	oidNTLM   = []byte{0x06, 0x0a, 0x2b, 0x06, 0x01, 0x04, 0x01, 0x82, 0x37, 0x02, 0x02, 0x0a}
)

var errSPNEGO = errors.New("what the server says of its log-in cannot be read")

// der is one value with its tag and length.
func der(tag byte, parts ...[]byte) []byte {
	value := bytes.Join(parts, nil)
	switch n := len(value); {
	case n < 0x80:
		return append([]byte{tag, byte(n)}, value...)
	case n < 0x100:
		return append([]byte{tag, 0x81, byte(n)}, value...)
	default:
		return append([]byte{tag, 0x82, byte(n >> 8), byte(n)}, value...)
	}
}

// spnegoInit offers NTLM with its first message.
func spnegoInit(token []byte) []byte {
	return der(0x60, oidSPNEGO, der(0xa0, der(0x30,
		der(0xa0, mechanisms()),
		der(0xa2, der(0x04, token)),
	)))
}

// mechanisms on offer.
func mechanisms() []byte { return der(0x30, oidNTLM) }

// spnegoAnswer carries the last message, and a sum over the mechanisms that were on offer.
func spnegoAnswer(token, sum []byte) []byte {
	return der(0xa1, der(0x30, der(0xa2, der(0x04, token)), der(0xa3, der(0x04, sum))))
}

// undo takes a value of this tag from the front.
func undo(text []byte, tag byte) (value, rest []byte, err error) {
	if len(text) < 2 || text[0] != tag {
		return nil, nil, errSPNEGO
	}
	length, head := int(text[1]), 2
	if length >= 0x80 {
		more := length & 0x7f
		if more < 1 || more > 2 || len(text) < 2+more {
			return nil, nil, errSPNEGO
		}
		length, head = 0, 2+more
		for _, one := range text[2:head] {
			length = length<<8 | int(one)
		}
	}
	if len(text) < head+length {
		return nil, nil, errSPNEGO
	}
	return text[head : head+length], text[head+length:], nil
}

// spnegoToken is what a server answers with: the message of NTLM in it, empty where there is none.
func spnegoToken(text []byte) ([]byte, error) {
	if bytes.HasPrefix(text, []byte(ntlmHead)) {
		return text, nil
	}
	whole, _, err := undo(text, 0xa1)
	if err != nil {
		return nil, err
	}
	fields, _, err := undo(whole, 0x30)
	if err != nil {
		return nil, err
	}
	for len(fields) > 0 {
		tag := fields[0]
		field, rest, err := undo(fields, tag)
		if err != nil {
			return nil, err
		}
		if tag == 0xa2 {
			token, _, err := undo(field, 0x04)
			return token, err
		}
		fields = rest
	}
	return nil, nil
}
