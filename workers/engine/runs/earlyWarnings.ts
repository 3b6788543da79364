import { earlyWarnings, warningText } from '../../../src/core/limits/earlyWarning.ts';
import {
  isOfOneSeries,
  judge,
  type Limit,
  limitKey,
  limitsOf,
  overSteady,
  type Samples,
} from '../../../src/core/limits/index.ts';
import { periodAt, steadyPlanned, type Window } from '../../../src/core/run/windows.ts';
import type { RunContext } from './context.ts';

/**
 * Shares of a period after which its limits are looked at. Each looks at stored samples, so it is
 * done seldom.
 */
const marks = [1 / 3, 2 / 3];
/** A limit with more than this left is not looked at: its mean would have to more than double. */
const farOff = 0.6;

/**
 * Looks ahead in the running period now and then, and marks each limit that will be missed at the
 * present trend: once a period, or once a run where it is on the steady state.
 */
export function createForesight(context: RunContext): (nowMs: number) => void {
  const { run, db, verdict } = context;
  const looked = new Set<string>();
  const told = new Set<string>();
  return (nowMs) => {
    const overview = run.overview();
    const period = periodAt(overview.periods, nowMs);
    const steady = steadyPlanned(overview);
    if (!period || !steady) return;
    const mark = marks.findLastIndex(
      (share) => nowMs >= period.startMs + share * (period.endMs - period.startMs),
    );
    if (mark < 0 || looked.has(`${period.index}/${mark}`)) return;
    looked.add(`${period.index}/${mark}`);
    const { profile, plan } = run.record();
    const measured = verdict.measurements(overview.series).slice(0, period.index + 1);
    const own = measured.at(-1)?.workloads ?? [];
    const near = new Set(
      limitsOf(profile, plan.tiles)
        .filter((limit) => {
          if (!isOfOneSeries(limit)) return false;
          const { tile, workloadId, over } = limit;
          const { headroom } = judge(
            limit,
            over === 'steady'
              ? overSteady(measured, tile, workloadId)
              : own.find((m) => m.tile === tile && m.workloadId === workloadId),
          );
          return headroom !== null && headroom <= farOff;
        })
        .map(limitKey),
    );
    const read = (limit: Limit, { startMs }: Window): Samples | null => {
      const id = near.has(limitKey(limit))
        ? context.seriesId(limit.entityId, limit.metric)
        : undefined;
      return id === undefined
        ? null
        : (db.samples.read(run.id, [id], { fromMs: startMs, toMs: nowMs, maxPoints: 0 })[0] ??
            null);
    };
    for (const warning of earlyWarnings(profile, plan.tiles, { period, steady }, read, nowMs)) {
      const { entityId } = warning;
      // What is missed over the steady state is said once.
      const key = `${warning.over === 'steady' ? 'steady' : period.index}/${limitKey(warning)}`;
      if (told.has(key)) continue;
      told.add(key);
      run.event('fault', warningText(warning), { entityId });
    }
  };
}
