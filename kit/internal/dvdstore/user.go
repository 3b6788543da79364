package dvdstore

import (
	"errors"
	"fmt"
	"math/rand"
	"sort"
	"strconv"
	"strings"
	"time"

	"tilekit/internal/db"
	"tilekit/internal/job"
	"tilekit/internal/load"
	"tilekit/internal/record"
)

type scenario struct {
	o      *Options
	target db.Target
	scale  Scale
}

// New reads the scenario's options from a job, and looks whether the data set is there.
func New(j *job.Job) (load.Scenario, error) {
	o, err := Read(j.Dvdstore)
	if err != nil {
		return nil, err
	}
	if _, err := Verify(o); err != nil {
		return nil, err
	}
	target, err := o.target()
	if err != nil {
		return nil, err
	}
	scale, err := scaleOf(o.Size)
	return &scenario{o: o, target: target, scale: scale}, err
}

// One operation: an order from log-in to purchase. Its time is the sum of its calls.
func (s *scenario) Operations() []string { return []string{"order"} }

func (s *scenario) User(_ int, random *rand.Rand) load.User {
	return &user{s: s, random: random}
}

type user struct {
	s      *scenario
	random *rand.Rand
	conn   db.Conn
}

func (u *user) Next() int               { return 0 }
func (u *user) CycleFloorS(int) float64 { return 0 }

// Prepare logs in before the user's turn: DVD Store's time of an order has no log-in to the database.
// What fails here fails again, and is counted, with its first order.
func (u *user) Prepare() {
	u.conn, _ = db.Open(u.s.target, time.Now().Add(logInLimit))
}

func (u *user) Close() {
	if u.conn != nil {
		u.conn.Close()
		u.conn = nil
	}
}

// errContent is an answer of the database that cannot be.
var errContent = errors.New("the database's answer is not that of the data set")

func (u *user) Do(_ int, deadline time.Time) record.Outcome {
	order := &order{user: u, out: record.Outcome{Counts: map[string]int64{}}}
	err := order.run(deadline)
	var answered *db.Error
	switch {
	case err == nil:
	case errors.Is(err, errContent):
		order.out.Class = "content"
	default:
		order.out.Class = db.Class(err)
	}
	// What the session was in the middle of is not known.
	if err != nil && u.conn != nil {
		if errors.As(err, &answered) {
			_, err = u.conn.Exec("ROLLBACK")
		}
		if err != nil {
			u.Close()
		}
	}
	return order.out
}

type order struct {
	user *user
	out  record.Outcome
}

func (o *order) exec(sql string) (*db.Result, error) {
	result, err := o.user.conn.Exec(sql)
	if result != nil {
		o.out.Bytes += result.Bytes
	}
	return result, err
}

// run does the steps of one order. Source: ds21, ds2/drivers/ds2xdriver.cs, Emulate; the SQL is ours.
func (o *order) run(deadline time.Time) error {
	u := o.user
	if u.conn == nil {
		conn, err := db.Open(u.s.target, deadline)
		if err != nil {
			return err
		}
		u.conn = conn
	}
	if err := u.conn.SetDeadline(deadline); err != nil {
		return err
	}
	customer, err := o.enter()
	if err != nil {
		return err
	}
	for searches := upTo(u.random, 2*u.s.o.Searches-1); searches > 0; searches-- {
		if err := o.search(); err != nil {
			return err
		}
	}
	return o.purchase(customer)
}

// upTo is uniform from 1 to most.
func upTo(random *rand.Rand, most int) int { return 1 + random.Intn(most) }

// enter logs in, or makes a new customer.
func (o *order) enter() (int, error) {
	u := o.user
	o.out.Requests++
	if u.random.Float64()*100 < u.s.o.PctNew {
		return o.newCustomer()
	}
	wanted := upTo(u.random, u.s.scale.Customers)
	result, err := o.exec(fmt.Sprintf("SELECT customerid FROM customers WHERE username = 'user%d' AND password = 'password'", wanted))
	if err != nil {
		return 0, err
	}
	if len(result.Rows) != 1 || result.Rows[0][0] != strconv.Itoa(wanted) {
		return 0, errContent
	}
	// What the customer bought last.
	_, err = o.exec(fmt.Sprintf("SELECT p.title, p.actor FROM cust_hist h JOIN products p ON p.prod_id = h.prod_id"+
		" WHERE h.customerid = %d ORDER BY h.orderid DESC LIMIT 10", wanted))
	return wanted, err
}

// mostNames a new customer tries: one may be taken.
const mostNames = 10

func (o *order) newCustomer() (int, error) {
	u := o.user
	returning := ""
	if u.s.o.Database == db.Postgres {
		returning = " RETURNING customerid"
	}
	for tried := 1; ; tried++ {
		name := u.random.Int63n(1e12)
		result, err := o.exec(fmt.Sprintf("INSERT INTO customers (firstname, lastname, address1, address2, city, state, zip, country, region,"+
			" email, phone, creditcardtype, creditcard, creditcardexpiration, username, password, age, income, gender) VALUES"+
			" ('%s','%s','%d Main Street','','%s','XX',%d,'US',1,'newuser%d@example.org','%010d',%d,'%016d','2035/%02d','newuser%d','password',%d,%d,'%s')%s",
			word(u.random.Int()), word(u.random.Int()), upTo(u.random, 9_999), word(u.random.Int()), upTo(u.random, 99_999), name,
			u.random.Int63n(1e10), upTo(u.random, 5), u.random.Int63n(1e16), upTo(u.random, 12), name, 17+upTo(u.random, 73),
			20_000*upTo(u.random, 5), string("MF"[u.random.Intn(2)]), returning))
		var answered *db.Error
		if errors.As(err, &answered) && answered.IsDuplicate() && tried < mostNames {
			continue
		}
		if err != nil {
			return 0, err
		}
		o.out.Counts["newCustomers"]++
		return o.identity(result)
	}
}

func (o *order) identity(result *db.Result) (int, error) {
	if o.user.s.o.Database == db.MySQL {
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

// search by category, actor or title, each as likely. By index: DVD Store has full-text indexes.
func (o *order) search() error {
	u := o.user
	o.out.Requests++
	rows := upTo(u.random, 2*u.s.o.Batch-1)
	product := upTo(u.random, u.s.scale.Products)
	where := ""
	switch u.random.Intn(3) {
	case 0:
		where = fmt.Sprintf("category = %d AND special = 1", upTo(u.random, categories))
	case 1:
		where = "actor = " + db.Quote(actorOf(product))
	default:
		where = "title = " + db.Quote(titleOf(product))
	}
	result, err := o.exec(fmt.Sprintf("SELECT prod_id, category, title, actor, price, special, common_prod_id FROM products WHERE %s LIMIT %d", where, rows))
	if err == nil && len(result.Rows) == 0 && !strings.HasPrefix(where, "category") {
		return errContent
	}
	return err
}

// hotEvery product is ten times as likely as the others, so that its stock runs out.
const hotEvery = 10_000

func (o *order) product() int {
	products := o.user.s.scale.Products
	hot := products / hotEvery
	at := o.user.random.Intn(products + 9*hot)
	if at < products {
		return at + 1
	}
	return ((at-products)/9 + 1) * hotEvery
}

// purchase buys 1 to 2m-1 items of quantity 1 to 3. Where one is out of stock all is rolled back, and
// counts as an order.
func (o *order) purchase(customer int) error {
	u := o.user
	o.out.Requests++
	items := make([][2]int, upTo(u.random, 2*u.s.o.Items-1))
	wanted := map[int]int{}
	for i := range items {
		items[i] = [2]int{o.product(), upTo(u.random, 3)}
		wanted[items[i][0]] += items[i][1]
	}
	// In one order for everybody: two purchases wait for each other, none for ever.
	ids := make([]int, 0, len(wanted))
	for id := range wanted {
		ids = append(ids, id)
	}
	sort.Ints(ids)
	listed := strings.Trim(strings.Join(strings.Fields(fmt.Sprint(ids)), ","), "[]")
	if _, err := o.exec("BEGIN"); err != nil {
		return err
	}
	cents, err := o.prices(listed, items)
	if err != nil {
		return err
	}
	stock, err := o.exec("SELECT prod_id, quan_in_stock FROM inventory WHERE prod_id IN (" + listed + ") ORDER BY prod_id FOR UPDATE")
	if err != nil {
		return err
	}
	if len(stock.Rows) != len(ids) {
		return errContent
	}
	for _, row := range stock.Rows {
		id, _ := strconv.Atoi(row[0])
		if left, _ := strconv.Atoi(row[1]); left < wanted[id] {
			_, err := o.exec("ROLLBACK")
			o.out.Counts["rollbacks"]++
			return err
		}
	}
	for _, id := range ids {
		if _, err := o.exec(fmt.Sprintf("UPDATE inventory SET quan_in_stock = quan_in_stock - %d, sales = sales + %d WHERE prod_id = %d", wanted[id], wanted[id], id)); err != nil {
			return err
		}
	}
	if err := o.write(customer, cents, items); err != nil {
		return err
	}
	if _, err := o.exec("COMMIT"); err != nil {
		return err
	}
	o.out.Counts["orders"]++
	o.out.Counts["orderLines"] += int64(len(items))
	return nil
}

func (o *order) prices(listed string, items [][2]int) (int, error) {
	result, err := o.exec("SELECT prod_id, price FROM products WHERE prod_id IN (" + listed + ")")
	if err != nil {
		return 0, err
	}
	price := map[int]float64{}
	for _, row := range result.Rows {
		id, _ := strconv.Atoi(row[0])
		price[id], _ = strconv.ParseFloat(row[1], 64)
	}
	cents := 0
	for _, item := range items {
		if price[item[0]] <= 0 {
			return 0, errContent
		}
		cents += item[1] * int(price[item[0]]*100+0.5)
	}
	return cents, nil
}

func (o *order) write(customer, cents int, items [][2]int) error {
	returning := ""
	if o.user.s.o.Database == db.Postgres {
		returning = " RETURNING orderid"
	}
	result, err := o.exec(fmt.Sprintf("INSERT INTO orders (orderdate, customerid, netamount, tax, totalamount) VALUES (CURRENT_DATE,%d,%s)%s", customer, amounts(cents), returning))
	if err != nil {
		return err
	}
	id, err := o.identity(result)
	if err != nil {
		return err
	}
	lines, history := make([]string, len(items)), make([]string, len(items))
	for i, item := range items {
		lines[i] = fmt.Sprintf("(%d,%d,%d,%d,CURRENT_DATE)", i+1, id, item[0], item[1])
		history[i] = fmt.Sprintf("(%d,%d,%d)", customer, id, item[0])
	}
	if _, err := o.exec("INSERT INTO orderlines (orderlineid, orderid, prod_id, quantity, orderdate) VALUES " + strings.Join(lines, ",")); err != nil {
		return err
	}
	_, err = o.exec("INSERT INTO cust_hist (customerid, orderid, prod_id) VALUES " + strings.Join(history, ","))
	return err
}
