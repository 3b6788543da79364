// Package usage tells what this process took of the processor.
package usage

import "syscall"

// CPUSeconds is user and kernel time of this process.
func CPUSeconds() float64 {
	process, err := syscall.GetCurrentProcess()
	if err != nil {
		return 0
	}
	var created, exited, kernel, user syscall.Filetime
	if syscall.GetProcessTimes(process, &created, &exited, &kernel, &user) != nil {
		return 0
	}
	// Both count 100 ns; Nanoseconds() would add the offset of a date.
	ticks := func(t syscall.Filetime) float64 {
		return float64(uint64(t.HighDateTime)<<32 | uint64(t.LowDateTime))
	}
	return (ticks(kernel) + ticks(user)) / 1e7
}
