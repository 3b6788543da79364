//go:build !windows

// Package usage tells what this process took of the processor.
package usage

import "syscall"

// CPUSeconds is user and system time of this process.
func CPUSeconds() float64 {
	var used syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &used) != nil {
		return 0
	}
	return float64(used.Utime.Sec+used.Stime.Sec) + float64(used.Utime.Usec+used.Stime.Usec)/1e6
}
