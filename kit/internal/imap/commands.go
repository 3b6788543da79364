package imap

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

var (
	existsCount = regexp.MustCompile(`^\* (\d+) EXISTS`)
	uidNext     = regexp.MustCompile(`\[UIDNEXT (\d+)\]`)
	uidValidity = regexp.MustCompile(`\[UIDVALIDITY (\d+)\]`)
	uidOf       = regexp.MustCompile(`[( ]UID (\d+)`)
	sizeOf      = regexp.MustCompile(`RFC822\.SIZE (\d+)`)
)

func number(found []string) uint32 {
	if found == nil {
		return 0
	}
	n, _ := strconv.ParseUint(found[1], 10, 32)
	return uint32(n)
}

// Select opens a mailbox.
func (c *Conn) Select(name string) (Mailbox, error) {
	answers, err := c.do(piece{text: "SELECT "}, word(name))
	var m Mailbox
	for _, answer := range answers {
		if found := existsCount.FindStringSubmatch(answer.text); found != nil {
			m.Exists = int(number(found))
		}
		if found := uidNext.FindStringSubmatch(answer.text); found != nil {
			m.UIDNext = number(found)
		}
		if found := uidValidity.FindStringSubmatch(answer.text); found != nil {
			m.UIDValidity = number(found)
		}
	}
	if err == nil && (m.UIDNext == 0 || m.UIDValidity == 0) {
		err = fmt.Errorf("the server tells no UIDNEXT and UIDVALIDITY of %s", name)
	}
	return m, err
}

// Noop asks for what is new.
func (c *Conn) Noop() error { _, err := c.do(piece{text: "NOOP"}); return err }

// News tells, once, whether messages came since it was asked last.
func (c *Conn) News() bool {
	news := c.news
	c.news = false
	return news
}

// Search gives the UIDs that fit the criteria.
func (c *Conn) Search(criteria string) ([]uint32, error) {
	answers, err := c.do(piece{text: "UID SEARCH " + criteria})
	var uids []uint32
	for _, answer := range answers {
		if !strings.HasPrefix(answer.text, "* SEARCH") {
			continue
		}
		for _, one := range strings.Fields(answer.text)[2:] {
			uid, err := strconv.ParseUint(one, 10, 32)
			if err != nil {
				return nil, fmt.Errorf("the server's search answers %.40q", one)
			}
			uids = append(uids, uint32(uid))
		}
	}
	return uids, err
}

// Headers of the messages from one UID on (0 = all), with one of their header fields.
func (c *Conn) Headers(from uint32, field string) ([]Header, error) {
	if from == 0 {
		from = 1
	}
	answers, err := c.do(piece{text: fmt.Sprintf("UID FETCH %d:* (UID RFC822.SIZE BODY.PEEK[HEADER.FIELDS (%s)])", from, field)})
	var all []Header
	for _, answer := range answers {
		uid := number(uidOf.FindStringSubmatch(answer.text))
		// A range always has the last message, also where that is older.
		if uid < from || len(answer.literals) == 0 {
			continue
		}
		value := ""
		for _, line := range strings.Split(string(answer.literals[0]), "\r\n") {
			if len(line) > len(field) && strings.EqualFold(line[:len(field)+1], field+":") {
				value = strings.TrimSpace(line[len(field)+1:])
			}
		}
		all = append(all, Header{uid, int64(number(sizeOf.FindStringSubmatch(answer.text))), value})
	}
	return all, err
}

// Body reads a whole message, which marks it as read; nil where there is none of that UID.
func (c *Conn) Body(uid uint32) ([]byte, error) {
	answers, err := c.do(piece{text: fmt.Sprintf("UID FETCH %d (UID BODY[])", uid)})
	for _, answer := range answers {
		if number(uidOf.FindStringSubmatch(answer.text)) == uid && len(answer.literals) > 0 {
			return answer.literals[0], err
		}
	}
	return nil, err
}

// Set of UIDs as IMAP writes it, runs of them as ranges.
func Set(uids []uint32) string {
	var b strings.Builder
	for i := 0; i < len(uids); {
		j := i
		for j+1 < len(uids) && uids[j+1] == uids[j]+1 {
			j++
		}
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.FormatUint(uint64(uids[i]), 10))
		if j > i {
			b.WriteString(":" + strconv.FormatUint(uint64(uids[j]), 10))
		}
		i = j + 1
	}
	return b.String()
}

// Flag sets a flag of messages, or takes it away.
func (c *Conn) Flag(uids []uint32, set bool, flag string) error {
	sign := "-"
	if set {
		sign = "+"
	}
	_, err := c.do(piece{text: "UID STORE " + Set(uids) + " " + sign + "FLAGS.SILENT (" + flag + ")"})
	return err
}

// Remove deletes exactly these messages: a server without UIDPLUS (RFC 4315) would delete others too
// that somebody marked, so it is refused there.
func (c *Conn) Remove(uids []uint32) error {
	if len(uids) == 0 {
		return nil
	}
	if !c.caps["UIDPLUS"] {
		return &Error{"NO", "the server lacks UIDPLUS: messages cannot be deleted one by one"}
	}
	if err := c.Flag(uids, true, `\Deleted`); err != nil {
		return err
	}
	_, err := c.do(piece{text: "UID EXPUNGE " + Set(uids)})
	return err
}

// Move takes messages to another mailbox, by MOVE (RFC 6851) where the server has it.
func (c *Conn) Move(uids []uint32, to string) error {
	if c.caps["MOVE"] {
		_, err := c.do(piece{text: "UID MOVE " + Set(uids) + " "}, word(to))
		return err
	}
	if _, err := c.do(piece{text: "UID COPY " + Set(uids) + " "}, word(to)); err != nil {
		return err
	}
	return c.Remove(uids)
}

// Append writes messages into a mailbox, in one command where the server has MULTIAPPEND (RFC 3502).
func (c *Conn) Append(mailbox string, messages ...[]byte) error {
	atOnce := 1
	if c.caps["MULTIAPPEND"] {
		atOnce = len(messages)
	}
	for len(messages) > 0 {
		pieces := []piece{{text: "APPEND "}, word(mailbox)}
		for _, message := range messages[:atOnce] {
			pieces = append(pieces, piece{text: " ", literal: message})
		}
		if _, err := c.do(pieces...); err != nil {
			return err
		}
		messages = messages[atOnce:]
	}
	return nil
}

// Create makes a mailbox; fine where it is there.
func (c *Conn) Create(mailbox string) error {
	if there, err := c.There(mailbox); err != nil || there {
		return err
	}
	_, err := c.do(piece{text: "CREATE "}, word(mailbox))
	return err
}

// Drop removes a mailbox.
func (c *Conn) Drop(mailbox string) error {
	_, err := c.do(piece{text: "DELETE "}, word(mailbox))
	return err
}

// There tells whether there is a mailbox of this name.
func (c *Conn) There(mailbox string) (bool, error) {
	answers, err := c.do(piece{text: `LIST "" `}, word(mailbox))
	for _, answer := range answers {
		if strings.HasPrefix(answer.text, "* LIST ") && !strings.Contains(strings.ToLower(answer.text), `\nonexistent`) {
			return true, err
		}
	}
	return false, err
}
