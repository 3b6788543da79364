package dvdstore

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"tilekit/internal/browser"
)

// tierClient is a shop through a web tier: what its pages say.
type tierClient struct {
	browser  *browser.Browser
	deadline time.Time
	count    int64
}

// tierError is what a web tier answered, or that it did not; node is the node of the database that
// failed behind it.
type tierError struct {
	class, node, why string
}

func (e *tierError) Error() string {
	return strings.TrimSpace("the web tier: " + e.class + " " + e.node + " " + e.why)
}

func placeOfTier(address string) place {
	return place{address: address, enter: func() shop {
		one := browser.New(&url.URL{Scheme: "http", Host: address})
		one.Keep = true
		return &tierClient{browser: one}
	}}
}

func (t *tierClient) begin(deadline time.Time) error { t.deadline = deadline; return nil }
func (t *tierClient) bytes() int64                   { return t.count }
func (t *tierClient) failed(error)                   {}
func (t *tierClient) close()                         { t.browser.Close() }

var (
	failedMark = regexp.MustCompile(`data-node="([^"]*)" data-class="([a-z]*)"`)
	rowMark    = regexp.MustCompile(`<tr data-row="([^" ]*) ([^"]*)">`)
)

func (t *tierClient) said(answer browser.Reply) (string, error) {
	t.count += answer.Bytes
	if answer.Class != "" {
		return "", &tierError{class: answer.Class}
	}
	text := string(answer.Body)
	if answer.Status != http.StatusOK {
		failure := &tierError{class: browser.Status}
		if mark := failedMark.FindStringSubmatch(text); mark != nil {
			failure.node, failure.why = mark[1], mark[2]
		}
		return "", failure
	}
	if !strings.HasPrefix(text, "<!doctype html><title>Shop</title>\n") || !strings.HasSuffix(text, ">\n") {
		return "", errContent
	}
	return text, nil
}

func (t *tierClient) post(path string, form url.Values) (string, error) {
	return t.said(t.browser.Post(path, form.Encode(), t.deadline))
}

func (t *tierClient) get(path string, form url.Values) ([][]string, error) {
	text, err := t.said(t.browser.Get(path+"?"+form.Encode(), false, t.deadline))
	if err != nil {
		return nil, err
	}
	var rows [][]string
	for _, mark := range rowMark.FindAllStringSubmatch(text, -1) {
		rows = append(rows, mark[1:])
	}
	return rows, nil
}

// marked gives what stands in a page's mark.
func marked(text, mark string) (string, error) {
	_, rest, found := strings.Cut(text, mark+`="`)
	value, _, ends := strings.Cut(rest, `"`)
	if !found || !ends {
		return "", errContent
	}
	return value, nil
}

func formOf(pairs ...interface{}) url.Values {
	form := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		form.Add(pairs[i].(string), fmt.Sprint(pairs[i+1]))
	}
	return form
}

func (t *tierClient) login(customer int) error {
	text, err := t.post("/login", formOf("customer", customer))
	if err != nil {
		return err
	}
	if id, err := marked(text, "data-id"); err != nil || id != strconv.Itoa(customer) {
		return errContent
	}
	return nil
}

func (t *tierClient) newCustomer(one newCustomer) (int, error) {
	text, err := t.post("/customer", formOf("name", one.name, "seed", one.seed))
	if err != nil {
		return 0, err
	}
	said, err := marked(text, "data-id")
	if err != nil {
		return 0, err
	}
	id, err := strconv.Atoi(said)
	if err != nil || id < 1 {
		return 0, errContent
	}
	return id, nil
}

func (t *tierClient) newMember(customer, level int) (bool, error) {
	text, err := t.post("/member", formOf("customer", customer, "level", level))
	if err != nil {
		return false, err
	}
	joined, err := marked(text, "data-joined")
	return joined == "true", err
}

func (t *tierClient) search(one search) ([][]string, error) {
	return t.get("/search", formOf("by", one.by, "value", one.value, "rows", one.rows))
}

func (t *tierClient) reviews(one reviewQuery) ([][]string, error) {
	return t.get("/reviews", formOf("by", one.by, "value", one.value, "product", one.product, "stars", one.stars, "rows", one.rows))
}

func (t *tierClient) newReview(one newReview) error {
	_, err := t.post("/review", formOf("product", one.product, "customer", one.customer, "stars", one.stars, "seed", one.seed))
	return err
}

func (t *tierClient) newRating(review, customer, helpfulness int) error {
	_, err := t.post("/rating", formOf("review", review, "customer", customer, "helpfulness", helpfulness))
	return err
}

func (t *tierClient) purchase(customer int, items []item) (bool, error) {
	form := formOf("customer", customer)
	for _, one := range items {
		form.Add("item", fmt.Sprintf("%dx%d", one.product, one.quantity))
	}
	text, err := t.post("/purchase", form)
	if err != nil {
		return false, err
	}
	isBought, err := marked(text, "data-bought")
	return isBought == "1", err
}

// aboutShop is what a web tier says of the shop behind it.
type aboutShop struct {
	OK      bool   `json:"ok"`
	Kit     string `json:"kit"`
	Version int    `json:"version,omitempty"`
	Size    string `json:"size,omitempty"`
	// Reviews of a product, where the version has them.
	Reviews int    `json:"reviewsPerProduct,omitempty"`
	Blames  string `json:"blames,omitempty"`
	Problem string `json:"problem,omitempty"`
}

func sayShop(w http.ResponseWriter, kit string, o *Options, problem error) {
	about := aboutShop{OK: problem == nil, Kit: kit, Version: o.Version, Size: o.Size}
	if o.Version == 3 {
		about.Reviews = o.ReviewsPerProduct
	}
	if problem != nil {
		about.Problem = problem.Error()
		var told *Problem
		if errors.As(problem, &told) {
			about.Blames = told.Blames
		}
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(about)
}

// verifyTiers asks each web tier whether the shop behind it is whole, and the one that is meant.
func verifyTiers(o *Options) error {
	for _, tier := range o.Tiers {
		one := browser.New(&url.URL{Scheme: "http", Host: tier})
		one.Keep = true
		answer := one.Get("/shop", false, time.Now().Add(2*logInLimit))
		one.Close()
		var about aboutShop
		switch {
		case answer.Class != "":
			return &Problem{Blames: "tiers", Text: fmt.Sprintf("no web tier answers at %s (%s)", tier, answer.Class)}
		case answer.Status != http.StatusOK || json.Unmarshal(answer.Body, &about) != nil || about.Kit == "":
			return &Problem{Blames: "tiers", Text: fmt.Sprintf("what answers at %s is no web tier of this shop", tier)}
		case !about.OK:
			return &Problem{Blames: about.Blames, Text: fmt.Sprintf("the web tier at %s: %s", tier, about.Problem)}
		}
		wanted := aboutShop{OK: true, Kit: about.Kit, Version: o.Version, Size: o.Size}
		if o.Version == 3 {
			wanted.Reviews = o.ReviewsPerProduct
		}
		if about != wanted {
			return &Problem{Blames: "tiers", Text: fmt.Sprintf("the web tier at %s serves another shop: version %d, size %s; wanted are version %d, size %s", tier, about.Version, about.Size, o.Version, o.Size)}
		}
	}
	return nil
}
