package dvdstore

import (
	"errors"
	"fmt"
	"sort"
	"strconv"
	"strings"
	"time"

	"tilekit/internal/db"
)

// session is a shop on the database itself. It logs in when it is first needed, and again after a
// failure. The SQL is ours.
type session struct {
	target db.Target
	conn   db.Conn
	count  int64
}

// errContent is an answer that cannot be.
var errContent = errors.New("the answer is not that of the data set")

func (s *session) begin(deadline time.Time) error {
	if s.conn == nil {
		conn, err := db.Open(s.target, deadline)
		if err != nil {
			return err
		}
		s.conn = conn
	}
	return s.conn.SetDeadline(deadline)
}

func (s *session) bytes() int64 { return s.count }

func (s *session) close() {
	if s.conn != nil {
		s.conn.Close()
		s.conn = nil
	}
}

func (s *session) failed(err error) {
	if s.conn == nil {
		return
	}
	var answered *db.Error
	if errors.As(err, &answered) || errors.Is(err, errContent) {
		_, err = s.conn.Exec("ROLLBACK")
	}
	if err != nil {
		s.close()
	}
}

func (s *session) exec(sql string) (*db.Result, error) {
	result, err := s.conn.Exec(sql)
	if result != nil {
		s.count += result.Bytes
	}
	return result, err
}

func (s *session) login(customer int) error {
	result, err := s.exec(fmt.Sprintf("SELECT customerid FROM customers WHERE username = 'user%d' AND password = 'password'", customer))
	if err != nil {
		return err
	}
	if len(result.Rows) != 1 || result.Rows[0][0] != strconv.Itoa(customer) {
		return errContent
	}
	// What the customer bought last.
	_, err = s.exec(fmt.Sprintf("SELECT p.title, p.actor FROM cust_hist h JOIN products p ON p.prod_id = h.prod_id"+
		" WHERE h.customerid = %d ORDER BY h.orderid DESC LIMIT 10", customer))
	return err
}

// mostNames a new customer tries: one may be taken.
const mostNames = 10

func (s *session) newCustomer(one newCustomer) (int, error) {
	for tried := int64(0); ; tried++ {
		result, err := s.exec("INSERT INTO customers (firstname, lastname, address1, address2, city, state, zip, country, region," +
			" email, phone, creditcardtype, creditcard, creditcardexpiration, username, password, age, income, gender) VALUES " +
			customerOf(newCustomer{name: one.name + tried, seed: one.seed}) + s.returning("customerid"))
		var answered *db.Error
		if errors.As(err, &answered) && answered.IsDuplicate() && tried+1 < mostNames {
			continue
		}
		if err != nil {
			return 0, err
		}
		return s.identity(result)
	}
}

// customerOf is the row of a new customer.
func customerOf(one newCustomer) string {
	x, y := mix(ofNewcomer, int(one.seed)), mix(ofNewcomer, int(one.name))
	return fmt.Sprintf("('%s','%s','%d Main Street','','%s','XX',%d,'US',1,'newuser%d@example.org','%010d',%d,'%016d','2035/%02d','newuser%d','password',%d,%d,'%s')",
		word(int(x)), word(int(x>>8)), x%10_000, word(int(x>>16)), 10_000+y%90_000, one.name, y,
		1+x%5, uint64(x)*1_000_003, 1+y%12, one.name, 18+x%73, 20_000*(1+y%5), string("MF"[x%2]))
}

// returning asks PostgreSQL for the identity that an insert makes; MySQL tells it unasked.
func (s *session) returning(column string) string {
	if s.target.Kind == db.Postgres {
		return " RETURNING " + column
	}
	return ""
}

func (s *session) identity(result *db.Result) (int, error) {
	if s.target.Kind == db.MySQL {
		return int(result.LastID), nil
	}
	if len(result.Rows) != 1 {
		return 0, errContent
	}
	id, err := strconv.Atoi(result.Rows[0][0])
	if err != nil {
		return 0, errContent
	}
	return id, nil
}

// By index: DVD Store has full-text indexes.
func (s *session) search(one search) ([][]string, error) {
	where := one.by + " = " + db.Quote(one.value)
	if one.by == byCategory {
		category, err := strconv.Atoi(one.value)
		if err != nil {
			return nil, errContent
		}
		where = fmt.Sprintf("category = %d AND special = 1", category)
	}
	result, err := s.exec(fmt.Sprintf("SELECT prod_id, category, title, actor, price, special, common_prod_id FROM products WHERE %s LIMIT %d", where, one.rows))
	if err != nil {
		return nil, err
	}
	return result.Rows, nil
}

// totalHelp of a review: all that its ratings gave.
const totalHelp = "(SELECT COALESCE(SUM(h.helpfulness), 0) FROM reviews_helpfulness h WHERE h.review_id = r.review_id)"

func (s *session) reviews(one reviewQuery) ([][]string, error) {
	const columns = "SELECT r.review_id, r.prod_id, r.review_date, r.stars, r.customerid, r.review_summary, r.review_text, " + totalHelp + " AS total"
	var rest string
	switch one.by {
	case byActor, byTitle:
		rest = fmt.Sprintf(", p.title, p.actor FROM products p JOIN reviews r ON r.prod_id = p.prod_id WHERE p.%s = %s ORDER BY total DESC", one.by, db.Quote(one.value))
	case byDate:
		rest = fmt.Sprintf(" FROM reviews r WHERE r.prod_id = %d ORDER BY r.review_date DESC", one.product)
	case byStars:
		rest = fmt.Sprintf(" FROM reviews r WHERE r.prod_id = %d AND r.stars = %d ORDER BY total DESC", one.product, one.stars)
	default:
		rest = fmt.Sprintf(" FROM reviews r WHERE r.prod_id = %d ORDER BY total DESC", one.product)
	}
	result, err := s.exec(columns + rest + fmt.Sprintf(" LIMIT %d", one.rows))
	if err != nil {
		return nil, err
	}
	return result.Rows, nil
}

// newMember: a customer is a member once; the row that is there says so.
func (s *session) newMember(customer, level int) (bool, error) {
	_, err := s.exec(fmt.Sprintf("INSERT INTO membership (customerid, membershiptype, expiredate) VALUES (%d,%d,CURRENT_DATE)", customer, level))
	var answered *db.Error
	if errors.As(err, &answered) && answered.IsDuplicate() {
		return false, nil
	}
	return err == nil, err
}

func (s *session) newReview(one newReview) error {
	_, err := s.exec(fmt.Sprintf("INSERT INTO reviews (prod_id, review_date, stars, customerid, review_summary, review_text) VALUES (%d,CURRENT_DATE,%d,%d,'%s','%s')",
		one.product, one.stars, one.customer, wordsOf(int(one.seed), 3), wordsOf(int(one.seed)+1, 25)))
	return err
}

func (s *session) newRating(review, customer, helpfulness int) error {
	_, err := s.exec(fmt.Sprintf("INSERT INTO reviews_helpfulness (review_id, customerid, helpfulness) VALUES (%d,%d,%d)", review, customer, helpfulness))
	return err
}

func (s *session) purchase(customer int, items []item) (bool, error) {
	wanted := map[int]int{}
	for _, one := range items {
		wanted[one.product] += one.quantity
	}
	// In one order for everybody: two purchases wait for each other, none for ever.
	ids := make([]int, 0, len(wanted))
	for id := range wanted {
		ids = append(ids, id)
	}
	sort.Ints(ids)
	listed := strings.Trim(strings.Join(strings.Fields(fmt.Sprint(ids)), ","), "[]")
	if _, err := s.exec("BEGIN"); err != nil {
		return false, err
	}
	cents, err := s.prices(listed, items)
	if err != nil {
		return false, err
	}
	enough, err := s.inStock(listed, wanted)
	if err != nil {
		return false, err
	}
	if !enough {
		_, err := s.exec("ROLLBACK")
		return false, err
	}
	for _, id := range ids {
		if _, err := s.exec(fmt.Sprintf("UPDATE inventory SET quan_in_stock = quan_in_stock - %d, sales = sales + %d WHERE prod_id = %d", wanted[id], wanted[id], id)); err != nil {
			return false, err
		}
	}
	if err := s.write(customer, cents, items); err != nil {
		return false, err
	}
	_, err = s.exec("COMMIT")
	return err == nil, err
}

// inStock locks the stock of what is wanted and says whether it is enough.
func (s *session) inStock(listed string, wanted map[int]int) (bool, error) {
	stock, err := s.exec("SELECT prod_id, quan_in_stock FROM inventory WHERE prod_id IN (" + listed + ") ORDER BY prod_id FOR UPDATE")
	if err != nil {
		return false, err
	}
	if len(stock.Rows) != len(wanted) {
		return false, errContent
	}
	for _, row := range stock.Rows {
		id, _ := strconv.Atoi(row[0])
		if left, _ := strconv.Atoi(row[1]); left < wanted[id] {
			return false, nil
		}
	}
	return true, nil
}

func (s *session) prices(listed string, items []item) (int, error) {
	result, err := s.exec("SELECT prod_id, price FROM products WHERE prod_id IN (" + listed + ")")
	if err != nil {
		return 0, err
	}
	price := map[int]float64{}
	for _, row := range result.Rows {
		id, _ := strconv.Atoi(row[0])
		price[id], _ = strconv.ParseFloat(row[1], 64)
	}
	cents := 0
	for _, one := range items {
		if price[one.product] <= 0 {
			return 0, errContent
		}
		cents += one.quantity * int(price[one.product]*100+0.5)
	}
	return cents, nil
}

func (s *session) write(customer, cents int, items []item) error {
	result, err := s.exec(fmt.Sprintf("INSERT INTO orders (orderdate, customerid, netamount, tax, totalamount) VALUES (CURRENT_DATE,%d,%s)%s", customer, amounts(cents), s.returning("orderid")))
	if err != nil {
		return err
	}
	id, err := s.identity(result)
	if err != nil {
		return err
	}
	lines, history := make([]string, len(items)), make([]string, len(items))
	for i, one := range items {
		lines[i] = fmt.Sprintf("(%d,%d,%d,%d,CURRENT_DATE)", i+1, id, one.product, one.quantity)
		history[i] = fmt.Sprintf("(%d,%d,%d)", customer, id, one.product)
	}
	if _, err := s.exec("INSERT INTO orderlines (orderlineid, orderid, prod_id, quantity, orderdate) VALUES " + strings.Join(lines, ",")); err != nil {
		return err
	}
	_, err = s.exec("INSERT INTO cust_hist (customerid, orderid, prod_id) VALUES " + strings.Join(history, ","))
	return err
}
