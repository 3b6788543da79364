package web

import (
	"context"
	"fmt"
	"math"
	"math/rand"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tilekit/internal/job"
	"tilekit/internal/record"
)

func soon() time.Time { return time.Now().Add(time.Minute) }

func TestUsersGoThroughTheSiteAsTheMatrixSays(t *testing.T) {
	for from, row := range olioMatrix {
		if sum(row[:]) != 100 {
			t.Errorf("row %s adds to %v", olioOperations[from], sum(row[:]))
		}
	}
	s, err := New(&job.Job{Web: []byte(`{"target":"http://127.0.0.1:1","pages":"olio"}`)})
	if err != nil {
		t.Fatal(err)
	}
	u := s.User(0, rand.New(rand.NewSource(5)))
	seen := make([]float64, len(s.Operations()))
	const steps = 200_000
	for i := 0; i < steps; i++ {
		seen[u.Next()] += 100.0 / steps
	}
	// Long-run shares of the matrix, by its left eigenvector.
	for op, share := range []float64{26.15, 10.22, 33.45, 24.68, 2.61, 0.84, 2.04, 0} {
		if math.Abs(seen[op]-share) > 0.4 {
			t.Errorf("%s: %.2f %%, not %.2f", s.Operations()[op], seen[op], share)
		}
	}
}

func TestASiteIsLoadedServedAndRemovedAndNothingElse(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "site")
	site, err := ReadSite([]byte(fmt.Sprintf(`{"schema":1,"dir":%q,"people":50,"events":9,"downloadMb":1,"seed":4}`, dir)))
	if err != nil {
		t.Fatal(err)
	}
	first, err := site.Load("test")
	if err != nil {
		t.Fatal(err)
	}
	second, err := site.Load("test")
	if err != nil || first.Sha256 != second.Sha256 || first.Bytes != second.Bytes {
		t.Fatalf("%+v %+v %v", first, second, err)
	}
	ctx, stop := context.WithCancel(context.Background())
	address := make(chan string, 1)
	served := make(chan error, 1)
	go func() { served <- site.Serve(ctx, func(a string) { address <- a }) }()
	s, err := New(&job.Job{Web: []byte(`{"target":"http://` + <-address + `","people":50,"events":9,"downloadPct":2}`)})
	if err != nil {
		t.Fatal(err)
	}
	u := s.User(0, rand.New(rand.NewSource(1)))
	done := map[string]int{}
	for i := 0; i < 400; i++ {
		op := u.Next()
		name := s.Operations()[op]
		if out := u.Do(op, soon()); out.Class != "" || out.Bytes == 0 || (name != "Download" && out.Requests != 20) {
			t.Fatalf("%s: %+v", name, out)
		}
		done[name]++
	}
	if len(done) != len(s.Operations()) {
		t.Errorf("only %v were done", done)
	}
	u.Close()
	stop()
	if err := <-served; err != nil {
		t.Error(err)
	}
	if added, err := os.ReadFile(filepath.Join(dir, addedName)); err != nil || strings.Count(string(added), "\n") != done["AddPerson"]+done["AddEvent"] {
		t.Errorf("what was added: %q %v", added, err)
	}
	kept := filepath.Join(dir, "static", "mine.txt")
	if err := os.WriteFile(kept, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := site.Unload(); err != nil {
		t.Fatal(err)
	}
	var left []string
	_ = filepath.Walk(dir, func(path string, info os.FileInfo, err error) error {
		if err == nil && !info.IsDir() {
			left = append(left, path)
		}
		return nil
	})
	if len(left) != 1 || left[0] != kept {
		t.Errorf("left: %v", left)
	}
	if _, err := site.Load("test"); err == nil {
		t.Error("a folder that holds somebody's file was taken")
	}
	marker := `{"files":["../../etc/passwd"]}`
	if err := os.WriteFile(filepath.Join(dir, markerName), []byte(marker), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := site.Unload(); err == nil {
		t.Error("a marker that names files elsewhere was believed")
	}
}

func TestADatabaseBehindASiteIsRefusedByItsName(t *testing.T) {
	for text, word := range map[string]string{
		`{"kind":"oracle","address":"h:1","user":"u","name":"n"}`:                 "database.kind",
		`{"kind":"mysql","address":"h","user":"u","name":"n"}`:                    "database.address",
		`{"kind":"mysql","address":"h:1","user":"u'","name":"n"}`:                 "database.user",
		`{"kind":"mysql","address":"h:1","user":"u","name":"n","connections":-1}`: "database.connections",
		`{"kind":"mysql","address":"h:1","user":"u","name":"n"}`:                  "",
	} {
		_, err := ReadSite([]byte(`{"schema":1,"dir":"/srv/site","database":` + text + `}`))
		if (word == "") != (err == nil) || (err != nil && !strings.Contains(err.Error(), word)) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestWhatUsersAddIsNamedSoThatNothingNeedsQuoting(t *testing.T) {
	rows := &rowsContent{}
	for path, forms := range map[string][]string{
		"/person": {"", "name=", "name=%27", "name=a%5C", "name=" + strings.Repeat("a", 61)},
		"/event":  {"", "title=a", "title=%27&tag=1", "title=a&tag=-1", "title=a&tag=x", "title=a&tag=9999999999"},
	} {
		for _, text := range forms {
			form, err := url.ParseQuery(text)
			if err != nil {
				t.Fatal(err)
			}
			if err := rows.add(context.Background(), path, form); err != errNone {
				t.Errorf("%s %q: %v", path, text, err)
			}
		}
	}
}

func TestOptionsThatMeanNothingAreRefused(t *testing.T) {
	for _, text := range []string{
		``, `{"target":"ftp://a"}`, `{"target":"http://a","pages":"all"}`, `{"target":"http://a","speed":1}`,
		`{"target":"http://a","pages":"paths"}`,
		`{"target":"http://a","pages":"paths","paths":[{"op":"a","path":"x","weight":1}]}`,
		`{"target":"http://a","pages":"paths","paths":[{"op":"a","path":"/a b","weight":1}]}`,
		`{"target":"http://a","pages":"paths","paths":[{"op":"` + record.All + `","path":"/","weight":1}]}`,
		`{"target":"http://a","pages":"paths","paths":[{"op":"a","path":"/","weight":0}]}`,
		`{"target":"http://a","assets":1000}`, `{"target":"http://a","downloadPct":101}`,
	} {
		if _, err := New(&job.Job{Web: []byte(text)}); err == nil {
			t.Errorf("%s is taken", text)
		}
	}
}
