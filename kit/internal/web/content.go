package web

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"sync"
)

// content is what pages are made of: files beside the site, or rows of a database.
type content interface {
	// latest events, for the home page.
	latest(ctx context.Context) ([]entry, error)
	tagged(ctx context.Context, tag int) ([]entry, error)
	// ofPerson are the events of somebody who is there.
	ofPerson(ctx context.Context, person int) ([]entry, error)
	text(ctx context.Context, event int) (string, error)
	// add what a user adds; kept before it returns.
	add(ctx context.Context, path string, form url.Values) error
	close()
}

// entry of a list of events.
type entry struct {
	number int
	title  string
}

// Events of a page, at most.
const (
	onHome   = 10
	ofTag    = 10
	ofPerson = 5
)

// What users add to a site of files is appended here, and removed by undo.
const addedName = "added.ndjson"

// files of a site: its lists are computed, its events are read.
type files struct {
	dir    string
	marker *Marker
	mu     sync.Mutex
	added  *os.File
}

func openFiles(dir string, marker *Marker) (*files, error) {
	added, err := os.OpenFile(filepath.Join(dir, addedName), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	return &files{dir: dir, marker: marker, added: added}, err
}

func (f *files) close() { _ = f.added.Close() }

func (f *files) from(first, count int) ([]entry, error) {
	list := make([]entry, count)
	for i := range list {
		number := (first + i) % f.marker.Events
		list[i] = entry{number, fmt.Sprintf("Event %d of tag %d", number, number/3)}
	}
	return list, nil
}

func (f *files) latest(context.Context) ([]entry, error)            { return f.from(0, onHome) }
func (f *files) tagged(_ context.Context, tag int) ([]entry, error) { return f.from(tag*3, 3) }

func (f *files) ofPerson(_ context.Context, person int) ([]entry, error) {
	hash := fnv.New32a()
	_, _ = hash.Write([]byte(strconv.Itoa(person)))
	return f.from(int(hash.Sum32()%uint32(f.marker.Events)), ofPerson)
}

func (f *files) text(_ context.Context, event int) (string, error) {
	text, err := os.ReadFile(filepath.Join(f.dir, "events", strconv.Itoa(event)+".html"))
	return string(text), err
}

func (f *files) add(_ context.Context, path string, form url.Values) error {
	line, err := json.Marshal(map[string]interface{}{"path": path, "form": form})
	if err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	_, err = f.added.Write(append(line, '\n'))
	return err
}
