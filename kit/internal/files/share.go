package files

import (
	"strconv"
	"time"

	"tilekit/internal/smb"
)

// shareStore is a folder of a share.
type shareStore struct {
	conn *smb.Conn
	root string
}

func (s *shareStore) path(below string) string {
	if below == "" {
		return s.root
	}
	return s.root + "/" + below
}

func (s *shareStore) deadline(at time.Time) error { return s.conn.SetDeadline(at) }
func (s *shareStore) requests() int64             { return s.conn.Requests }
func (s *shareStore) close()                      { s.conn.Close() }

func (s *shareStore) open(path string, how smb.How) (handle, error) {
	file, err := s.conn.Open(s.path(path), how)
	if err != nil {
		return nil, err
	}
	return shareFile{file}, nil
}

func (s *shareStore) list(folder string) (map[string]entry, error) {
	file, err := s.conn.Open(s.path(folder), smb.Directory)
	if err != nil {
		return nil, err
	}
	found, err := file.List(mostEntries)
	if err != nil {
		return nil, err
	}
	all := make(map[string]entry, len(found))
	for _, one := range found {
		all[one.Name] = entry{one.Size, one.Folder}
	}
	return all, file.Close()
}

func (s *shareStore) stat(path string) (entry, error) {
	file, err := s.conn.Open(s.path(path), smb.Attributes)
	if err != nil {
		return entry{}, err
	}
	found, err := file.Stat()
	if err != nil {
		return entry{}, err
	}
	return entry{found.Size, found.Folder}, file.Close()
}

// once opens and closes: that is all that some ways to open need.
func (s *shareStore) once(path string, how smb.How) error {
	file, err := s.conn.Open(s.path(path), how)
	if err != nil {
		return err
	}
	return file.Close()
}

func (s *shareStore) make(folder string) error         { return s.once(folder, smb.MakeDirectory) }
func (s *shareStore) remove(path string) error         { return s.once(path, smb.Remove) }
func (s *shareStore) removeFolder(folder string) error { return s.once(folder, smb.RemoveDirectory) }

func (s *shareStore) probe() (int64, error) {
	if err := s.conn.Echo(); err != nil {
		return 0, err
	}
	name := "tilekit-probe-" + strconv.FormatInt(time.Now().UnixNano(), 36)
	file, err := s.conn.Open(s.path(name), smb.Temporary)
	if isMissing(err) {
		file, err = s.conn.Open(name, smb.Temporary)
	}
	if err != nil {
		return 0, err
	}
	if err := tryOut(shareFile{file}); err != nil {
		return 0, err
	}
	free, err := file.Free()
	if err != nil {
		return 0, err
	}
	return free, file.Close()
}

type shareFile struct{ file *smb.File }

func (f shareFile) size() int64                                 { return f.file.Size }
func (f shareFile) readAt(p []byte, at int64) error             { return f.file.ReadAt(p, at) }
func (f shareFile) writeAt(p []byte, at int64) (n int, _ error) { return f.file.WriteAt(p, at) }
func (f shareFile) flush() error                                { return f.file.Flush() }
func (f shareFile) close() error                                { return f.file.Close() }

// tryOut writes one unit and reads it back.
func tryOut(file handle) error {
	text := make([]byte, unit)
	fill(text, 0, 0, 0, loadedGeneration)
	if _, err := file.writeAt(text, 0); err != nil {
		return err
	}
	if err := file.readAt(text, 0); err != nil {
		return err
	}
	_, err := generationOf(text, 0, 0, 0)
	return err
}
