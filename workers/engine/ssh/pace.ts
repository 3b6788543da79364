/** How often followed jobs are looked at, by how many there are. */
export interface Pace {
  /** One more is followed; call what it gives when that ends. */
  join(): () => void;
  /** Pause between two looks at one of them, ms. */
  pauseMs(): number;
}

/** Of this engine's time a look costs about 80 microseconds: so many a second are a tenth of it. */
const looksPerS = 1_200;
/** No job is looked at more rarely than its loads print by default. */
const longestPauseMs = 1_000;

/** Few jobs are looked at every `leastMs`; many share the looks of a second. */
export function createPace(leastMs: number): Pace {
  let followed = 0;
  return {
    join() {
      followed += 1;
      let left = false;
      return () => {
        if (!left) followed -= 1;
        left = true;
      };
    },
    pauseMs: () => Math.max(leastMs, Math.min(longestPauseMs, (followed * 1_000) / looksPerS)),
  };
}
