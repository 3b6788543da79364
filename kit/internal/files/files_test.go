package files

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"tilekit/internal/job"
	"tilekit/internal/load"
	"tilekit/internal/record"
	"tilekit/internal/smb"
)

func optionsOf(t *testing.T, more string) *Options {
	t.Helper()
	o, err := Read([]byte(fmt.Sprintf(`{"target":"local","folder":%q,"users":3,"files":4,"fileKb":64%s}`, filepath.Join(t.TempDir(), "set"), more)))
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func loaded(t *testing.T, o *Options) *Summary {
	t.Helper()
	summary, err := Load(o, "test")
	if err != nil {
		t.Fatal(err)
	}
	return summary
}

func userOf(o *Options, index int) *user {
	s := &scenario{o: o, run: "test", generation: 10}
	return s.User(index, rand.New(rand.NewSource(int64(index)))).(*user)
}

func soon() time.Time { return time.Now().Add(time.Minute) }

func blamed(err error) string {
	var problem *Problem
	if errors.As(err, &problem) {
		return problem.Blames
	}
	return ""
}

func TestWhatIsWrongWithTheOptionsIsSaidByTheirField(t *testing.T) {
	for text, word := range map[string]string{
		`{}`:                                    "file.host",
		`{"host":"h","share":"a/b"}`:            "file.share",
		`{"host":"h","user":""}`:                "file.user",
		`{"host":"h","folder":".."}`:            "file.folder",
		`{"host":"h","folder":"a/../b"}`:        "file.folder",
		`{"host":"h","folder":"/a"}`:            "file.folder",
		`{"target":"local","folder":"a"}`:       "file.folder",
		`{"target":"local","folder":"/"}`:       "file.folder",
		`{"target":"local","folder":"/a/../b"}`: "file.folder",
		`{"target":"nfs"}`:                      "file.target",
		`{"host":"h","fileKb":5}`:               "multiple",
		`{"host":"h","users":0}`:                "file.users",
		`{"host":"h","fileKb":4,"randomKb":8}`:  "file.randomKb",
		`{"host":"h","weights":{"rename":1}}`:   "rename",
		`{"host":"h","weights":{"read":0}}`:     "all 0",
		`{"host":"h","weights":{"read":-1}}`:    "file.weights.read",
		`{"host":"h","size":1}`:                 "size",
	} {
		if _, err := Read([]byte(text)); err == nil || !strings.Contains(err.Error(), word) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestTheMixIsThatOfItsWeights(t *testing.T) {
	o := optionsOf(t, "")
	random, counts := rand.New(rand.NewSource(1)), make([]int, len(operations))
	const steps = 100_000
	for i := 0; i < steps; i++ {
		counts[o.choose(random)]++
	}
	for i, name := range operations {
		if share := float64(counts[i]) / steps * 100; share < chosen[name]-1 || share > chosen[name]+1 {
			t.Errorf("%s: %.1f of a hundred, not %v", name, share, chosen[name])
		}
	}
}

func TestEveryOperationIsDoneAndWhatItReadsIsWhatWasWritten(t *testing.T) {
	o := optionsOf(t, `,"flush":true`)
	loaded(t, o)
	u := userOf(o, 1)
	defer u.Close()
	sums := map[string]int64{}
	for round := 0; round < 40; round++ {
		for op, name := range operations {
			out := u.Do(op, soon())
			if out.Class != "" {
				t.Fatalf("%s: %s", name, out.Class)
			}
			for count, n := range out.Counts {
				sums[count] += n
			}
		}
	}
	if sums["created"] != 40 || sums["deleted"] != 40 || sums["readBytes"] == 0 || sums["writtenBytes"] == 0 {
		t.Fatal(sums)
	}
	if summary := loaded(t, o); summary.Removed != 0 {
		t.Fatalf("%+v", summary)
	}
}

func TestWhatIsNotWhatWasWrittenIsSeen(t *testing.T) {
	for name, damage := range map[string]func(text []byte) []byte{
		"a changed byte": func(text []byte) []byte { text[len(text)/2+3]++; return text },
		"the last byte":  func(text []byte) []byte { text[len(text)-1]++; return text },
		"zeros":          func(text []byte) []byte { return make([]byte, len(text)) },
		"a shorter file": func(text []byte) []byte { return text[:len(text)-unit] },
		"a longer file":  func(text []byte) []byte { return append(text, make([]byte, unit)...) },
		"two units in turn": func(text []byte) []byte {
			return append(append(append([]byte{}, text[unit:2*unit]...), text[:unit]...), text[2*unit:]...)
		},
		"an older writing":    nil,
		"the file of another": nil,
	} {
		o := optionsOf(t, `,"weights":{"read":1}`)
		o.Files = 1
		loaded(t, o)
		u := userOf(o, 0)
		path := filepath.Join(o.Folder, userFolder(0), setFile(0))
		before, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if out := u.Do(opWrite, soon()); out.Class != "" {
			t.Fatal(out.Class)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case damage != nil:
			text = damage(text)
		case name == "an older writing":
			text = before
		default:
			if text, err = os.ReadFile(filepath.Join(o.Folder, userFolder(1), setFile(0))); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		if out := u.Do(opRead, soon()); out.Class != "content" {
			t.Errorf("%s: %q", name, out.Class)
		}
		u.Close()
	}
}

func TestARemovedFileThatIsThereAndAListedOneThatIsNotAreSeen(t *testing.T) {
	o := optionsOf(t, "")
	loaded(t, o)
	u := userOf(o, 0)
	defer u.Close()
	for _, op := range []int{opCreate, opDelete} {
		if out := u.Do(op, soon()); out.Class != "" {
			t.Fatal(out.Class)
		}
	}
	back := filepath.Join(o.Folder, userFolder(0), madeFile("test", 1))
	if err := os.WriteFile(back, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if out := u.Do(opList, soon()); out.Class != "content" {
		t.Errorf("back again: %q", out.Class)
	}
	if err := os.Remove(back); err != nil {
		t.Fatal(err)
	}
	if out := u.Do(opList, soon()); out.Class != "" {
		t.Errorf("as it was: %q", out.Class)
	}
	if err := os.Remove(filepath.Join(o.Folder, userFolder(0), setFile(3))); err != nil {
		t.Fatal(err)
	}
	if out := u.Do(opList, soon()); out.Class != "content" {
		t.Errorf("lost: %q", out.Class)
	}
}

// narrow is a store whose disk takes so many more bytes.
type narrow struct {
	store
	left int64
}

type narrowFile struct {
	handle
	in *narrow
}

func (n *narrow) open(path string, how smb.How) (handle, error) {
	file, err := n.store.open(path, how)
	if err != nil {
		return nil, err
	}
	return narrowFile{file, n}, nil
}

func (f narrowFile) writeAt(p []byte, at int64) (int, error) {
	if int64(len(p)) > f.in.left {
		n, _ := f.handle.writeAt(p[:f.in.left/2], at)
		return n, told(syscall.ENOSPC)
	}
	f.in.left -= int64(len(p))
	return f.handle.writeAt(p, at)
}

func TestAFullDiskIsToldAsOneAndLeavesNothingHalfWritten(t *testing.T) {
	o := optionsOf(t, "")
	loaded(t, o)
	u := userOf(o, 0)
	defer u.Close()
	disk := &narrow{store: &localStore{root: o.Folder}, left: 100 << 10}
	u.in = disk
	if out := u.Do(opCreate, soon()); out.Class != "" {
		t.Fatal(out.Class)
	}
	for i := 0; i < 3; i++ {
		if out := u.Do(opCreate, soon()); out.Class != "full" {
			t.Fatal(out.Class)
		}
	}
	if made, err := filepath.Glob(filepath.Join(o.Folder, userFolder(0), "made-*")); err != nil || len(made) != 1 {
		t.Fatal(made, err)
	}
	if out := u.Do(opAppend, soon()); out.Class != "" && out.Class != "full" {
		t.Fatal(out.Class)
	}
	disk.left = 1 << 30
	// What was cut is written anew, and read again.
	for i := 0; i < 50; i++ {
		for _, op := range []int{opWrite, opRead, opStat, opList} {
			if out := u.Do(op, soon()); out.Class != "" {
				t.Fatal(operations[op], out.Class)
			}
		}
	}
}

// slow is a store that answers when it is let.
type slow struct {
	store
	let chan struct{}
}

func (s slow) stat(path string) (entry, error) {
	<-s.let
	return s.store.stat(path)
}

func TestALocalCallThatDoesNotComeBackIsATimeout(t *testing.T) {
	o := optionsOf(t, "")
	loaded(t, o)
	u := userOf(o, 0)
	defer u.Close()
	let := make(chan struct{})
	u.in = slow{&localStore{root: o.Folder}, let}
	for i := 0; i < 2; i++ {
		if out := u.Do(opStat, time.Now().Add(10*time.Millisecond)); out.Class != "timeout" {
			t.Fatal(out.Class)
		}
		u.Next()
	}
	close(let)
	if out := u.Do(opRead, soon()); out.Class != "" {
		t.Fatal(out.Class)
	}
}

func TestAServerThatIsNoneOrSaysNothingIsAFailureOfThatClass(t *testing.T) {
	o, err := Read([]byte(`{"host":"127.0.0.1","port":1,"users":2}`))
	if err != nil {
		t.Fatal(err)
	}
	u := userOf(o, 0)
	defer u.Close()
	if out := u.Do(opRead, soon()); out.Class != "connect" {
		t.Fatal(out.Class)
	}
	if err := Verify(o); blamed(err) != "port" {
		t.Fatal(err)
	}
	if _, err := Load(o, "test"); blamed(err) != "port" {
		t.Fatal(err)
	}
}

func TestALoadOnFilesIsAccountedForInBothLoops(t *testing.T) {
	for _, loop := range []string{
		`"mode":"open","arrivals":{"kind":"constant","rate":[{"atS":0,"perS":200}]}`, `"mode":"closed","thinkS":0.005`,
	} {
		o := optionsOf(t, "")
		loaded(t, o)
		j, err := job.Parse([]byte(fmt.Sprintf(`{"schema":1,"scenario":"file","durationS":0.5,"drainS":60,"users":3,%s,
			"file":{"target":"local","folder":%q,"users":3,"files":4,"fileKb":64}}`, loop, o.Folder)))
		if err != nil {
			t.Fatal(err)
		}
		s, err := New(j)
		if err != nil {
			t.Fatal(err)
		}
		var lines bytes.Buffer
		end, _, err := load.Run(context.Background(), "test", j, s, &lines)
		if err != nil {
			t.Fatal(err)
		}
		if end.Done == 0 || end.Done != end.Offered || len(end.Failed) != 0 {
			t.Fatalf("%+v", end)
		}
		var read, written int64
		for _, text := range strings.Split(strings.TrimSpace(lines.String()), "\n") {
			var line record.Line
			if err := json.Unmarshal([]byte(text), &line); err != nil {
				t.Fatal(err)
			}
			if line.Op == record.All {
				read += line.Counts["readBytes"]
				written += line.Counts["writtenBytes"]
			}
		}
		if read != end.Counts["readBytes"] || written != end.Counts["writtenBytes"] || read+written != end.Bytes || read == 0 {
			t.Fatal(read, written, end.Counts, end.Bytes)
		}
		if _, err := New(&job.Job{Users: 4, File: j.File}); err == nil {
			t.Fatal("more users than folders")
		}
	}
}
