package durable

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// apart gives the process a session of its own.
func apart() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// startOf is when a process started, in clock ticks since boot: field 22 of its stat.
func startOf(pid int) (uint64, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, err
	}
	// The name of the program may hold spaces and brackets: what follows the last one counts.
	rest := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	if len(rest) < 20 || rest[0] == "Z" || rest[0] == "X" {
		return 0, os.ErrProcessDone
	}
	return strconv.ParseUint(rest[19], 10, 64)
}
