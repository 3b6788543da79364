package mail

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// field is the header every message of tilekit has, and no other: by it they are counted and removed.
// Its value: "seed KEY NUMBER", "sent RUN NUMBER", "calendar RUN", "probe RUN".
const field = "X-Tilekit"

// Folders that tilekit makes.
const (
	movedFolder    = "tilekit-moved"
	calendarFolder = "tilekit-calendar"
)

var folders = []string{movedFolder, calendarFolder}

// Words of subjects and bodies; ours.
var words = strings.Fields(`plan report meeting project budget order client server storage network backup release
version review question answer summary agenda invoice contract travel update status schedule quarter team office`)

func word(n int) string { return words[((n%len(words))+len(words))%len(words)] }

// message of exactly so many bytes, or as few as its header needs; its lines end with CR LF.
func message(value, from string, to []string, n, bytes int, at time.Time) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "From: <%s>\r\nTo: <%s>\r\nSubject: %s %s %d\r\nDate: %s\r\n", from, strings.Join(to, ">,\r\n <"),
		word(n), word(n/len(words)), n, at.UTC().Format(time.RFC1123Z))
	fmt.Fprintf(&b, "Message-ID: <%s@tilekit.invalid>\r\n%s: %s\r\n", strings.ReplaceAll(value, " ", "."), field, value)
	b.WriteString("MIME-Version: 1.0\r\nContent-Type: text/plain; charset=us-ascii\r\n\r\n")
	for line := 0; b.Len() < bytes; line++ {
		left := bytes - b.Len()
		text := word(n+line) + " " + word(n+7*line) + " " + strings.Repeat(word(n*3+line)+" ", 6)
		text = strings.TrimRight(text[:minimum(len(text), 76)], " ")
		switch {
		case left < 2:
			// No room for a line's end: lengthen nothing, one byte is left out.
			return []byte(b.String())
		case left < len(text)+4:
			// The last line, or the one before a rest that would be no line.
			b.WriteString(strings.Repeat("x", left-2) + "\r\n")
		default:
			b.WriteString(text + "\r\n")
		}
	}
	return []byte(b.String())
}

func minimum(a, b int) int {
	if a < b {
		return a
	}
	return b
}

// share is a number from 0 to 1 that looks random and is always the same for the same message.
func share(mailbox, number int) float64 {
	x := uint64(mailbox)*0x9E3779B97F4A7C15 + uint64(number)*0xBF58476D1CE4E5B9
	x ^= x >> 31
	x *= 0x94D049BB133111EB
	return float64(x>>33) / (1 << 31)
}

// seedDate: the messages of a set are the same whenever they are made.
var seedDate = time.Date(2026, 1, 5, 8, 0, 0, 0, time.UTC)

func (o *Options) seedValue(number int) string {
	return "seed " + o.key() + " " + strconv.Itoa(number)
}

// seed is message number of a mailbox.
func (o *Options) seed(mailbox, number int) []byte {
	return message(o.seedValue(number), o.address(mailbox), []string{o.address(mailbox)}, mailbox*31+number,
		o.size(share(mailbox, number)), seedDate.Add(time.Duration(number)*time.Minute))
}
