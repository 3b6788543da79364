package smb

import (
	"encoding/hex"
	"testing"
)

func TestMD4IsThatOfRFC1320(t *testing.T) {
	for text, want := range map[string]string{
		"":                           "31d6cfe0d16ae931b73c59d7e0c089c0",
		"abc":                        "a448017aaf21d8525fc10ae87aa6729d",
		"abcdefghijklmnopqrstuvwxyz": "d79e1c308aa5bbcdeea8ed63df412da9",
		"12345678901234567890123456789012345678901234567890123456789012345678901234567890": "e33b4ddc9c38f2199c3e7b164fcc0536",
	} {
		if sum := md4([]byte(text)); hex.EncodeToString(sum[:]) != want {
			t.Errorf("%q: %x", text, sum)
		}
	}
}

// MS-NLMP, 4.2.4: user User of Domain with the password Password.
func TestTheProofOfNTLMIsThatOfItsSpecification(t *testing.T) {
	key := responseKey("Domain", "User", "Password")
	if got := hex.EncodeToString(key); got != "0c868a403bfd7a93a3001ef22ef02e3f" {
		t.Errorf("key %s", got)
	}
	info, err := hex.DecodeString("02000c0044006f006d00610069006e0001000c0053006500720076006500720000000000")
	if err != nil {
		t.Fatal(err)
	}
	answer, session := proof(key,
		[8]byte{0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef},
		[8]byte{0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa}, 0, info)
	if got := hex.EncodeToString(answer[:16]); got != "68cd0ab851e51c96aabc927bebef6a1c" {
		t.Errorf("proof %s", got)
	}
	if got := hex.EncodeToString(session); got != "8de40ccadbc14a82f15cb0ad0de95ca3" {
		t.Errorf("session %s", got)
	}
}
