// Package web is the scenario `web`: users of a web site, and the site itself.
package web

import (
	"fmt"
	"math/rand"
	"net/url"
	"strings"
	"time"

	"tilekit/internal/browser"
	"tilekit/internal/job"
	"tilekit/internal/load"
	"tilekit/internal/record"
)

// Options of the scenario in a job file.
type Options struct {
	// http://host:port of the site.
	Target string `json:"target"`
	// "olio": the pages of `tilekit serve`, in the order of Olio's matrix. "paths": the paths below.
	Pages string `json:"pages"`
	Paths []Path `json:"paths,omitempty"`
	// Olio: what is fetched with every page, from the second visit on only if it was modified.
	Assets int `json:"assets,omitempty"`
	// Olio: how many people and events the site was loaded with.
	People int `json:"people,omitempty"`
	Events int `json:"events,omitempty"`
	// Olio: an operation that is a large download instead, in per cent of all; 0 = none, as in Olio.
	DownloadPct float64 `json:"downloadPct,omitempty"`
}

// Path is one page of any site: its weight against the others, and what is fetched with it.
type Path struct {
	Op     string   `json:"op"`
	Path   string   `json:"path"`
	Weight float64  `json:"weight"`
	Assets []string `json:"assets,omitempty"`
}

type scenario struct {
	options Options
	target  *url.URL
	ops     []string
	weights []float64
}

// New reads the scenario's options from a job.
func New(j *job.Job) (load.Scenario, error) {
	options := Options{Pages: "olio", Assets: olioAssets, People: 2500, Events: 300}
	if len(j.Web) == 0 {
		return nil, fmt.Errorf("web is missing: the scenario's target and pages")
	}
	if err := job.Strict(j.Web, &options); err != nil {
		return nil, err
	}
	target, err := url.Parse(options.Target)
	if err != nil || (target.Scheme != "http" && target.Scheme != "https") || target.Host == "" {
		return nil, fmt.Errorf("web.target is %q; it is http://host:port", options.Target)
	}
	s := &scenario{options: options, target: target}
	switch options.Pages {
	case "olio":
		if options.People < 1 || options.Events < 1 || options.Assets < 0 || options.Assets > siteAssets {
			return nil, fmt.Errorf("web.people and events are 1 or more, assets at most %d", siteAssets)
		}
		if !(options.DownloadPct >= 0 && options.DownloadPct <= 100) {
			return nil, fmt.Errorf("web.downloadPct is from 0 to 100")
		}
		s.ops = append(append([]string{}, olioOperations...), "Download")
	case "paths":
		return s, s.takePaths()
	default:
		return nil, fmt.Errorf("web.pages is %q; it is olio or paths", options.Pages)
	}
	return s, nil
}

func (s *scenario) takePaths() error {
	if len(s.options.Paths) == 0 {
		return fmt.Errorf("web.paths is empty")
	}
	for i, path := range s.options.Paths {
		if path.Op == "" || path.Op == record.All || !(path.Weight >= 0) {
			return fmt.Errorf("web.paths[%d] needs a name and a weight of 0 or more", i)
		}
		for _, one := range append([]string{path.Path}, path.Assets...) {
			if !strings.HasPrefix(one, "/") || strings.ContainsAny(one, " \r\n") {
				return fmt.Errorf("web.paths[%d] has a path that does not begin with /, or holds a space", i)
			}
		}
		s.ops = append(s.ops, path.Op)
		s.weights = append(s.weights, path.Weight)
	}
	if sum(s.weights) <= 0 {
		return fmt.Errorf("web.paths have no weight")
	}
	return nil
}

func sum(numbers []float64) float64 {
	all := 0.0
	for _, n := range numbers {
		all += n
	}
	return all
}

func (s *scenario) Operations() []string { return s.ops }

func (s *scenario) User(index int, random *rand.Rand) load.User {
	return &user{s: s, index: index, random: random, browser: browser.New(s.target), page: -1}
}

type user struct {
	s       *scenario
	index   int
	random  *rand.Rand
	browser *browser.Browser
	// Where in the matrix; -1 = before the first page.
	page int
	paid int64
}

func (u *user) Close() { u.browser.Close() }

func (u *user) Next() int {
	if u.s.options.Pages == "paths" {
		return pick(u.random, u.s.weights)
	}
	if pct := u.s.options.DownloadPct; pct > 0 && u.random.Float64()*100 < pct {
		return len(olioOperations)
	}
	if u.page < 0 {
		u.page = 0
	} else {
		u.page = pick(u.random, olioMatrix[u.page][:])
	}
	return u.page
}

// pick chooses an index by weight.
func pick(random *rand.Rand, weights []float64) int {
	if len(weights) == 1 {
		return 0
	}
	at := random.Float64() * sum(weights)
	for i, weight := range weights {
		at -= weight
		if at < 0 {
			return i
		}
	}
	return len(weights) - 1
}

func (u *user) CycleFloorS(op int) float64 {
	if u.s.options.Pages == "olio" && op < len(olioOperations) {
		return olioCycleFloorS[op]
	}
	return 0
}

func (u *user) Do(op int, deadline time.Time) record.Outcome {
	var out record.Outcome
	if u.s.options.Pages == "paths" {
		path := u.s.options.Paths[op]
		if u.count(&out, u.browser.Get(path.Path, false, deadline)) {
			for _, asset := range path.Assets {
				if !u.count(&out, u.browser.Get(asset, true, deadline)) {
					break
				}
			}
		}
		return out
	}
	u.olio(op, deadline, &out)
	return out
}

// count adds an answer to an operation; false where it failed.
func (u *user) count(out *record.Outcome, answer browser.Reply) bool {
	out.Requests += answer.Sent
	out.Bytes += answer.Bytes
	switch {
	case answer.Class != "":
		out.Class = answer.Class
	case answer.Status >= 400:
		out.Class = browser.Status
	}
	return out.Class == ""
}
