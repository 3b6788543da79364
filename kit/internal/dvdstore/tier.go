package dvdstore

import (
	"context"
	"errors"
	"fmt"
	"html"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"tilekit/internal/db"
	"tilekit/internal/job"
)

// Tier is a web tier of the shop, as a job file has it: pages made of rows of the database, for
// customers who never see the database.
type Tier struct {
	Listen string `json:"listen"`
	// Most connections to each node of the database. DVD Store's PHP has one for each process of its web
	// server, so this is ours.
	Connections int `json:"connections"`
	// The shop's database, as in a job of the scenario.
	Dvdstore *Options `json:"-"`
}

// ReadTier takes the options of a web tier and those of its shop.
func ReadTier(text, shop []byte) (*Tier, error) {
	tier := &Tier{Listen: ":8080", Connections: 32}
	if err := job.Strict(text, tier); err != nil {
		return nil, err
	}
	if _, port, err := net.SplitHostPort(tier.Listen); err != nil || port == "" {
		return nil, fmt.Errorf("shopTier.listen is %q; it is host:port or :port", tier.Listen)
	}
	if tier.Connections < 1 || tier.Connections > 10_000 {
		return nil, fmt.Errorf("shopTier.connections is %d; it is from 1 to 10,000", tier.Connections)
	}
	o, err := Read(shop)
	if err != nil {
		return nil, err
	}
	if len(o.Tiers) > 0 {
		return nil, fmt.Errorf("dvdstore.tiers has no place in a web tier: it is one")
	}
	tier.Dvdstore = o
	return tier, nil
}

// Served is what a web tier did, by its own count.
type Served struct {
	Requests int64 `json:"requests"`
	Orders   int64 `json:"orders"`
	// By the node that failed, and how.
	Failed map[string]int64 `json:"failed,omitempty"`
}

type tierServer struct {
	o     *Options
	kit   string
	pools []*db.Pool
	mu    sync.Mutex
	next  int
	count Served
}

// A request waits so long for a connection and for the database.
const tierLimit = time.Minute

// Serve answers until the context ends; ready gets the address.
func (t *Tier) Serve(ctx context.Context, kit string, ready func(address string)) (Served, error) {
	targets, err := t.Dvdstore.targets()
	if err != nil {
		return Served{}, err
	}
	s := &tierServer{o: t.Dvdstore, kit: kit, count: Served{Failed: map[string]int64{}}}
	for _, target := range targets {
		s.pools = append(s.pools, db.NewPool(target, t.Connections))
	}
	listener, err := net.Listen("tcp", t.Listen)
	if err != nil {
		return Served{}, err
	}
	answering := &http.Server{Handler: s.routes(), ReadHeaderTimeout: time.Minute, MaxHeaderBytes: 16 << 10}
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		<-ctx.Done()
		closing, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		defer cancel()
		_ = answering.Shutdown(closing)
	}()
	ready(listener.Addr().String())
	if err := answering.Serve(listener); err != http.ErrServerClosed {
		return Served{}, err
	}
	<-closed
	for _, one := range s.pools {
		one.Close()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.count, nil
}

// page is what a customer asks for.
type page struct {
	method string
	// A way through the shop begins here: its customer goes to the next node.
	begins bool
	read   func(form) (work, error)
}

var pages = map[string]page{
	"/login":    {method: "POST", begins: true, read: loginPage},
	"/customer": {method: "POST", begins: true, read: customerPage},
	"/member":   {method: "POST", read: memberPage},
	"/search":   {method: "GET", read: searchPage},
	"/reviews":  {method: "GET", read: reviewsPage},
	"/review":   {method: "POST", read: reviewPage},
	"/rating":   {method: "POST", read: ratingPage},
	"/purchase": {method: "POST", read: purchasePage},
}

func (t *tierServer) routes() http.Handler {
	mux := http.NewServeMux()
	for path, one := range pages {
		one := one
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) { t.answer(w, r, one) })
	}
	mux.HandleFunc("/shop", t.about)
	return mux
}

const nodeCookie = "tilekit_node"

// node of a customer: the next one where a way through the shop begins, then the same.
func (t *tierServer) node(w http.ResponseWriter, r *http.Request, begins bool) *db.Pool {
	if begins {
		t.mu.Lock()
		at := t.next % len(t.pools)
		t.next++
		t.mu.Unlock()
		http.SetCookie(w, &http.Cookie{Name: nodeCookie, Value: strconv.Itoa(at), Path: "/", HttpOnly: true})
		return t.pools[at]
	}
	at := 0
	if cookie, err := r.Cookie(nodeCookie); err == nil {
		at, _ = strconv.Atoi(cookie.Value)
	}
	if at < 0 || at >= len(t.pools) {
		at = 0
	}
	return t.pools[at]
}

func (t *tierServer) answer(w http.ResponseWriter, r *http.Request, one page) {
	t.mu.Lock()
	t.count.Requests++
	t.mu.Unlock()
	r.Body = http.MaxBytesReader(w, r.Body, 64<<10)
	if r.Method != one.method || r.ParseForm() != nil {
		http.Error(w, "Only by "+one.method+", with a form.", http.StatusMethodNotAllowed)
		return
	}
	work, err := one.read(form{values: r.Form})
	if err != nil {
		send(w, http.StatusBadRequest, "<p>"+html.EscapeString(err.Error())+"</p>")
		return
	}
	pool := t.node(w, r, one.begins)
	deadline := time.Now().Add(tierLimit)
	waiting, cancel := context.WithDeadline(r.Context(), deadline)
	defer cancel()
	content := ""
	conn, err := pool.Take(waiting, deadline)
	if err == nil {
		one := &session{target: pool.Target, conn: conn}
		if content, err = work(one); err != nil {
			one.failed(err)
		}
		pool.Give(one.conn)
	}
	if err != nil {
		t.refuse(w, pool.Target.Address, err)
		return
	}
	if strings.HasPrefix(content, bought) {
		t.mu.Lock()
		t.count.Orders++
		t.mu.Unlock()
	}
	send(w, http.StatusOK, content)
}

// refuse says which node failed, and how.
func (t *tierServer) refuse(w http.ResponseWriter, node string, err error) {
	status, class := http.StatusBadGateway, classOf(err)
	if errors.Is(err, db.ErrBusy) {
		status, class = http.StatusServiceUnavailable, "busy"
	}
	t.mu.Lock()
	t.count.Failed[node+" "+class]++
	t.mu.Unlock()
	send(w, status, fmt.Sprintf(`<p data-node="%s" data-class="%s">%s</p>`, html.EscapeString(node), class, html.EscapeString(err.Error())))
}

// send a page of its own for each request: nothing between can answer in its place.
func send(w http.ResponseWriter, status int, content string) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = fmt.Fprintf(w, "<!doctype html><title>Shop</title>\n%s\n", content)
}

// about says whether the shop behind the tier is whole.
func (t *tierServer) about(w http.ResponseWriter, _ *http.Request) {
	sayShop(w, t.kit, t.o, Verify(t.o))
}
