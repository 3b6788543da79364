package files

import (
	"encoding/binary"
	"errors"
)

// unit is the smallest piece of a file: each says whose it is and which writing of it this is, and
// the rest of it follows from that. So every read can be held against what was written, also by a run
// that did not write it.
const unit = 4096

const unitMark = 0x31464b54 // "TKF1"

// generation of what load writes; runs write later ones.
const loadedGeneration = 1

// errContent is an answer that cannot be.
var errContent = errors.New("what was read is not what was written")

// fill whole units of a file, from one of them on.
func fill(p []byte, user, file, first int, generation uint32) {
	for at := 0; at < len(p); at += unit {
		one := p[at : at+unit]
		number := first + at/unit
		binary.LittleEndian.PutUint32(one, unitMark)
		binary.LittleEndian.PutUint32(one[4:], uint32(user))
		binary.LittleEndian.PutUint32(one[8:], uint32(file))
		binary.LittleEndian.PutUint32(one[12:], uint32(number))
		binary.LittleEndian.PutUint32(one[16:], generation)
		x := startOf(user, file, number, generation)
		for i := 20; i+8 <= unit; i += 8 {
			x = step(x)
			binary.LittleEndian.PutUint64(one[i:], x)
		}
		binary.LittleEndian.PutUint32(one[unit-4:], uint32(x>>32))
	}
}

// generationOf a unit; an error where it is not that unit, or not whole.
func generationOf(one []byte, user, file, number int) (uint32, error) {
	if binary.LittleEndian.Uint32(one) != unitMark ||
		binary.LittleEndian.Uint32(one[4:]) != uint32(user) ||
		binary.LittleEndian.Uint32(one[8:]) != uint32(file) ||
		binary.LittleEndian.Uint32(one[12:]) != uint32(number) {
		return 0, errContent
	}
	generation := binary.LittleEndian.Uint32(one[16:])
	x := startOf(user, file, number, generation)
	for i := 20; i+8 <= unit; i += 8 {
		x = step(x)
		if binary.LittleEndian.Uint64(one[i:]) != x {
			return 0, errContent
		}
	}
	if binary.LittleEndian.Uint32(one[unit-4:]) != uint32(x>>32) {
		return 0, errContent
	}
	return generation, nil
}

func startOf(user, file, number int, generation uint32) uint64 {
	x := uint64(user)*0x9E3779B97F4A7C15 ^ uint64(file)*0xBF58476D1CE4E5B9 ^
		uint64(number)*0x94D049BB133111EB ^ uint64(generation)*0xD6E8FEB86659FD93
	if x == 0 {
		return 1
	}
	return x
}

// step of a xorshift generator: it is never 0.
func step(x uint64) uint64 {
	x ^= x << 13
	x ^= x >> 7
	return x ^ x<<17
}
