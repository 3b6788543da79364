package dvdstore

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"tilekit/internal/db"
)

// How long one statement of loading may take: an index over the lines of a large set takes hours.
const loadStatement = 12 * time.Hour
const logInLimit = 15 * time.Second

// Summary of a data set, as its tables say.
type Summary struct {
	Database string `json:"database"`
	Address  string `json:"address"`
	Version  int    `json:"version"`
	Size     string `json:"size"`
	// By table: rows, and the sum of its whole numbers that tell rows apart.
	Rows map[string]int64 `json:"rows"`
	Sums map[string]int64 `json:"sums"`
	// It was there and was put back to how it was loaded.
	Reset bool `json:"reset,omitempty"`
}

// Loaded is what the nodes of a database hold, each as its own tables say.
type Loaded struct {
	Nodes []*Summary `json:"nodes"`
}

// Load makes the tables of a size on every node, one after the other. Where they are there it puts them
// back to how they were loaded: so are they on the second node of one database. Where they are of
// another size, or half loaded, they are made anew. Tables of these names without its marker are
// somebody else's: refused.
func Load(o *Options, kit string) (*Loaded, error) {
	loaded := &Loaded{}
	err := eachNode(o, func(s *store) error {
		summary, err := s.load(kit)
		if summary != nil {
			loaded.Nodes = append(loaded.Nodes, summary)
		}
		return err
	})
	return loaded, err
}

func (s *store) load(kit string) (*Summary, error) {
	o := s.o
	marker, err := s.marker()
	if err != nil {
		return nil, err
	}
	if marker["state"] == "loaded" && marker["key"] == s.key() {
		if err := s.reset(); err != nil {
			return nil, err
		}
		summary, err := s.summary()
		if err == nil {
			err = s.compare(summary)
		}
		if summary != nil {
			summary.Reset = true
		}
		return summary, err
	}
	if marker != nil {
		if err := s.unload(marker); err != nil {
			return nil, err
		}
	}
	there, err := s.present()
	if err != nil {
		return nil, err
	}
	for _, table := range o.tables() {
		if there[table] {
			return nil, &Problem{Blames: "name", Text: fmt.Sprintf("the database %s%s has a table %s that is not of tilekit: give a database of its own", o.Name, s.at(), table)}
		}
	}
	// First, so that a load that was cut short can be undone; of two at once one fails here.
	if _, err := s.exec("CREATE TABLE " + markerTable + " (name VARCHAR(40) NOT NULL PRIMARY KEY, value VARCHAR(400) NOT NULL)"); err != nil {
		return nil, err
	}
	for _, one := range [][2]string{{"kit", kit}, {"tables", strings.Join(o.tables(), " ")}, {"size", o.Size}, {"key", s.key()}, {"state", "loading"}} {
		if err := s.mark(one[0], one[1]); err != nil {
			return nil, err
		}
	}
	if err := s.fill(); err != nil {
		return nil, err
	}
	summary, err := s.summary()
	if err != nil {
		return nil, err
	}
	if err := s.compare(summary); err != nil {
		return summary, err
	}
	return summary, s.mark("state", "loaded")
}

func (s *store) fill() error {
	for _, sql := range createTables(s.kind, s.o.Version) {
		if _, err := s.exec(sql); err != nil {
			return err
		}
	}
	for _, one := range s.contents() {
		if err := s.insert(one.table, one.count, one.rows); err != nil {
			return err
		}
	}
	for _, sql := range append(createIndexes(s.o.Version), s.identities()...) {
		if _, err := s.exec(sql); err != nil {
			return err
		}
	}
	if s.kind == db.Postgres {
		_, err := s.exec("ANALYZE")
		return err
	}
	return nil
}

// content of a table: for each of so many, the rows that it has.
type content struct {
	table string
	count int
	rows  func(i int) []string
}

func (s *store) contents() []content {
	scale := s.scale
	one := func(row func(i int) string) func(i int) []string {
		return func(i int) []string { return []string{row(i)} }
	}
	all := []content{
		{"categories", categories, one(func(i int) string { return fmt.Sprintf("(%d,'Category %d')", i, i) })},
		{"customers", scale.Customers, one(customerRow)},
		{"products", scale.Products, one(func(i int) string { return productRow(i, s.o.Version) })},
		{"inventory", scale.Products, one(func(i int) string { return fmt.Sprintf("(%d,%d,0)", i, s.o.Stock) })},
		{"orders", scale.orders(), one(func(i int) string { return orderRow(i, scale) })},
		{"orderlines", scale.orders(), func(i int) []string { return lineRows(i, scale) }},
		{"cust_hist", scale.orders(), func(i int) []string { return historyRows(i, scale) }},
	}
	if s.o.Version == 2 {
		return all
	}
	return append(all,
		content{"membership", scale.Customers / customersAMember, one(memberRow)},
		content{"reviews", s.reviews(), one(func(i int) string { return reviewRow(i, scale) })},
		content{"reviews_helpfulness", s.reviews(), ratingRows(scale)},
	)
}

// reviews that are there from the start.
func (s *store) reviews() int { return s.scale.Products * s.o.ReviewsPerProduct }

func (s *store) ratings() (all int) {
	for r := 1; r <= s.reviews(); r++ {
		all += ratingsOf(r)
	}
	return all
}

// identities let the next new rows have the numbers after those that were loaded.
func (s *store) identities() []string {
	all := []string{
		identity(s.kind, "customers", "customerid", s.scale.Customers+1),
		identity(s.kind, "orders", "orderid", s.scale.orders()+1),
	}
	if s.o.Version == 2 {
		return all
	}
	return append(all,
		identity(s.kind, "reviews", "review_id", s.reviews()+1),
		identity(s.kind, "reviews_helpfulness", "review_helpfulness_id", s.ratings()+1),
	)
}

func orderRow(o int, scale Scale) string {
	cents := 0
	for line := 1; line <= linesOf(o); line++ {
		cents += quantityOf(o, line) * centsOf(itemOf(o, line, scale))
	}
	return fmt.Sprintf("(%d,'%s',%d,%s)", o, dateOf(o, scale), buyerOf(o, scale), amounts(cents))
}

// taxPct of a purchase; ours.
const taxPct = 8

func amounts(cents int) string {
	tax := cents * taxPct / 100
	return money(cents) + "," + money(tax) + "," + money(cents+tax)
}

func lineRows(o int, scale Scale) (rows []string) {
	for line := 1; line <= linesOf(o); line++ {
		rows = append(rows, fmt.Sprintf("(%d,%d,%d,%d,'%s')", line, o, itemOf(o, line, scale), quantityOf(o, line), dateOf(o, scale)))
	}
	return rows
}

func historyRows(o int, scale Scale) (rows []string) {
	for line := 1; line <= linesOf(o); line++ {
		rows = append(rows, fmt.Sprintf("(%d,%d,%d)", buyerOf(o, scale), o, itemOf(o, line, scale)))
	}
	return rows
}

// bytesAtOnce in one statement, as good as: far below what servers take by default.
const bytesAtOnce = 128 << 10

func (s *store) insert(table string, count int, rows func(i int) []string) error {
	begin := "INSERT INTO " + table + " VALUES "
	waiting := bytes.NewBufferString(begin)
	flush := func() error {
		if waiting.Len() == len(begin) {
			return nil
		}
		_, err := s.exec(waiting.String())
		waiting.Truncate(len(begin))
		return err
	}
	for i := 1; i <= count; i++ {
		for _, row := range rows(i) {
			if waiting.Len() > len(begin) {
				waiting.WriteByte(',')
			}
			waiting.WriteString(row)
		}
		if waiting.Len() >= bytesAtOnce {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	return flush()
}

// reset takes away what runs added and puts the stock back.
func (s *store) reset() error {
	orders, customers := s.scale.orders(), s.scale.Customers
	all := []string{
		fmt.Sprintf("DELETE FROM orderlines WHERE orderid > %d", orders),
		fmt.Sprintf("DELETE FROM cust_hist WHERE orderid > %d", orders),
		fmt.Sprintf("DELETE FROM orders WHERE orderid > %d", orders),
		fmt.Sprintf("DELETE FROM customers WHERE customerid > %d", customers),
		fmt.Sprintf("UPDATE inventory SET quan_in_stock = %d, sales = 0 WHERE sales <> 0", s.o.Stock),
	}
	if s.o.Version == 3 {
		all = append(all,
			fmt.Sprintf("DELETE FROM reviews_helpfulness WHERE review_helpfulness_id > %d", s.ratings()),
			fmt.Sprintf("DELETE FROM reviews WHERE review_id > %d", s.reviews()),
			"DELETE FROM membership WHERE expiredate > '"+lastExpiry+"'",
		)
	}
	for _, sql := range append(all, s.identities()...) {
		if _, err := s.exec(sql); err != nil {
			return err
		}
	}
	return nil
}
