import { threeFigures } from '../base/format.ts';
import { groupBy } from '../base/groupBy.ts';
import { setupFacts } from '../snapshot/setupFacts.ts';
import { batchMeans, type BootstrapMean, bootstrapMean, leastSamples } from '../stats/bootstrap.ts';
import { holm } from '../stats/holm.ts';
import { estimateByNoise, type NoiseBand, noiseBand } from '../stats/noise.ts';
import { seedOf } from '../stats/random.ts';
import { mean } from '../stats/summary.ts';
import { type Estimate, estimateOf, meanDifference } from '../stats/welch.ts';
import type { RowSpec } from './rows.ts';
import { namesBeside, sideName } from './text.ts';
import type { ComparedRun, CompareTest, Side } from './types.ts';

/**
 * A comparison that could not have found this much, in percent, cannot call a difference noise:
 * this app's choice.
 */
export const usefulPct = 5;
/**
 * The noise of repeats is learnt from at least this many degrees of freedom: below, a band is a
 * guess. This app's choice.
 */
const leastNoiseDf = 2;

/**
 * Groups of the set-up that a repeat leaves as they are. Where DRS put a VM is part of the noise.
 */
const same = new Set(['Hosts', 'Cluster', 'Storage', 'Clients', 'Power', 'Software']);

/** The same point of the same study, else the same plan hash. */
export function planKey({ record: { plan, planHash } }: Pick<ComparedRun, 'record'>): string {
  return plan.study === null
    ? `plan ${planHash}`
    : `study ${plan.study.id} ${plan.study.key.replace(/;?repeat=\d+$/, '')}`;
}

/**
 * What makes two runs repeats: the same plan on the same set-up. The same plan after an upgrade is
 * another side.
 */
function repeatKey(run: Pick<ComparedRun, 'record'>): string {
  return [
    planKey(run),
    ...setupFacts(run.record)
      .filter(([group]) => same.has(group))
      .map((fact) => fact.join('\t')),
  ].join('\n');
}

/** Runs by the plan they repeat, the baseline's first. `names`: of the runs beside each other. */
export function sidesOf(
  runs: readonly ComparedRun[],
  names: readonly string[] = namesBeside(runs.map((run) => run.summary)),
): Side[] {
  const nameOf = new Map(runs.map((run, i) => [run, names[i]!]));
  return [...groupBy(runs, repeatKey).values()].map((list) => ({
    name: sideName(list[0]!.summary, nameOf.get(list[0]!)!, list.length),
    runs: list,
  }));
}

interface Sample {
  run: ComparedRun;
  value: number;
}
type Method = CompareTest['method'];
interface Measured {
  method: Method;
  basis: string;
  base: Estimate;
  other: Estimate;
}

const samplesOf = (spec: RowSpec, runs: readonly ComparedRun[]): Sample[] =>
  runs.flatMap((run) => {
    const value = spec.value(run);
    return value === null ? [] : [{ run, value }];
  });
const untold = (basis: string, word: CompareTest['word'] = 'cannotTell'): CompareTest => ({
  word,
  method: 'none',
  differencePct: null,
  lowPct: null,
  highPct: null,
  p: null,
  pAdjusted: null,
  df: null,
  detectablePct: null,
  basis,
});

/**
 * Resampling is the costly part, and a run is compared again with every new baseline: kept as long
 * as its stretches are.
 */
const resampled = new WeakMap<Float64Array, BootstrapMean | null>();

/**
 * Mean of a row of one run with its error within the run, by resampling its stretches; null without
 * them, or with too few.
 */
export function rowNoise(run: ComparedRun, key: string): BootstrapMean | null {
  const slots = run.slots?.get(key);
  if (slots === undefined) return null;
  const known = resampled.get(slots);
  if (known !== undefined) return known;
  const made = bootstrapMean(batchMeans(slots), { seed: seedOf(`${run.summary.id} ${key}`) });
  resampled.set(slots, made);
  return made;
}

/**
 * Mean of one run with the error that its own steady state shows; null without series, or with too
 * few values.
 */
function withinRun(
  spec: RowSpec,
  { run, value }: Sample,
): { estimate: Estimate; count: number; blocks: number } | null {
  const of = rowNoise(run, spec.key);
  // The row's own value may follow another rule (the median of the periods): its error is taken as
  // the same share.
  if (of === null || of.mean === 0) return null;
  return {
    estimate: {
      mean: value,
      standardError: (of.standardError / Math.abs(of.mean)) * Math.abs(value),
      df: of.df,
    },
    count: of.count,
    blocks: of.blockLength,
  };
}

/**
 * By the best there is: repeats of both, else noise learnt from repeats, else the inside of one run
 * each.
 */
function measure(
  spec: RowSpec,
  base: readonly Sample[],
  other: readonly Sample[],
  band: NoiseBand | null,
): Measured | string {
  const [a, b] = [estimateOf(base.map((s) => s.value)), estimateOf(other.map((s) => s.value))];
  if (a !== null && b !== null)
    return {
      method: 'welch',
      base: a,
      other: b,
      basis: `${other.length} against ${base.length} repeats, Welch`,
    };
  const means = [base, other].map((list) => mean(list.map((s) => s.value))) as [number, number];
  if (band !== null && band.df >= leastNoiseDf) {
    return {
      method: 'noiseBand',
      base: estimateByNoise(means[0], base.length, band),
      other: estimateByNoise(means[1], other.length, band),
      basis:
        `noise of ${band.runs} repeats of the same ${band.groups === 1 ? 'plan' : 'plans'}, ` +
        `${threeFigures(band.cv * 100)} % from run to run`,
    };
  }
  if (base.length > 1 || other.length > 1)
    return `${other.length} against ${base.length} runs: both need repeats, or one of them ${leastNoiseDf + 1}`;
  const [x, y] = [withinRun(spec, base[0]!), withinRun(spec, other[0]!)];
  if (x === null || y === null)
    return spec.parts(base[0]!.run) === null
      ? 'one run each, and no samples of its own'
      : `one run each, and fewer than ${leastSamples} whole stretches of the steady state`;
  return {
    method: 'bootstrap',
    base: x.estimate,
    other: y.estimate,
    basis:
      `one run each: noise within the runs only (block bootstrap, ${x.count} and ${y.count} ` +
      `values, blocks of ${threeFigures(x.blocks)} and ${threeFigures(y.blocks)})`,
  };
}

function test(spec: RowSpec, base: Side, other: Side, band: NoiseBand | null): CompareTest {
  const [a, b] = [samplesOf(spec, base.runs), samplesOf(spec, other.runs)];
  if (a.length < base.runs.length || b.length < other.runs.length)
    return untold('not measured in every run');
  if ([...a, ...b].every(({ value }) => value === 0))
    return untold('0 in every run', 'withinNoise');
  const measured = measure(spec, a, b, band);
  if (typeof measured === 'string') return untold(measured);
  const { difference, low, high, p, df, detectable } = meanDifference(
    measured.base,
    measured.other,
  );
  const pct = measured.base.mean === 0 ? null : 100 / Math.abs(measured.base.mean);
  if (pct === null) return untold('the baseline is 0');
  return {
    word: 'cannotTell',
    method: measured.method,
    differencePct: difference * pct,
    lowPct: low * pct,
    highPct: high * pct,
    p,
    pAdjusted: p,
    df: Number.isFinite(df) ? df : null,
    detectablePct: detectable * pct,
    basis: measured.basis,
  };
}

function wordOf(of: CompareTest, better: RowSpec['better']): CompareTest['word'] {
  if (of.pAdjusted === null || of.differencePct === null || of.detectablePct === null)
    return of.word;
  if (of.pAdjusted < 0.05) {
    const up = of.differencePct > 0;
    return better === null
      ? up
        ? 'higher'
        : 'lower'
      : up === (better === 'higher')
        ? 'better'
        : 'worse';
  }
  return of.detectablePct <= usefulPct ? 'withinNoise' : 'cannotTell';
}

/**
 * What the comparison says of itself: how many metrics of a side had a test at most, and how their
 * number is allowed for.
 */
export function testingOf(
  specs: readonly RowSpec[],
  tests: readonly (readonly (CompareTest | null)[])[],
): { tests: number; adjustment: string } {
  const sides = Math.max(0, ...tests.map((row) => row.length));
  const counted = (rows: readonly (readonly (CompareTest | null)[])[]): number =>
    Math.max(
      0,
      ...Array.from(
        { length: sides },
        (_, side) => rows.filter((row) => (row[side]?.p ?? null) !== null).length,
      ),
    );
  const others = counted(tests.filter((_, i) => specs[i]!.key !== 'score'));
  const score = counted(tests.filter((_, i) => specs[i]!.key === 'score')) > 0;
  return {
    tests: counted(tests),
    adjustment: score
      ? `The score is tested by itself at 5 %; the other ${others} metrics of a side are adjusted together (Holm).`
      : 'The metrics of a side are adjusted together (Holm).',
  };
}

/**
 * A test a side for each row, in the order of `sides`; null for the baseline's own. `repeats` are
 * further runs from which only the noise between repeats is learnt. With `guarded` nothing is told:
 * a difference between these runs proves nothing.
 */
export function compareTests(
  specs: readonly RowSpec[],
  sides: readonly Side[],
  repeats: readonly ComparedRun[],
  guarded: boolean,
): (CompareTest | null)[][] {
  const [base, ...others] = sides;
  if (base === undefined) return specs.map(() => []);
  const keys = new Map(
    [...sides.flatMap((s) => s.runs), ...repeats].map((run) => [run, repeatKey(run)]),
  );
  const groups = [...groupBy([...keys.keys()], (run) => keys.get(run)!).values()];
  const columns = others.map((other) => {
    if (guarded) return specs.map(() => untold('these runs must not be compared', 'notComparable'));
    const own = new Set([keys.get(base.runs[0]!), keys.get(other.runs[0]!)]);
    const learning = groups.filter((g) => own.has(keys.get(g[0]!)));
    const tests = specs.map((spec) =>
      test(
        spec,
        base,
        other,
        noiseBand(learning.map((g) => samplesOf(spec, g).map((s) => s.value))),
      ),
    );
    const together = tests.flatMap((t, i) =>
      t.p === null || specs[i]!.key === 'score' ? [] : [i],
    );
    const adjusted = holm(together.map((i) => tests[i]!.p!));
    together.forEach((i, k) => {
      tests[i] = { ...tests[i]!, pAdjusted: adjusted[k]! };
    });
    return tests.map((t, i) => ({ ...t, word: wordOf(t, specs[i]!.better) }));
  });
  return specs.map((_, i) => [null, ...columns.map((column) => column[i]!)]);
}
