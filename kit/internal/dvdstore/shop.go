package dvdstore

import "time"

// shop is what a customer does there: on the database itself (session), or at a web tier before it
// (tierClient). What was sent and heard is counted in bytes.
type shop interface {
	// begin an order: what takes longer than the deadline fails.
	begin(deadline time.Time) error
	login(customer int) error
	newCustomer(one newCustomer) (id int, err error)
	// newMember joins a customer; false where the customer was a member before.
	newMember(customer, level int) (bool, error)
	search(one search) ([][]string, error)
	reviews(one reviewQuery) ([][]string, error)
	newReview(one newReview) error
	newRating(review, customer, helpfulness int) error
	// purchase; false where an item was out of stock and all was rolled back.
	purchase(customer int, items []item) (bool, error)
	bytes() int64
	// failed says that the last call ended in this error: what the shop is in the middle of is not
	// known.
	failed(err error)
	close()
}

// newCustomer is the number of a new customer's name, and a seed for everything else about it.
type newCustomer struct{ name, seed int64 }

// search for products by category (its number), actor or title; rows at most.
type search struct {
	by    string
	value string
	rows  int
}

// reviewQuery is a search for reviews by actor or title, or of a product: in the order of their
// help, of their date, or those of so many stars alone.
type reviewQuery struct {
	by      string
	value   string
	product int
	stars   int
	rows    int
}

const (
	byCategory = "category"
	byActor    = "actor"
	byTitle    = "title"
	byHelp     = "help"
	byDate     = "date"
	byStars    = "stars"
)

type newReview struct {
	product, customer, stars int
	// Its words are made of this.
	seed int64
}

type item struct{ product, quantity int }

// Where a search for reviews ends. Source: ds35, mysqlds35/build/mysqlds35_createsp.sql.
const reviewsOfSearch = 10

// Levels of membership, stars of a review, most that a rating gives. Source: ds35,
// drivers/ds35xdriver.cs, Emulate.
const (
	levels   = 3
	mostStar = 5
	mostHelp = 10
)
