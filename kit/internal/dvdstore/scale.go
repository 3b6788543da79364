package dvdstore

import (
	"fmt"
	"math"
	"strconv"
)

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
