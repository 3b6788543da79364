package dvdstore

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"tilekit/internal/db"
)

type store struct {
	conn    db.Conn
	kind    string
	address string
	o       *Options
	scale   Scale
}

// eachNode logs in to one node after the other; what is wrong is said in words with the option it is
// about.
func eachNode(o *Options, work func(s *store) error) error {
	targets, err := o.targets()
	if err != nil {
		return err
	}
	scale, err := scaleOf(o.Size)
	if err != nil {
		return err
	}
	for _, target := range targets {
		if err := onNode(o, scale, target, work); err != nil {
			return err
		}
	}
	return nil
}

func onNode(o *Options, scale Scale, target db.Target, work func(s *store) error) error {
	conn, err := db.Open(target, time.Now().Add(logInLimit))
	if err != nil {
		return refusal(o, target.Address, err)
	}
	defer conn.Close()
	return work(&store{conn: conn, kind: o.Database, address: target.Address, o: o, scale: scale})
}

// at names the node where there are several.
func (s *store) at() string {
	if len(s.o.Nodes) == 0 {
		return ""
	}
	return " at " + s.address
}

// refusal says why nobody gets in. Codes: MySQL 1044, 1045, 1049; SQLSTATE 28000, 28P01, 3D000.
func refusal(o *Options, address string, err error) *Problem {
	blames := "port"
	var answered *db.Error
	if errors.As(err, &answered) {
		blames = map[string]string{"1044": "name", "1049": "name", "3D000": "name", "1045": "passwordFile", "28P01": "passwordFile", "28000": "user"}[answered.Code]
		if blames == "" {
			blames = "user"
		}
		return &Problem{Blames: blames, Text: fmt.Sprintf("the database at %s lets %s not into %s: %s", address, o.User, o.Name, answered)}
	}
	if db.Class(err) == "timeout" {
		blames = "host"
	}
	return &Problem{Blames: blames, Text: fmt.Sprintf("no database to log in to at %s: %v", address, err)}
}

func (s *store) exec(sql string) (*db.Result, error) {
	if err := s.conn.SetDeadline(time.Now().Add(loadStatement)); err != nil {
		return nil, err
	}
	result, err := s.conn.Exec(sql)
	if err != nil {
		return nil, fmt.Errorf("%s …: %w", strings.Join(strings.Fields(sql[:min(len(sql), 60)]), " "), err)
	}
	return result, nil
}

func min(a, b int) int {
	if a < b {
		return a
	}
	return b
}

func (s *store) present() (map[string]bool, error) {
	schema := "database()"
	if s.kind == db.Postgres {
		schema = "current_schema()"
	}
	result, err := s.exec("SELECT table_name FROM information_schema.tables WHERE table_schema = " + schema)
	if err != nil {
		return nil, err
	}
	there := map[string]bool{}
	for _, row := range result.Rows {
		there[strings.ToLower(row[0])] = true
	}
	return there, nil
}

// marker is what stands in the marker table; nil = there is none.
func (s *store) marker() (map[string]string, error) {
	there, err := s.present()
	if err != nil || !there[markerTable] {
		return nil, err
	}
	result, err := s.exec("SELECT name, value FROM " + markerTable)
	if err != nil {
		return nil, err
	}
	marker := map[string]string{}
	for _, row := range result.Rows {
		marker[row[0]] = row[1]
	}
	return marker, nil
}

func (s *store) mark(name, value string) error {
	if _, err := s.exec("DELETE FROM " + markerTable + " WHERE name = " + db.Quote(name)); err != nil {
		return err
	}
	_, err := s.exec("INSERT INTO " + markerTable + " (name, value) VALUES (" + db.Quote(name) + "," + db.Quote(value) + ")")
	return err
}

// key of a data set: with another it is another one.
func (s *store) key() string {
	key := fmt.Sprintf("customers %d orders %d products %d stock %d", s.scale.Customers, s.scale.orders(), s.scale.Products, s.o.Stock)
	if s.o.Version == 3 {
		key += fmt.Sprintf(" reviews %d members %d", s.reviews(), s.scale.Customers/customersAMember)
	}
	return key
}
