// Package orders is the scenario `orders`: clients of an order-processing server, which is
// one file of Java (src/core/roles/data/ordersSource.ts).
package orders

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"tilekit/internal/job"
	"tilekit/internal/load"
	"tilekit/internal/record"
)

// Options of the scenario in a job file.
type Options struct {
	// http://host:port of the server.
	Target string `json:"target"`
	// Shares by operation; those that are left out have none. Absent = the mix below.
	Weights map[string]float64 `json:"weights,omitempty"`
	// Items of an order: uniform from 1 to 2n-1.
	Items int `json:"items,omitempty"`
}

// Operations, in the order of the mix.
var operations = []string{"order", "payment", "status", "delivery", "stock"}

// The least shares that TPC-C, revision 5.11, clause 5.2.3, allows to four transactions; orders are
// the rest. The operations here are our own: no figure is one of TPC-C.
var mix = []float64{45, 43, 4, 4, 4}

// TPC-C, clause 2.4.1.3: 5 to 15 items, 10 on average. Here 1 to 19, which has the same mean.
const items = 10

// How many orders a user remembers, to pay and look at.
const remembered = 50

// What an answer may measure.
const mostOfAnswer = 64 << 10

// Catalogue of the server, as it says.
type Catalogue struct {
	Orders string `json:"orders"`
	Items  int    `json:"items"`
}

// Sums of the server since its start.
type Sums struct {
	Orders     int64 `json:"orders"`
	Lines      int64 `json:"lines"`
	Cents      int64 `json:"cents"`
	Payments   int64 `json:"payments"`
	PaidCents  int64 `json:"paidCents"`
	Delivered  int64 `json:"delivered"`
	Deliveries int64 `json:"deliveries"`
	Statuses   int64 `json:"statuses"`
	Stocks     int64 `json:"stocks"`
}

// Read takes the options and says what is wrong, by its field.
func Read(text []byte) (*Options, error) {
	o := &Options{Items: items}
	if len(text) == 0 {
		return nil, fmt.Errorf("orders is missing: the scenario's target")
	}
	if err := job.Strict(text, o); err != nil {
		return nil, err
	}
	target, err := url.Parse(o.Target)
	if err != nil || target.Scheme != "http" || target.Host == "" {
		return nil, fmt.Errorf("orders.target is %q; it is http://host:port", o.Target)
	}
	if o.Items < 1 || o.Items > 100 {
		return nil, fmt.Errorf("orders.items is %d; it is from 1 to 100", o.Items)
	}
	_, err = o.shares()
	return o, err
}

func (o *Options) shares() ([]float64, error) {
	if len(o.Weights) == 0 {
		return mix, nil
	}
	shares, sum := make([]float64, len(operations)), 0.0
	for name, weight := range o.Weights {
		at := -1
		for i, one := range operations {
			if one == name {
				at = i
			}
		}
		if at < 0 || !(weight >= 0 && weight <= 1e6) {
			return nil, fmt.Errorf("orders.weights: %q with %v; operations are %s, weights 0 or more", name, weight, strings.Join(operations, ", "))
		}
		shares[at] = weight
		sum += weight
	}
	if sum <= 0 {
		return nil, fmt.Errorf("orders.weights leave nothing to do")
	}
	return shares, nil
}

// PriceCents of an item: both sides know it, so that each sum can be held against the other's.
func PriceCents(item int) int64 { return 100 + int64(item)*7_919%9_900 }

type scenario struct {
	options   *Options
	shares    []float64
	catalogue Catalogue
}

// New reads the scenario's options from a job, and meets the server.
func New(j *job.Job) (load.Scenario, error) {
	options, err := Read(j.Orders)
	if err != nil {
		return nil, err
	}
	shares, _ := options.shares()
	catalogue, err := about(options)
	if err != nil {
		return nil, err
	}
	return &scenario{options: options, shares: shares, catalogue: *catalogue}, nil
}

func about(o *Options) (*Catalogue, error) {
	client := &http.Client{Timeout: 10 * time.Second}
	answer, err := client.Get(o.Target + "/about")
	if err != nil {
		return nil, &job.Problem{Blames: "host", Text: fmt.Sprintf("no order server answers at %s: %v", o.Target, err)}
	}
	defer answer.Body.Close()
	catalogue := &Catalogue{}
	text, err := io.ReadAll(io.LimitReader(answer.Body, mostOfAnswer))
	if err != nil || json.Unmarshal(text, catalogue) != nil || catalogue.Orders != "tilebench" || catalogue.Items < 1 {
		return nil, &job.Problem{Blames: "port", Text: fmt.Sprintf("what answers at %s is no order server of Tilebench", o.Target)}
	}
	return catalogue, nil
}

// Verify says what is wrong with the server: a whole order goes through it. An error is a *job.Problem.
func Verify(o *Options) error {
	catalogue, err := about(o)
	if err != nil {
		return err
	}
	u := &user{s: &scenario{options: o, shares: mix, catalogue: *catalogue}, random: rand.New(rand.NewSource(time.Now().UnixNano()))}
	defer u.Close()
	for op, name := range operations {
		if out := u.Do(op, time.Now().Add(10*time.Second)); out.Class != "" {
			return &job.Problem{Blames: "host", Text: fmt.Sprintf("the order server at %s fails at %s (%s)", o.Target, name, out.Class)}
		}
	}
	return nil
}

func (s *scenario) Operations() []string { return operations }

func (s *scenario) User(index int, random *rand.Rand) load.User {
	return &user{s: s, index: index, random: random}
}

// placed is an order that the server has taken.
type placed struct {
	number, cents int64
	paid          bool
}

type user struct {
	s      *scenario
	index  int
	random *rand.Rand
	client *http.Client
	mine   []placed
}

func (u *user) CycleFloorS(int) float64 { return 0 }

func (u *user) Close() {
	if u.client != nil {
		u.client.CloseIdleConnections()
	}
}

func (u *user) Next() int {
	sum := 0.0
	for _, share := range u.s.shares {
		sum += share
	}
	at := u.random.Float64() * sum
	for op, share := range u.s.shares {
		if at -= share; at < 0 {
			return op
		}
	}
	return 0
}

// answer of the server, to whatever was asked.
type answer struct {
	Order     int64 `json:"order"`
	Cents     int64 `json:"cents"`
	Paid      bool  `json:"paid"`
	Delivered int64 `json:"delivered"`
	Item      int64 `json:"item"`
	Stock     int64 `json:"stock"`
}

func (u *user) Do(op int, deadline time.Time) record.Outcome {
	// Who has no order yet places one.
	if len(u.mine) == 0 && (operations[op] == "payment" || operations[op] == "status") {
		return u.place(deadline)
	}
	switch operations[op] {
	case "order":
		return u.place(deadline)
	case "payment":
		one := &u.mine[u.random.Intn(len(u.mine))]
		for i := range u.mine {
			if !u.mine[i].paid {
				one = &u.mine[i]
				break
			}
		}
		if one.paid {
			return u.place(deadline)
		}
		out, said := u.ask("POST", "/pay", url.Values{"order": {strconv.FormatInt(one.number, 10)}}, deadline)
		if out.Class == "" && (said.Order != one.number || said.Cents != one.cents || !said.Paid) {
			out.Class = "content"
		}
		// An order whose answer was not heard may be paid: it is not paid twice.
		one.paid = true
		return counted(out, map[string]int64{"payments": 1, "paidCents": one.cents})
	case "status":
		one := u.mine[u.random.Intn(len(u.mine))]
		out, said := u.ask("GET", "/status", url.Values{"order": {strconv.FormatInt(one.number, 10)}}, deadline)
		if out.Class == "" && (said.Order != one.number || said.Cents != one.cents) {
			out.Class = "content"
		}
		return counted(out, map[string]int64{"statuses": 1})
	case "delivery":
		out, said := u.ask("POST", "/deliver", nil, deadline)
		return counted(out, map[string]int64{"deliveries": 1, "delivered": said.Delivered})
	}
	item := u.random.Intn(u.s.catalogue.Items)
	out, said := u.ask("GET", "/stock", url.Values{"item": {strconv.Itoa(item)}}, deadline)
	if out.Class == "" && (said.Item != int64(item) || said.Stock < 0) {
		out.Class = "content"
	}
	return counted(out, map[string]int64{"stocks": 1})
}

// counted adds what was done, where it was.
func counted(out record.Outcome, counts map[string]int64) record.Outcome {
	if out.Class == "" {
		out.Counts = counts
	}
	return out
}

// place an order; its sum is held against the prices that both sides know.
func (u *user) place(deadline time.Time) record.Outcome {
	lines := 1 + u.random.Intn(2*u.s.options.Items-1)
	var text strings.Builder
	cents := int64(0)
	for i := 0; i < lines; i++ {
		item, quantity := u.random.Intn(u.s.catalogue.Items), 1+u.random.Intn(10)
		if i > 0 {
			text.WriteByte(',')
		}
		fmt.Fprintf(&text, "%d:%d", item, quantity)
		cents += PriceCents(item) * int64(quantity)
	}
	out, said := u.ask("POST", "/order", url.Values{
		"customer": {strconv.Itoa(u.index)}, "lines": {text.String()},
	}, deadline)
	if out.Class == "" && (said.Cents != cents || said.Order < 1) {
		out.Class = "content"
	}
	if out.Class == "" {
		if len(u.mine) == remembered {
			u.mine = u.mine[1:]
		}
		u.mine = append(u.mine, placed{number: said.Order, cents: cents})
	}
	return counted(out, map[string]int64{"orders": 1, "lines": int64(lines), "cents": cents})
}

func (u *user) ask(method, path string, form url.Values, deadline time.Time) (out record.Outcome, said answer) {
	if u.client == nil {
		u.client = &http.Client{Transport: &http.Transport{MaxConnsPerHost: 1, MaxIdleConnsPerHost: 1, DisableCompression: true}}
	}
	u.client.Timeout = time.Until(deadline)
	out.Requests = 1
	if u.client.Timeout <= 0 {
		out.Class = "timeout"
		return out, said
	}
	request, err := http.NewRequest(method, u.s.options.Target+path+"?"+form.Encode(), nil)
	if err != nil {
		out.Class = "content"
		return out, said
	}
	reply, err := u.client.Do(request)
	if err != nil {
		out.Class = record.NetClass(err)
		return out, said
	}
	defer reply.Body.Close()
	text, err := io.ReadAll(io.LimitReader(reply.Body, mostOfAnswer))
	out.Bytes = int64(len(text))
	switch {
	case err != nil:
		out.Class = record.NetClass(err)
	case reply.StatusCode != http.StatusOK:
		out.Class = "status"
	case json.Unmarshal(text, &said) != nil:
		out.Class = "content"
	}
	return out, said
}
