package orders

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"tilekit/internal/job"
	"tilekit/internal/load"
	"tilekit/internal/record"
)

// played is a server of orders that counts, and can be told to answer wrongly.
type played struct {
	mu    sync.Mutex
	sums  Sums
	cents map[int64]int64
	wrong func(path, text string) string
}

func (p *played) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	query := r.URL.Query()
	number, _ := strconv.ParseInt(query.Get("order"), 10, 64)
	text := ""
	switch r.URL.Path {
	case "/about":
		text = `{"orders":"tilebench","items":100}`
	case "/order":
		p.sums.Orders++
		sum := int64(0)
		for _, line := range strings.Split(query.Get("lines"), ",") {
			var item int
			var quantity int64
			if n, _ := fmt.Sscanf(line, "%d:%d", &item, &quantity); n != 2 {
				http.Error(w, "no line", http.StatusBadRequest)
				return
			}
			p.sums.Lines++
			sum += PriceCents(item) * quantity
		}
		p.sums.Cents += sum
		p.cents[p.sums.Orders] = sum
		text = fmt.Sprintf(`{"order":%d,"cents":%d}`, p.sums.Orders, sum)
	case "/pay":
		p.sums.Payments++
		p.sums.PaidCents += p.cents[number]
		text = fmt.Sprintf(`{"order":%d,"cents":%d,"paid":true}`, number, p.cents[number])
	case "/status":
		p.sums.Statuses++
		text = fmt.Sprintf(`{"order":%d,"cents":%d,"paid":false}`, number, p.cents[number])
	case "/deliver":
		p.sums.Deliveries++
		p.sums.Delivered += 3
		text = `{"delivered":3}`
	case "/stock":
		p.sums.Stocks++
		text = fmt.Sprintf(`{"item":%s,"stock":5}`, query.Get("item"))
	}
	if p.wrong != nil && r.URL.Path != "/about" {
		text = p.wrong(r.URL.Path, text)
	}
	if text == "" {
		http.Error(w, "no", http.StatusInternalServerError)
		return
	}
	fmt.Fprint(w, text)
}

func serve(t *testing.T, wrong func(path, text string) string) (*played, string) {
	t.Helper()
	p := &played{cents: map[int64]int64{}, wrong: wrong}
	server := httptest.NewServer(p)
	t.Cleanup(server.Close)
	return p, server.URL
}

func run(t *testing.T, target, more string) (record.End, error) {
	t.Helper()
	j, err := job.Parse([]byte(fmt.Sprintf(
		`{"schema":1,"scenario":"orders","durationS":2,"users":4,"arrivals":{"kind":"poisson","rate":[{"atS":0,"perS":400}]},
		"orders":{"target":%q%s}}`, target, more)))
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(j)
	if err != nil {
		return record.End{}, err
	}
	end, _, err := load.Run(context.Background(), "test", j, s, &bytes.Buffer{})
	return end, err
}

func TestEveryOrderIsCountedAndItsSumHeld(t *testing.T) {
	p, target := serve(t, nil)
	end, err := run(t, target, "")
	if err != nil || end.Done != end.Offered || end.Done < 600 {
		t.Fatalf("%+v %v", end, err)
	}
	own := map[string]int64{}
	text, _ := json.Marshal(p.sums)
	_ = json.Unmarshal(text, &own)
	for name, n := range own {
		if end.Counts[name] != n {
			t.Errorf("%s: %d here, %d there", name, end.Counts[name], n)
		}
	}
	// Whoever has nothing to pay orders: a little more than 45 of a hundred.
	if share := float64(p.sums.Orders) / float64(end.Done); share < 0.42 || share > 0.56 {
		t.Errorf("%v of the operations are orders", share)
	}
}

func TestAnAnswerThatIsNotRightIsAFailure(t *testing.T) {
	for name, one := range map[string]struct {
		wrong func(path, text string) string
		class string
	}{
		"another sum":  {func(_, text string) string { return strings.Replace(text, `"cents":`, `"cents":1`, 1) }, "content"},
		"no JSON":      {func(_, _ string) string { return "<html>" }, "content"},
		"nothing":      {func(_, _ string) string { return "" }, "status"},
		"a long story": {func(_, _ string) string { return strings.Repeat("x", 1<<20) }, "content"},
	} {
		_, target := serve(t, one.wrong)
		end, err := run(t, target, `,"weights":{"order":1}`)
		if err != nil || end.Failed[one.class] != end.Offered || end.Counts["orders"] != 0 {
			t.Errorf("%s: %+v %v", name, end, err)
		}
	}
}

func TestWhatIsNoOrderServerIsSaid(t *testing.T) {
	other := httptest.NewServer(http.NotFoundHandler())
	defer other.Close()
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	_, broken := serve(t, func(_, _ string) string { return "" })
	_, good := serve(t, nil)
	for target, says := range map[string]string{
		other.URL: "no order server of Tilebench", gone.URL: "no order server answers", broken: "fails at order", good: "",
	} {
		o, err := Read([]byte(fmt.Sprintf(`{"target":%q}`, target)))
		if err != nil {
			t.Fatal(err)
		}
		err = Verify(o)
		if (err == nil) != (says == "") || err != nil && !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", says, err)
		}
	}
}

func TestOptionsThatCannotBeAreNamed(t *testing.T) {
	for text, says := range map[string]string{
		``:                                "orders is missing",
		`{}`:                              "orders.target",
		`{"target":"ftp://a"}`:            "orders.target",
		`{"target":"http://a","items":0}`: "orders.items",
		`{"target":"http://a","weights":{"x":1}}`:     "orders.weights",
		`{"target":"http://a","weights":{"order":0}}`: "orders.weights",
		`{"target":"http://a","sum":1}`:               "sum",
	} {
		if _, err := Read([]byte(text)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestBothSidesKnowTheSamePrices(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "src", "core", "roles", "data", "ordersSource.ts"))
	if err != nil {
		t.Skip("the server's source is not here")
	}
	if !strings.Contains(string(text), "return 100 + (long) item * 7_919 % 9_900;") {
		t.Error("the server has other prices")
	}
}
