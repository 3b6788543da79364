package mail

import (
	"errors"
	"fmt"
	"time"

	"tilekit/internal/imap"
	"tilekit/internal/job"
	"tilekit/internal/smtp"
)

// mostLooked mailboxes are looked into by Verify, spread over all.
const mostLooked = 50

// Verify says whether a run can begin: users get in, their mailboxes hold the set, the server takes
// their mail, and, with probe, a message arrives.
func Verify(o *Options, probe time.Duration) error {
	password, err := job.Secret(o.PasswordFile)
	if err != nil {
		return err
	}
	if err := lookIn(o, 0, password); err != nil && !about(err, "messages") {
		return err
	}
	if err := takesMail(o, password); err != nil {
		return err
	}
	if probe > 0 {
		if err := arrives(o, password, probe); err != nil {
			return err
		}
	}
	looked := minimum(o.Mailboxes, mostLooked)
	for i := 0; i < looked; i++ {
		index := i
		if looked > 1 {
			index = i * (o.Mailboxes - 1) / (looked - 1)
		}
		if err := lookIn(o, index, password); err != nil {
			return err
		}
	}
	return nil
}

func about(err error, option string) bool {
	var problem *Problem
	return errors.As(err, &problem) && problem.Blames == option
}

func lookIn(o *Options, index int, password string) error {
	return inMailbox(o, password, index, func(_ int, conn *imap.Conn) error {
		if _, err := conn.Select("INBOX"); err != nil {
			return err
		}
		all, err := conn.Headers(0, field)
		if err != nil {
			return err
		}
		set, _, _ := o.sorted(all)
		if len(set) == o.Messages {
			return nil
		}
		return &Problem{Blames: "messages", Text: fmt.Sprintf("the mailbox %s holds %d of the %d messages of its set: load them first",
			o.login(index), len(set), o.Messages)}
	})
}

func (o *Options) smtpUser(index int) string {
	if o.SMTPAuth {
		return o.login(index)
	}
	return ""
}

// takesMail asks the server whether it would take mail from the first mailbox for the first and last;
// it is given none.
func takesMail(o *Options, password string) error {
	conn, err := smtp.Open(o.smtp(), o.smtpUser(0), password, time.Now().Add(logInLimit))
	if err == nil {
		defer conn.Close()
		var refused error
		_, refused, err = conn.Envelope(o.address(0), []string{o.address(0), o.address(o.Mailboxes - 1)})
		if err == nil {
			err = refused
		}
	}
	return refusedMail(o, err)
}

func refusedMail(o *Options, err error) error {
	var answered *smtp.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &answered):
		blames := "address"
		if answered.Code == 503 || answered.Code == 530 || answered.Code == 535 {
			blames = "smtpAuth"
		}
		return &Problem{Blames: blames, Text: fmt.Sprintf("the mail server at %s does not take mail from %s to %s: %s", o.smtp(), o.address(0), o.address(o.Mailboxes-1), answered)}
	}
	return &Problem{Blames: blamed("smtpPort", err), Text: fmt.Sprintf("no SMTP server to send by at %s: %v", o.smtp(), err)}
}

// arrives sends a message to the first mailbox, waits until it is there, and removes it.
func arrives(o *Options, password string, limit time.Duration) error {
	value := "probe " + runName() + " 1"
	conn, err := smtp.Open(o.smtp(), o.smtpUser(0), password, time.Now().Add(logInLimit))
	if err != nil {
		return refusedMail(o, err)
	}
	defer conn.Close()
	own := o.address(0)
	if _, _, err = conn.Envelope(own, []string{own}); err == nil {
		err = conn.Data(message(value, own, []string{own}, 0, 1024, time.Now()))
	}
	if err != nil {
		return refusedMail(o, err)
	}
	return inMailbox(o, password, 0, func(_ int, conn *imap.Conn) error {
		if _, err := conn.Select("INBOX"); err != nil {
			return err
		}
		for end := time.Now().Add(limit); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
			if err := conn.Noop(); err != nil {
				return err
			}
			found, err := conn.Search(`HEADER ` + field + ` "` + value + `"`)
			if err != nil {
				return err
			}
			if len(found) > 0 {
				return conn.Remove(found)
			}
		}
		return &Problem{Blames: "smtpPort", Text: fmt.Sprintf("the mail server at %s took a message for %s, but in %v it did not arrive in the mailbox %s: look at the server's mail queue and log",
			o.smtp(), own, limit, o.login(0))}
	})
}
