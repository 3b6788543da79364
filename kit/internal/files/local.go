package files

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"tilekit/internal/smb"
)

// localStore is a folder of this machine. Nothing below it is followed that is a link.
type localStore struct{ root string }

// localError is what the system said: the store can be used on.
type localError struct{ err error }

func (e *localError) Error() string { return e.err.Error() }
func (e *localError) Unwrap() error { return e.err }

func told(err error) error {
	if err == nil {
		return nil
	}
	return &localError{err}
}

func isLocal(err error) bool {
	var one *localError
	return errors.As(err, &one)
}

func isLocalMissing(err error) bool { return isLocal(err) && errors.Is(err, fs.ErrNotExist) }
func isLocalThere(err error) bool   { return isLocal(err) && errors.Is(err, fs.ErrExist) }

func isLocalFull(err error) bool {
	if !isLocal(err) {
		return false
	}
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return true
	}
	var number syscall.Errno
	// ERROR_DISK_FULL and ERROR_DISK_QUOTA_EXCEEDED.
	return os.PathSeparator == '\\' && errors.As(err, &number) && (number == 112 || number == 1295)
}

func (s *localStore) path(below string) string {
	return filepath.Join(s.root, filepath.FromSlash(below))
}

// A local call cannot be called off: who calls it waits no longer than its deadline.
func (s *localStore) deadline(time.Time) error { return nil }
func (s *localStore) requests() int64          { return 0 }
func (s *localStore) close()                   {}

// plain tells that nothing on the way to a path is a link.
func (s *localStore) plain(below string) error {
	for at := filepath.FromSlash(below); ; at = filepath.Dir(at) {
		info, err := os.Lstat(filepath.Join(s.root, at))
		if err != nil {
			return told(err)
		}
		if info.Mode()&(fs.ModeSymlink|fs.ModeNamedPipe|fs.ModeDevice|fs.ModeSocket) != 0 {
			return told(fmt.Errorf("%s is no file or folder of its own", filepath.Join(s.root, at)))
		}
		if at == "." || at == "" {
			return nil
		}
	}
}

func (s *localStore) open(path string, how smb.How) (handle, error) {
	if how == smb.Read || how == smb.Write || how == smb.Replace {
		err := s.plain(path)
		if err != nil && !(how == smb.Replace && isLocalMissing(err)) {
			return nil, err
		}
	}
	flags, known := map[smb.How]int{
		smb.Read: os.O_RDONLY, smb.Write: os.O_RDWR, smb.Create: os.O_RDWR | os.O_CREATE | os.O_EXCL,
		smb.Replace: os.O_RDWR | os.O_CREATE | os.O_TRUNC,
	}[how]
	if !known {
		return nil, fmt.Errorf("a local file is not opened so")
	}
	file, err := os.OpenFile(s.path(path), flags, 0o600)
	if err != nil {
		return nil, told(err)
	}
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() {
		_ = file.Close()
		return nil, told(fmt.Errorf("%s is no file", s.path(path)))
	}
	return &localFile{file, info.Size()}, nil
}

func (s *localStore) list(folder string) (map[string]entry, error) {
	if err := s.plain(folder); err != nil {
		return nil, err
	}
	found, err := os.ReadDir(s.path(folder))
	if err != nil {
		return nil, told(err)
	}
	if len(found) > mostEntries {
		return nil, fmt.Errorf("the folder holds more than %d files", mostEntries)
	}
	all := make(map[string]entry, len(found))
	for _, one := range found {
		info, err := one.Info()
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, told(err)
		}
		all[one.Name()] = entry{info.Size(), one.IsDir()}
	}
	return all, nil
}

func (s *localStore) stat(path string) (entry, error) {
	info, err := os.Lstat(s.path(path))
	if err != nil {
		return entry{}, told(err)
	}
	return entry{info.Size(), info.IsDir()}, nil
}

func (s *localStore) make(folder string) error         { return told(os.Mkdir(s.path(folder), 0o700)) }
func (s *localStore) remove(path string) error         { return told(os.Remove(s.path(path))) }
func (s *localStore) removeFolder(folder string) error { return s.remove(folder) }

func (s *localStore) probe() (int64, error) {
	folder := s.root
	if _, err := os.Lstat(folder); errors.Is(err, fs.ErrNotExist) {
		folder = filepath.Dir(folder)
	}
	file, err := os.CreateTemp(folder, "tilekit-probe-")
	if err != nil {
		return 0, told(err)
	}
	defer os.Remove(file.Name())
	defer file.Close()
	if err := tryOut(&localFile{file, 0}); err != nil {
		return 0, err
	}
	return freeBytes(folder), nil
}

type localFile struct {
	file *os.File
	was  int64
}

func (f *localFile) size() int64 { return f.was }
func (f *localFile) readAt(p []byte, at int64) error {
	if _, err := f.file.ReadAt(p, at); err != nil {
		if errors.Is(err, io.EOF) {
			return smb.ErrShort
		}
		return told(err)
	}
	return nil
}
func (f *localFile) writeAt(p []byte, at int64) (int, error) {
	n, err := f.file.WriteAt(p, at)
	return n, told(err)
}
func (f *localFile) flush() error { return told(f.file.Sync()) }
func (f *localFile) close() error { return told(f.file.Close()) }
