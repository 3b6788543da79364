// Package files is the scenario `file`: users of a file server who each work in a folder of their own,
// over SMB or in a local folder, and the data set they use. What is read is held against what was
// written.
package files

import (
	"fmt"
	"math"
	"math/rand"
	"net"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"tilekit/internal/job"
)

// Problem is what is wrong, in words, and the option it is likeliest about.
type Problem = job.Problem

// What a data set may have.
const (
	mostUsers  = 10_000
	mostFiles  = 10_000
	mostFileKB = 4_194_304
)

// Where the files are.
const (
	overSMB = "smb"
	local   = "local"
)

// Options of the scenario in a job file, and of load, unload and verify.
type Options struct {
	// "smb" or "local".
	Target string `json:"target"`
	Host   string `json:"host,omitempty"`
	Port   int    `json:"port,omitempty"`
	Share  string `json:"share,omitempty"`
	// DOMAIN\user, or a user of the server.
	User string `json:"user,omitempty"`
	// A file of this machine that nobody else may read; its first line is the password.
	PasswordFile string `json:"passwordFile,omitempty"`
	// Sign every request, also where the server does not demand it.
	Sign bool `json:"sign,omitempty"`
	// Of the data set: a path within the share, or the whole path of a local folder.
	Folder string `json:"folder"`
	// Folders of users, files in each, size of each file.
	Users  int     `json:"users"`
	Files  int     `json:"files"`
	FileKB float64 `json:"fileKb"`
	// One read or write of those that go through a file, and of those at random places; how many of
	// the latter an operation has.
	BlockKB      float64 `json:"blockKb"`
	RandomKB     float64 `json:"randomKb"`
	RandomBlocks int     `json:"randomBlocks"`
	AppendKB     float64 `json:"appendKb"`
	// Every operation that wrote ends with a flush to the server's disk.
	Flush bool `json:"flush,omitempty"`
	// Weights of operations by name; empty = those below.
	Weights map[string]float64 `json:"weights,omitempty"`
}

const (
	opRead = iota
	opReadRandom
	opWrite
	opWriteRandom
	opAppend
	opCreate
	opDelete
	opList
	opStat
)

// operations in the order of their index.
var operations = []string{"read", "readRandom", "write", "writeRandom", "append", "create", "delete", "list", "stat"}

// chosen is the mix where none is given: no public source gives one for these operations.
var chosen = map[string]float64{
	"read": 30, "readRandom": 15, "write": 12, "writeRandom": 8, "append": 0, "create": 5, "delete": 5,
	"list": 10, "stat": 15,
}

// Sizes where none are given. 128 KB a file and 16 KB an append are the means of Filebench's file
// server (https://github.com/filebench/filebench, workloads/fileserver.f); the rest is chosen.
func defaults() Options {
	return Options{
		Target: overSMB, Port: 445, Share: "tilebench", User: "guest", Folder: "tilekit", Users: 1,
		Files: 20, FileKB: 128, BlockKB: 64, RandomKB: 8, RandomBlocks: 8, AppendKB: 16,
	}
}

var (
	plainShare  = regexp.MustCompile(`^[A-Za-z0-9._$ -]{1,80}$`)
	plainUser   = regexp.MustCompile(`^([A-Za-z0-9._-]{1,64}\\)?[A-Za-z0-9._@$ -]{1,104}$`)
	plainFolder = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9._ -]{0,79}(/[A-Za-z0-9_][A-Za-z0-9._ -]{0,79}){0,7}$`)
)

// Read takes the options and says what is wrong by the field's name.
func Read(text []byte) (*Options, error) {
	o := defaults()
	if len(text) == 0 {
		return nil, fmt.Errorf("file is missing: the scenario's share or folder")
	}
	if err := job.Strict(text, &o); err != nil {
		return nil, err
	}
	for _, one := range []struct {
		name      string
		value     float64
		low, high float64
		unit      float64
	}{
		{"port", float64(o.Port), 1, 65_535, 1},
		{"users", float64(o.Users), 1, mostUsers, 1},
		{"files", float64(o.Files), 1, mostFiles, 1},
		{"fileKb", o.FileKB, 4, mostFileKB, 4},
		{"blockKb", o.BlockKB, 4, 1_024, 4},
		{"randomKb", o.RandomKB, 4, 1_024, 4},
		{"randomBlocks", float64(o.RandomBlocks), 1, 1_000, 1},
		{"appendKb", o.AppendKB, 4, 1_024, 4},
	} {
		if !(one.value >= one.low && one.value <= one.high) {
			return nil, fmt.Errorf("file.%s is %v; it is from %v to %v", one.name, one.value, one.low, one.high)
		}
		if math.Mod(one.value, one.unit) != 0 {
			return nil, fmt.Errorf("file.%s is %v; it is a multiple of %v", one.name, one.value, one.unit)
		}
	}
	if o.RandomKB > o.FileKB {
		return nil, fmt.Errorf("file.randomKb is %v and fileKb %v: a block is no larger than its file", o.RandomKB, o.FileKB)
	}
	if err := o.place(); err != nil {
		return nil, err
	}
	return &o, o.weigh()
}

// place of the data set.
func (o *Options) place() error {
	switch o.Target {
	case local:
		if !filepath.IsAbs(o.Folder) || filepath.Clean(o.Folder) != o.Folder || filepath.Dir(o.Folder) == o.Folder || len(o.Folder) > 1_024 {
			return fmt.Errorf("file.folder is %q; it is the whole path of a folder", o.Folder)
		}
		return nil
	case overSMB:
		switch {
		case o.Host == "":
			return fmt.Errorf("file.host is missing")
		case !plainShare.MatchString(o.Share):
			return fmt.Errorf("file.share is %q; it is the name of a share", o.Share)
		case !plainUser.MatchString(o.User):
			return fmt.Errorf("file.user is %q; it is a user name, or DOMAIN\\user", o.User)
		case !plainFolder.MatchString(o.Folder):
			return fmt.Errorf("file.folder is %q; it is a path within the share, of letters, digits and . _ -", o.Folder)
		}
		return nil
	}
	return fmt.Errorf("file.target is %q; it is smb or local", o.Target)
}

func (o *Options) weigh() error {
	if len(o.Weights) == 0 {
		o.Weights = chosen
	}
	sum := 0.0
	for name, weight := range o.Weights {
		if _, known := chosen[name]; !known {
			return fmt.Errorf("file.weights has %q; operations are %s", name, strings.Join(operations, ", "))
		}
		if !(weight >= 0 && weight <= 1e6) {
			return fmt.Errorf("file.weights.%s is %v; it is from 0 to 1,000,000", name, weight)
		}
		sum += weight
	}
	if sum <= 0 {
		return fmt.Errorf("file.weights are all 0")
	}
	return nil
}

// choose an operation by its weight.
func (o *Options) choose(random *rand.Rand) int {
	sum := 0.0
	for _, name := range operations {
		sum += o.Weights[name]
	}
	at, last := random.Float64()*sum, 0
	for i, name := range operations {
		weight := o.Weights[name]
		if weight <= 0 {
			continue
		}
		if last = i; at < weight {
			return i
		}
		at -= weight
	}
	return last
}

func bytesOf(kb float64) int64 { return int64(kb * 1024) }

func (o *Options) address() string { return net.JoinHostPort(o.Host, strconv.Itoa(o.Port)) }

// where it is, for people.
func (o *Options) where() string {
	if o.Target == local {
		return o.Folder
	}
	return `\\` + o.Host + `\` + o.Share + ` (port ` + strconv.Itoa(o.Port) + `), ` + o.Folder
}

// Names of the data set; users and files count from 0.
func userFolder(user int) string { return fmt.Sprintf("u%05d", user+1) }
func setFile(file int) string    { return fmt.Sprintf("f%05d.dat", file+1) }

// madePattern is what users create while a load runs; removed by load and unload, whoever made it.
var madePattern = regexp.MustCompile(`^made-[0-9a-z]{1,16}-[0-9]{1,9}\.dat$`)

func madeFile(run string, number int) string { return fmt.Sprintf("made-%s-%d.dat", run, number) }
