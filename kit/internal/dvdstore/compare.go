package dvdstore

import (
	"fmt"
	"sort"
	"strconv"
	"strings"
)

// What is counted and summed of each table.
var sums = map[string]string{
	"categories": "category",
	"customers":  "customerid + age + income",
	"products":   "prod_id + category + special",
	"inventory":  "prod_id + quan_in_stock",
	"orders":     "orderid + customerid",
	"orderlines": "orderid + prod_id + quantity",
	"cust_hist":  "customerid + prod_id",
	"reorder":    "prod_id",

	"membership":          "customerid + membershiptype",
	"reviews":             "review_id + prod_id + customerid + stars",
	"reviews_helpfulness": "review_helpfulness_id + review_id + customerid + helpfulness",
}

func (s *store) summary() (*Summary, error) {
	summary := &Summary{Database: s.kind, Address: s.address, Version: s.o.Version, Size: s.o.Size, Rows: map[string]int64{}, Sums: map[string]int64{}}
	for _, table := range s.o.tables() {
		sum := strings.ReplaceAll(sums[table], " + ", " AS DECIMAL(40))) + SUM(CAST(")
		result, err := s.exec("SELECT COUNT(*), COALESCE(SUM(CAST(" + sum + " AS DECIMAL(40))), 0) FROM " + table)
		if err != nil {
			return nil, err
		}
		for i, into := range []map[string]int64{summary.Rows, summary.Sums} {
			n, err := strconv.ParseInt(result.Rows[0][i], 10, 64)
			if err != nil {
				return nil, fmt.Errorf("what table %s holds cannot be counted: %w", table, err)
			}
			into[table] = n
		}
	}
	return summary, nil
}

// compare holds the tables against what was to be written.
func (s *store) compare(is *Summary) error {
	rows, want := map[string]int64{}, map[string]int64{}
	add := func(table string, sum int) { rows[table]++; want[table] += int64(sum) }
	for i := 1; i <= categories; i++ {
		add("categories", i)
	}
	for i := 1; i <= s.scale.Customers; i++ {
		add("customers", i+ageOf(i)+incomeOf(i))
	}
	for i := 1; i <= s.scale.Products; i++ {
		add("products", i+categoryOf(i)+specialOf(i))
		add("inventory", i+s.o.Stock)
	}
	for i := 1; i <= s.scale.orders(); i++ {
		buyer := buyerOf(i, s.scale)
		add("orders", i+buyer)
		for line := 1; line <= linesOf(i); line++ {
			item := itemOf(i, line, s.scale)
			add("orderlines", i+item+quantityOf(i, line))
			add("cust_hist", buyer+item)
		}
	}
	if s.o.Version == 3 {
		s.addReviews(add)
	}
	names := append([]string{}, s.o.tables()...)
	sort.Strings(names)
	for _, table := range names {
		if is.Rows[table] != rows[table] || is.Sums[table] != want[table] {
			return &Problem{Blames: "name", Text: fmt.Sprintf("table %s%s is not as it was loaded: %d rows of %d, check sum %d, not %d",
				table, s.at(), is.Rows[table], rows[table], is.Sums[table], want[table])}
		}
	}
	return nil
}

// addReviews adds the rows that version 3 has more.
func (s *store) addReviews(add func(table string, sum int)) {
	for i := 1; i <= s.scale.Customers/customersAMember; i++ {
		add("membership", memberIn(i)+levelOf(i))
	}
	last := 0
	for i := 1; i <= s.reviews(); i++ {
		who := reviewerOf(i, s.scale)
		add("reviews", i+reviewedIn(i, s.scale)+who+starsOf(i))
		for number := 1; number <= ratingsOf(i); number++ {
			last++
			add("reviews_helpfulness", last+i+who+ratingOf(i, number))
		}
	}
}
