package load

import (
	"syscall"
	"time"
)

// nap sleeps by the kernel's clock: Go's own timers wait for a whole millisecond at least.
func nap(wait time.Duration) {
	rest := syscall.NsecToTimespec(wait.Nanoseconds())
	_ = syscall.Nanosleep(&rest, nil)
}
