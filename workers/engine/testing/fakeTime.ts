import type { TimeSources } from '../clock/steadyClock.ts';
import type { FakeClock } from './fakeClock.ts';

/** The engine's computer as a source of time, on a fake clock that shows everybody else's time. */
export interface FakeTime {
  sources: TimeSources;
  /** Somebody sets the computer's clock. */
  stepWall(ms: number): void;
  /** The computer sleeps: its monotonic time and its timers stand. */
  sleepFor(ms: number): void;
  /** The process is stopped; time goes on. */
  standFor(ms: number): void;
}

export function createFakeTime(clock: FakeClock): FakeTime {
  let wallShiftMs = 0;
  let sleptMs = 0;
  return {
    sources: {
      wallMs: () => clock.now() + wallShiftMs,
      monotonicMs: () => clock.now() - sleptMs,
      uptimeMs: () => clock.now(),
      delay: (ms, signal) => clock.sleep(ms, signal),
    },
    stepWall(ms) {
      wallShiftMs += ms;
    },
    sleepFor(ms) {
      sleptMs += ms;
      clock.skip(ms, true);
    },
    standFor(ms) {
      clock.skip(ms);
    },
  };
}
