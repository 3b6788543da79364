package mail

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// server keeps mail in memory: SMTP in, IMAP out, as much of both as tilekit uses.
type server struct {
	mu        sync.Mutex
	boxes     map[string]map[string]*box
	withheld  bool
	queue     []func()
	noMove    bool
	imap      net.Listener
	smtp      net.Listener
	envelopes int
}

type box struct {
	next uint32
	mail []*kept
}

type kept struct {
	uid   uint32
	text  string
	flags map[string]bool
}

func startServer(t *testing.T) *server {
	t.Helper()
	s := &server{boxes: map[string]map[string]*box{}}
	for _, into := range []struct {
		at    *net.Listener
		serve func(net.Conn)
	}{{&s.imap, s.serveIMAP}, {&s.smtp, s.serveSMTP}} {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		*into.at = listener
		t.Cleanup(func() { _ = listener.Close() })
		go func(serve func(net.Conn)) {
			for {
				conn, err := listener.Accept()
				if err != nil {
					return
				}
				go func() {
					defer conn.Close()
					serve(conn)
				}()
			}
		}(into.serve)
	}
	return s
}

func port(l net.Listener) int { return l.Addr().(*net.TCPAddr).Port }

// of a user: its mailbox, made where it is missing. Called under the lock.
func (s *server) of(user, name string) *box {
	if s.boxes[user] == nil {
		s.boxes[user] = map[string]*box{"INBOX": {next: 1}}
	}
	return s.boxes[user][name]
}

func (b *box) put(text string) {
	b.mail = append(b.mail, &kept{b.next, text, map[string]bool{}})
	b.next++
}

// let goes of what was withheld.
func (s *server) let() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.withheld = false
	for _, deliver := range s.queue {
		deliver()
	}
	s.queue = nil
}

func (s *server) count(user, name string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if b := s.of(user, name); b != nil {
		return len(b.mail)
	}
	return 0
}

func (s *server) serveSMTP(conn net.Conn) {
	in := bufio.NewReader(conn)
	say := func(text string) { fmt.Fprintf(conn, "%s\r\n", text) }
	say("220 memory ESMTP")
	var to []string
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		switch command := strings.ToUpper(strings.TrimSpace(line)); {
		case strings.HasPrefix(command, "EHLO"):
			say("250-memory\r\n250 8BITMIME")
		case strings.HasPrefix(command, "MAIL"):
			to = nil
			say("250 ok")
		case strings.HasPrefix(command, "RCPT"):
			name := strings.ToLower(command[strings.Index(command, "<")+1 : strings.Index(command, "@")])
			if name == "nobody" {
				say("550 5.1.1 no such user")
				continue
			}
			to = append(to, name)
			say("250 ok")
		case command == "DATA":
			say("354 go on")
			var text strings.Builder
			for {
				line, err := in.ReadString('\n')
				if err != nil {
					return
				}
				if line == ".\r\n" {
					break
				}
				text.WriteString(strings.TrimPrefix(line, "."))
			}
			s.mu.Lock()
			s.envelopes++
			for _, user := range to {
				user := user
				deliver := func() { s.of(user, "INBOX").put(text.String()) }
				if s.of(user, "INBOX"); s.withheld {
					s.queue = append(s.queue, deliver)
				} else {
					deliver()
				}
			}
			s.mu.Unlock()
			say("250 taken")
		default:
			say("221 bye")
			return
		}
	}
}

var (
	argument = regexp.MustCompile(`"([^"]*)"`)
	appended = regexp.MustCompile(`\{(\d+)\+\}\r\n$`)
)

func (s *server) serveIMAP(conn net.Conn) {
	in := bufio.NewReader(conn)
	fmt.Fprint(conn, "* OK memory\r\n")
	user, selected := "", ""
	told := 0
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		var literals []string
		for found := appended.FindStringSubmatch(line); found != nil; found = appended.FindStringSubmatch(line) {
			n, _ := strconv.Atoi(found[1])
			data := make([]byte, n)
			if _, err := io.ReadFull(in, data); err != nil {
				return
			}
			literals = append(literals, string(data))
			rest, _ := in.ReadString('\n')
			line = strings.TrimSuffix(line, found[0]) + rest
		}
		words := strings.SplitN(strings.TrimSpace(line), " ", 2)
		tag, command := words[0], words[1]
		quoted := []string{}
		for _, one := range argument.FindAllStringSubmatch(command, -1) {
			quoted = append(quoted, one[1])
		}
		s.mu.Lock()
		answer := ""
		status := "OK done"
		switch {
		case strings.HasPrefix(command, "LOGIN"):
			if user = quoted[0]; quoted[1] != "right" {
				status = "NO [AUTHENTICATIONFAILED] wrong password"
			}
		case command == "CAPABILITY":
			answer = "* CAPABILITY IMAP4rev1 LITERAL+ UIDPLUS MULTIAPPEND"
			if !s.noMove {
				answer += " MOVE"
			}
			answer += "\r\n"
		case strings.HasPrefix(command, "SELECT"):
			selected = quoted[0]
			b := s.of(user, selected)
			told = len(b.mail)
			answer = fmt.Sprintf("* %d EXISTS\r\n* OK [UIDVALIDITY 7] v\r\n* OK [UIDNEXT %d] n\r\n", told, b.next)
		case strings.HasPrefix(command, "LIST"):
			if s.of(user, quoted[1]) != nil {
				answer = `* LIST () "/" "` + quoted[1] + "\"\r\n"
			}
		case strings.HasPrefix(command, "CREATE"):
			s.of(user, "INBOX")
			s.boxes[user][quoted[0]] = &box{next: 1}
		case strings.HasPrefix(command, "DELETE"):
			delete(s.boxes[user], quoted[0])
		case strings.HasPrefix(command, "APPEND"):
			if b := s.of(user, quoted[0]); b == nil {
				status = "NO [TRYCREATE] no such mailbox"
			} else {
				for _, text := range literals {
					b.put(text)
				}
			}
		case strings.HasPrefix(command, "LOGOUT"):
			s.mu.Unlock()
			fmt.Fprintf(conn, "* BYE\r\n%s OK\r\n", tag)
			return
		case strings.HasPrefix(command, "UID "):
			answer, status = s.uid(user, selected, command[4:], quoted)
		}
		if b := s.of(user, selected); b != nil && len(b.mail) != told {
			told = len(b.mail)
			answer += fmt.Sprintf("* %d EXISTS\r\n", told)
		}
		s.mu.Unlock()
		fmt.Fprintf(conn, "%s%s %s\r\n", answer, tag, status)
	}
}

func inSet(set string, uid uint32) bool {
	for _, part := range strings.Split(set, ",") {
		ends := strings.SplitN(part, ":", 2)
		low, _ := strconv.Atoi(ends[0])
		high := low
		if len(ends) > 1 {
			if high, _ = strconv.Atoi(ends[1]); ends[1] == "*" {
				high = 1 << 31
			}
		}
		if int(uid) >= low && int(uid) <= high {
			return true
		}
	}
	return false
}

func (s *server) uid(user, selected, command string, quoted []string) (answer, status string) {
	b := s.of(user, selected)
	words := strings.SplitN(command, " ", 3)
	status = "OK done"
	switch words[0] {
	case "SEARCH":
		answer = "* SEARCH"
		for _, one := range b.mail {
			header := strings.SplitN(one.text, "\r\n\r\n", 2)[0]
			fits := strings.Contains(command, "SEEN") && (one.flags[`\Seen`] || one.flags[`\Flagged`])
			if strings.Contains(command, "HEADER") {
				fits = strings.Contains(header, field+": "+quoted[0])
			}
			if fits {
				answer += fmt.Sprintf(" %d", one.uid)
			}
		}
		return answer + "\r\n", status
	case "FETCH":
		for i, one := range b.mail {
			if !inSet(words[1], one.uid) {
				continue
			}
			part, name := one.text, "BODY[]"
			if strings.Contains(command, "HEADER.FIELDS") {
				part, name = "", "BODY[HEADER.FIELDS (X-TILEKIT)]"
				for _, line := range strings.Split(one.text, "\r\n") {
					if strings.HasPrefix(line, field+":") {
						part = line + "\r\n"
					}
				}
				part += "\r\n"
			} else {
				one.flags[`\Seen`] = true
			}
			answer += fmt.Sprintf("* %d FETCH (UID %d RFC822.SIZE %d %s {%d}\r\n%s)\r\n", i+1, one.uid, len(one.text), name, len(part), part)
		}
		return answer, status
	case "STORE":
		for _, one := range b.mail {
			for _, flag := range []string{`\Seen`, `\Flagged`, `\Deleted`} {
				if inSet(words[1], one.uid) && strings.Contains(words[2], flag) {
					one.flags[flag] = strings.HasPrefix(words[2], "+")
				}
			}
		}
		return "", status
	}
	to := b
	if words[0] == "MOVE" || words[0] == "COPY" {
		if to = s.of(user, quoted[0]); to == nil {
			return "", "NO [TRYCREATE] no such mailbox"
		}
	}
	var rest []*kept
	for _, one := range b.mail {
		in := inSet(words[1], one.uid)
		if in && to != b {
			to.put(one.text)
		}
		if words[0] == "COPY" || !in || (words[0] == "EXPUNGE" && !one.flags[`\Deleted`]) {
			rest = append(rest, one)
		}
	}
	b.mail = rest
	return "", status
}
