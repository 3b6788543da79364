package load

import (
	"context"
	"runtime"
	"time"
)

// Below this rate the dispatcher sleeps exactly, on a thread of its own; above it, whatever is due
// by the next tick of a millisecond is released together, which costs less of the processor.
const exactBelowPerS = 300

// Longest nap on the thread: so soon is a stop seen.
const longestNap = 20 * time.Millisecond

type sleeper struct{ exact bool }

func newSleeper(perS float64) *sleeper {
	s := &sleeper{exact: perS < exactBelowPerS}
	if s.exact {
		runtime.LockOSThread()
	}
	return s
}

func (s *sleeper) close() {
	if s.exact {
		runtime.UnlockOSThread()
	}
}

// until waits for a time; false when the context ended before.
func (s *sleeper) until(ctx context.Context, at time.Time) bool {
	if !s.exact {
		return sleep(ctx, time.Until(at))
	}
	for {
		wait := time.Until(at)
		if wait <= 0 {
			return ctx.Err() == nil
		}
		if wait > longestNap {
			if !sleep(ctx, wait-longestNap/2) {
				return false
			}
			continue
		}
		nap(wait)
	}
}
