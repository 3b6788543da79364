import type { Act, ActState } from '../acts/act.ts';
import { formatElapsed } from '../base/format.ts';
import { actSummaries, type ActSummary } from './actSummary.ts';
import type { RunRecord } from './run.ts';
import { steadyPlanned } from './windows.ts';

/** Begun this far apart in their steady states two acts are still at the same time. */
const sameTimeMs = 10_000;

/** What of a run its acts are compared by. */
export type RunOfActs = Pick<RunRecord, 'plan' | 'overview'>;

/** The same act in several runs; the first run is the baseline. */
export interface ComparedAct {
  key: string;
  /** `Host esx3 fails`, as the first run that has it calls it. */
  label: string;
  /** As each run did it; null = it has no such act. */
  states: (ActState | null)[];
  /** Why its figures must not be held against each other, in sentences; empty = they may. */
  guards: string[];
  /** A line for each workload that any of the runs has, the figures of each run beside each other. */
  rows: { workloadId: string; cells: (ActSummary | null)[] }[];
}

interface Found {
  act: Act | undefined;
  state: ActState;
  /** Of the steady state in which it began; null = it did not. */
  atMs: number | null;
}

/** By what it is and to what it is done, and the how manyth of these in its plan. */
function keyed({ plan, overview }: RunOfActs): Map<string, Found> {
  const steady = steadyPlanned(overview);
  const count = new Map<string, number>();
  return new Map(
    (overview.acts ?? []).map((state) => {
      const act = plan.acts?.find((one) => one.id === state.id);
      const what = `${state.kind} ${act?.target?.name ?? ''}`;
      const number = (count.get(what) ?? 0) + 1;
      count.set(what, number);
      const atMs = state.startedMs === null || !steady ? null : state.startedMs - steady.startMs;
      return [`${what} ${number}`, { act, state, atMs }];
    }),
  );
}

/**
 * Acts of several runs, each beside itself in the others. Figures of acts that were not the same
 * thing at the same time, or were not judged by the same rule, stand side by side with the reason
 * why they must not be compared. `names`: of the runs, as they are told here.
 */
export function compareActs(runs: readonly RunOfActs[], names: readonly string[]): ComparedAct[] {
  const all = runs.map(keyed);
  const keys = [...new Set(all.flatMap((one) => [...one.keys()]))];
  return keys.map((key) => {
    const found = all.map((one) => one.get(key) ?? null);
    const summaries = found.map((one, i) =>
      one === null ? [] : actSummaries(one.state, runs[i]!.overview.workloads),
    );
    return {
      key,
      label: found.find((one) => one !== null)!.state.label,
      states: found.map((one) => one?.state ?? null),
      guards: guardsOf(found, runs, names),
      rows: [...new Set(summaries.flat().map((one) => one.workloadId))].map((workloadId) => ({
        workloadId,
        cells: summaries.map((one) => one.find((row) => row.workloadId === workloadId) ?? null),
      })),
    };
  });
}

const lengthText = (lastsS: number | null | undefined): string =>
  lastsS == null ? 'to the end' : formatElapsed(lastsS * 1_000);

/** How two runs did an act unlike, each against the first that has it. */
function guardsOf(
  found: readonly (Found | null)[],
  runs: readonly RunOfActs[],
  names: readonly string[],
): string[] {
  const name = (i: number): string => names[i] ?? `Run ${i + 1}`;
  const guards: string[] = [];
  const first = found.findIndex((one) => one !== null && one.atMs !== null);
  found.forEach((one, i) => {
    if (one === null) guards.push(`${name(i)} has no such act.`);
    else if (one.atMs === null) guards.push(`In ${name(i)} it did not begin.`);
    else if (one.state.state === 'failed') guards.push(`In ${name(i)} it failed.`);
    else if (one.state.effects === undefined) guards.push(`${name(i)} has no figures of it.`);
    if (first === -1 || i === first || one?.atMs == null) return;
    const base = found[first]!;
    const unlike = (what: string, a: string, b: string): void => {
      if (a !== b) guards.push(`${what}: ${a} in ${name(first)}, ${b} in ${name(i)}.`);
    };
    if (Math.abs(one.atMs - base.atMs!) > sameTimeMs)
      unlike('Begun in the steady state at', formatElapsed(base.atMs!), formatElapsed(one.atMs));
    unlike('Lasts', lengthText(base.act?.lastsS), lengthText(one.act?.lastsS));
    unlike('Amount', String(base.act?.amount ?? 'none'), String(one.act?.amount ?? 'none'));
    unlike('Done', byText(base.state), byText(one.state));
    unlike('Tiles', String(runs[first]!.plan.tiles), String(runs[i]!.plan.tiles));
    unlike('Judged by', ruleText(base.state), ruleText(one.state));
  });
  return guards;
}

const byText = ({ by }: ActState): string => (by === 'hand' ? 'by hand' : 'by the console');
const ruleText = ({ rule }: ActState): string =>
  rule === undefined
    ? 'a rule that was not recorded'
    : `${rule.held} intervals of ${rule.intervalS} s, ${rule.bandPct} % of throughput, ` +
      `${rule.latencyBandPct} % of latency, ${rule.unevenPct} % uneven, ${rule.beforeS} s before, ` +
      `${rule.leastBefore} intervals at least, ${rule.afterS} s at the end`;
