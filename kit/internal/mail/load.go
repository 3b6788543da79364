package mail

import (
	"errors"
	"fmt"
	"sort"
	"strconv"
	"strings"
	"sync"
	"time"

	"tilekit/internal/imap"
	"tilekit/internal/job"
)

// Summary of a set of mailboxes, as the server tells it after loading.
type Summary struct {
	Mailboxes int   `json:"mailboxes"`
	Messages  int64 `json:"messages"`
	Bytes     int64 `json:"bytes"`
	// What was there already, was written, and was taken away.
	Kept    int64 `json:"kept"`
	Written int64 `json:"written"`
	Removed int64 `json:"removed"`
	// Messages in the inboxes that are not of tilekit; they were left alone.
	Others  int64   `json:"others"`
	Seconds float64 `json:"seconds"`
}

func (s *Summary) add(o Summary) {
	s.Mailboxes += o.Mailboxes
	s.Messages += o.Messages
	s.Bytes += o.Bytes
	s.Kept += o.Kept
	s.Written += o.Written
	s.Removed += o.Removed
	s.Others += o.Others
}

const (
	// Mailboxes that are worked on at once.
	atOnce = 8
	// How long one command of loading may take: a server indexes a large mailbox for minutes.
	loadCommand = 10 * time.Minute
	// Messages and bytes of one command.
	mostMessages = 100
	mostBytes    = 1 << 20
	// UIDs of one command: a line of 4 KB at most.
	mostUIDs = 300
)

// Load brings every mailbox to its set of messages: what is missing is written, what runs left or
// another set had is taken away, messages of others are left alone. So a load that was cut short goes
// on, and one after a run puts back. It ends by counting at the server.
func Load(o *Options) (*Summary, error) {
	began := time.Now()
	total := &Summary{}
	err := each(o, total, func(index int, conn *imap.Conn) (Summary, error) { return restore(o, index, conn) })
	total.Seconds = time.Since(began).Seconds()
	return total, err
}

// Unload removes the messages of tilekit, known by their header, and its folders where nobody else
// put anything into them.
func Unload(o *Options) (*Summary, error) {
	began := time.Now()
	total := &Summary{}
	err := each(o, total, func(_ int, conn *imap.Conn) (Summary, error) { return empty(conn) })
	total.Seconds = time.Since(began).Seconds()
	return total, err
}

func empty(conn *imap.Conn) (Summary, error) {
	one := Summary{Mailboxes: 1}
	for _, folder := range folders {
		n, left, err := clear(conn, folder)
		one.Removed += n
		if err != nil {
			return one, err
		}
		if _, err := conn.Select("INBOX"); err != nil {
			return one, err
		}
		if left == 0 {
			if err := conn.Drop(folder); err != nil {
				return one, err
			}
		}
	}
	n, others, err := clear(conn, "INBOX")
	one.Removed += n
	one.Others = others
	return one, err
}

// each logs in to every mailbox, some at once, and adds up what came of it; the first failure ends it.
func each(o *Options, total *Summary, work func(index int, conn *imap.Conn) (Summary, error)) error {
	password, err := job.Secret(o.PasswordFile)
	if err != nil {
		return err
	}
	var mu sync.Mutex
	var failure error
	next := 0
	take := func() int {
		mu.Lock()
		defer mu.Unlock()
		if failure != nil || next >= o.Mailboxes {
			return -1
		}
		next++
		return next - 1
	}
	var all sync.WaitGroup
	for i := 0; i < atOnce && i < o.Mailboxes; i++ {
		all.Add(1)
		go func() {
			defer all.Done()
			for index := take(); index >= 0; index = take() {
				var one Summary
				err := inMailbox(o, password, index, func(index int, conn *imap.Conn) (err error) {
					one, err = work(index, conn)
					return err
				})
				mu.Lock()
				total.add(one)
				if failure == nil {
					failure = err
				}
				mu.Unlock()
			}
		}()
	}
	all.Wait()
	return failure
}

func inMailbox(o *Options, password string, index int, work func(index int, conn *imap.Conn) error) error {
	conn, err := imap.Open(o.imap(), o.login(index), password, time.Now().Add(logInLimit))
	if err != nil {
		return refusal(o, index, err)
	}
	defer conn.Logout()
	if err := conn.SetDeadline(time.Now().Add(loadCommand)); err != nil {
		return err
	}
	err = work(index, conn)
	var problem *Problem
	if err != nil && !errors.As(err, &problem) {
		err = fmt.Errorf("mailbox %s: %w", o.login(index), err)
	}
	return err
}

// refusal says why nobody gets in.
func refusal(o *Options, index int, err error) *Problem {
	var answered *imap.Error
	if errors.As(err, &answered) {
		blames := "passwordFile"
		if strings.Contains(answered.Text, "TLS") {
			blames = "imapPort"
		}
		return &Problem{Blames: blames, Text: fmt.Sprintf("the mail server at %s does not let %s in: %s", o.imap(), o.login(index), answered)}
	}
	return &Problem{Blames: blamed("imapPort", err), Text: fmt.Sprintf("no IMAP server to log in to at %s: %v", o.imap(), err)}
}

func blamed(port string, err error) string {
	if classOf(err) == "timeout" || strings.Contains(err.Error(), "no such host") {
		return "host"
	}
	return port
}

func remove(conn *imap.Conn, uids []uint32) error {
	for len(uids) > 0 {
		n := minimum(len(uids), mostUIDs)
		if err := conn.Remove(uids[:n]); err != nil {
			return err
		}
		uids = uids[n:]
	}
	return nil
}

// clear takes our messages out of a folder; left = what is not ours, -1 where there is no such folder.
func clear(conn *imap.Conn, folder string) (removed, left int64, err error) {
	there, err := conn.There(folder)
	if err != nil || !there {
		return 0, -1, err
	}
	if _, err := conn.Select(folder); err != nil {
		return 0, 0, err
	}
	all, err := conn.Headers(0, field)
	if err != nil {
		return 0, 0, err
	}
	var ours []uint32
	for _, one := range all {
		if one.Value != "" {
			ours = append(ours, one.UID)
		}
	}
	return int64(len(ours)), int64(len(all) - len(ours)), remove(conn, ours)
}

// sorted parts an inbox: the messages of the set by their number, what of tilekit is to go, and how
// many are of others.
func (o *Options) sorted(all []imap.Header) (set map[int]imap.Header, ours []uint32, others int64) {
	set = map[int]imap.Header{}
	for _, one := range all {
		if one.Value == "" {
			others++
			continue
		}
		parts := strings.Fields(one.Value)
		number := 0
		if len(parts) == 3 && parts[0] == "seed" && parts[1] == o.key() {
			number, _ = strconv.Atoi(parts[2])
		}
		if _, twice := set[number]; number < 1 || number > o.Messages || twice {
			ours = append(ours, one.UID)
			continue
		}
		set[number] = one
	}
	return set, ours, others
}

func restore(o *Options, index int, conn *imap.Conn) (Summary, error) {
	one := Summary{Mailboxes: 1}
	for _, folder := range folders {
		n, left, err := clear(conn, folder)
		if err != nil {
			return one, err
		}
		one.Removed += n
		if left < 0 {
			if err := conn.Create(folder); err != nil {
				return one, err
			}
		}
	}
	var wrong error
	// Mail of an earlier run may come out of the server's queue meanwhile.
	for tried := 0; tried < 3; tried++ {
		if err := refill(o, index, conn, &one); err != nil {
			return one, err
		}
		if wrong = count(o, index, conn, &one); !about(wrong, "messages") {
			return one, wrong
		}
	}
	return one, wrong
}

// refill brings an inbox to its set.
func refill(o *Options, index int, conn *imap.Conn, one *Summary) error {
	if _, err := conn.Select("INBOX"); err != nil {
		return err
	}
	all, err := conn.Headers(0, field)
	if err != nil {
		return err
	}
	set, ours, _ := o.sorted(all)
	for number, found := range set {
		if found.Size != int64(len(o.seed(index, number))) {
			// Not what was written under this number.
			ours = append(ours, found.UID)
			delete(set, number)
		}
	}
	sort.Slice(ours, func(i, j int) bool { return ours[i] < ours[j] })
	one.Kept = int64(len(set))
	one.Removed += int64(len(ours))
	if err := remove(conn, ours); err != nil {
		return err
	}
	if err := unread(conn, set); err != nil {
		return err
	}
	written, err := write(o, index, conn, set)
	one.Written += written
	return err
}

// unread takes away what a run marked.
func unread(conn *imap.Conn, set map[int]imap.Header) error {
	marked, err := conn.Search("OR SEEN FLAGGED")
	if err != nil {
		return err
	}
	kept := map[uint32]bool{}
	for _, one := range set {
		kept[one.UID] = true
	}
	var uids []uint32
	for _, uid := range marked {
		if kept[uid] {
			uids = append(uids, uid)
		}
	}
	for len(uids) > 0 {
		n := minimum(len(uids), mostUIDs)
		if err := conn.Flag(uids[:n], false, `\Seen \Flagged`); err != nil {
			return err
		}
		uids = uids[n:]
	}
	return nil
}

func write(o *Options, index int, conn *imap.Conn, set map[int]imap.Header) (written int64, err error) {
	var waiting [][]byte
	bytes := 0
	flush := func() error {
		if len(waiting) == 0 {
			return nil
		}
		if err := conn.SetDeadline(time.Now().Add(loadCommand)); err != nil {
			return err
		}
		if err := conn.Append("INBOX", waiting...); err != nil {
			return err
		}
		written += int64(len(waiting))
		waiting, bytes = nil, 0
		return nil
	}
	for number := 1; number <= o.Messages; number++ {
		if _, there := set[number]; there {
			continue
		}
		text := o.seed(index, number)
		waiting = append(waiting, text)
		bytes += len(text)
		if len(waiting) >= mostMessages || bytes >= mostBytes {
			if err := flush(); err != nil {
				return written, err
			}
		}
	}
	return written, flush()
}

// count holds the mailbox, as the server tells it, against what was to be in it: each number of the
// set once, each of its size.
func count(o *Options, index int, conn *imap.Conn, into *Summary) error {
	if err := conn.Noop(); err != nil {
		return err
	}
	all, err := conn.Headers(0, field)
	if err != nil {
		return err
	}
	set, ours, others := o.sorted(all)
	into.Others, into.Messages, into.Bytes = others, 0, 0
	wrong := len(ours)
	for number := 1; number <= o.Messages; number++ {
		one, there := set[number]
		if !there || one.Size != int64(len(o.seed(index, number))) {
			wrong++
			continue
		}
		into.Messages++
		into.Bytes += one.Size
	}
	if wrong > 0 {
		return &Problem{Blames: "messages", Text: fmt.Sprintf("the mailbox %s is not as it was to be loaded: %d of the %d messages of the set are there, and %d messages are missing, wrong or too many",
			o.login(index), into.Messages, o.Messages, wrong)}
	}
	return nil
}
