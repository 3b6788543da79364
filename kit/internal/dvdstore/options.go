// Package dvdstore is the scenario `dvdstore`: customers of a shop in the style of DVD Store 2 and 3, on a
// database or through a web tier, the data set they use, and the web tier. The numbers are DVD Store's,
// the code and the SQL are ours.
package dvdstore

import (
	"fmt"
	"net"
	"regexp"
	"strconv"

	"tilekit/internal/db"
	"tilekit/internal/job"
)

// Options of the scenario in a job file, of load, unload and verify, and of the web tier.
type Options struct {
	// 2 or 3; 3 adds reviews, their ratings and members.
	Version int `json:"version"`
	// "mysql" (MariaDB too) or "postgres".
	Database string `json:"database"`
	Host     string `json:"host"`
	Port     int    `json:"port"`
	// Further nodes of the database, host:port; users are spread over all.
	Nodes []string `json:"nodes,omitempty"`
	User  string   `json:"user"`
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
	// Version 3: searches for reviews and readings of those of a product, each so many on average;
	// orders that write a review, rate one, make a member, in per cent of all.
	Reviews   int     `json:"reviews"`
	PctReview float64 `json:"pctReview"`
	PctRating float64 `json:"pctRating"`
	PctMember float64 `json:"pctMember"`
	// Version 3: reviews of a product in the data set, on average.
	ReviewsPerProduct int `json:"reviewsPerProduct"`
	// What is in stock of each product after loading; no source says how much.
	Stock int `json:"stock"`
	// Web tiers, host:port: users go there, one to each in turn, and never to the database itself.
	Tiers []string `json:"tiers,omitempty"`
}

// Defaults: https://github.com/dvdstore/ds21, ds2/drivers/ds2xdriver.cs; of version 3
// https://github.com/dvdstore/ds35, ds35_schema.txt.
func defaults() Options {
	return Options{
		Version: 2, Database: db.MySQL, User: "ds2user", Name: "ds2", Size: "small",
		PctNew: 20, Searches: 3, Items: 5, Batch: 5, Stock: 10_000,
		Reviews: 3, PctReview: 5, PctRating: 10, PctMember: 1, ReviewsPerProduct: reviewsPerProduct,
	}
}

// Ours: E07 has four nodes, a tile of VMmark 2 three web servers.
const (
	mostNodes = 16
	mostTiers = 64
)

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
	if err := o.checkNumbers(); err != nil {
		return nil, err
	}
	if o.Host == "" {
		return nil, fmt.Errorf("dvdstore.host is missing")
	}
	if !plainName.MatchString(o.User) || !plainName.MatchString(o.Name) {
		return nil, fmt.Errorf("dvdstore.user and name are letters, digits and . _ @ -")
	}
	if err := checkAddresses("nodes", o.Nodes, mostNodes); err != nil {
		return nil, err
	}
	if err := checkAddresses("tiers", o.Tiers, mostTiers); err != nil {
		return nil, err
	}
	if _, err := scaleOf(o.Size); err != nil {
		return nil, err
	}
	return &o, nil
}

func (o *Options) checkNumbers() error {
	for _, one := range []struct {
		name      string
		value     float64
		low, high float64
	}{
		{"version", float64(o.Version), 2, 3},
		{"port", float64(o.Port), 1, 65_535},
		{"pctNew", o.PctNew, 0, 100},
		{"searches", float64(o.Searches), 1, 100},
		{"items", float64(o.Items), 1, 100},
		{"batch", float64(o.Batch), 1, 500},
		{"reviews", float64(o.Reviews), 1, 100},
		{"pctReview", o.PctReview, 0, 100},
		{"pctRating", o.PctRating, 0, 100},
		{"pctMember", o.PctMember, 0, 100},
		{"reviewsPerProduct", float64(o.ReviewsPerProduct), 1, 1_000},
		{"stock", float64(o.Stock), 1, 1_000_000_000},
	} {
		if !(one.value >= one.low && one.value <= one.high) {
			return fmt.Errorf("dvdstore.%s is %v; it is from %v to %v", one.name, one.value, one.low, one.high)
		}
	}
	return nil
}

func checkAddresses(name string, addresses []string, most int) error {
	if len(addresses) > most {
		return fmt.Errorf("dvdstore.%s are %d; they are %d at most", name, len(addresses), most)
	}
	seen := map[string]bool{}
	for _, address := range addresses {
		host, port, err := net.SplitHostPort(address)
		number, bad := strconv.Atoi(port)
		if err != nil || bad != nil || host == "" || number < 1 || number > 65_535 {
			return fmt.Errorf("dvdstore.%s has %q; it is host:port", name, address)
		}
		if seen[address] {
			return fmt.Errorf("dvdstore.%s has %s twice", name, address)
		}
		seen[address] = true
	}
	return nil
}

// targets are the nodes of the database; the password is read where there is one.
func (o *Options) targets() ([]db.Target, error) {
	password, err := job.Secret(o.PasswordFile)
	if err != nil {
		return nil, err
	}
	var targets []db.Target
	for _, address := range append([]string{net.JoinHostPort(o.Host, strconv.Itoa(o.Port))}, o.Nodes...) {
		targets = append(targets, db.Target{Kind: o.Database, Address: address, User: o.User, Password: password, Database: o.Name})
	}
	return targets, nil
}

// Problem is what is wrong, in words, and the option it is likeliest about.
type Problem = job.Problem
