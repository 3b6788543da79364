package web

import (
	"bufio"
	"context"
	"fmt"
	"math"
	"math/rand"
	"net"
	"net/http"
	"net/http/httptest"
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

func browse(t *testing.T, address string) *browser {
	t.Helper()
	target, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	b := newBrowser(target)
	t.Cleanup(b.close)
	return b
}

func TestAnswersOfEveryFormAreReadToTheirEnd(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("/chunked", func(w http.ResponseWriter, r *http.Request) {
		for i := 0; i < 3; i++ {
			fmt.Fprint(w, "12345")
			w.(http.Flusher).Flush()
		}
	})
	mux.HandleFunc("/close", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Connection", "close")
		fmt.Fprint(w, "12345")
	})
	mux.HandleFunc("/date", func(w http.ResponseWriter, r *http.Request) {
		http.ServeContent(w, r, "a.bin", time.Unix(1_600_000_000, 0), strings.NewReader("123"))
	})
	mux.HandleFunc("/cookie", func(w http.ResponseWriter, r *http.Request) {
		if seen, err := r.Cookie("s"); err == nil {
			fmt.Fprint(w, seen.Value)
			return
		}
		http.SetCookie(w, &http.Cookie{Name: "s", Value: "abcdefg", Path: "/"})
	})
	mux.HandleFunc("/empty", func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(204) })
	for name, start := range map[string]func(http.Handler) *httptest.Server{
		"plain": httptest.NewServer, "secure": httptest.NewTLSServer,
	} {
		server := start(mux)
		defer server.Close()
		b := browse(t, server.URL)
		for i, one := range []struct {
			path   string
			status int
			bytes  int64
		}{
			{"/chunked", 200, 15}, {"/close", 200, 5}, {"/date", 200, 3}, {"/date", 304, 0},
			{"/cookie", 200, 0}, {"/cookie", 200, 7}, {"/empty", 204, 0}, {"/nowhere", 404, 19},
			{"/chunked", 200, 15},
		} {
			got := b.get(one.path, true, soon())
			if got.class != "" || got.status != one.status || got.bytes != one.bytes || got.sent != 1 {
				t.Errorf("%s %d %s: %+v", name, i, one.path, got)
			}
		}
	}
}

// raw answers each request on a connection with the next text; "" closes without a word.
func raw(t *testing.T, answers ...string) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for next := 0; ; {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			reader := bufio.NewReader(conn)
			for next < len(answers) {
				if _, err := http.ReadRequest(reader); err != nil {
					break
				}
				next++
				if answers[next-1] == "" {
					break
				}
				fmt.Fprint(conn, answers[next-1])
			}
			_ = conn.Close()
		}
	}()
	return "http://" + listener.Addr().String()
}

const ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

func TestAKeptConnectionThatWasClosedIsNoFailure(t *testing.T) {
	b := browse(t, raw(t, ok, "", ok))
	for i := 0; i < 2; i++ {
		if got := b.get("/", false, soon()); got.class != "" || got.sent != 1 {
			t.Errorf("%d: %+v", i, got)
		}
	}
}

func TestWhatIsNoAnswerIsAFailureOfItsClass(t *testing.T) {
	for class, answer := range map[string]string{
		classReset:   "HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nshort",
		classContent: "SSH-2.0-OpenSSH_9.2 and more\r\n",
	} {
		if got := browse(t, raw(t, answer)).get("/", false, soon()); got.class != class {
			t.Errorf("%s: %+v", class, got)
		}
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	silent := "http://" + listener.Addr().String()
	if got := browse(t, silent).get("/", false, time.Now().Add(200*time.Millisecond)); got.class != classTimeout {
		t.Errorf("a server that says nothing: %+v", got)
	}
	_ = listener.Close()
	if got := browse(t, silent).get("/", false, soon()); got.class != classConnect {
		t.Errorf("no server: %+v", got)
	}
}

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
