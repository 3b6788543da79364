/**
 * What tools print of their intervals, read by a second hand and by their documentation: parsers
 * are held against it figure by figure. Means over seconds are no measure: a busy machine makes
 * intervals unequal, and lets one be missed.
 */

/** One side (reads, writes …) of a job in fio's JSON. */
export interface FioSide {
  iops: number;
  total_ios: number;
  runtime: number;
  clat_ns: { mean: number; N?: number; bins?: Record<string, number> };
}
export interface FioJob {
  jobname: string;
  read?: FioSide;
  write?: FioSide;
  trim?: FioSide;
  mixed?: FioSide;
}
interface FioResult {
  timestamp_ms: number;
  jobs: FioJob[];
}
export const fioSides = (job: FioJob): FioSide[] =>
  [job.read, job.write, job.trim, job.mixed].flatMap((one) => (one ? [one] : []));

/** Every result that fio printed, whatever text stands between them. */
export const fioResults = (text: string): FioResult[] =>
  text
    .split(/^(?=\{$)/m)
    .filter((one) => one.includes('"fio version"'))
    .map((one) => JSON.parse(one.slice(0, one.lastIndexOf('\n}') + 2)) as FioResult);

/** How many I/Os have a latency, by what fio counts them, and the sum of their latencies. */
interface Timed {
  count: number;
  sumMs: number;
}
/** All jobs of one result together, since their start. */
export interface FioTotal {
  tMs: number;
  runtimeMs: number;
  ios: number;
  /** By `N`, which is missing before 3.18; by the bins of json+; each I/O as one with a latency. */
  timed: Timed;
  binned: Timed;
  all: Timed;
}
export const fioTotalsOf = (text: string): FioTotal[] =>
  fioResults(text).map(({ timestamp_ms: tMs, jobs }) => {
    const sides = jobs.flatMap(fioSides);
    const by = (countOf: (side: FioSide) => number): Timed => ({
      count: sides.reduce((sum, side) => sum + countOf(side), 0),
      sumMs: sides.reduce((sum, side) => sum + (countOf(side) * side.clat_ns.mean) / 1e6, 0),
    });
    const all = by((side) => side.total_ios);
    return {
      tMs,
      runtimeMs: Math.max(...sides.map(({ runtime }) => runtime)),
      ios: all.count,
      timed: by((side) => side.clat_ns.N ?? 0),
      binned: by((side) => Object.values(side.clat_ns.bins ?? {}).reduce((a, b) => a + b, 0)),
      all,
    };
  });

/** I/Os a second as fio counts them: of one time for all its jobs. */
export const fioRate = ({ ios, runtimeMs }: Pick<FioTotal, 'ios' | 'runtimeMs'>): number =>
  (ios * 1_000) / runtimeMs;

export interface FioStep {
  tMs: number;
  iops: number;
  /** I/Os with a latency that came in it, and its mean; NaN where none did. */
  timed: number;
  meanMs: Readonly<Record<'timed' | 'binned' | 'all', number>>;
}
const none: Timed = { count: 0, sumMs: 0 };
const noFio: FioTotal = { tMs: 0, runtimeMs: 0, ios: 0, timed: none, binned: none, all: none };

/**
 * What came between results; one that comes less than 400 ms after the one before is too short for
 * a rate and counts to the next. The first has no one before it: `firstMs`.
 */
export function fioSteps(totals: readonly FioTotal[], firstMs: number): FioStep[] {
  let before = noFio;
  return totals.flatMap((now) => {
    const ms = now.runtimeMs - before.runtimeMs;
    if (ms < (before === noFio ? firstMs : 400)) return [];
    const mean = (by: 'timed' | 'binned' | 'all'): number =>
      (now[by].sumMs - before[by].sumMs) / (now[by].count - before[by].count);
    const step: FioStep = {
      tMs: now.tMs,
      iops: ((now.ios - before.ios) * 1_000) / ms,
      timed: now.timed.count - before.timed.count,
      meanMs: { timed: mean('timed'), binned: mean('binned'), all: mean('all') },
    };
    before = now;
    return [step];
  });
}

/** Intervals of a tool that prints a line each, at whole seconds of its own. */
export interface PrintedLines {
  steps: { atS: number; rate: number }[];
  /** Lines of a second that had one: a stalled tool prints the missed second with the next. */
  repeated: number;
}

export function sysbenchLines(text: string): PrintedLines {
  const all = [...text.matchAll(/^\[ (\d+)s \] thds: \d+ (?:tps|eps): ([\d.]+)/gm)].map(
    ([, atS, rate]) => ({ atS: Number(atS), rate: Number(rate) }),
  );
  const steps = all.filter((one, i) => one.atS !== all[i - 1]?.atS);
  return { steps, repeated: all.length - steps.length };
}

/** dbench prints means since its execution began: rates are differences of what was moved. */
export function dbenchLines(text: string): PrintedLines {
  const all = [...text.matchAll(/([\d.]+) MB\/sec +execute +(\d+) sec/g)].map(([, mean, atS]) => ({
    atS: Number(atS),
    moved: Number(mean) * Number(atS),
  }));
  const lines = all.filter((one, i) => one.atS !== all[i - 1]?.atS);
  return {
    steps: lines.map(({ atS, moved }, i) => {
      const before = lines[i - 1] ?? { atS: 0, moved: 0 };
      return { atS, rate: Math.max(0, (moved - before.moved) / (atS - before.atS)) };
    }),
    repeated: all.length - lines.length,
  };
}
