package smb

import (
	"encoding/binary"
	"math/bits"
)

// md4 of a text (RFC 1320): NTLM keeps passwords so, and the standard library has none.
func md4(text []byte) [16]byte {
	padded := append(append([]byte{}, text...), 0x80)
	for len(padded)%64 != 56 {
		padded = append(padded, 0)
	}
	var length [8]byte
	binary.LittleEndian.PutUint64(length[:], uint64(len(text))*8)
	padded = append(padded, length[:]...)

	a, b, c, d := uint32(0x67452301), uint32(0xefcdab89), uint32(0x98badcfe), uint32(0x10325476)
	var x [16]uint32
	for ; len(padded) > 0; padded = padded[64:] {
		for i := range x {
			x[i] = binary.LittleEndian.Uint32(padded[4*i:])
		}
		a0, b0, c0, d0 := a, b, c, d
		for _, round := range md4Rounds {
			for i, k := range round.order {
				a = bits.RotateLeft32(a+round.mix(b, c, d)+x[k]+round.add, round.turns[i%4])
				a, b, c, d = d, a, b, c
			}
		}
		a, b, c, d = a+a0, b+b0, c+c0, d+d0
	}
	var sum [16]byte
	for i, word := range []uint32{a, b, c, d} {
		binary.LittleEndian.PutUint32(sum[4*i:], word)
	}
	return sum
}

var md4Rounds = []struct {
	mix   func(x, y, z uint32) uint32
	add   uint32
	order [16]int
	turns [4]int
}{
	{
		func(x, y, z uint32) uint32 { return x&y | ^x&z }, 0,
		[16]int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, [4]int{3, 7, 11, 19},
	},
	{
		func(x, y, z uint32) uint32 { return x&y | x&z | y&z }, 0x5a827999,
		[16]int{0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15}, [4]int{3, 5, 9, 13},
	},
	{
		func(x, y, z uint32) uint32 { return x ^ y ^ z }, 0x6ed9eba1,
		[16]int{0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15}, [4]int{3, 9, 11, 15},
	},
}
