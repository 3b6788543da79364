package files

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"tilekit/internal/job"
	"tilekit/internal/record"
	"tilekit/internal/smb"
)

// entry of a folder.
type entry struct {
	size   int64
	folder bool
}

// mostEntries of one folder; a folder of the data set never holds as many.
const mostEntries = 100_000

// store is where files are; paths are below the data set's folder, with slashes. Of one goroutine at
// a time.
type store interface {
	// deadline of all that comes next, as far as it can be kept.
	deadline(at time.Time) error
	open(path string, how smb.How) (handle, error)
	list(folder string) (map[string]entry, error)
	stat(path string) (entry, error)
	make(folder string) error
	remove(path string) error
	removeFolder(folder string) error
	// probe writes and removes a file there, or beside the folder where that is missing, and tells
	// what is free; below zero = unknown.
	probe() (free int64, err error)
	// requests that were sent to a server so far.
	requests() int64
	close()
}

// handle is an open file.
type handle interface {
	size() int64
	readAt(p []byte, at int64) error
	writeAt(p []byte, at int64) (int, error)
	flush() error
	close() error
}

// connect to where the files are, until the deadline at most.
func (o *Options) connect(password string, deadline time.Time) (store, error) {
	if o.Target == local {
		return &localStore{root: o.Folder}, nil
	}
	conn, err := smb.Open(smb.Share{
		Address: o.address(), Host: o.Host, Name: o.Share, User: o.User, Password: password, Sign: o.Sign,
	}, deadline)
	if err != nil {
		return nil, err
	}
	return &shareStore{conn: conn, root: o.Folder}, nil
}

// refusal says why nobody gets in.
func (o *Options) refusal(err error) *Problem {
	var answered *smb.Error
	server := "the file server at " + o.address()
	if !errors.As(err, &answered) {
		blames := "port"
		switch {
		case record.NetClass(err) == "timeout", strings.Contains(err.Error(), "no such host"):
			blames = "host"
		case strings.Contains(err.Error(), "guest only"):
			blames = "user"
		case strings.Contains(err.Error(), "share"):
			blames = "share"
		}
		return &Problem{Blames: blames, Text: fmt.Sprintf("no share to work on at %s: %v", o.address(), err)}
	}
	switch {
	case answered.LogOn():
		return &Problem{Blames: "passwordFile", Text: fmt.Sprintf("%s does not let %s in: %s", server, o.User, answered)}
	case answered.NoShare():
		return &Problem{Blames: "share", Text: fmt.Sprintf("%s has no share %s: %s", server, o.Share, answered)}
	case answered.Denied():
		return &Problem{Blames: "user", Text: fmt.Sprintf("%s does not let %s use the share %s: %s; or it demands the encryption of SMB 3, which tilekit does not speak", server, o.User, o.Share, answered)}
	}
	return &Problem{Blames: "share", Text: fmt.Sprintf("%s does not give the share %s: %s", server, o.Share, answered)}
}

// secret of the user; an error is a *Problem.
func (o *Options) secret() (string, error) { return job.Secret(o.PasswordFile) }

// classOf a failure, as the lines have it.
func classOf(err error) string {
	var answered *smb.Error
	switch {
	case err == nil:
		return ""
	case errors.Is(err, errContent), errors.Is(err, smb.ErrShort):
		return "content"
	case isFull(err):
		return "full"
	case errors.As(err, &answered), isLocal(err):
		return "status"
	}
	return record.NetClass(err)
}

func isFull(err error) bool {
	var answered *smb.Error
	return errors.As(err, &answered) && answered.Full() || isLocalFull(err)
}

func isMissing(err error) bool {
	var answered *smb.Error
	return errors.As(err, &answered) && answered.Missing() || isLocalMissing(err)
}

func isThere(err error) bool {
	var answered *smb.Error
	return errors.As(err, &answered) && answered.Exists() || isLocalThere(err)
}

// isUsable tells whether a store can be used on after a failure.
func isUsable(err error) bool {
	var answered *smb.Error
	switch {
	case err == nil, errors.Is(err, errContent), errors.Is(err, smb.ErrShort), isLocal(err):
		return true
	case errors.As(err, &answered):
		return !answered.Ends()
	}
	return false
}
