//go:build !linux

package load

import "time"

func nap(wait time.Duration) { time.Sleep(wait) }
