package files

import (
	"errors"
	"fmt"
	"time"

	"tilekit/internal/smb"
)

// mostLooked folders are looked into by Verify, spread over all.
const mostLooked = 50

// Verify says whether a run can begin: the user gets in, may write, and the data set is whole; or
// there is room for it. An error is a *Problem, with blames "files" where load would mend it.
func Verify(o *Options) error {
	password, err := o.secret()
	if err != nil {
		return err
	}
	in, err := o.connect(password, time.Now().Add(logInLimit))
	if err != nil {
		return o.refusal(err)
	}
	defer in.close()
	if err := in.deadline(time.Now().Add(time.Minute)); err != nil {
		return err
	}
	free, err := in.probe()
	if isFull(err) {
		return &Problem{Blames: "fileKb", Text: fmt.Sprintf("%s takes no file: %v", o.where(), err)}
	}
	if err != nil {
		return o.about(err)
	}
	marker, err := readMarker(in)
	if err != nil {
		return o.about(err)
	}
	if marker == nil {
		if found, err := in.list(""); err == nil && len(found) > 0 {
			return &Problem{Blames: "folder", Text: fmt.Sprintf("%s holds files that are not of tilekit: give a folder that is new or empty", o.where())}
		}
	}
	if marker == nil || !marker.fits(o) {
		if free >= 0 {
			if err := o.fitsIn(in, marker.bytes()); err != nil {
				return err
			}
		}
		return &Problem{Blames: "files", Text: fmt.Sprintf("%s holds no data set of %d folders with %d files of %v KB: load it first", o.where(), o.Users, o.Files, o.FileKB)}
	}
	if !marker.Whole {
		return &Problem{Blames: "files", Text: fmt.Sprintf("the data set in %s was loaded in part only: load it first", o.where())}
	}
	looked := int(least(int64(o.Users), mostLooked))
	for i := 0; i < looked; i++ {
		user := i
		if looked > 1 {
			user = i * (o.Users - 1) / (looked - 1)
		}
		if err := o.lookInto(user, in); err != nil {
			return err
		}
	}
	return nil
}

func (m *Marker) bytes() int64 {
	if m == nil {
		return 0
	}
	return int64(m.Users) * int64(m.Files) * bytesOf(m.FileKB)
}

// lookInto a user's folder: every file is there, of its size at least, since a run may have appended;
// and the first unit of the first is one.
func (o *Options) lookInto(user int, in store) error {
	folder := userFolder(user)
	found, err := in.list(folder)
	if err != nil && !isMissing(err) {
		return o.about(err)
	}
	there := 0
	for file := 0; file < o.Files; file++ {
		if one := found[setFile(file)]; !one.folder && one.size >= bytesOf(o.FileKB) {
			there++
		}
	}
	if there < o.Files {
		return &Problem{Blames: "files", Text: fmt.Sprintf("%s/%s holds %d of the %d files of its set: load it first", o.where(), folder, there, o.Files)}
	}
	file, err := in.open(folder+"/"+setFile(0), smb.Read)
	if err != nil {
		return o.about(err)
	}
	text := make([]byte, unit)
	if err = file.readAt(text, 0); err == nil {
		_, err = generationOf(text, user, 0, 0)
	}
	if errors.Is(err, errContent) {
		return &Problem{Blames: "files", Text: fmt.Sprintf("%s/%s/%s is not what tilekit writes: load it first", o.where(), folder, setFile(0))}
	}
	if err != nil {
		return o.about(err)
	}
	return file.close()
}
