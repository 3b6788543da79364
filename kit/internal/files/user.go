package files

import (
	"math/rand"
	"sync/atomic"
	"time"

	"tilekit/internal/record"
)

// kept is what a user knows of one of its files.
type kept struct {
	name string
	id   int
	// 0 = not known yet.
	size int64
	// Which writing each unit is of; 0 = not known.
	generations []uint32
	// A write that may change its size has failed: what is in it is not known until it is replaced.
	unsure bool
}

// user works in one folder, over a connection of its own.
type user struct {
	s     *scenario
	index int
	// One for Next, one for what is under way.
	dice, random *rand.Rand
	in           store
	// Those of the set, then those it has made.
	files []*kept
	// How many it has made, for Next, which waits for nobody.
	known      int64
	number     int
	generation uint32
	// Names whose removal the server has confirmed.
	gone map[string]bool
	// The operation that was chosen had nothing to work on.
	replaced bool
	block    []byte
	// A local call that came back after nobody waited for it any more.
	stuck chan struct{}
}

const (
	// Files that a user has made and not removed.
	mostMade = 100
	// Names whose absence is looked for.
	mostGone = 200
	// Files start anew before they grow beyond so many times their size.
	mostGrowth = 4
)

// Ids of files that were made: beyond those of any set.
const firstMade = 1 << 30

func (u *user) CycleFloorS(int) float64 { return 0 }

func (u *user) Next() int {
	op := u.s.o.choose(u.dice)
	made := atomic.LoadInt64(&u.known)
	u.replaced = false
	switch {
	case op == opDelete && made == 0:
		// Only what was made is removed: where there is nothing, something is made.
		u.replaced = true
		return opCreate
	case op == opCreate && made >= mostMade:
		u.replaced = true
		return opDelete
	}
	return op
}

// Prepare connects before the user's turn. What fails here fails again, and is counted, with its first
// operation.
func (u *user) Prepare() { _ = u.enter(time.Now().Add(logInLimit)) }

func (u *user) Close() {
	if !u.waits(time.Now()) {
		u.leave()
	}
}

func (u *user) leave() {
	if u.in != nil {
		u.in.close()
		u.in = nil
	}
}

func (u *user) enter(deadline time.Time) error {
	if u.in != nil {
		return u.in.deadline(deadline)
	}
	in, err := u.s.o.connect(u.s.password, deadline)
	if err == nil {
		u.in = in
	}
	return err
}

// waits for a local call that nobody waited for, until the deadline; true = it is under way still.
func (u *user) waits(deadline time.Time) bool {
	if u.stuck == nil {
		return false
	}
	timer := time.NewTimer(time.Until(deadline))
	defer timer.Stop()
	select {
	case <-u.stuck:
		u.stuck = nil
		return false
	case <-timer.C:
		return true
	}
}

func (u *user) Do(op int, deadline time.Time) record.Outcome {
	if u.waits(deadline) {
		return record.Outcome{Class: "timeout", Requests: 1}
	}
	// Next is called while a call that nobody waited for is under way.
	replaced := u.replaced
	if u.s.o.Target != local {
		return u.do(op, replaced, deadline)
	}
	// A call to a local file system cannot be called off: where it is not back in time, the operation
	// has failed, and the user goes on when it is.
	done, ended := make(chan record.Outcome, 1), make(chan struct{})
	go func() {
		done <- u.do(op, replaced, deadline)
		close(ended)
	}()
	timer := time.NewTimer(time.Until(deadline))
	defer timer.Stop()
	select {
	case out := <-done:
		return out
	case <-timer.C:
		u.stuck = ended
		return record.Outcome{Class: "timeout", Requests: 1}
	}
}

func (u *user) do(op int, replaced bool, deadline time.Time) record.Outcome {
	out := record.Outcome{Counts: map[string]int64{}}
	if replaced {
		out.Counts["nothingToDo"]++
	}
	err := u.enter(deadline)
	if err == nil {
		before := u.in.requests()
		err = u.work(op, &out)
		out.Requests = u.in.requests() - before
	}
	if out.Requests == 0 {
		out.Requests = 1
	}
	if !isUsable(err) {
		u.leave()
	}
	out.Bytes = out.Counts["readBytes"] + out.Counts["writtenBytes"]
	out.Class = classOf(err)
	atomic.StoreInt64(&u.known, int64(len(u.files)-u.s.o.Files))
	return out
}

// work of one operation, on a file of the user's own.
func (u *user) work(op int, out *record.Outcome) error {
	switch op {
	case opCreate:
		return u.create(out)
	case opDelete:
		return u.remove(out)
	case opList:
		return u.list()
	case opWrite:
		return u.write(u.any(), out)
	}
	file := u.sure()
	if file == nil {
		// None is known to be whole: one is written anew.
		out.Counts["nothingToDo"]++
		return u.write(u.any(), out)
	}
	switch op {
	case opRead:
		return u.read(file, out)
	case opReadRandom:
		return u.readRandom(file, out)
	case opWriteRandom:
		return u.writeRandom(file, out)
	case opAppend:
		return u.append(file, out)
	}
	return u.stat(file)
}

// sure gives a file whose content is known, each as likely; nil where there is none.
func (u *user) sure() *kept {
	first := u.random.Intn(len(u.files))
	for i := range u.files {
		if one := u.files[(first+i)%len(u.files)]; !one.unsure {
			return one
		}
	}
	return nil
}

// any file to write; one that is not whole before all others.
func (u *user) any() *kept {
	for _, one := range u.files {
		if one.unsure {
			return one
		}
	}
	return u.files[u.random.Intn(len(u.files))]
}

func (u *user) path(name string) string { return userFolder(u.index) + "/" + name }
