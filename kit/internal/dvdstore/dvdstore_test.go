package dvdstore

import (
	"fmt"
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
		`{"host":"h","version":4}`:                 "dvdstore.version",
		`{"host":"h","reviews":0}`:                 "dvdstore.reviews",
		`{"host":"h","nodes":["h2"]}`:              "dvdstore.nodes",
		`{"host":"h","tiers":["h:1","h:1"]}`:       "twice",
		`{"host":"h","tiers":["h:70000"]}`:         "dvdstore.tiers",
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

func TestReviewsRatingsAndMembersHaveThePublishedNumbers(t *testing.T) {
	scale := published["small"]
	reviews, ratings, shortest, longest := 200_000, 0, mostLetters, 0
	for r := 1; r <= reviews; r++ {
		n := ratingsOf(r)
		if n < 2 || n > 39 || starsOf(r) < 1 || starsOf(r) > mostStar {
			t.Fatalf("review %d has %d ratings, %d stars", r, n, starsOf(r))
		}
		ratings += n
		if p := reviewedIn(r, scale); p < 1 || p > scale.Products {
			t.Fatalf("review %d is of product %d", r, p)
		}
	}
	if mean := float64(ratings) / float64(reviews); mean < 20.4 || mean > 20.6 {
		t.Errorf("%.3f ratings a review", mean)
	}
	for r := 1; r <= 2_000; r++ {
		row := reviewRow(r, scale)
		text := row[strings.LastIndex(row, ",'")+2 : len(row)-2]
		if len(text) > mostLetters {
			t.Fatalf("review %d has %d letters", r, len(text))
		}
		words := len(strings.Fields(text))
		shortest = min(shortest, words)
		if words > longest {
			longest = words
		}
	}
	if shortest != 6 || longest < 120 {
		t.Errorf("reviews of %d to %d words", shortest, longest)
	}
	seen := map[int]bool{}
	for i := 1; i <= scale.Customers/customersAMember; i++ {
		if who := memberIn(i); seen[who] || who > scale.Customers || levelOf(i) < 1 || levelOf(i) > levels {
			t.Fatalf("member %d of level %d", who, levelOf(i))
		}
		seen[memberIn(i)] = true
		if row := memberRow(i); strings.Split(row, "'")[1] > lastExpiry {
			t.Fatalf("%s is a member for longer than one who joins", row)
		}
	}
	next := ratingRows(scale)
	if first, second := next(1), next(2); len(first) != ratingsOf(1) || !strings.HasPrefix(second[0], fmt.Sprintf("(%d,2,", len(first)+1)) {
		t.Errorf("%v %v", first[0], second[0])
	}
}

// counter is a shop that counts its customers' steps and sells everything.
type counter struct{ shop }

func (counter) begin(time.Time) error                       { return nil }
func (counter) login(int) error                             { return nil }
func (counter) newCustomer(newCustomer) (int, error)        { return 1, nil }
func (counter) newMember(int, int) (bool, error)            { return true, nil }
func (counter) search(search) ([][]string, error)           { return [][]string{{"1", "1"}}, nil }
func (counter) reviews(one reviewQuery) ([][]string, error) { return nil, nil }
func (counter) newReview(newReview) error                   { return nil }
func (counter) newRating(int, int, int) error               { return nil }
func (counter) purchase(int, []item) (bool, error)          { return true, nil }

func TestTheStepsOfAnOrderAreThoseOfItsVersion(t *testing.T) {
	const times = 100_000
	for version, want := range map[int]map[string]float64{
		// Log-in, 3 searches, purchase.
		2: {"steps": 5, "newCustomers": 0.2, "newReviews": 0, "newRatings": 0, "newMembers": 0},
		// And 3 searches for reviews, 3 readings, 0.16 that write.
		3: {"steps": 11.16, "newCustomers": 0.2, "newReviews": 0.05, "newRatings": 0.1, "newMembers": 0.01},
	} {
		o := defaults()
		o.Version = version
		counts, steps := map[string]int64{}, int64(0)
		random := rand.New(rand.NewSource(1))
		for i := 0; i < times; i++ {
			one := &order{shop: counter{}, o: &o, scale: published["small"], random: random, counts: counts}
			if err := one.run(time.Time{}); err != nil {
				t.Fatal(err)
			}
			steps += one.steps
		}
		counts["steps"] = steps
		for name, mean := range want {
			if got := float64(counts[name]) / times; got < mean*0.97-1e-9 || got > mean*1.03 {
				t.Errorf("version %d: %.4f %s an order, not %v", version, got, name, mean)
			}
		}
	}
}

func TestTheMixIsThatOfDVDStore(t *testing.T) {
	o := defaults()
	order := &order{o: &o, scale: Scale{Products: 100_000}, random: rand.New(rand.NewSource(1))}
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
		searches += upTo(order.random, 2*o.Searches-1)
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
	at := placeOfNode(db.Target{Kind: db.MySQL, Address: listener.Addr().String()})
	s := &scenario{o: &o, places: []place{at}, scale: published["small"]}
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
