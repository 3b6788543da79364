package files

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"sync"
	"time"

	"tilekit/internal/smb"
)

// Summary of a data set, as it was read back after loading, or of what was removed.
type Summary struct {
	Users  int    `json:"users"`
	Files  int64  `json:"files"`
	Bytes  int64  `json:"bytes"`
	Sha256 string `json:"sha256,omitempty"`
	// What was there already and right, was written, and was taken away.
	Kept    int64 `json:"kept"`
	Written int64 `json:"written"`
	Removed int64 `json:"removed"`
	// Files that are not of tilekit; they were left alone.
	Others  int64   `json:"others"`
	Seconds float64 `json:"seconds"`
}

func (s *Summary) add(o Summary) {
	s.Users += o.Users
	s.Files += o.Files
	s.Bytes += o.Bytes
	s.Kept += o.Kept
	s.Written += o.Written
	s.Removed += o.Removed
	s.Others += o.Others
}

const (
	// Folders that are worked on at once.
	atOnce = 8
	// How long the work on one folder, or one step beside it, may take.
	loadStep = 30 * time.Minute
	// How long getting in may take.
	logInLimit = 15 * time.Second
	// One read or write of loading.
	loadBlock = 64 << 10
)

// enter connects with the time that a step of loading has.
func (o *Options) enter(password string) (store, error) {
	in, err := o.connect(password, time.Now().Add(logInLimit))
	if err != nil {
		return nil, o.refusal(err)
	}
	if err := in.deadline(time.Now().Add(loadStep)); err != nil {
		in.close()
		return nil, err
	}
	return in, nil
}

// Load brings the data set to its start: what is missing or was changed is written, what runs made is
// taken away, files of others are left alone. Each file is read back. So a load that was cut short
// goes on, and one after a run puts back.
func Load(o *Options, kit string) (*Summary, error) {
	began := time.Now()
	password, err := o.secret()
	if err != nil {
		return nil, err
	}
	in, err := o.enter(password)
	if err != nil {
		return nil, err
	}
	defer in.close()
	marker, total, err := o.ready(in, password, kit)
	if err != nil {
		return nil, err
	}
	sums := make([][sha256.Size]byte, o.Users)
	if err := o.each(password, o.Users, total, func(user int, in store) (one Summary, err error) {
		one, sums[user], err = o.restore(user, in)
		return one, err
	}); err != nil {
		return nil, err
	}
	all := sha256.New()
	for _, one := range sums {
		all.Write(one[:])
	}
	marker.Whole, marker.Sha256 = true, hex.EncodeToString(all.Sum(nil))
	if err := in.deadline(time.Now().Add(loadStep)); err != nil {
		return nil, err
	}
	if err := marker.write(in); err != nil {
		return nil, err
	}
	total.Sha256, total.Seconds = marker.Sha256, time.Since(began).Seconds()
	return total, nil
}

// ready makes the folder one of a data set that is not whole: from here on undo knows it.
func (o *Options) ready(in store, password, kit string) (*Marker, *Summary, error) {
	total := &Summary{}
	marker, err := readMarker(in)
	if err != nil {
		return nil, nil, o.about(err)
	}
	old := marker
	if marker != nil && !marker.fits(o) {
		// Of another size: what it names goes first.
		cleared, err := o.clear(in, password, marker)
		if err != nil {
			return nil, nil, err
		}
		total.Removed = cleared.Removed
		marker = nil
	}
	if marker == nil {
		marker = &Marker{Users: o.Users, Files: o.Files, FileKB: o.FileKB, Folder: old != nil && old.Folder}
		found, err := in.list("")
		switch {
		case isMissing(err):
			if err := in.make(""); err != nil {
				return nil, nil, o.about(err)
			}
			marker.Folder = true
		case err != nil:
			return nil, nil, o.about(err)
		case len(found) > 0 && old == nil:
			return nil, nil, &Problem{Blames: "folder", Text: fmt.Sprintf("%s holds files that are not of tilekit: give a folder that is new or empty", o.where())}
		}
		if err := o.fitsIn(in, 0); err != nil {
			return nil, nil, err
		}
	}
	marker.Kit, marker.Whole, marker.Sha256 = kit, false, ""
	if err := marker.write(in); err != nil {
		return nil, nil, o.about(err)
	}
	return marker, total, nil
}

// about a failure, in which folder.
func (o *Options) about(err error) error {
	var problem *Problem
	if errors.As(err, &problem) {
		return err
	}
	return &Problem{Blames: "folder", Text: fmt.Sprintf("%s cannot be used: %v", o.where(), err)}
}

// fitsIn tells whether what is missing has room.
func (o *Options) fitsIn(in store, there int64) error {
	free, err := in.probe()
	if err != nil {
		return o.about(err)
	}
	need := int64(o.Users)*int64(o.Files)*bytesOf(o.FileKB) - there
	if free >= 0 && free < need {
		return &Problem{Blames: "fileKb", Text: fmt.Sprintf("%s has %d MB free for this user, and the data set needs %d MB more: the disk or the quota is too small", o.where(), free>>20, (need+1<<20-1)>>20)}
	}
	return nil
}

// each works on every user's folder, some at once, and adds up what came of it; the first failure
// ends it.
func (o *Options) each(password string, users int, total *Summary, work func(user int, in store) (Summary, error)) error {
	var mu sync.Mutex
	var failure error
	next := 0
	take := func() int {
		mu.Lock()
		defer mu.Unlock()
		if failure != nil || next >= users {
			return -1
		}
		next++
		return next - 1
	}
	fail := func(err error) {
		mu.Lock()
		if failure == nil {
			failure = err
		}
		mu.Unlock()
	}
	var all sync.WaitGroup
	for i := 0; i < atOnce && i < users; i++ {
		all.Add(1)
		go func() {
			defer all.Done()
			in, err := o.enter(password)
			if err != nil {
				fail(err)
				return
			}
			defer in.close()
			for user := take(); user >= 0; user = take() {
				err := in.deadline(time.Now().Add(loadStep))
				one := Summary{}
				if err == nil {
					one, err = work(user, in)
				}
				mu.Lock()
				total.add(one)
				mu.Unlock()
				if err != nil {
					fail(fmt.Errorf("%s/%s: %w", o.where(), userFolder(user), err))
				}
			}
		}()
	}
	all.Wait()
	return failure
}

// restore one user's folder, and give the sum over its files.
func (o *Options) restore(user int, in store) (Summary, [sha256.Size]byte, error) {
	one, sum := Summary{Users: 1}, [sha256.Size]byte{}
	folder := userFolder(user)
	found, err := in.list(folder)
	if isMissing(err) {
		err = in.make(folder)
	}
	if err != nil {
		return one, sum, err
	}
	for name := range found {
		switch {
		case madePattern.MatchString(name):
			if err := in.remove(folder + "/" + name); err != nil {
				return one, sum, err
			}
			one.Removed++
		case !o.names(name):
			one.Others++
		}
	}
	all := sha256.New()
	for file := 0; file < o.Files; file++ {
		path, size := folder+"/"+setFile(file), bytesOf(o.FileKB)
		right := found[setFile(file)].size == size
		if right {
			right, err = asLoaded(in, path, user, file, size)
		}
		if err == nil && !right {
			if err = writeFile(in, path, user, file, size); err == nil {
				right, err = asLoaded(in, path, user, file, size)
			}
			one.Written++
		} else {
			one.Kept++
		}
		if err != nil {
			return one, sum, err
		}
		if !right {
			return one, sum, fmt.Errorf("%s: %w", path, errContent)
		}
		block := make([]byte, loadBlock)
		for at := int64(0); at < size; at += int64(len(block)) {
			part := block[:least(size-at, loadBlock)]
			fill(part, user, file, int(at/unit), loadedGeneration)
			all.Write(part)
		}
		one.Files++
		one.Bytes += size
	}
	copy(sum[:], all.Sum(nil))
	return one, sum, nil
}

// names tells whether a name is of a file of the set.
func (o *Options) names(name string) bool {
	number := 0
	if n, _ := fmt.Sscanf(name, "f%05d.dat", &number); n != 1 || number < 1 || number > o.Files {
		return false
	}
	return name == setFile(number-1)
}

func least(a, b int64) int64 {
	if a < b {
		return a
	}
	return b
}

// asLoaded tells whether a file is what load writes, to the byte.
func asLoaded(in store, path string, user, file int, size int64) (bool, error) {
	opened, err := in.open(path, smb.Read)
	if err != nil {
		return false, err
	}
	block, right := make([]byte, loadBlock), opened.size() == size
	for at := int64(0); right && at < size; at += int64(len(block)) {
		part := block[:least(size-at, loadBlock)]
		if err := opened.readAt(part, at); err != nil {
			return false, err
		}
		for k := 0; right && k < len(part); k += unit {
			generation, err := generationOf(part[k:k+unit], user, file, int(at/unit)+k/unit)
			right = err == nil && generation == loadedGeneration
		}
	}
	return right, opened.close()
}

func writeFile(in store, path string, user, file int, size int64) error {
	opened, err := in.open(path, smb.Replace)
	if err != nil {
		return err
	}
	block := make([]byte, loadBlock)
	for at := int64(0); at < size; at += int64(len(block)) {
		part := block[:least(size-at, loadBlock)]
		fill(part, user, file, int(at/unit), loadedGeneration)
		if _, err := opened.writeAt(part, at); err != nil {
			return err
		}
	}
	return opened.close()
}
