package dvdstore

import (
	"fmt"
	"sort"
	"strconv"
	"strings"
	"time"

	"tilekit/internal/db"
)

// How long one statement of loading may take: an index over the lines of a large set takes hours.
const loadStatement = 12 * time.Hour
const logInLimit = 15 * time.Second

// rowsAtOnce in one statement.
const rowsAtOnce = 500

// Summary of a data set, as its tables say.
type Summary struct {
	Database string `json:"database"`
	Size     string `json:"size"`
	// By table: rows, and the sum of its whole numbers that tell rows apart.
	Rows map[string]int64 `json:"rows"`
	Sums map[string]int64 `json:"sums"`
	// It was there and was put back to how it was loaded.
	Reset bool `json:"reset,omitempty"`
}

// Load makes the tables of a size. Where they are there it puts them back to how they were loaded;
// where they are of another size, or half loaded, they are made anew. Tables of these names without
// its marker are somebody else's: refused.
func Load(o *Options, kit string) (*Summary, error) {
	s, err := open(o)
	if err != nil {
		return nil, err
	}
	defer s.conn.Close()
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
	for _, table := range tables {
		if there[table] {
			return nil, &Problem{Blames: "name", Text: fmt.Sprintf("the database %s has a table %s that is not of tilekit: give a database of its own", o.Name, table)}
		}
	}
	// First, so that a load that was cut short can be undone; of two at once one fails here.
	for _, sql := range []string{
		"CREATE TABLE " + markerTable + " (name VARCHAR(40) NOT NULL PRIMARY KEY, value VARCHAR(400) NOT NULL)",
	} {
		if _, err := s.exec(sql); err != nil {
			return nil, err
		}
	}
	for _, one := range [][2]string{{"kit", kit}, {"tables", strings.Join(tables, " ")}, {"size", o.Size}, {"key", s.key()}, {"state", "loading"}} {
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
	for _, sql := range createTables(s.kind) {
		if _, err := s.exec(sql); err != nil {
			return err
		}
	}
	scale := s.scale
	for _, one := range []struct {
		into  string
		count int
		row   func(i int) []string
	}{
		{"categories", categories, func(i int) []string { return []string{fmt.Sprintf("(%d,'Category %d')", i, i)} }},
		{"customers", scale.Customers, func(i int) []string { return []string{customerRow(i)} }},
		{"products", scale.Products, func(i int) []string { return []string{productRow(i, 0)} }},
		{"inventory", scale.Products, func(i int) []string { return []string{fmt.Sprintf("(%d,%d,0)", i, s.o.Stock)} }},
		{"orders", scale.orders(), func(i int) []string { return []string{orderRow(i, scale)} }},
		{"orderlines", scale.orders(), func(i int) []string { return lineRows(i, scale) }},
		{"cust_hist", scale.orders(), func(i int) []string { return historyRows(i, scale) }},
	} {
		if err := s.insert(one.into, one.count, one.row); err != nil {
			return err
		}
	}
	for _, sql := range append(createIndexes,
		identity(s.kind, "customers", "customerid", scale.Customers+1),
		identity(s.kind, "orders", "orderid", scale.orders()+1)) {
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

func (s *store) insert(table string, count int, row func(i int) []string) error {
	var waiting []string
	flush := func() error {
		if len(waiting) == 0 {
			return nil
		}
		_, err := s.exec("INSERT INTO " + table + " VALUES " + strings.Join(waiting, ","))
		waiting = waiting[:0]
		return err
	}
	for i := 1; i <= count; i++ {
		waiting = append(waiting, row(i)...)
		if len(waiting) >= rowsAtOnce {
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
	for _, sql := range []string{
		fmt.Sprintf("DELETE FROM orderlines WHERE orderid > %d", orders),
		fmt.Sprintf("DELETE FROM cust_hist WHERE orderid > %d", orders),
		fmt.Sprintf("DELETE FROM orders WHERE orderid > %d", orders),
		fmt.Sprintf("DELETE FROM customers WHERE customerid > %d", customers),
		fmt.Sprintf("UPDATE inventory SET quan_in_stock = %d, sales = 0 WHERE sales <> 0", s.o.Stock),
		identity(s.kind, "customers", "customerid", customers+1),
		identity(s.kind, "orders", "orderid", orders+1),
	} {
		if _, err := s.exec(sql); err != nil {
			return err
		}
	}
	return nil
}

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
}

func (s *store) summary() (*Summary, error) {
	summary := &Summary{Database: s.kind, Size: s.o.Size, Rows: map[string]int64{}, Sums: map[string]int64{}}
	for _, table := range tables {
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
	names := append([]string{}, tables...)
	sort.Strings(names)
	for _, table := range names {
		if is.Rows[table] != rows[table] || is.Sums[table] != want[table] {
			return &Problem{Blames: "name", Text: fmt.Sprintf("table %s is not as it was loaded: %d rows of %d, check sum %d, not %d",
				table, is.Rows[table], rows[table], is.Sums[table], want[table])}
		}
	}
	return nil
}

// Unload drops the tables that the marker names, and the marker; fine where there is none.
func Unload(o *Options) error {
	s, err := open(o)
	if err != nil {
		return err
	}
	defer s.conn.Close()
	marker, err := s.marker()
	if err != nil || marker == nil {
		return err
	}
	return s.unload(marker)
}

func (s *store) unload(marker map[string]string) error {
	known := map[string]bool{}
	for _, table := range tables {
		known[table] = true
	}
	for _, table := range strings.Fields(marker["tables"]) {
		if !known[table] {
			return &Problem{Blames: "name", Text: fmt.Sprintf("the marker in %s names %q, which is no table of tilekit", s.o.Name, table)}
		}
		if _, err := s.exec("DROP TABLE IF EXISTS " + table); err != nil {
			return err
		}
	}
	_, err := s.exec("DROP TABLE " + markerTable)
	return err
}

// Verify says whether a run can begin: who logs in gets in, and the data set of the size is whole.
func Verify(o *Options) (*Options, error) {
	s, err := open(o)
	if err != nil {
		return nil, err
	}
	defer s.conn.Close()
	marker, err := s.marker()
	switch {
	case err != nil:
		return nil, err
	case marker == nil:
		return nil, &Problem{Blames: "size", Text: fmt.Sprintf("the database %s has no data set of tilekit: load it first", o.Name)}
	case marker["state"] != "loaded":
		return nil, &Problem{Blames: "size", Text: fmt.Sprintf("the data set in %s is half loaded: load it again", o.Name)}
	case marker["key"] != s.key():
		return nil, &Problem{Blames: "size", Text: fmt.Sprintf("the data set in %s is another: %s; wanted are %s", o.Name, marker["key"], s.key())}
	}
	return o, nil
}
