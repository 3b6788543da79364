package dvdstore

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"tilekit/internal/db"
)

// tierAt a database that nobody serves.
func tierAt(t *testing.T) *httptest.Server {
	t.Helper()
	o := defaults()
	o.Host, o.Port = "127.0.0.1", 1
	s := &tierServer{o: &o, kit: "test", count: Served{Failed: map[string]int64{}}}
	s.pools = []*db.Pool{db.NewPool(db.Target{Kind: db.MySQL, Address: "127.0.0.1:1"}, 1)}
	server := httptest.NewServer(s.routes())
	t.Cleanup(server.Close)
	return server
}

func TestAFormThatIsNoneIsRefusedBeforeTheDatabaseIsAsked(t *testing.T) {
	server := tierAt(t)
	for path, forms := range map[string][]string{
		"/login":    {"", "customer=0", "customer=-1", "customer=x", "customer=99999999999"},
		"/customer": {"", "name=1", "seed=1", "name=-1&seed=1"},
		"/member":   {"customer=1", "customer=1&level=x"},
		"/search":   {"", "by=category&value=x&rows=1", "by=price&value=1&rows=1", "by=title&value=A&rows=0", "by=title&value=A%27--&rows=1", "by=title&value=A%5C&rows=1"},
		"/reviews":  {"", "by=title&value=%27&rows=1", "by=stars&product=1&rows=1", "by=what&rows=1", "by=help&product=1&stars=1&rows=5000"},
		"/review":   {"", "product=1&customer=1&stars=1"},
		"/rating":   {"", "review=1&customer=1"},
		"/purchase": {"", "customer=1", "customer=1&item=5", "customer=1&item=5x", "customer=1&item=x5", "customer=1&item=1x1&item=bad", "customer=1" + strings.Repeat("&item=1x1", mostItems+1)},
	} {
		for _, form := range forms {
			var answer *http.Response
			var err error
			if pages[path].method == "GET" {
				answer, err = http.Get(server.URL + path + "?" + form)
			} else {
				answer, err = http.Post(server.URL+path, "application/x-www-form-urlencoded", strings.NewReader(form))
			}
			if err != nil {
				t.Fatal(err)
			}
			_ = answer.Body.Close()
			if answer.StatusCode != http.StatusBadRequest {
				t.Errorf("%s %q: %d", path, form, answer.StatusCode)
			}
		}
	}
	answer, err := http.Get(server.URL + "/purchase?customer=1&item=1x1")
	if err != nil || answer.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("bought by a link: %v %v", answer, err)
	}
}

func TestADatabaseThatIsAwayIsNamedByTheTierAndItsCustomersFailForIt(t *testing.T) {
	at, err := url.Parse(tierAt(t).URL)
	if err != nil {
		t.Fatal(err)
	}
	shop := placeOfTier(at.Host).enter()
	defer shop.close()
	_ = shop.begin(time.Now().Add(time.Minute))
	failure, is := shop.login(1).(*tierError)
	if !is || failure.class != "status" || failure.node != "127.0.0.1:1" || failure.why != "connect" {
		t.Errorf("%+v", failure)
	}
}

func TestAnAnswerThatIsNoPageOfTheShopIsContent(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write([]byte("<html>It works!</html>"))
	}))
	defer server.Close()
	at, _ := url.Parse(server.URL)
	shop := placeOfTier(at.Host).enter()
	defer shop.close()
	_ = shop.begin(time.Now().Add(time.Minute))
	if err := shop.login(1); classOf(err) != "content" {
		t.Error(err)
	}
	o := defaults()
	o.Tiers = []string{at.Host}
	if err := Verify(&o); err == nil || !strings.Contains(err.Error(), "no web tier of this shop") {
		t.Error(err)
	}
}

func TestOptionsOfATierAreRefusedByTheirName(t *testing.T) {
	const shop = `{"host":"h"}`
	for text, word := range map[string]string{
		`{"listen":"8080"}`:  "shopTier.listen",
		`{"connections":0}`:  "shopTier.connections",
		`{"connection":1}`:   "connection",
		`{"listen":":8080"}`: "",
	} {
		_, err := ReadTier([]byte(text), []byte(shop))
		if (word == "") != (err == nil) || (err != nil && !strings.Contains(err.Error(), word)) {
			t.Errorf("%s: %v", text, err)
		}
	}
	if _, err := ReadTier([]byte(`{}`), []byte(`{"host":"h","tiers":["a:1"]}`)); err == nil {
		t.Error("a tier before a tier is taken")
	}
}
