// Package mail is the scenario `mail`: users of a mail server who send by SMTP and keep one IMAP
// session each, and the mailboxes they use. Mail counts as delivered when its recipient sees it.
package mail

import (
	"fmt"
	"math"
	"math/rand"
	"net"
	"regexp"
	"strconv"
	"strings"

	"tilekit/internal/job"
)

// Problem is what is wrong, in words, and the option it is likeliest about.
type Problem = job.Problem

// Options of the scenario in a job file, and of load, unload and verify.
type Options struct {
	// Where IMAP is; SMTP too where smtpHost is empty.
	Host     string `json:"host"`
	ImapPort int    `json:"imapPort"`
	SMTPHost string `json:"smtpHost,omitempty"`
	SMTPPort int    `json:"smtpPort"`
	// Log-in by AUTH PLAIN before mail is sent.
	SMTPAuth bool `json:"smtpAuth,omitempty"`
	// {n} in them is the number of a mailbox, from firstMailbox on.
	Login        string `json:"login"`
	Address      string `json:"address"`
	FirstMailbox int    `json:"firstMailbox"`
	Mailboxes    int    `json:"mailboxes"`
	// A file of this machine that nobody else may read; its first line is the password of all.
	PasswordFile string `json:"passwordFile,omitempty"`
	// What load puts into each mailbox, and the size of every message in KB; 0 = those of MMB.
	Messages  int     `json:"messages"`
	MessageKB float64 `json:"messageKb,omitempty"`
	// Weights of operations by name; empty = those of MMB.
	Weights map[string]float64 `json:"weights,omitempty"`
	// Recipients of a message, on average.
	Recipients float64 `json:"recipients"`
}

// A day of one user of MMB. Source: Compaq, ECG082,
// https://manualshive.com/en/manual/compaq/proliant-7000/2645195?page=5: 12 checks of the inbox,
// 14.18 messages sent with 4.7 recipients each, 81.3 read, 16.3 moved, 32.5 deleted, 5 updates of the
// calendar. Its 66.3 received are what the others send: 14.18 × 4.7. It names no search and no flag:
// they have no share unless asked for.
var mmbDay = map[string]float64{
	"check": 12, "send": 14.18, "read": 81.3, "move": 16.3, "delete": 32.5, "calendar": 5,
	"search": 0, "flag": 0,
}

// mmbRecipients of a message; the same source.
const mmbRecipients = 4.7

// operations in the order of their index.
var operations = []string{"check", "send", "read", "move", "delete", "calendar", "search", "flag"}

const (
	opCheck = iota
	opSend
	opRead
	opMove
	opDelete
	opCalendar
	opSearch
	opFlag
)

// mmbSizes in KB with their weights; the same source. They add to 96, not to 100: each counts as its
// share of 96, and nothing is made up for the missing 4. The 10 KB are an attachment; here as there
// it is what a message of that weight is large.
var mmbSizes = []struct{ kb, weight float64 }{
	{1, 60}, {2, 16}, {4, 4}, {10, 6}, {15, 4}, {16, 4}, {43, 2},
}

func defaults() Options {
	return Options{
		ImapPort: 143, SMTPPort: 25, Login: "user{n}", Address: "user{n}@example.org", FirstMailbox: 1,
		Mailboxes: 1, Recipients: mmbRecipients,
	}
}

var (
	plainLogin   = regexp.MustCompile(`^[A-Za-z0-9_.@+{}\\-]{1,200}$`)
	plainAddress = regexp.MustCompile(`^[A-Za-z0-9_.+{}-]{1,64}@[A-Za-z0-9.{}-]{1,200}$`)
)

// Read takes the options and says what is wrong by the field's name.
func Read(text []byte) (*Options, error) {
	o := defaults()
	if len(text) == 0 {
		return nil, fmt.Errorf("mail is missing: the scenario's server")
	}
	if err := job.Strict(text, &o); err != nil {
		return nil, err
	}
	for _, one := range []struct {
		name      string
		value     float64
		low, high float64
	}{
		{"imapPort", float64(o.ImapPort), 1, 65_535},
		{"smtpPort", float64(o.SMTPPort), 1, 65_535},
		{"firstMailbox", float64(o.FirstMailbox), 0, 10_000_000},
		{"mailboxes", float64(o.Mailboxes), 1, 100_000},
		{"messages", float64(o.Messages), 0, 1_000_000},
		{"messageKb", o.MessageKB, 0, 10_240},
		{"recipients", o.Recipients, 1, 100},
	} {
		if !(one.value >= one.low && one.value <= one.high) {
			return nil, fmt.Errorf("mail.%s is %v; it is from %v to %v", one.name, one.value, one.low, one.high)
		}
	}
	if o.Host == "" {
		return nil, fmt.Errorf("mail.host is missing")
	}
	if o.SMTPHost == "" {
		o.SMTPHost = o.Host
	}
	if !plainLogin.MatchString(o.Login) || !plainAddress.MatchString(o.Address) {
		return nil, fmt.Errorf("mail.login and address are letters, digits and . _ + @ -, with {n} for the number")
	}
	if o.Mailboxes > 1 && (!strings.Contains(o.Login, "{n}") || !strings.Contains(o.Address, "{n}")) {
		return nil, fmt.Errorf("mail.login and address need {n}: there are %d mailboxes", o.Mailboxes)
	}
	if len(o.Weights) == 0 {
		o.Weights = mmbDay
	}
	sum := 0.0
	for name, weight := range o.Weights {
		if _, known := mmbDay[name]; !known {
			return nil, fmt.Errorf("mail.weights has %q; operations are %s", name, strings.Join(operations, ", "))
		}
		if !(weight >= 0 && weight <= 1e6) {
			return nil, fmt.Errorf("mail.weights.%s is %v; it is from 0 to 1,000,000", name, weight)
		}
		sum += weight
	}
	if sum <= 0 {
		return nil, fmt.Errorf("mail.weights are all 0")
	}
	return &o, nil
}

func (o *Options) imap() string { return net.JoinHostPort(o.Host, strconv.Itoa(o.ImapPort)) }
func (o *Options) smtp() string { return net.JoinHostPort(o.SMTPHost, strconv.Itoa(o.SMTPPort)) }

// Names of a mailbox, from 0.
func (o *Options) login(index int) string   { return numbered(o.Login, o.FirstMailbox+index) }
func (o *Options) address(index int) string { return numbered(o.Address, o.FirstMailbox+index) }

func numbered(pattern string, n int) string {
	return strings.ReplaceAll(pattern, "{n}", strconv.Itoa(n))
}

// size of a message in bytes, for a number from 0 to 1.
func (o *Options) size(at float64) int {
	if o.MessageKB > 0 {
		return int(math.Round(o.MessageKB * 1024))
	}
	all := 0.0
	for _, one := range mmbSizes {
		all += one.weight
	}
	at *= all
	for _, one := range mmbSizes {
		if at < one.weight {
			return int(one.kb * 1024)
		}
		at -= one.weight
	}
	return int(mmbSizes[len(mmbSizes)-1].kb * 1024)
}

// key of a set of messages: with another, sizes differ.
func (o *Options) key() string {
	if o.MessageKB > 0 {
		return strconv.FormatFloat(o.MessageKB, 'f', -1, 64) + "k"
	}
	return "mmb"
}

// chooser of an operation by its weight.
func (o *Options) choose(random *rand.Rand) int {
	all := 0.0
	for _, name := range operations {
		all += o.Weights[name]
	}
	at := random.Float64() * all
	last := 0
	for i, name := range operations {
		weight := o.Weights[name]
		if weight <= 0 {
			continue
		}
		if last = i; at < weight {
			return i
		}
		at -= weight
	}
	return last
}

// howMany recipients: the two whole numbers beside the mean, so that it is met.
func (o *Options) howMany(random *rand.Rand) int {
	low := math.Floor(o.Recipients)
	if random.Float64() < o.Recipients-low {
		low++
	}
	return int(low)
}
