package network

import "sync"

// How far behind the newest of its sender a packet may come and still be told from a second copy.
const window = 1 << 16

// How many seconds are kept apart.
const keptSeconds = 64

// sender is what was seen of one sender of packets.
type sender struct {
	any     bool
	highest uint64
	// A bit for each of the last packets, by its number.
	seen [window / 64]uint64
}

// take says whether a packet is new, and whether a later one came before it.
func (s *sender) take(number uint64) (isNew, late bool) {
	switch {
	case !s.any || number > s.highest:
		from := s.highest + 1
		if !s.any {
			from = number
		}
		if s.any && number-s.highest >= window {
			s.seen = [window / 64]uint64{}
			from = number
		}
		for n := from; n != number; n++ {
			s.seen[n%window/64] &^= 1 << (n % 64)
		}
		s.seen[number%window/64] |= 1 << (number % 64)
		s.any, s.highest = true, number
		return true, false
	case s.highest-number >= window:
		// Too old to be told from a copy: it counts as one.
		return false, true
	}
	bit := uint64(1) << (number % 64)
	isNew = s.seen[number%window/64]&bit == 0
	s.seen[number%window/64] |= bit
	return isNew, true
}

// session is one load, over however many connections.
type session struct {
	mu      sync.Mutex
	counts  Counts
	senders map[uint32]*sender
	hello   hello
	// How many control connections it has.
	links int
}

// Most senders of one session.
const mostSenders = 10_000

func newSession(first hello) *session {
	return &session{
		counts:  Counts{Session: first.Session, Seconds: map[uint32]int64{}},
		senders: map[uint32]*sender{}, hello: first,
	}
}

// packet counts one; whole = it is as it was sent.
func (s *session) packet(h header, size int, whole bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !whole {
		s.counts.Damaged++
		return
	}
	from := s.senders[h.sender]
	if from == nil {
		if len(s.senders) >= mostSenders {
			s.counts.Damaged++
			return
		}
		from = &sender{}
		s.senders[h.sender] = from
	}
	isNew, late := from.take(h.number)
	if !isNew {
		s.counts.Duplicates++
		return
	}
	if late {
		s.counts.Reordered++
	}
	s.counts.Packets++
	s.counts.Bytes += int64(size)
	if _, known := s.counts.Seconds[h.second]; !known && len(s.counts.Seconds) >= keptSeconds {
		s.forgetOldest()
	}
	s.counts.Seconds[h.second]++
}

func (s *session) forgetOldest() {
	oldest := ^uint32(0)
	for second := range s.counts.Seconds {
		if second < oldest {
			oldest = second
		}
	}
	delete(s.counts.Seconds, oldest)
}

func (s *session) received(bytes int64, whole bool) {
	s.mu.Lock()
	s.counts.Bytes += bytes
	if !whole {
		s.counts.Damaged++
	}
	s.mu.Unlock()
}

func (s *session) answered(bytes int) {
	s.mu.Lock()
	s.counts.Answered++
	s.counts.Bytes += int64(bytes)
	s.mu.Unlock()
}

// told is a copy of its counts.
func (s *session) told(withSeconds bool) Counts {
	s.mu.Lock()
	defer s.mu.Unlock()
	counts := s.counts
	counts.Seconds = nil
	if withSeconds {
		counts.Seconds = make(map[uint32]int64, len(s.counts.Seconds))
		for second, n := range s.counts.Seconds {
			counts.Seconds[second] = n
		}
	}
	return counts
}
