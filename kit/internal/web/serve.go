package web

import (
	"context"
	"errors"
	"fmt"
	"html"
	"math/rand"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// server is the web tier of the scenario: pages in the style of Olio, made for each request.
type server struct {
	dir     string
	marker  *Marker
	content content
	mu      sync.Mutex
	random  *rand.Rand
}

// Serve answers until the context ends. ready gets the address.
func (site *Site) Serve(ctx context.Context, ready func(address string)) error {
	marker, err := readMarker(site.Dir)
	if err != nil {
		return fmt.Errorf("there is no site to serve in %s: %w", site.Dir, err)
	}
	var content content
	if site.Database == nil {
		content, err = openFiles(site.Dir, marker)
	} else {
		content, err = openRows(site.Database)
	}
	if err != nil {
		return err
	}
	defer content.close()
	listener, err := net.Listen("tcp", site.Listen)
	if err != nil {
		return err
	}
	s := &server{dir: site.Dir, marker: marker, content: content, random: rand.New(rand.NewSource(time.Now().UnixNano()))}
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
		list, err := s.content.latest(r.Context())
		s.list(w, r, "Home", list, err)
	})
	mux.HandleFunc("/login", s.login)
	mux.HandleFunc("/search", func(w http.ResponseWriter, r *http.Request) {
		tag, err := strconv.Atoi(r.URL.Query().Get("tag"))
		if err != nil || tag < 0 {
			http.NotFound(w, r)
			return
		}
		list, err := s.content.tagged(r.Context(), tag)
		s.list(w, r, "Tag "+strconv.Itoa(tag), list, err)
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
	list, err := s.content.ofPerson(r.Context(), number)
	s.list(w, r, "Welcome", list, err)
}

// list is a page of events; what could not be read is said with its status.
func (s *server) list(w http.ResponseWriter, r *http.Request, title string, list []entry, err error) {
	if err != nil {
		refuse(w, err)
		return
	}
	var text strings.Builder
	text.WriteString("<ul>")
	for _, one := range list {
		fmt.Fprintf(&text, `<li><a href="/event/%d">%s</a></li>`, one.number, html.EscapeString(one.title))
	}
	text.WriteString("</ul>")
	s.page(w, r, title, text.String())
}

func refuse(w http.ResponseWriter, err error) {
	status := http.StatusInternalServerError
	if errors.Is(err, errNone) {
		status = http.StatusBadRequest
	}
	http.Error(w, "It cannot be read or kept: "+err.Error(), status)
}

func (s *server) event(w http.ResponseWriter, r *http.Request) {
	number, err := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/event/"))
	if err != nil || number < 0 || number >= s.marker.Events {
		http.NotFound(w, r)
		return
	}
	text, err := s.content.text(r.Context(), number)
	if err != nil {
		refuse(w, err)
		return
	}
	s.page(w, r, "Event "+strconv.Itoa(number), "<p>"+text+"</p>")
}

func (s *server) person(w http.ResponseWriter, r *http.Request) {
	number, err := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/person/"))
	if err != nil || number < 0 || number >= s.marker.People {
		http.NotFound(w, r)
		return
	}
	list, err := s.content.ofPerson(r.Context(), number)
	s.list(w, r, "Person "+strconv.Itoa(number), list, err)
}

// add keeps what a user adds before it answers.
func (s *server) add(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost || r.ParseForm() != nil {
		http.Error(w, "Only by POST.", http.StatusMethodNotAllowed)
		return
	}
	if err := s.content.add(r.Context(), r.URL.Path, r.PostForm); err != nil {
		refuse(w, err)
		return
	}
	s.page(w, r, "Added", "<p>It is kept.</p>")
}
