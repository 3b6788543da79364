package smb

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand"
	"net"
	"strings"
	"testing"
	"time"
)

var someone = Share{Host: "files", Name: "tilebench", User: "nobody", Password: "pw"}

// talk is one session with all that this client can ask; what was recorded are the answers to it.
func talk(c *Conn) error {
	if err := c.Echo(); err != nil {
		return err
	}
	once := func(path string, how How) error {
		f, err := c.Open(path, how)
		if err != nil {
			return err
		}
		return f.Close()
	}
	if err := once("made", MakeDirectory); err != nil {
		return err
	}
	f, err := c.Open("made/one", Create)
	if err != nil {
		return err
	}
	text := []byte("sixteen letters.")
	if n, err := f.WriteAt(text, 0); err != nil || n != len(text) {
		return fmt.Errorf("wrote %d: %w", n, err)
	}
	if err := f.Flush(); err != nil {
		return err
	}
	if about, err := f.Stat(); err != nil || about.Size != 16 {
		return fmt.Errorf("size %d: %w", about.Size, err)
	}
	if free, err := f.Free(); err != nil || free < 1<<20 {
		return fmt.Errorf("free %d: %w", free, err)
	}
	read := make([]byte, len(text))
	if err := f.ReadAt(read, 0); err != nil || !bytes.Equal(read, text) {
		return fmt.Errorf("read %q: %w", read, err)
	}
	if err := f.ReadAt(read, 8); err != ErrShort {
		return fmt.Errorf("read beyond the end: %w", err)
	}
	if err := f.Close(); err != nil {
		return err
	}
	d, err := c.Open("made", Directory)
	if err != nil {
		return err
	}
	if found, err := d.List(10); err != nil || len(found) != 1 || found[0] != (Entry{Name: "one", Size: 16}) {
		return fmt.Errorf("listed %v: %w", found, err)
	}
	if err := d.Close(); err != nil {
		return err
	}
	var answered *Error
	if err := once("made/one", Create); !errors.As(err, &answered) || !answered.Exists() {
		return fmt.Errorf("made what is there: %w", err)
	}
	if err := once("made/one", Remove); err != nil {
		return err
	}
	return once("made", RemoveDirectory)
}

// frames that Samba 4.17 answered with, one a request: its word that a flush takes longer is with the
// answer to it.
func frames(t *testing.T) [][]byte {
	packed, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(recorded), ""))
	if err != nil {
		t.Fatal(err)
	}
	unpacked, err := zlib.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(unpacked)
	if err != nil {
		t.Fatal(err)
	}
	var all [][]byte
	for len(text) > 0 {
		n := 4 + int(binary.BigEndian.Uint32(text))
		if le.Uint32(text[4+8:]) == statusPending {
			n += 4 + int(binary.BigEndian.Uint32(text[n:]))
		}
		all = append(all, text[:n:n])
		text = text[n:]
	}
	return all
}

// played answers each request with the next frame, whatever it was, and then ends.
func played(answers [][]byte, share Share) error {
	here, there := net.Pipe()
	go func() {
		defer there.Close()
		var head [4]byte
		for _, one := range answers {
			if _, err := io.ReadFull(there, head[:]); err != nil {
				return
			}
			if _, err := io.CopyN(io.Discard, there, int64(binary.BigEndian.Uint32(head[:]))); err != nil {
				return
			}
			if _, err := there.Write(one); err != nil {
				return
			}
		}
	}()
	c, err := start(here, share, time.Now().Add(20*time.Second))
	if err != nil {
		return err
	}
	defer c.Close()
	return talk(c)
}

func TestASessionWithSambaIsReadToItsEnd(t *testing.T) {
	if err := played(frames(t), someone); err != nil {
		t.Fatal(err)
	}
}

func TestADamagedAnswerIsAnErrorAndNoPanic(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	whole := frames(t)
	refused := 0
	for round := 0; round < 2_000; round++ {
		damaged := append([][]byte{}, whole...)
		at := random.Intn(len(damaged))
		one := append([]byte{}, damaged[at]...)
		if 4+int(binary.BigEndian.Uint32(one)) < len(one) {
			// Two messages: without the second one the client waits until its deadline, as it must.
			continue
		}
		if random.Intn(4) == 0 {
			one = one[:5+random.Intn(len(one)-5)]
			one[1], one[2], one[3] = byte((len(one)-4)>>16), byte((len(one)-4)>>8), byte(len(one)-4)
		}
		for n := random.Intn(4); n >= 0; n-- {
			// Not in its length: both sides would wait for each other.
			place := 4 + random.Intn(len(one)-4)
			one[place] = [...]byte{0, 1, 0x7f, 0x80, 0xff, byte(random.Intn(256))}[random.Intn(6)]
		}
		damaged[at] = one
		if played(damaged, someone) != nil {
			refused++
		}
	}
	// Times, padding and ids may be anything.
	if refused < 500 {
		t.Fatalf("only %d damaged sessions were refused", refused)
	}
}

func TestWhatAServerClaimsIsBounded(t *testing.T) {
	whole := frames(t)
	with := func(at int, change func(frame []byte) []byte) [][]byte {
		all := append([][]byte{}, whole...)
		all[at] = change(append([]byte{}, all[at]...))
		return all
	}
	pending := func(frame []byte) []byte {
		one := append([]byte{}, frame...)
		le.PutUint32(one[4+8:], statusPending)
		le.PutUint32(one[4+16:], flagResponse|flagAsync)
		return one
	}
	for name, one := range map[string]struct {
		answers [][]byte
		words   string
	}{
		"a message of 16 MB":           {with(0, func(f []byte) []byte { return []byte{0, 0xff, 0xff, 0xff} }), "no SMB 2"},
		"no message at all":            {nil, "no SMB server"},
		"another protocol":             {with(0, func([]byte) []byte { return []byte("HTTP/1.1 400 Bad Request\r\n") }), "no SMB server"},
		"SMB 1":                        {with(0, func(f []byte) []byte { f[4] = 0xff; return f }), "SMB 1 only"},
		"encryption":                   {with(3, func(f []byte) []byte { f[4] = 0xfd; return f }), "encryption of SMB 3"},
		"a session that is encrypted":  {with(2, func(f []byte) []byte { f[4+headBytes+2] = sessionEncrypted; return f }), "encryption of SMB 3"},
		"a share that is encrypted":    {with(3, func(f []byte) []byte { f[4+headBytes+5] = shareEncrypted >> 8; return f }), "encryption of SMB 3"},
		"a share of printers":          {with(3, func(f []byte) []byte { f[4+headBytes+2] = 3; return f }), "no share of files"},
		"an answer to another request": {with(4, func(f []byte) []byte { f[4+24]++; return f }), "no SMB 2"},
		"a dialect that was not asked": {with(0, func(f []byte) []byte { f[4+headBytes+5] = 3; return f }), "no SMB 2"},
		"a link in place of a file":    {with(7, func(f []byte) []byte { f[4+headBytes+57] |= attrReparse >> 8; return f }), "a link"},
		"words that it is still at it, for ever": {with(4, func(f []byte) []byte {
			return bytes.Repeat(pending(f), mostInterim+1)
		}), "no SMB 2"},
	} {
		if err := played(one.answers, someone); err == nil || !strings.Contains(err.Error(), one.words) {
			t.Errorf("%s: %v", name, err)
		}
	}
	// Once more, a few times, it is waited for.
	patient := with(4, func(f []byte) []byte { return append(bytes.Repeat(pending(f), 3), f...) })
	if err := played(patient, someone); err != nil {
		t.Errorf("an answer that took longer: %v", err)
	}
}

func TestAnAnswerWithoutTheSignatureOfTheSessionIsRefused(t *testing.T) {
	share := someone
	share.Sign = true
	if err := played(frames(t), share); err == nil || !strings.Contains(err.Error(), "signature") {
		t.Fatal(err)
	}
}

func TestAGuestCannotSign(t *testing.T) {
	whole := frames(t)
	guest := append([]byte{}, whole[2]...)
	guest[4+headBytes+2] = sessionGuest
	whole[2] = guest
	if err := played(whole, someone); err != nil {
		t.Fatal(err)
	}
	share := someone
	share.Sign = true
	if err := played(whole, share); err == nil || !strings.Contains(err.Error(), "cannot sign") {
		t.Fatal(err)
	}
}
