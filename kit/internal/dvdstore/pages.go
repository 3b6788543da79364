package dvdstore

import (
	"fmt"
	"html"
	"net/url"
	"regexp"
	"strconv"
	"strings"
)

// form of a request: a field that is not what it has to be makes it a bad one.
type form struct{ values url.Values }

type badForm struct{ field string }

func (b *badForm) Error() string { return "The field " + b.field + " is missing or wrong." }

const mostNumber = 1<<31 - 1

func (f form) number(field string, low, high int64) (int64, error) {
	n, err := strconv.ParseInt(f.values.Get(field), 10, 64)
	if err != nil || n < low || n > high {
		return 0, &badForm{field}
	}
	return n, nil
}

// numbers of several fields, from 1 on.
func (f form) numbers(fields ...string) ([]int, error) {
	all := make([]int, len(fields))
	for i, field := range fields {
		n, err := f.number(field, 1, mostNumber)
		if err != nil {
			return nil, err
		}
		all[i] = int(n)
	}
	return all, nil
}

// Titles, actors and numbers of this shop; nothing that would need quoting.
var plainValue = regexp.MustCompile(`^[A-Za-z0-9 ]{1,50}$`)

// work of a page whose form is right, on a session: it gives the page's content.
type work func(s *session) (string, error)

// bought begins the page of an order that was taken.
const bought = `<p data-bought="1"`

func loginPage(f form) (work, error) {
	numbers, err := f.numbers("customer")
	if err != nil {
		return nil, err
	}
	return func(s *session) (string, error) {
		return fmt.Sprintf(`<p data-id="%d">Welcome back.</p>`, numbers[0]), s.login(numbers[0])
	}, nil
}

func customerPage(f form) (work, error) {
	name, err := f.number("name", 0, 1e12)
	if err != nil {
		return nil, err
	}
	seed, err := f.number("seed", 0, 1<<40)
	if err != nil {
		return nil, err
	}
	return func(s *session) (string, error) {
		id, err := s.newCustomer(newCustomer{name: name, seed: seed})
		return fmt.Sprintf(`<p data-id="%d">Welcome.</p>`, id), err
	}, nil
}

func memberPage(f form) (work, error) {
	numbers, err := f.numbers("customer", "level")
	if err != nil {
		return nil, err
	}
	return func(s *session) (string, error) {
		joined, err := s.newMember(numbers[0], numbers[1])
		return fmt.Sprintf(`<p data-joined="%t">Membership.</p>`, joined), err
	}, nil
}

func searchPage(f form) (work, error) {
	by, value := f.values.Get("by"), f.values.Get("value")
	if (by != byCategory && by != byActor && by != byTitle) || !plainValue.MatchString(value) {
		return nil, &badForm{"by"}
	}
	if _, err := strconv.Atoi(value); by == byCategory && err != nil {
		return nil, &badForm{"value"}
	}
	rows, err := f.number("rows", 1, 1_000)
	if err != nil {
		return nil, err
	}
	return func(s *session) (string, error) {
		found, err := s.search(search{by: by, value: value, rows: int(rows)})
		return table(found), err
	}, nil
}

func reviewsPage(f form) (work, error) {
	one := reviewQuery{by: f.values.Get("by"), value: f.values.Get("value")}
	rows, err := f.number("rows", 1, 1_000)
	if err != nil {
		return nil, err
	}
	one.rows = int(rows)
	switch one.by {
	case byActor, byTitle:
		if !plainValue.MatchString(one.value) {
			return nil, &badForm{"value"}
		}
	case byHelp, byDate, byStars:
		numbers, err := f.numbers("product", "stars")
		if err != nil {
			return nil, err
		}
		one.product, one.stars = numbers[0], numbers[1]
	default:
		return nil, &badForm{"by"}
	}
	return func(s *session) (string, error) {
		found, err := s.reviews(one)
		return table(found), err
	}, nil
}

func reviewPage(f form) (work, error) {
	numbers, err := f.numbers("product", "customer", "stars")
	if err != nil {
		return nil, err
	}
	seed, err := f.number("seed", 0, 1<<40)
	if err != nil {
		return nil, err
	}
	one := newReview{product: numbers[0], customer: numbers[1], stars: numbers[2], seed: seed}
	return func(s *session) (string, error) { return "<p>Thank you for the review.</p>", s.newReview(one) }, nil
}

func ratingPage(f form) (work, error) {
	numbers, err := f.numbers("review", "customer", "helpfulness")
	if err != nil {
		return nil, err
	}
	return func(s *session) (string, error) {
		return "<p>Thank you for the rating.</p>", s.newRating(numbers[0], numbers[1], numbers[2])
	}, nil
}

// mostItems of an order: twice the most that the scenario has on average.
const mostItems = 200

func purchasePage(f form) (work, error) {
	numbers, err := f.numbers("customer")
	if err != nil {
		return nil, err
	}
	listed := f.values["item"]
	if len(listed) == 0 || len(listed) > mostItems {
		return nil, &badForm{"item"}
	}
	items := make([]item, len(listed))
	for i, text := range listed {
		product, quantity, _ := strings.Cut(text, "x")
		one, err := form{url.Values{"product": {product}, "quantity": {quantity}}}.numbers("product", "quantity")
		if err != nil {
			return nil, &badForm{"item"}
		}
		items[i] = item{product: one[0], quantity: one[1]}
	}
	return func(s *session) (string, error) {
		isBought, err := s.purchase(numbers[0], items)
		if err != nil || !isBought {
			return `<p data-bought="0">Out of stock.</p>`, err
		}
		return bought + ">Thank you for the order.</p>", nil
	}, nil
}

// table of rows; the first two columns of each are its mark.
func table(rows [][]string) string {
	var text strings.Builder
	text.WriteString("<table>\n")
	for _, row := range rows {
		fmt.Fprintf(&text, `<tr data-row="%s %s">`, html.EscapeString(row[0]), html.EscapeString(row[1]))
		for _, cell := range row {
			text.WriteString("<td>" + html.EscapeString(cell) + "</td>")
		}
		text.WriteString("</tr>\n")
	}
	text.WriteString("</table>")
	return text.String()
}
