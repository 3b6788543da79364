package files

import (
	"bytes"
	"encoding/json"
	"fmt"

	"tilekit/internal/job"
	"tilekit/internal/smb"
)

// markerName is the file by which a data set is known.
const markerName = "tilekit-files.json"

const mostOfMarker = 4096

// Marker says what `load` made: undo removes what follows from it, and nothing else.
type Marker struct {
	Kit    string  `json:"kit"`
	Users  int     `json:"users"`
	Files  int     `json:"files"`
	FileKB float64 `json:"fileKb"`
	// The folder was made with it, and goes with it.
	Folder bool `json:"folder"`
	// All was written and read back; of the sums of the users' files, in their order.
	Whole  bool   `json:"whole"`
	Sha256 string `json:"sha256,omitempty"`
}

func (m *Marker) fits(o *Options) bool {
	return m.Users == o.Users && m.Files == o.Files && m.FileKB == o.FileKB
}

// readMarker of a data set; nil where there is none.
func readMarker(in store) (*Marker, error) {
	file, err := in.open(markerName, smb.Read)
	if isMissing(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if file.size() > mostOfMarker {
		return nil, fmt.Errorf("the marker %s is larger than any of tilekit", markerName)
	}
	text := make([]byte, file.size())
	if err := file.readAt(text, 0); err != nil {
		return nil, err
	}
	if err := file.close(); err != nil {
		return nil, err
	}
	marker := &Marker{}
	if err := job.Strict(bytes.TrimSpace(text), marker); err != nil {
		return nil, fmt.Errorf("the marker %s is none of tilekit: %w", markerName, err)
	}
	if marker.Users < 1 || marker.Users > mostUsers || marker.Files < 1 || marker.Files > mostFiles ||
		!(marker.FileKB >= 4 && marker.FileKB <= mostFileKB) {
		return nil, fmt.Errorf("the marker %s names %d users with %d files of %v KB, which is no data set of tilekit", markerName, marker.Users, marker.Files, marker.FileKB)
	}
	return marker, nil
}

func (m *Marker) write(in store) error {
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	file, err := in.open(markerName, smb.Replace)
	if err != nil {
		return err
	}
	if _, err := file.writeAt(append(text, '\n'), 0); err != nil {
		return err
	}
	if err := file.flush(); err != nil {
		return err
	}
	return file.close()
}
