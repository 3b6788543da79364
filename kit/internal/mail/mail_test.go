package mail

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tilekit/internal/job"
	"tilekit/internal/load"
	"tilekit/internal/record"
)

func TestOptionsAreRefusedByTheirName(t *testing.T) {
	for text, word := range map[string]string{
		``:                                       "mail is missing",
		`{}`:                                     "mail.host",
		`{"host":"h","imapPort":0}`:              "mail.imapPort",
		`{"host":"h","mailboxes":0}`:             "mail.mailboxes",
		`{"host":"h","messages":-1}`:             "mail.messages",
		`{"host":"h","recipients":0.5}`:          "mail.recipients",
		`{"host":"h","login":"a b"}`:             "mail.login",
		`{"host":"h","address":"a>b@c"}`:         "mail.login and address",
		`{"host":"h","mailboxes":2,"login":"u"}`: "{n}",
		`{"host":"h","weights":{"fly":1}}`:       `"fly"`,
		`{"host":"h","weights":{"send":-1}}`:     "mail.weights.send",
		`{"host":"h","weights":{"send":0}}`:      "all 0",
		`{"host":"h","password":"x"}`:            "password",
		`{"host":"h"}`:                           "",
	} {
		_, err := Read([]byte(text))
		if (word == "") != (err == nil) || (err != nil && !strings.Contains(err.Error(), word)) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestTheMixSizesAndRecipientsAreThoseOfMMB(t *testing.T) {
	o, err := Read([]byte(`{"host":"h"}`))
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewSource(1))
	const times = 400_000
	chosen := map[string]float64{}
	sizes := map[int]float64{}
	recipients := 0.0
	for i := 0; i < times; i++ {
		chosen[operations[o.choose(random)]]++
		sizes[o.size(random.Float64())]++
		recipients += float64(o.howMany(random))
	}
	// A day of MMB has 161.28 operations.
	for name, perDay := range mmbDay {
		if share, want := chosen[name]/times, perDay/161.28; math.Abs(share-want) > 0.003 {
			t.Errorf("%s has a share of %.4f, not %.4f", name, share, want)
		}
	}
	// The weights add to 96: each is a share of 96.
	for _, one := range mmbSizes {
		if share, want := sizes[int(one.kb*1024)]/times, one.weight/96; math.Abs(share-want) > 0.003 {
			t.Errorf("%v KB have a share of %.4f, not %.4f", one.kb, share, want)
		}
	}
	if mean := recipients / times; math.Abs(mean-4.7) > 0.01 {
		t.Errorf("%.3f recipients", mean)
	}
	// What is received is what others send.
	if received := mmbDay["send"] * mmbRecipients; math.Abs(received-66.3) > 0.5 {
		t.Errorf("%.2f received a day, published are 66.3", received)
	}
}

func TestAMessageIsAsLargeAsItShallBe(t *testing.T) {
	for _, bytes := range []int{1024, 2048, 2049, 4096, 5000, 15_360, 44_032} {
		text := message("seed mmb 1", "a@b", []string{"c@d"}, 7, bytes, seedDate)
		if len(text) != bytes {
			t.Errorf("%d bytes, not %d", len(text), bytes)
		}
		for _, line := range strings.Split(string(text), "\r\n") {
			if len(line) > 998 || strings.HasPrefix(line, ".") || strings.Contains(line, "\n") {
				t.Errorf("line %q", line)
			}
		}
		if !strings.Contains(string(text), "\r\n\r\n") {
			t.Error("no end of header")
		}
	}
}

func optionsOf(t *testing.T, s *server, more string) string {
	t.Helper()
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("right\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf(`{"host":"127.0.0.1","imapPort":%d,"smtpPort":%d,"passwordFile":%q%s}`, port(s.imap), port(s.smtp), secret, more)
}

func read(t *testing.T, text string) *Options {
	t.Helper()
	o, err := Read([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func TestLoadingFillsGoesOnPutsBackAndUnloadingLeavesWhatIsNotOurs(t *testing.T) {
	for _, noMove := range []bool{false, true} {
		s := startServer(t)
		s.noMove = noMove
		s.mu.Lock()
		s.of("user2", "INBOX").put("Subject: mine\r\n\r\nhello\r\n")
		s.mu.Unlock()
		o := read(t, optionsOf(t, s, `,"mailboxes":3,"messages":250`))
		made, err := Load(o)
		if err != nil || made.Messages != 750 || made.Written != 750 || made.Others != 1 {
			t.Fatal(made, err)
		}
		// Half of one mailbox is lost, another has what a run left.
		s.mu.Lock()
		b := s.of("user1", "INBOX")
		b.mail = b.mail[:100]
		b.mail[3].flags[`\Seen`] = true
		s.of("user3", "INBOX").put("X-Tilekit: sent abc 1\r\n\r\nleft\r\n")
		s.of("user3", movedFolder).put("X-Tilekit: seed mmb 4\r\n\r\nmoved\r\n")
		s.mu.Unlock()
		again, err := Load(o)
		if err != nil || again.Kept != 600 || again.Written != 150 || again.Removed != 2 || again.Bytes != made.Bytes {
			t.Errorf("%+v %v", again, err)
		}
		if b.mail[3].flags[`\Seen`] {
			t.Error("what a run read is read still")
		}
		if err := Verify(o, time.Second); err != nil {
			t.Error(err)
		}
		o.Messages = 251
		if err := Verify(o, 0); !about(err, "messages") {
			t.Error(err)
		}
		gone, err := Unload(o)
		if err != nil || gone.Removed != 750 || gone.Others != 1 {
			t.Errorf("%+v %v", gone, err)
		}
		if s.count("user1", "INBOX") != 0 || s.count("user2", "INBOX") != 1 || s.of("user1", movedFolder) != nil {
			t.Error("not all that was ours is gone, or more")
		}
	}
}

func TestWhatIsWrongIsSaidBeforeARun(t *testing.T) {
	s := startServer(t)
	for more, blames := range map[string]string{
		`,"login":"user","passwordFile":"/nowhere"`: "passwordFile",
		`,"address":"nobody@example.org"`:           "address",
		`,"smtpAuth":true`:                          "smtpAuth",
		`,"imapPort":1`:                             "imapPort",
		`,"smtpPort":1`:                             "smtpPort",
		// SMTP answers where IMAP is asked for.
		fmt.Sprintf(`,"imapPort":%d`, port(s.smtp)): "imapPort",
		fmt.Sprintf(`,"smtpPort":%d`, port(s.imap)): "smtpPort",
	} {
		if err := Verify(read(t, optionsOf(t, s, more)), 0); !about(err, blames) {
			t.Errorf("%s: %v", more, err)
		}
	}
	wrong := filepath.Join(t.TempDir(), "wrong")
	if err := os.WriteFile(wrong, []byte("wrong\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	err := Verify(read(t, optionsOf(t, s, fmt.Sprintf(`,"passwordFile":%q`, wrong))), 0)
	if !about(err, "passwordFile") || !strings.Contains(err.Error(), "does not let user1 in") || strings.Contains(err.Error(), "right") {
		t.Error(err)
	}
	s.withheld = true
	if err := Verify(read(t, optionsOf(t, s, "")), 100*time.Millisecond); !about(err, "smtpPort") || !strings.Contains(err.Error(), "did not arrive") {
		t.Error(err)
	}
}

func run(t *testing.T, mail, more string) (record.End, []byte) {
	t.Helper()
	j, err := job.Parse([]byte(`{"schema":1,"scenario":"mail","durationS":1,"users":8,"mail":` + mail + more + `}`))
	if err != nil {
		t.Fatal(err)
	}
	made, err := New(j)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	end, _, err := load.Run(context.Background(), "test", j, made, &out)
	if err != nil {
		t.Fatal(err)
	}
	return end, out.Bytes()
}

const often = `,"arrivals":{"kind":"constant","rate":[{"atS":0,"perS":200}]}`

func TestAcceptedAndDeliveredAreCountedAsTheServerCountsThem(t *testing.T) {
	s := startServer(t)
	mail := optionsOf(t, s, `,"mailboxes":8,"messages":20,"weights":{"send":2,"check":1,"read":2,"move":1,"delete":1,"calendar":1,"search":1,"flag":1}`)
	if _, err := Load(read(t, mail)); err != nil {
		t.Fatal(err)
	}
	for _, mode := range []string{often, `,"mode":"closed","thinkS":0.02`} {
		before := s.envelopes
		end, _ := run(t, mail, mode)
		if end.Done != end.Offered || end.Done < 50 || end.Unfinished != 0 {
			t.Errorf("%+v", end)
		}
		if end.Counts["accepted"] != int64(s.envelopes-before) || end.Shown.Expected != end.Counts["recipients"] ||
			end.Shown.Missing != 0 || end.Shown.Done != end.Shown.Expected || end.Shown.Unasked != 0 {
			t.Errorf("%+v %+v, the server took %d", end.Counts, end.Shown, s.envelopes-before)
		}
		there := 0
		for i := 1; i <= 8; i++ {
			for _, name := range []string{"INBOX", movedFolder, calendarFolder} {
				there += s.count(fmt.Sprintf("user%d", i), name)
			}
		}
		if want := 160 + end.Shown.Done + end.Counts["appended"] - end.Counts["deleted"]; int64(there) != want {
			t.Errorf("%d messages are there, not %d", there, want)
		}
		if _, err := Load(read(t, mail)); err != nil {
			t.Fatal(err)
		}
	}
}

func TestMailThatWaitsInTheServersQueueIsNeverDelivered(t *testing.T) {
	s := startServer(t)
	s.withheld = true
	mail := optionsOf(t, s, `,"mailboxes":8,"weights":{"send":1}`)
	end, out := run(t, mail, often+`,"drainS":0.3`)
	if end.Done == 0 || end.Shown.Expected == 0 || end.Shown.Done != 0 || end.Shown.Missing != end.Shown.Expected {
		t.Errorf("%+v %+v", end, end.Shown)
	}
	if !strings.Contains(string(out), `"pending":`) {
		t.Error("no line says what is awaited")
	}
	// Let go in the midst of a run, all of it is seen, as late as it is.
	s.withheld = true
	go func() {
		time.Sleep(600 * time.Millisecond)
		s.let()
	}()
	end, _ = run(t, mail, often)
	if end.Shown.Missing != 0 || end.Shown.Done == 0 {
		t.Errorf("%+v", end.Shown)
	}
}

func TestARefusedRecipientIsAFailureAndTheOthersAreAwaited(t *testing.T) {
	s := startServer(t)
	mail := optionsOf(t, s, `,"address":"nobody@example.org","login":"user","mailboxes":1,"weights":{"send":1}`)
	end, _ := run(t, mail, `,"users":1`+often)
	if end.Done != 0 || end.Failed["status"] != end.Offered || end.Shown.Expected != 0 {
		t.Errorf("%+v %+v", end, end.Shown)
	}
}

func TestAServerThatSaysNothingIsATimeoutAndOneThatIsNotThereAConnect(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	o := read(t, fmt.Sprintf(`{"host":"127.0.0.1","imapPort":%d,"smtpPort":%d}`, port(listener), port(listener)))
	s := &scenario{o: o, users: 1, post: newPost(1)}
	s.Watch(record.New(&bytes.Buffer{}, operations, record.Limits{}))
	u := s.User(0, rand.New(rand.NewSource(1)))
	defer u.Close()
	for _, op := range []int{opCheck, opSend} {
		if got := u.Do(op, time.Now().Add(100*time.Millisecond)); got.Class != "timeout" {
			t.Errorf("%s: %+v", operations[op], got)
		}
	}
	_ = listener.Close()
	for _, op := range []int{opCheck, opSend} {
		if got := u.Do(op, time.Now().Add(time.Second)); got.Class != "connect" {
			t.Errorf("%s: %+v", operations[op], got)
		}
	}
}

func TestUsersNeedAMailboxEach(t *testing.T) {
	j, err := job.Parse([]byte(`{"schema":1,"scenario":"mail","durationS":1,"users":2,"mode":"closed","mail":{"host":"h"}}`))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := New(j); err == nil || !strings.Contains(err.Error(), "mail.mailboxes") {
		t.Error(err)
	}
}
