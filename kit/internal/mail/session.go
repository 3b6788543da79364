package mail

import (
	"errors"
	"math/rand"
	"strings"
	"sync/atomic"
	"time"

	"tilekit/internal/imap"
	"tilekit/internal/record"
	"tilekit/internal/smtp"
)

// session is one user: one IMAP connection, which its operations and the watch for its mail share in
// turns.
type session struct {
	s      *scenario
	index  int
	random *rand.Rand
	due    time.Time
	// Whose turn it is on the connection; a channel, since a wait for it has a deadline.
	turn chan struct{}
	conn *imap.Conn
	// Messages of tilekit in the inbox, and the first UID that was not looked at yet.
	mine     []uint32
	validity uint32
	next     uint32
	// How many there are, for Next, which waits for nobody.
	known int64
	// The operation that was chosen had no message to work on.
	replaced bool
	wake     chan struct{}
	over     chan struct{}
}

func (u *session) CycleFloorS(int) float64 { return 0 }
func (u *session) Due(at time.Time)        { u.due = at }

func (u *session) Next() int {
	op := u.s.o.choose(u.random)
	u.replaced = false
	switch op {
	case opRead, opMove, opDelete, opFlag:
		// Where a mailbox has nothing of tilekit, its user looks for new mail in place of it.
		if u.replaced = atomic.LoadInt64(&u.known) == 0; u.replaced {
			return opCheck
		}
	}
	return op
}

func (u *session) acquire(deadline time.Time) bool {
	timer := time.NewTimer(time.Until(deadline))
	defer timer.Stop()
	select {
	case u.turn <- struct{}{}:
		return true
	case <-timer.C:
		return false
	}
}

func (u *session) release() {
	atomic.StoreInt64(&u.known, int64(len(u.mine)))
	<-u.turn
}

// Prepare logs in before the user's turn. What fails here fails again, and is counted, with its first
// operation.
func (u *session) Prepare() {
	deadline := time.Now().Add(logInLimit)
	if u.acquire(deadline) {
		_ = u.enter(deadline)
		u.release()
	}
}

func (u *session) Close() {
	close(u.over)
	u.turn <- struct{}{}
	u.leave()
	<-u.turn
}

func (u *session) leave() {
	if u.conn != nil {
		u.conn.Close()
		u.conn = nil
	}
}

// enter logs in where there is no session; after it, all that is in the inbox is known.
func (u *session) enter(deadline time.Time) error {
	if u.conn != nil {
		return u.conn.SetDeadline(deadline)
	}
	conn, err := imap.Open(u.s.o.imap(), u.s.o.login(u.index), u.s.password, deadline)
	if err != nil {
		return err
	}
	u.conn = conn
	if err = u.look(); err != nil {
		u.leave()
	}
	return err
}

func (u *session) look() error {
	inbox, err := u.conn.Select("INBOX")
	if err != nil {
		return err
	}
	if u.validity != inbox.UIDValidity {
		// Mail of this run may have come before its recipient did.
		early, err := u.conn.Search(`HEADER ` + field + ` "sent ` + u.s.run + `"`)
		if err != nil {
			return err
		}
		u.validity, u.next = inbox.UIDValidity, inbox.UIDNext
		if len(early) > 0 && early[0] < u.next {
			u.next = early[0]
		}
	}
	mine, err := u.conn.Search(`HEADER ` + field + ` ""`)
	if err != nil {
		return err
	}
	u.mine = u.mine[:0]
	for _, uid := range mine {
		if uid < u.next {
			u.mine = append(u.mine, uid)
		}
	}
	return u.fresh()
}

// fresh looks at what came since.
func (u *session) fresh() error {
	u.conn.News()
	came, err := u.conn.Headers(u.next, field)
	at := time.Now()
	for _, one := range came {
		u.next = one.UID + 1
		if one.Value == "" {
			continue
		}
		u.mine = append(u.mine, one.UID)
		if strings.HasPrefix(one.Value, "sent "+u.s.run+" ") {
			u.s.post.see(u.index, one.Value, at)
		}
	}
	return err
}

// How often an awaited message is asked for: after a tenth of the time it has taken so far, so that
// its delay is told to a tenth, within these bounds.
const (
	askFirst = 5 * time.Millisecond
	askLast  = time.Second
	askLimit = 10 * time.Second
)

// watch asks for what is awaited, on the user's own session, while anything is.
func (u *session) watch() {
	for {
		select {
		case <-u.wake:
		case <-u.over:
			return
		}
		for since := u.s.post.oldest(u.index); !since.IsZero(); since = u.s.post.oldest(u.index) {
			wait := time.Since(since) / 10
			if wait < askFirst {
				wait = askFirst
			}
			if wait > askLast {
				wait = askLast
			}
			timer := time.NewTimer(wait)
			select {
			case <-timer.C:
				u.ask()
			case <-u.over:
				timer.Stop()
				return
			}
		}
	}
}

func (u *session) ask() {
	deadline := time.Now().Add(askLimit)
	if !u.acquire(deadline) {
		return
	}
	defer u.release()
	err := u.enter(deadline)
	if err == nil {
		err = u.conn.Noop()
	}
	if err == nil && u.conn.News() {
		err = u.fresh()
	}
	u.after(err)
}

// after a failure the session may be in the middle of something: it is opened again.
func (u *session) after(err error) {
	var answered *imap.Error
	if err != nil && err != errContent && !errors.As(err, &answered) {
		u.leave()
	}
}

// errContent is an answer that cannot be.
var errContent = errors.New("the server's answer is not that message")

func classOf(err error) string {
	var byIMAP *imap.Error
	var bySMTP *smtp.Error
	switch {
	case err == nil:
		return ""
	case err == errContent:
		return "content"
	case errors.As(err, &byIMAP), errors.As(err, &bySMTP):
		return "status"
	}
	return record.NetClass(err)
}

func (u *session) Do(op int, deadline time.Time) record.Outcome {
	out := record.Outcome{Counts: map[string]int64{}, Requests: 1}
	if u.replaced {
		out.Counts["nothingToDo"]++
	}
	if op == opSend {
		out.Class = classOf(u.send(&out, deadline))
		return out
	}
	if !u.acquire(deadline) {
		out.Class = "timeout"
		return out
	}
	defer u.release()
	err := u.enter(deadline)
	if err == nil {
		before := u.conn.Bytes
		err = u.work(op, &out)
		out.Bytes += u.conn.Bytes - before
	}
	u.after(err)
	out.Class = classOf(err)
	return out
}

// work of one operation on the user's session.
func (u *session) work(op int, out *record.Outcome) error {
	switch op {
	case opCheck:
		if err := u.conn.Noop(); err != nil {
			return err
		}
		return u.fresh()
	case opSearch:
		_, err := u.conn.Search(`SUBJECT "` + word(u.random.Int()) + `"`)
		return err
	case opCalendar:
		own := u.s.o.address(u.index)
		entry := message("calendar "+u.s.run, own, []string{own}, u.random.Intn(1e6), 1024, time.Now())
		err := u.inFolder(calendarFolder, func() error { return u.conn.Append(calendarFolder, entry) })
		if err == nil {
			out.Counts["appended"]++
		}
		return err
	}
	if len(u.mine) == 0 {
		// The last one went since the operation was chosen.
		out.Counts["nothingToDo"]++
		return u.conn.Noop()
	}
	at := u.random.Intn(len(u.mine))
	uid := u.mine[at]
	switch op {
	case opRead:
		body, err := u.conn.Body(uid)
		if err == nil && len(body) == 0 {
			u.forget(at)
			return errContent
		}
		return err
	case opFlag:
		return u.conn.Flag([]uint32{uid}, true, `\Flagged`)
	case opMove:
		err := u.inFolder(movedFolder, func() error { return u.conn.Move([]uint32{uid}, movedFolder) })
		if err == nil {
			u.forget(at)
			out.Counts["moved"]++
		}
		return err
	default:
		err := u.conn.Remove([]uint32{uid})
		if err == nil {
			u.forget(at)
			out.Counts["deleted"]++
		}
		return err
	}
}

func (u *session) forget(at int) {
	u.mine[at] = u.mine[len(u.mine)-1]
	u.mine = u.mine[:len(u.mine)-1]
}

// inFolder does something with a folder, which is made where it is missing.
func (u *session) inFolder(name string, work func() error) error {
	err := work()
	var answered *imap.Error
	if errors.As(err, &answered) && strings.Contains(strings.ToUpper(answered.Text), "[TRYCREATE]") {
		if err := u.conn.Create(name); err != nil {
			return err
		}
		return work()
	}
	return err
}

// send gives a message to the server, on a connection of its own as mail programs do.
func (u *session) send(out *record.Outcome, deadline time.Time) error {
	s := u.s
	to := s.recipients(u.index, u.random)
	names := make([]string, len(to))
	for i, one := range to {
		names[i] = s.o.address(one)
	}
	sent, token := time.Now(), s.token()
	from := s.o.address(u.index)
	text := message(token, from, names, u.random.Intn(1e6), s.o.size(u.random.Float64()), sent)
	user := ""
	if s.o.SMTPAuth {
		user = s.o.login(u.index)
	}
	conn, err := smtp.Open(s.o.smtp(), user, s.password, deadline)
	if err != nil {
		return err
	}
	defer conn.Close()
	taken, refused, err := conn.Envelope(from, names)
	if err != nil {
		return err
	}
	due := u.due
	if due.IsZero() {
		due = sent
	}
	s.post.begin(token, to, due, sent)
	err = conn.Data(text)
	accepted := map[int]bool{}
	if err == nil {
		out.Counts["accepted"]++
		out.Counts["recipients"] += int64(len(taken))
		out.Bytes += int64(len(text))
		for _, i := range taken {
			accepted[to[i]] = true
		}
	}
	s.post.end(token, to, accepted)
	for user := range accepted {
		select {
		case s.sessions[user].wake <- struct{}{}:
		default:
		}
	}
	if err == nil {
		// Some recipients were refused: not all of what was asked for was done.
		return refused
	}
	return err
}
