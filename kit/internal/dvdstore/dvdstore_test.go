package dvdstore

import (
	"math/rand"
	"net"
	"strings"
	"testing"
	"time"

	"tilekit/internal/db"
	"tilekit/internal/job"
)

func TestSizesGoThroughThePublishedOnes(t *testing.T) {
	for name, mb := range map[string]string{"small": "10", "medium": "1000", "large": "100000"} {
		want := published[name]
		if got, err := scaleOf(mb); err != nil || got != want {
			t.Errorf("%s MB: %+v, %v; %s is %+v", mb, got, err, name, want)
		}
	}
	for _, bad := range []string{"", "huge", "0", "-5", "NaN", "Inf"} {
		if _, err := scaleOf(bad); err == nil {
			t.Errorf("size %q is taken", bad)
		}
	}
}

func TestOptionsAreRefusedByTheirName(t *testing.T) {
	for text, word := range map[string]string{
		``:                                         "dvdstore is missing",
		`{"host":"h","database":"oracle"}`:         "dvdstore.database",
		`{"host":"h","pctNew":101}`:                "dvdstore.pctNew",
		`{"host":"h","items":0}`:                   "dvdstore.items",
		`{"host":"h","user":"a'; drop table x"}`:   "dvdstore.user",
		`{"host":"h","size":"tiny"}`:               "dvdstore.size",
		`{"host":"h","threads":4}`:                 "threads",
		`{"database":"mysql"}`:                     "dvdstore.host",
		`{"host":"h","passwordFile":"/nowhere/x"}`: "",
	} {
		_, err := Read([]byte(text))
		if (word == "") != (err == nil) || (err != nil && !strings.Contains(err.Error(), word)) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// The rows of the generated data and their sums are the same whenever they are made.
func TestRowsAreOfTheShapeTheTablesWant(t *testing.T) {
	scale := published["small"]
	lines := 0
	for o := 1; o <= scale.orders(); o++ {
		n := linesOf(o)
		if n < 1 || n > mostLines || len(lineRows(o, scale)) != n || len(historyRows(o, scale)) != n {
			t.Fatalf("order %d has %d lines", o, n)
		}
		if buyer := buyerOf(o, scale); buyer < 1 || buyer > scale.Customers {
			t.Fatalf("order %d is of customer %d", o, buyer)
		}
		lines += n
	}
	if mean := float64(lines) / float64(scale.orders()); mean < 4.9 || mean > 5.1 {
		t.Errorf("an order has %.2f lines; published are 5", mean)
	}
	for p := 1; p <= scale.Products; p++ {
		if c := categoryOf(p); c < 1 || c > categories || centsOf(p) <= 0 {
			t.Fatalf("product %d has category %d, price %d", p, c, centsOf(p))
		}
	}
}

func TestTheMixIsThatOfDVDStore(t *testing.T) {
	o := defaults()
	u := &user{s: &scenario{o: &o, scale: Scale{Products: 100_000}}, random: rand.New(rand.NewSource(1))}
	order := &order{user: u}
	const times = 400_000
	hot, searches := 0, 0
	for i := 0; i < times; i++ {
		product := order.product()
		if product < 1 || product > 100_000 {
			t.Fatal(product)
		}
		if product%hotEvery == 0 {
			hot++
		}
		searches += upTo(u.random, 2*o.Searches-1)
	}
	// 10 hot products of 100,000, ten times as likely: 100 of 100,090.
	if share := float64(hot) / times; share < 0.0007 || share > 0.0013 {
		t.Errorf("hot products have a share of %.5f", share)
	}
	if mean := float64(searches) / times; mean < 2.98 || mean > 3.02 {
		t.Errorf("%.3f searches an order", mean)
	}
}

// silent is a session that never answers: what it is told stays in words and classes.
func TestAServerThatSaysNothingIsATimeoutAndOneThatIsNotThereAConnect(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	o := defaults()
	s := &scenario{o: &o, target: db.Target{Kind: db.MySQL, Address: listener.Addr().String()}, scale: published["small"]}
	u := s.User(0, rand.New(rand.NewSource(1)))
	if got := u.Do(0, time.Now().Add(100*time.Millisecond)); got.Class != "timeout" {
		t.Errorf("%+v", got)
	}
	_ = listener.Close()
	if got := u.Do(0, time.Now().Add(time.Second)); got.Class != "connect" {
		t.Errorf("%+v", got)
	}
	if _, err := New(&job.Job{}); err == nil {
		t.Error("a job without a database is taken")
	}
}
