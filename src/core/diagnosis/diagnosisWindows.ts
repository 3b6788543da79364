import { mean } from '../stats/summary.ts';
import type { ActDiagnosis } from './diagnosis.ts';
import { actUnderWayUntilMs, actWords } from './diagnosisActs.ts';
import type { ActFeature, RunFeatures, Trace, WorkloadFeature } from './diagnosisFeatures.ts';

/** A shorter time has too few samples of vCenter to be judged. */
const leastMs = 60_000;
/** So many acts of a run are judged on their own: the others are in the list of acts. */
const mostActs = 10;

/**
 * A run as it was in one time of its steady state: means and limits of that time alone, by the
 * steps of its traces. Acts are left out: what is asked there is what else stood in the way.
 */
export function windowed(
  run: RunFeatures,
  window: { fromMs: number; toMs: number },
  label: string,
): RunFeatures {
  const traced = (trace: Trace | null): Trace | null => {
    const values = (trace?.buckets ?? []).filter((value, i): value is number => {
      const atMs = run.startMs + i * run.bucketMs;
      return value !== null && atMs >= window.fromMs && atMs + run.bucketMs <= window.toMs;
    });
    return trace === null || values.length === 0 ? null : { ...trace, mean: mean(values) };
  };
  /** Every trace of a thing, whatever it is called. */
  const all = <T extends object>(thing: T): T =>
    Object.fromEntries(
      Object.entries(thing).map(([key, value]: [string, unknown]) => [
        key,
        isTrace(value) ? traced(value) : value,
      ]),
    ) as T;
  const workload = (one: WorkloadFeature): WorkloadFeature => {
    const latency = traced(one.latency);
    return {
      ...one,
      throughput: traced(one.throughput),
      latency: latency === null || one.latency === null ? null : { ...one.latency, ...latency },
      limits: one.limits.map((limit) => {
        const trace = traced(limit.trace);
        return { ...limit, trace, worst: trace?.mean ?? null };
      }),
    };
  };
  return {
    ...run,
    label,
    steady: { ...window },
    workloads: run.workloads.map(workload),
    hosts: run.hosts.map(all),
    stores: run.stores.map(all),
    uplinks: run.uplinks.map(all),
    clients: run.clients.map(all),
    vms: run.vms.map(all),
    operations: run.operations.filter(
      (one) => one.toMs > window.fromMs && one.fromMs < window.toMs,
    ),
    acts: [],
  };
}

const isTrace = (value: unknown): value is Trace =>
  typeof value === 'object' && value !== null && 'buckets' in value && 'seriesIds' in value;

/** The undisturbed time before the first act of a run; null where there is none, or too little. */
export function beforeActs(run: RunFeatures): RunFeatures | null {
  const first = run.acts[0];
  return first === undefined || first.fromMs - first.beforeMs < leastMs
    ? null
    : windowed(
        run,
        { fromMs: first.beforeMs, toMs: first.fromMs },
        'the time before its first act',
      );
}

/** The times before an act, while it is under way, and from then on to the next act or the end. */
export function timesOf(
  act: ActFeature,
): { name: ActDiagnosis['windows'][number]['name']; from: number; to: number }[] {
  const overMs = Math.min(actUnderWayUntilMs(act), act.untilMs);
  return [
    { name: 'before' as const, from: act.beforeMs, to: act.fromMs },
    { name: 'during' as const, from: act.fromMs, to: overMs },
    { name: 'after' as const, from: overMs, to: act.untilMs },
  ].filter(({ from, to }) => to > from);
}

/**
 * What each act did, and what fell short before it, while it was under way and afterwards. What was
 * before is held against nothing but limits, the others against it too. `ask` diagnoses two times.
 */
export function diagnoseActs(
  run: RunFeatures,
  ask: (before: RunFeatures | null, after: RunFeatures) => { failing: number; words: string },
): ActDiagnosis[] {
  return run.acts.slice(0, mostActs).map((act) => {
    const times = timesOf(act);
    const baseline = times.find((one) => one.name === 'before');
    const before =
      baseline && baseline.to - baseline.from >= leastMs
        ? windowed(run, { fromMs: baseline.from, toMs: baseline.to }, 'before it')
        : null;
    return {
      actId: act.id,
      label: act.label,
      atMs: act.fromMs,
      words: actWords(act),
      windows: times.map(({ name, from, to }) => {
        const of = { name, fromMs: from, toMs: to, of: run.workloads.length };
        if (to - from < leastMs)
          return { ...of, failing: null, words: 'Too short to be judged by itself.' };
        if (before === null)
          return { ...of, failing: null, words: 'Too little before it to be held against.' };
        const now = windowed(run, { fromMs: from, toMs: to }, name);
        return { ...of, ...ask(name === 'before' ? null : before, now) };
      }),
    };
  });
}
