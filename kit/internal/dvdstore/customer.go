package dvdstore

import (
	"math/rand"
	"strconv"
	"time"
)

// order is one customer's way through a shop, from log-in to purchase. What was done is counted by
// the names of the output.
type order struct {
	shop   shop
	o      *Options
	scale  Scale
	random *rand.Rand
	steps  int64
	counts map[string]int64
}

// run does the steps of one order. Sources: of version 2, ds21, ds2/drivers/ds2xdriver.cs, Emulate; of
// version 3, ds35, drivers/ds35xdriver.cs, Emulate.
func (o *order) run(deadline time.Time) error {
	if err := o.shop.begin(deadline); err != nil {
		return err
	}
	// One number decides who is new, and who of them joins, reviews and rates.
	drawn := o.random.Float64() * 100
	customer, err := o.enter(drawn < o.o.PctNew)
	if err != nil {
		return err
	}
	if o.o.Version == 3 && drawn < o.o.PctMember {
		if err := o.join(); err != nil {
			return err
		}
	}
	for left := upTo(o.random, 2*o.o.Searches-1); left > 0; left-- {
		if err := o.search(); err != nil {
			return err
		}
	}
	if o.o.Version == 3 {
		if err := o.reviewing(drawn, customer); err != nil {
			return err
		}
	}
	return o.purchase(customer)
}

// reviewing is what version 3 does between searches and purchase.
func (o *order) reviewing(drawn float64, customer int) error {
	for left := upTo(o.random, 2*o.o.Reviews-1); left > 0; left-- {
		if err := o.searchReviews(); err != nil {
			return err
		}
	}
	for left := upTo(o.random, 2*o.o.Reviews-1); left > 0; left-- {
		if err := o.readReviews(); err != nil {
			return err
		}
	}
	if drawn < o.o.PctReview {
		o.steps++
		one := newReview{product: upTo(o.random, o.scale.Products), customer: customer, stars: upTo(o.random, mostStar), seed: o.random.Int63n(1 << 40)}
		if err := o.shop.newReview(one); err != nil {
			return err
		}
		o.counts["newReviews"]++
	}
	if drawn < o.o.PctRating {
		o.steps++
		review := upTo(o.random, o.scale.Products*o.o.ReviewsPerProduct)
		if err := o.shop.newRating(review, customer, upTo(o.random, mostHelp)); err != nil {
			return err
		}
		o.counts["newRatings"]++
	}
	return nil
}

// upTo is uniform from 1 to most.
func upTo(random *rand.Rand, most int) int { return 1 + random.Intn(most) }

// enter logs in, or makes a new customer.
func (o *order) enter(isNew bool) (int, error) {
	o.steps++
	if !isNew {
		wanted := upTo(o.random, o.scale.Customers)
		return wanted, o.shop.login(wanted)
	}
	id, err := o.shop.newCustomer(newCustomer{name: o.random.Int63n(1e12), seed: o.random.Int63n(1 << 40)})
	if err == nil {
		o.counts["newCustomers"]++
	}
	return id, err
}

// mostJoins that are tried: a customer may be a member.
const mostJoins = 100

// join makes a member of any customer who is none.
func (o *order) join() error {
	for tried := 0; tried < mostJoins; tried++ {
		o.steps++
		joined, err := o.shop.newMember(upTo(o.random, o.scale.Customers), upTo(o.random, levels))
		if err != nil {
			return err
		}
		if joined {
			o.counts["newMembers"]++
			return nil
		}
	}
	// All are members, as good as.
	o.counts["noneToJoin"]++
	return nil
}

// search by category, actor or title, each as likely.
func (o *order) search() error {
	o.steps++
	product := upTo(o.random, o.scale.Products)
	one := search{rows: upTo(o.random, 2*o.o.Batch-1)}
	switch o.random.Intn(3) {
	case 0:
		one.by, one.value = byCategory, strconv.Itoa(upTo(o.random, categories))
	case 1:
		one.by, one.value = byActor, actorOf(product)
	default:
		one.by, one.value = byTitle, titleOf(product)
	}
	rows, err := o.shop.search(one)
	if err == nil && (len(rows) > one.rows || (len(rows) == 0 && one.by != byCategory)) {
		return errContent
	}
	return err
}

// searchReviews by actor or title, each as likely.
func (o *order) searchReviews() error {
	o.steps++
	product := upTo(o.random, o.scale.Products)
	one := reviewQuery{by: byActor, value: actorOf(product), rows: reviewsOfSearch}
	if o.random.Intn(2) == 0 {
		one.by, one.value = byTitle, titleOf(product)
	}
	_, err := o.read(one)
	return err
}

// readReviews of a product: in the order of their help, of so many stars, or the newest.
func (o *order) readReviews() error {
	o.steps++
	by := []string{byHelp, byStars, byDate}[o.random.Intn(3)]
	one := reviewQuery{by: by, product: o.product(), stars: upTo(o.random, mostStar), rows: upTo(o.random, 2*o.o.Batch-1)}
	rows, err := o.read(one)
	for _, row := range rows {
		if row[1] != strconv.Itoa(one.product) {
			return errContent
		}
	}
	return err
}

func (o *order) read(one reviewQuery) ([][]string, error) {
	rows, err := o.shop.reviews(one)
	if err == nil && len(rows) > one.rows {
		return nil, errContent
	}
	o.counts["reviewsRead"] += int64(len(rows))
	return rows, err
}

// hotEvery product is ten times as likely as the others, so that its stock runs out.
const hotEvery = 10_000

func (o *order) product() int {
	products := o.scale.Products
	hot := products / hotEvery
	at := o.random.Intn(products + 9*hot)
	if at < products {
		return at + 1
	}
	return ((at-products)/9 + 1) * hotEvery
}

// purchase buys 1 to 2m-1 items of quantity 1 to 3. Where one is out of stock all is rolled back, and
// counts as an order.
func (o *order) purchase(customer int) error {
	o.steps++
	items := make([]item, upTo(o.random, 2*o.o.Items-1))
	for i := range items {
		items[i] = item{product: o.product(), quantity: upTo(o.random, 3)}
	}
	bought, err := o.shop.purchase(customer, items)
	switch {
	case err != nil:
		return err
	case !bought:
		o.counts["rollbacks"]++
	default:
		o.counts["orders"]++
		o.counts["orderLines"] += int64(len(items))
	}
	return nil
}
