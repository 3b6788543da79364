package web

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"strconv"

	"tilekit/internal/job"
)

// Site is what `tilekit load` makes and `tilekit serve` serves, in a job file.
type Site struct {
	Schema int    `json:"schema"`
	Dir    string `json:"dir"`
	// Address to serve at; port 0 = a free one.
	Listen string `json:"listen,omitempty"`
	People int    `json:"people,omitempty"`
	Events int    `json:"events,omitempty"`
	Seed   int64  `json:"seed,omitempty"`
	// Size of the large download in MiB.
	DownloadMb int `json:"downloadMb,omitempty"`
	// Where its people and events are rows; absent = they are files, and computed.
	Database *Database `json:"database,omitempty"`
}

// An event is a text of so many bytes.
const eventBytes = 4 << 10

// Assets a site has; sizes by the classes of SPECweb96, which are public
// (http://spec.org/web96/workload.html: 35 % below 1 KB, 50 % to 10 KB, 14 % to 100 KB, 1 % to 1 MB),
// each file in the middle of its class.
const siteAssets = 100

func assetBytes(i int) int {
	// In an order that gives every prefix about the same mix: 37 has no factor in common with 100.
	switch place := i * 37 % 100; {
	case place < 35:
		return 512
	case place < 85:
		return 5 << 10
	case place < 99:
		return 50 << 10
	}
	return 500 << 10
}

const markerName = ".tilekit-site"

// Marker says what `load` made: undo removes what stands in it, and nothing else.
type Marker struct {
	Kit        string   `json:"kit"`
	Files      []string `json:"files"`
	People     int      `json:"people"`
	Events     int      `json:"events"`
	DownloadMb int      `json:"downloadMb"`
	Bytes      int64    `json:"bytes"`
	// Of all files, in their order.
	Sha256 string `json:"sha256"`
}

// ReadSite reads a site from the text of a job file.
func ReadSite(text []byte) (*Site, error) {
	site := &Site{People: 2500, Events: 300, DownloadMb: 10, Listen: "127.0.0.1:0"}
	if err := job.Strict(text, site); err != nil {
		return nil, err
	}
	if site.Schema != job.Schema {
		return nil, fmt.Errorf("schema is %d; this tilekit reads %d", site.Schema, job.Schema)
	}
	if !filepath.IsAbs(site.Dir) || filepath.Clean(site.Dir) == "/" {
		return nil, fmt.Errorf("dir is %q; it is the whole path of a folder", site.Dir)
	}
	if site.People < 1 || site.People > 10_000_000 || site.Events < 1 || site.Events > 100_000 ||
		site.DownloadMb < 0 || site.DownloadMb > 10_000 {
		return nil, fmt.Errorf("people is 1 to 10,000,000, events 1 to 100,000, downloadMb 0 to 10,000")
	}
	if site.Database != nil {
		return site, site.Database.check()
	}
	return site, nil
}

// Load makes the files of a site in a folder that is new, empty, or its own, and the rows of its
// database, where it has one.
func (site *Site) Load(kit string) (*Marker, error) {
	if err := site.Unload(); err != nil {
		return nil, err
	}
	if site.Database != nil {
		if err := site.Database.load(site); err != nil {
			return nil, err
		}
	}
	if entries, err := os.ReadDir(site.Dir); err == nil && len(entries) > 0 {
		return nil, fmt.Errorf("%s holds files that are not of tilekit: give a folder that is new or empty", site.Dir)
	}
	marker := &Marker{Kit: kit, People: site.People, Events: site.Events, DownloadMb: site.DownloadMb}
	for i := 0; i < siteAssets; i++ {
		marker.Files = append(marker.Files, "static/asset"+strconv.Itoa(i)+".bin")
	}
	// Where there is a database, events are rows of it.
	eventFiles := site.Events
	if site.Database != nil {
		eventFiles = 0
	}
	for i := 0; i < eventFiles; i++ {
		marker.Files = append(marker.Files, "events/"+strconv.Itoa(i)+".html")
	}
	marker.Files = append(marker.Files, "download/large.bin")
	for _, folder := range []string{"static", "events", "download"} {
		if err := os.MkdirAll(filepath.Join(site.Dir, folder), 0o755); err != nil {
			return nil, err
		}
	}
	// First, so that a load that was cut short can be undone.
	if err := marker.write(site.Dir); err != nil {
		return nil, err
	}
	sums := sha256.New()
	random := rand.New(rand.NewSource(site.Seed))
	for i, name := range marker.Files {
		size := site.DownloadMb << 20
		if i < siteAssets {
			size = assetBytes(i)
		} else if i < siteAssets+eventFiles {
			size = eventBytes
		}
		content := make([]byte, size)
		random.Read(content)
		if i >= siteAssets {
			// Text, as a page is.
			for k := range content {
				content[k] = 'a' + content[k]%26
			}
		}
		sums.Write(content)
		marker.Bytes += int64(size)
		if err := os.WriteFile(filepath.Join(site.Dir, name), content, 0o644); err != nil {
			return nil, err
		}
	}
	marker.Sha256 = hex.EncodeToString(sums.Sum(nil))
	return marker, marker.write(site.Dir)
}

func (m *Marker) write(dir string) error {
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	partial := filepath.Join(dir, markerName+".new")
	if err := os.WriteFile(partial, append(text, '\n'), 0o644); err != nil {
		return err
	}
	return os.Rename(partial, filepath.Join(dir, markerName))
}

func readMarker(dir string) (*Marker, error) {
	text, err := os.ReadFile(filepath.Join(dir, markerName))
	if err != nil {
		return nil, err
	}
	marker := &Marker{}
	if err := json.Unmarshal(text, marker); err != nil {
		return nil, fmt.Errorf("the marker in %s cannot be read: %w", dir, err)
	}
	for _, name := range marker.Files {
		if filepath.IsAbs(name) || filepath.Clean(name) != filepath.FromSlash(name) || name[0] == '.' {
			return nil, fmt.Errorf("the marker in %s names %q, which is no file of a site", dir, name)
		}
	}
	return marker, nil
}

// Unload removes what the marker names, and folders that are then empty, and the tables in the database.
// Fine where there is none.
func (site *Site) Unload() error {
	if site.Database != nil {
		if err := site.Database.unload(); err != nil {
			return err
		}
	}
	marker, err := readMarker(site.Dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, name := range append(marker.Files, addedName) {
		if err := os.Remove(filepath.Join(site.Dir, name)); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	// A folder that still holds something is somebody's: it stays, and so does its parent.
	for _, folder := range []string{"static", "events", "download"} {
		_ = os.Remove(filepath.Join(site.Dir, folder))
	}
	if err := os.Remove(filepath.Join(site.Dir, markerName)); err != nil {
		return err
	}
	_ = os.Remove(site.Dir)
	return nil
}
