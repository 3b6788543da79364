package smb

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf16"
)

// How a file is opened.
type How int

const (
	Read How = iota
	Write
	// Create a file that must not be there.
	Create
	// Replace what is in a file, or make one.
	Replace
	Directory
	MakeDirectory
	Remove
	RemoveDirectory
	// Temporary is a new file that is gone when it is closed, or when its session ends.
	Temporary
	Attributes
)

const (
	mayRead       = 0x00120089
	mayWrite      = 0x00120116
	mayReadWrite  = mayRead | mayWrite
	mayDelete     = 0x00010080
	mayAttributes = 0x00000080

	openExisting = 1
	createNew    = 2
	overwrite    = 5

	optDirectory   = 0x00000001
	optFile        = 0x00000040
	optDeleteOn    = 0x00001000
	shareAll       = 7
	impersonate    = 2
	attrDirectory  = 0x10
	attrReparse    = 0x400
	fullSize       = 7
	standardInfo   = 5
	directoryClass = 1
)

var openings = map[How]struct{ access, disposition, options uint32 }{
	Read:            {mayRead, openExisting, optFile},
	Write:           {mayReadWrite, openExisting, optFile},
	Create:          {mayReadWrite, createNew, optFile},
	Replace:         {mayReadWrite, overwrite, optFile},
	Directory:       {mayRead, openExisting, optDirectory},
	MakeDirectory:   {mayAttributes, createNew, optDirectory},
	Remove:          {mayDelete, openExisting, optFile | optDeleteOn},
	RemoveDirectory: {mayDelete, openExisting, optDirectory | optDeleteOn},
	Temporary:       {mayReadWrite | mayDelete, createNew, optFile | optDeleteOn},
	Attributes:      {mayAttributes, openExisting, 0},
}

// File is an open file or folder.
type File struct {
	c  *Conn
	id [16]byte
	// As it was opened.
	Size int64
}

// Entry of a folder.
type Entry struct {
	Name   string
	Size   int64
	Folder bool
}

// Open a file or folder of the share by its path, with slashes.
func (c *Conn) Open(path string, how How) (*File, error) {
	o := openings[how]
	name := utf16le(strings.ReplaceAll(path, "/", `\`))
	body := c.begin(56, 57)
	le.PutUint32(body[4:], impersonate)
	le.PutUint32(body[24:], o.access)
	le.PutUint32(body[32:], shareAll)
	le.PutUint32(body[36:], o.disposition)
	le.PutUint32(body[40:], o.options)
	le.PutUint16(body[44:], headBytes+56)
	le.PutUint16(body[46:], uint16(len(name)))
	c.out = append(c.out, name...)
	if len(name) == 0 {
		// The root of the share; the request has at least one byte of a name.
		c.out = append(c.out, 0)
	}
	answer, _, err := c.ask(cmdCreate, 89)
	if err != nil {
		return nil, err
	}
	if le.Uint32(answer[56:])&attrReparse != 0 && how != Attributes {
		return nil, fmt.Errorf("%s is a link, no file or folder of its own", path)
	}
	f := &File{c: c, Size: int64(le.Uint64(answer[48:]))}
	if f.Size < 0 {
		return nil, errMalformed
	}
	copy(f.id[:], answer[64:80])
	return f, nil
}

// Close it: with some ways to open, only now it is removed.
func (f *File) Close() error {
	body := f.c.begin(24, 24)
	copy(body[8:], f.id[:])
	_, _, err := f.c.ask(cmdClose, 60)
	return err
}

// Flush what was written to the server's disk.
func (f *File) Flush() error {
	body := f.c.begin(24, 24)
	copy(body[8:], f.id[:])
	_, _, err := f.c.ask(cmdFlush, 4)
	return err
}

// ErrShort tells that a file ends before what was to be read of it; the session goes on.
var ErrShort = errors.New("the file is shorter than it was written")

// ReadAt fills all of p; what the file does not have is ErrShort.
func (f *File) ReadAt(p []byte, at int64) error {
	for len(p) > 0 {
		n := len(p)
		if n > f.c.mostRead {
			n = f.c.mostRead
		}
		body := f.c.begin(49, 49)
		body[2] = headBytes + 16
		le.PutUint32(body[4:], uint32(n))
		le.PutUint64(body[8:], uint64(at))
		copy(body[16:], f.id[:])
		answer, status, err := f.c.ask(cmdRead, 17, statusEndOfFile)
		if err != nil {
			return err
		}
		if status == statusEndOfFile {
			return ErrShort
		}
		length := int64(le.Uint32(answer[4:]))
		if length < 1 || length > int64(n) {
			return errMalformed
		}
		data, err := part(answer, int(answer[2]), int(length))
		if err != nil {
			return err
		}
		copy(p, data)
		p, at = p[length:], at+length
	}
	return nil
}

// WriteAt writes all of p; gives how much the server has taken.
func (f *File) WriteAt(p []byte, at int64) (written int, err error) {
	for len(p) > 0 {
		n := len(p)
		if n > f.c.mostWrite {
			n = f.c.mostWrite
		}
		body := f.c.begin(48, 49)
		le.PutUint16(body[2:], headBytes+48)
		le.PutUint32(body[4:], uint32(n))
		le.PutUint64(body[8:], uint64(at))
		copy(body[16:], f.id[:])
		f.c.out = append(f.c.out, p[:n]...)
		answer, _, err := f.c.ask(cmdWrite, 17)
		if err != nil {
			return written, err
		}
		took := int64(le.Uint32(answer[4:]))
		if took < 1 || took > int64(n) {
			return written, errMalformed
		}
		p, at, written = p[took:], at+took, written+int(took)
	}
	return written, nil
}

// List a folder, at most so many entries: more are an error. Itself and its parent are left out.
func (f *File) List(most int) ([]Entry, error) {
	var all []Entry
	pattern := utf16le("*")
	for {
		body := f.c.begin(32, 33)
		body[2] = directoryClass
		copy(body[8:], f.id[:])
		le.PutUint16(body[24:], headBytes+32)
		le.PutUint16(body[26:], uint16(len(pattern)))
		le.PutUint32(body[28:], mostPayload)
		f.c.out = append(f.c.out, pattern...)
		answer, status, err := f.c.ask(cmdQueryDirectory, 9, statusNoMoreFiles)
		if err != nil {
			return nil, err
		}
		if status == statusNoMoreFiles {
			return all, nil
		}
		if len(answer) < 8 {
			return nil, errMalformed
		}
		text, err := part(answer, int(le.Uint16(answer[2:])), int(le.Uint32(answer[4:])&0x7fffffff))
		if err != nil {
			return nil, err
		}
		before := len(all)
		if all, err = entries(all, text); err != nil {
			return nil, err
		}
		if len(all) > most {
			return nil, fmt.Errorf("the folder holds more than %d files", most)
		}
		if len(all) == before && len(text) == 0 {
			return nil, errMalformed
		}
	}
}

func entries(all []Entry, text []byte) ([]Entry, error) {
	for len(text) > 0 {
		if len(text) < 64 {
			return nil, errMalformed
		}
		next, length := int64(le.Uint32(text)), int64(le.Uint32(text[60:]))
		size := int64(le.Uint64(text[40:]))
		if 64+length > int64(len(text)) || length%2 != 0 || size < 0 {
			return nil, errMalformed
		}
		units := make([]uint16, length/2)
		for i := range units {
			units[i] = le.Uint16(text[64+2*i:])
		}
		name := string(utf16.Decode(units))
		if name != "." && name != ".." {
			all = append(all, Entry{name, size, le.Uint32(text[56:])&attrDirectory != 0})
		}
		if next == 0 {
			break
		}
		if next < 64+length || next > int64(len(text)) {
			return nil, errMalformed
		}
		text = text[next:]
	}
	return all, nil
}

// query one kind of information: of the file (1) or of its file system (2).
func (f *File) query(kind, class byte, least int) ([]byte, error) {
	body := f.c.begin(40, 41)
	body[2], body[3] = kind, class
	le.PutUint32(body[4:], 4096)
	copy(body[24:], f.id[:])
	answer, _, err := f.c.ask(cmdQueryInfo, 9)
	if err != nil {
		return nil, err
	}
	if len(answer) < 8 {
		return nil, errMalformed
	}
	text, err := part(answer, int(le.Uint16(answer[2:])), int(le.Uint32(answer[4:])&0x7fffffff))
	if err != nil {
		return nil, err
	}
	if len(text) < least {
		return nil, errMalformed
	}
	return text, nil
}

// Stat asks for the size as it is now.
func (f *File) Stat() (Entry, error) {
	text, err := f.query(1, standardInfo, 22)
	if err != nil {
		return Entry{}, err
	}
	size := int64(le.Uint64(text[8:]))
	if size < 0 {
		return Entry{}, errMalformed
	}
	return Entry{Size: size, Folder: text[21] != 0}, nil
}

// Free bytes of its file system, for this user.
func (f *File) Free() (int64, error) {
	text, err := f.query(2, fullSize, 32)
	if err != nil {
		return 0, err
	}
	free := float64(le.Uint64(text[8:])) * float64(le.Uint32(text[24:])) * float64(le.Uint32(text[28:]))
	if free > 1<<62 {
		return 1 << 62, nil
	}
	return int64(free), nil
}
