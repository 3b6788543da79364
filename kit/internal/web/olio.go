package web

import (
	"strconv"
	"time"

	"tilekit/internal/browser"
	"tilekit/internal/record"
)

// In the style of Apache Olio 0.2: its operations, its order of pages and its pauses, on a site of
// our own. No figure of it is an Olio result.
//
// Matrix and the two minimum pauses: https://github.com/sguazt/olio,
// tags/0.2-final/workload/php/trunk/src/org/apache/olio/workload/driver/UIDriver.java (Apache-2.0).
// The same matrix in https://github.com/rean/rain-workload-toolkit,
// config/profiles.config.olio.json, but with 0 where Olio has 6 from EventDetail to PersonDetail.
var olioOperations = []string{
	"HomePage", "Login", "TagSearch", "EventDetail", "PersonDetail", "AddPerson", "AddEvent",
}

const (
	homePage = iota
	login
	tagSearch
	eventDetail
	personDetail
	addPerson
	addEvent
)

// olioMatrix holds per cent, from row to column.
var olioMatrix = [7][7]float64{
	homePage:     {0, 11, 52, 36, 0, 1, 0},
	login:        {0, 0, 60, 20, 0, 0, 20},
	tagSearch:    {21, 6, 41, 31, 0, 1, 0},
	eventDetail:  {72, 21, 0, 0, 6, 1, 0},
	personDetail: {52, 6, 0, 31, 11, 0, 0},
	addPerson:    {0, 0, 0, 0, 100, 0, 0},
	addEvent:     {0, 0, 0, 100, 0, 0, 0},
}

// olioCycleFloorS is the least time from start to start in a closed loop.
var olioCycleFloorS = [7]float64{addPerson: 3, addEvent: 2}

// About 20 requests an operation: the page and 19 with it
// (https://cwiki.apache.org/confluence/pages/diffpages.action?pageId=4589527&originalId=4589539).
// How they lie among the pages is not said there: every page has as many here.
const olioAssets = 19

func (u *user) olio(op int, deadline time.Time, out *record.Outcome) {
	if op == len(olioOperations) {
		u.count(out, u.browser.Get("/download/large.bin", false, deadline))
		return
	}
	options := u.s.options
	number := func(below int) string { return strconv.Itoa(u.random.Intn(below)) }
	var answer browser.Reply
	switch op {
	case homePage:
		answer = u.browser.Get("/home", false, deadline)
	case login:
		answer = u.browser.Post("/login", "user=user"+number(options.People), deadline)
	case tagSearch:
		// Events are three times the tags (ScaleFactors.java of the same source).
		answer = u.browser.Get("/search?tag="+number((options.Events+2)/3), false, deadline)
	case eventDetail:
		answer = u.browser.Get("/event/"+number(options.Events), false, deadline)
	case personDetail:
		answer = u.browser.Get("/person/"+number(options.People), false, deadline)
	case addPerson:
		answer = u.browser.Post("/person", "name=person"+number(1<<30), deadline)
	case addEvent:
		answer = u.browser.Post("/event", "title=event"+number(1<<30)+"&tag="+number((options.Events+2)/3), deadline)
	}
	if !u.count(out, answer) {
		return
	}
	for i := 0; i < options.Assets; i++ {
		if !u.count(out, u.browser.Get(assetPath(i), true, deadline)) {
			return
		}
	}
}

func assetPath(i int) string { return "/static/asset" + strconv.Itoa(i) + ".bin" }
