package browser

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"
)

func soon() time.Time { return time.Now().Add(time.Minute) }

func browse(t *testing.T, address string) *Browser {
	t.Helper()
	target, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	b := New(target)
	t.Cleanup(b.Close)
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
		for _, keeps := range []bool{false, true} {
			b := browse(t, server.URL)
			b.Keep = keeps
			for i, one := range []struct {
				path   string
				status int
				bytes  int64
			}{
				{"/chunked", 200, 15}, {"/close", 200, 5}, {"/date", 200, 3}, {"/date", 304, 0},
				{"/cookie", 200, 0}, {"/cookie", 200, 7}, {"/empty", 204, 0}, {"/nowhere", 404, 19},
				{"/chunked", 200, 15},
			} {
				got := b.Get(one.path, true, soon())
				if got.Class != "" || got.Status != one.status || got.Bytes != one.bytes || got.Sent != 1 {
					t.Errorf("%s %d %s: %+v", name, i, one.path, got)
				}
				if kept := int64(len(got.Body)); (keeps && kept != one.bytes) || (!keeps && kept != 0) {
					t.Errorf("%s %d %s: %d bytes kept", name, i, one.path, kept)
				}
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
		if got := b.Get("/", false, soon()); got.Class != "" || got.Sent != 1 {
			t.Errorf("%d: %+v", i, got)
		}
	}
}

func TestWhatIsNoAnswerIsAFailureOfItsClass(t *testing.T) {
	for class, answer := range map[string]string{
		Reset:   "HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nshort",
		Content: "SSH-2.0-OpenSSH_9.2 and more\r\n",
	} {
		if got := browse(t, raw(t, answer)).Get("/", false, soon()); got.Class != class {
			t.Errorf("%s: %+v", class, got)
		}
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	silent := "http://" + listener.Addr().String()
	if got := browse(t, silent).Get("/", false, time.Now().Add(200*time.Millisecond)); got.Class != Timeout {
		t.Errorf("a server that says nothing: %+v", got)
	}
	_ = listener.Close()
	if got := browse(t, silent).Get("/", false, soon()); got.Class != Connect {
		t.Errorf("no server: %+v", got)
	}
}
