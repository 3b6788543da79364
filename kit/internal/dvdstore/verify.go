package dvdstore

import (
	"fmt"
	"strings"
)

// Unload drops the tables that the marker of each node names, and the marker; fine where there is none.
func Unload(o *Options) error {
	return eachNode(o, func(s *store) error {
		marker, err := s.marker()
		if err != nil || marker == nil {
			return err
		}
		return s.unload(marker)
	})
}

func (s *store) unload(marker map[string]string) error {
	known := map[string]bool{}
	for _, table := range tablesOf3 {
		known[table] = true
	}
	for _, table := range strings.Fields(marker["tables"]) {
		if !known[table] {
			return &Problem{Blames: "name", Text: fmt.Sprintf("the marker in %s%s names %q, which is no table of tilekit", s.o.Name, s.at(), table)}
		}
		if _, err := s.exec("DROP TABLE IF EXISTS " + table); err != nil {
			return err
		}
	}
	_, err := s.exec("DROP TABLE " + markerTable)
	return err
}

// Verify says whether a run can begin: who logs in gets in, and the data set of the size is whole, on
// every node; or the web tiers say so.
func Verify(o *Options) error {
	if len(o.Tiers) > 0 {
		return verifyTiers(o)
	}
	return eachNode(o, func(s *store) error { return s.verify() })
}

func (s *store) verify() error {
	marker, err := s.marker()
	data := s.o.Name + s.at()
	switch {
	case err != nil:
		return err
	case marker == nil:
		return &Problem{Blames: "size", Text: fmt.Sprintf("the database %s has no data set of tilekit: load it first", data)}
	case marker["state"] != "loaded":
		return &Problem{Blames: "size", Text: fmt.Sprintf("the data set in %s is half loaded: load it again", data)}
	case marker["key"] != s.key():
		return &Problem{Blames: "size", Text: fmt.Sprintf("the data set in %s is another: %s; wanted are %s", data, marker["key"], s.key())}
	}
	return nil
}
