package network

import (
	"bytes"
	"encoding/binary"
	"math/rand"
)

// A packet begins with these 32 bytes: a mark, the session, which of its senders, in which second of
// the sender's clock, and its number with that sender; all numbers big-endian.
const headerBytes = 32

var mark = [4]byte{'T', 'K', 'N', '1'}

type header struct {
	session uint64
	sender  uint32
	second  uint32
	number  uint64
}

func (h header) put(into []byte) {
	copy(into, mark[:])
	binary.BigEndian.PutUint32(into[4:], h.sender)
	binary.BigEndian.PutUint64(into[8:], h.session)
	binary.BigEndian.PutUint32(into[16:], h.second)
	binary.BigEndian.PutUint32(into[20:], 0)
	binary.BigEndian.PutUint64(into[24:], h.number)
}

func readHeader(from []byte) (h header, ok bool) {
	if len(from) < headerBytes || !bytes.Equal(from[:4], mark[:]) {
		return h, false
	}
	h.sender = binary.BigEndian.Uint32(from[4:])
	h.session = binary.BigEndian.Uint64(from[8:])
	h.second = binary.BigEndian.Uint32(from[16:])
	h.number = binary.BigEndian.Uint64(from[24:])
	return h, true
}

// What lies behind a header, and what streams are made of: the same for every sender, so that the
// other side can hold each byte against it. Twice its period, so that a piece never wraps.
const period = 1 << 20

var pattern = func() []byte {
	bytes := make([]byte, 2*period)
	_, _ = rand.New(rand.NewSource(1)).Read(bytes[:period])
	copy(bytes[period:], bytes[:period])
	return bytes
}()

// isPattern says whether bytes are those of the pattern from this place on; at most a period of them.
func isPattern(text []byte, from int64) bool {
	at := from % period
	return bytes.Equal(text, pattern[at:at+int64(len(text))])
}

// newPacket is one of so many bytes, whose header is still to be put.
func newPacket(size int) []byte {
	packet := make([]byte, size)
	copy(packet[headerBytes:], pattern)
	return packet
}

// isWhole says whether what lies behind the header is as it was sent.
func isWhole(packet []byte) bool { return isPattern(packet[headerBytes:], 0) }

// hello is the first line of every connection, as JSON.
type hello struct {
	// "net", so that nobody else's program is taken for this one.
	Tilekit string `json:"tilekit"`
	Session uint64 `json:"session"`
	// "control", or what this connection carries: "packets", "requests", "send", "receive".
	As           string `json:"as"`
	Kind         string `json:"kind"`
	SendBytes    int    `json:"sendBytes"`
	ReceiveBytes int    `json:"receiveBytes"`
}

// welcome is its answer.
type welcome struct {
	Tilekit string `json:"tilekit"`
	Kit     string `json:"kit"`
	Problem string `json:"problem,omitempty"`
}

// Counts of one session, as the server has seen it; the answer to each line on a control connection.
type Counts struct {
	Session uint64 `json:"session"`
	// Each packet once, in whatever order; bytes are of payload.
	Packets int64 `json:"packets"`
	Bytes   int64 `json:"bytes"`
	// Of the packets: those that came after one that was sent later.
	Reordered int64 `json:"reordered"`
	// Beside the packets: came twice, and not as they were sent.
	Duplicates int64 `json:"duplicates"`
	Damaged    int64 `json:"damaged"`
	// Requests that were answered.
	Answered int64 `json:"answered"`
	// Datagrams for this server's port, of whatever session, that its own machine dropped because the
	// program did not take them in time; -1 = this system does not tell.
	SocketDrops int64 `json:"socketDrops"`
	// Packets by the second of the sender's clock, the last ones of all.
	Seconds map[uint32]int64 `json:"seconds,omitempty"`
}
