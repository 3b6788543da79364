package web

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math/rand"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
)

// What users add is appended here, and removed by undo.
const addedName = "added.ndjson"

// server is the web tier of the scenario: pages in the style of Olio, made for each request.
type server struct {
	dir    string
	marker *Marker
	mu     sync.Mutex
	added  *os.File
	random *rand.Rand
}

// Serve answers until the context ends. ready gets the address.
func (site *Site) Serve(ctx context.Context, ready func(address string)) error {
	marker, err := readMarker(site.Dir)
	if err != nil {
		return fmt.Errorf("there is no site to serve in %s: %w", site.Dir, err)
	}
	added, err := os.OpenFile(filepath.Join(site.Dir, addedName), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer added.Close()
	listener, err := net.Listen("tcp", site.Listen)
	if err != nil {
		return err
	}
	s := &server{dir: site.Dir, marker: marker, added: added, random: rand.New(rand.NewSource(time.Now().UnixNano()))}
	answering := &http.Server{Handler: s.routes(), ReadHeaderTimeout: time.Minute}
	go func() {
		<-ctx.Done()
		closing, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		defer cancel()
		_ = answering.Shutdown(closing)
	}()
	ready(listener.Addr().String())
	if err := answering.Serve(listener); err != http.ErrServerClosed {
		return err
	}
	return nil
}

func (s *server) routes() http.Handler {
	mux := http.NewServeMux()
	files := http.FileServer(http.Dir(s.dir))
	mux.Handle("/static/", files)
	mux.Handle("/download/", files)
	mux.HandleFunc("/home", func(w http.ResponseWriter, r *http.Request) {
		s.page(w, r, "Home", s.eventsFrom(0, 10))
	})
	mux.HandleFunc("/login", s.login)
	mux.HandleFunc("/search", func(w http.ResponseWriter, r *http.Request) {
		tag, err := strconv.Atoi(r.URL.Query().Get("tag"))
		if err != nil || tag < 0 {
			http.NotFound(w, r)
			return
		}
		s.page(w, r, "Tag "+strconv.Itoa(tag), s.eventsFrom(tag*3, 3))
	})
	mux.HandleFunc("/event/", s.event)
	mux.HandleFunc("/event", s.add)
	mux.HandleFunc("/person/", s.person)
	mux.HandleFunc("/person", s.add)
	return mux
}

// page sends a page of its own for each user: nothing between can answer in its place.
func (s *server) page(w http.ResponseWriter, r *http.Request, title, body string) {
	name := "guest"
	if cookie, err := r.Cookie("tilekit_user"); err == nil {
		name = cookie.Value
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = fmt.Fprintf(w, "<!doctype html><title>%s</title><p>Hello %q</p>%s", title, name, body)
}

func (s *server) login(w http.ResponseWriter, r *http.Request) {
	name := r.PostFormValue("user")
	number, err := strconv.Atoi(strings.TrimPrefix(name, "user"))
	if r.Method != http.MethodPost || err != nil || number < 0 || number >= s.marker.People {
		http.Error(w, "There is no such user.", http.StatusForbidden)
		return
	}
	s.mu.Lock()
	session := strconv.FormatInt(s.random.Int63(), 36)
	s.mu.Unlock()
	http.SetCookie(w, &http.Cookie{Name: "tilekit_session", Value: session, Path: "/", HttpOnly: true})
	http.SetCookie(w, &http.Cookie{Name: "tilekit_user", Value: name, Path: "/", HttpOnly: true})
	s.page(w, r, "Welcome", s.eventsFrom(number, 5))
}

func (s *server) eventsFrom(from, count int) string {
	var text strings.Builder
	text.WriteString("<ul>")
	for i := from; i < from+count; i++ {
		number := i % s.marker.Events
		fmt.Fprintf(&text, `<li><a href="/event/%d">Event %d of tag %d</a></li>`, number, number, number/3)
	}
	text.WriteString("</ul>")
	return text.String()
}

func (s *server) event(w http.ResponseWriter, r *http.Request) {
	number, err := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/event/"))
	if err != nil || number < 0 || number >= s.marker.Events {
		http.NotFound(w, r)
		return
	}
	text, err := os.ReadFile(filepath.Join(s.dir, "events", strconv.Itoa(number)+".html"))
	if err != nil {
		http.Error(w, "The event cannot be read.", http.StatusInternalServerError)
		return
	}
	s.page(w, r, "Event "+strconv.Itoa(number), "<p>"+string(text)+"</p>")
}

func (s *server) person(w http.ResponseWriter, r *http.Request) {
	number, err := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/person/"))
	if err != nil || number < 0 || number >= s.marker.People {
		http.NotFound(w, r)
		return
	}
	hash := fnv.New32a()
	_, _ = hash.Write([]byte(r.URL.Path))
	s.page(w, r, "Person "+strconv.Itoa(number), s.eventsFrom(int(hash.Sum32()%uint32(s.marker.Events)), 5))
}

// add writes what a user adds to the disk before it answers.
func (s *server) add(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost || r.ParseForm() != nil {
		http.Error(w, "Only by POST.", http.StatusMethodNotAllowed)
		return
	}
	line, err := json.Marshal(map[string]interface{}{"path": r.URL.Path, "form": r.PostForm})
	if err == nil {
		s.mu.Lock()
		_, err = s.added.Write(append(line, '\n'))
		s.mu.Unlock()
	}
	if err != nil {
		http.Error(w, "It cannot be kept.", http.StatusInternalServerError)
		return
	}
	s.page(w, r, "Added", s.eventsFrom(0, 3))
}
