package dvdstore

import (
	"fmt"
	"strings"
)

// What version 3 adds to the data set. Published: 20 reviews of a product, 10 % of the customers are
// members (ds35, Install_DVDStore.pl); a review of 6 to 129 words, with 2 to 39 ratings of 1 to 10, all
// by who wrote it (data_files/reviews/ds3_create_reviews.c); one member in each ten customers, of level 1 to
// 3, until 2015 to 2019 (data_files/membership/ds3_create_membership.c); a product for members of level 0
// to 3 (data_files/prod/ds3_create_prod.c). Words and draws are ours.
const (
	reviewsPerProduct = 20
	customersAMember  = 10
	lastExpiry        = "2019-12-31"
	mostLetters       = 1_000
)

func memberItemOf(p int) int { return int(mix(ofProduct, p) >> 20 % (levels + 1)) }

func reviewedIn(r int, scale Scale) int { return 1 + int(mix(ofReview, r))%scale.Products }
func reviewerOf(r int, scale Scale) int { return 1 + int(mix(ofReviewer, r))%scale.Customers }
func starsOf(r int) int                 { return 1 + int(mix(ofReview, r)>>8%mostStar) }
func ratingsOf(r int) int               { return 2 + int(mix(ofReviewer, r)>>4%38) }
func ratingOf(r, number int) int        { return 1 + int(mix(ofRating, r*64+number)%mostHelp) }
func memberIn(decade int) int {
	return customersAMember*(decade-1) + 1 + int(mix(ofMember, decade)%customersAMember)
}
func levelOf(decade int) int { return 1 + int(mix(ofMember, decade)>>8%levels) }

// wordsOf are so many words that are always the same for the same number.
func wordsOf(seed, count int) string {
	var text strings.Builder
	for i := 0; i < count; i++ {
		next := word(int(mix(ofText, seed*131+i)))
		if text.Len()+1+len(next) > mostLetters {
			break
		}
		if i > 0 {
			text.WriteByte(' ')
		}
		text.WriteString(next)
	}
	return text.String()
}

func reviewRow(r int, scale Scale) string {
	x := mix(ofText, r)
	return fmt.Sprintf("(%d,%d,'2013-%02d-%02d',%d,%d,'%s','%s')", r, reviewedIn(r, scale), 1+x%12, 1+x>>8%28, starsOf(r),
		reviewerOf(r, scale), wordsOf(-r, 3), wordsOf(r, 6+int(x>>16%124)))
}

// ratingRows gives the rows of one review after the other: each has the next number.
func ratingRows(scale Scale) func(r int) []string {
	last := 0
	return func(r int) (rows []string) {
		for number := 1; number <= ratingsOf(r); number++ {
			last++
			rows = append(rows, fmt.Sprintf("(%d,%d,%d,%d)", last, r, reviewerOf(r, scale), ratingOf(r, number)))
		}
		return rows
	}
}

func memberRow(decade int) string {
	x := mix(ofMember, decade)
	return fmt.Sprintf("(%d,%d,'%d-%02d-15')", memberIn(decade), levelOf(decade), 2015+x>>12%5, 1+x>>16%12)
}
