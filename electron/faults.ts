/** What follows from one fault of the process of the windows. */
export interface FaultActs {
  /** How often this fault was met, this time included. */
  times: number;
  /** A report of it is kept: of the first of a kind only, or the twenty that are kept were all one. */
  report: boolean;
  /** A box tells of it, and beside it of so many faults that no box told of; null = no box. */
  box: { untold: number } | null;
  /** It is written to the standard error output. */
  line: boolean;
}
export interface Faults {
  met(thrown: Error): FaultActs;
  /** The box was closed: another may open. */
  closed(): void;
}

/** With one more a session would be clicking boxes away. */
const maxBoxes = 3;

/**
 * Counts faults by kind, what was thrown and where, so that a fault in a timer does not bury the
 * user: one box at a time, one for each kind, three in all; then they are counted in silence.
 */
export function countFaults(): Faults {
  const timesOf = new Map<string, number>();
  let open = false;
  let boxes = 0;
  let untold = 0;
  return {
    met(thrown) {
      const [, where = ''] = (thrown.stack ?? '').split(/\n\s*(?=at )/);
      const kind = `${thrown.message}\n${where}`;
      const times = (timesOf.get(kind) ?? 0) + 1;
      timesOf.set(kind, times);
      const first = times === 1;
      const told = first && !open && boxes < maxBoxes;
      const acts: FaultActs = {
        times,
        report: first,
        box: told ? { untold } : null,
        line: Number.isInteger(Math.log10(times)),
      };
      if (told) boxes += 1;
      if (told) open = true;
      untold = told ? 0 : untold + 1;
      return acts;
    },
    closed() {
      open = false;
    },
  };
}
