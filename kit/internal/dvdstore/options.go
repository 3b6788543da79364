// Package dvdstore is the scenario `dvdstore`: customers of a shop in the style of DVD Store 2, on a
// database, and the data set they use. The numbers are DVD Store's, the code and the SQL are ours.
package dvdstore

import (
	"fmt"
	"math"
	"net"
	"regexp"
	"strconv"

	"tilekit/internal/db"
	"tilekit/internal/job"
)

// Options of the scenario in a job file, and of load, unload and verify.
type Options struct {
	// "mysql" (MariaDB too) or "postgres".
	Database string `json:"database"`
	Host     string `json:"host"`
	Port     int    `json:"port"`
	User     string `json:"user"`
	// A file of this machine that nobody else may read; its first line is the password.
	PasswordFile string `json:"passwordFile,omitempty"`
	// The database's own name; it must exist.
	Name string `json:"name"`
	// "small", "medium", "large", or a number of megabytes.
	Size string `json:"size"`
	// New customers among those who log in, searches and items of an order, rows of a search.
	PctNew   float64 `json:"pctNew"`
	Searches int     `json:"searches"`
	Items    int     `json:"items"`
	Batch    int     `json:"batch"`
	// What is in stock of each product after loading; no source says how much.
	Stock int `json:"stock"`
}

// Defaults: https://github.com/dvdstore/ds21, ds2/drivers/ds2xdriver.cs.
func defaults() Options {
	return Options{Database: db.MySQL, User: "ds2user", Name: "ds2", Size: "small", PctNew: 20, Searches: 3, Items: 5, Batch: 5, Stock: 10_000}
}

var plainName = regexp.MustCompile(`^[A-Za-z0-9_.@-]{1,64}$`)

// Read takes the options and says what is wrong by the field's name.
func Read(text []byte) (*Options, error) {
	o := defaults()
	if len(text) == 0 {
		return nil, fmt.Errorf("dvdstore is missing: the scenario's database")
	}
	if err := job.Strict(text, &o); err != nil {
		return nil, err
	}
	if o.Database != db.MySQL && o.Database != db.Postgres {
		return nil, fmt.Errorf("dvdstore.database is %q; it is mysql or postgres", o.Database)
	}
	if o.Port == 0 {
		o.Port = map[string]int{db.MySQL: 3306, db.Postgres: 5432}[o.Database]
	}
	for _, one := range []struct {
		name      string
		value     float64
		low, high float64
	}{
		{"port", float64(o.Port), 1, 65_535},
		{"pctNew", o.PctNew, 0, 100},
		{"searches", float64(o.Searches), 1, 100},
		{"items", float64(o.Items), 1, 100},
		{"batch", float64(o.Batch), 1, 1_000},
		{"stock", float64(o.Stock), 1, 1_000_000_000},
	} {
		if !(one.value >= one.low && one.value <= one.high) {
			return nil, fmt.Errorf("dvdstore.%s is %v; it is from %v to %v", one.name, one.value, one.low, one.high)
		}
	}
	if o.Host == "" {
		return nil, fmt.Errorf("dvdstore.host is missing")
	}
	if !plainName.MatchString(o.User) || !plainName.MatchString(o.Name) {
		return nil, fmt.Errorf("dvdstore.user and name are letters, digits and . _ @ -")
	}
	if _, err := scaleOf(o.Size); err != nil {
		return nil, err
	}
	return &o, nil
}

// target reads the password where there is one.
func (o *Options) target() (db.Target, error) {
	target := db.Target{Kind: o.Database, Address: net.JoinHostPort(o.Host, strconv.Itoa(o.Port)), User: o.User, Database: o.Name}
	var err error
	target.Password, err = job.Secret(o.PasswordFile)
	return target, err
}

// Problem is what is wrong, in words, and the option it is likeliest about.
type Problem = job.Problem

// Scale of a data set.
type Scale struct {
	Customers      int
	OrdersPerMonth int
	Products       int
}

// Months of orders that are there from the start, and lines an order at most: large has 120 million
// orders of 10 million a month, and 600 million lines. Categories: 16. Source: ds21,
// ds2/ds2.1_Documentation.txt and ds2/ds2_schema.txt.
const (
	months     = 12
	mostLines  = 9
	categories = 16
)

func (s Scale) orders() int { return s.OrdersPerMonth * months }

// Published: 10 MB, 1 GB and 100 GB. Customers and orders grow with the size; products by its square
// root, which goes through all three.
var published = map[string]Scale{
	"small":  {20_000, 1_000, 10_000},
	"medium": {2_000_000, 100_000, 100_000},
	"large":  {200_000_000, 10_000_000, 1_000_000},
}

func scaleOf(size string) (Scale, error) {
	if scale, known := published[size]; known {
		return scale, nil
	}
	mb, err := strconv.ParseFloat(size, 64)
	if err != nil || !(mb >= 1 && mb <= 1_000_000) {
		return Scale{}, fmt.Errorf("dvdstore.size is %q; it is small, medium, large, or megabytes from 1 to 1,000,000", size)
	}
	return Scale{
		Customers:      int(2_000 * mb),
		OrdersPerMonth: int(100 * mb),
		Products:       int(math.Round(10_000 * math.Sqrt(mb/10))),
	}, nil
}
