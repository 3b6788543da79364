import { toAppError } from '../../../../src/core/base/errors.ts';
import { uplinkEntityId, vmEntityId } from '../../../../src/core/metric/metric.ts';
import { phaseSpan } from '../../../../src/core/run/windows.ts';
import { isMetered } from '../../../../src/core/testbed/powerSources.ts';
import { awakeMs } from '../../clock/jumps.ts';
import type { PerfProvider, PerfSeries } from '../../deps/vcenter.ts';
import { createFreshReadings, type FreshReadings } from '../../metrics/freshReadings.ts';
import type { RunContext } from '../context.ts';
import type { Feed, PollReader } from './types.ts';
import { counterMs } from './vcenterCounter.ts';

/** How far a vCenter's real-time history reaches back. */
const historyMs = 3_600_000;

/** What is asked of a vCenter in one poll. */
export interface CounterQuestion {
  providers: readonly PerfProvider[];
  /** A counter's value in the unit of the run's series; absent = as it comes. */
  inUnit?: (series: PerfSeries, value: number) => number;
}

/** Reads what is new since the journal, back-filling after a gap of up to an hour. */
export function startCounters(
  context: RunContext,
  vcenterId: string,
  { providers, inUnit = (_, value) => value }: CounterQuestion,
  feed: Feed,
): PollReader {
  const { run, peers, deps } = context;
  const { stored } = feed;
  const startedMs = run.overview().phases[0]?.startMs ?? deps.clock.now();
  let lastTMs = stored?.lastTMs ?? startedMs;
  const vms = new Set(providers.filter((p) => p.kind === 'vm').map((p) => p.ref));
  const fresh = createFreshReadings(counterMs, (series) =>
    stored === null ? -Infinity : lastStored(context, Number(series), stored.lastTMs),
  );
  const read = async (signal: AbortSignal): Promise<void> => {
    const session = await peers.vcenter(vcenterId, signal);
    const { offsetMs } = await session.clockOffset(signal);
    const reachesBackMs = deps.clock.now() - historyMs;
    if (lastTMs < reachesBackMs)
      run.finding({
        id: 'vcenter.gap',
        severity: 'warn',
        text:
          'vCenter was away for longer than its real-time history: counters between ' +
          `${new Date(lastTMs).toISOString()} and ${new Date(reachesBackMs).toISOString()} are ` +
          'missing and drawn as a gap.',
      });
    const series = await session.perf(
      providers,
      Math.max(lastTMs, reachesBackMs) + offsetMs,
      signal,
    );
    const newest = pushCounters(context, feed, series, offsetMs, {
      sinceMs: lastTMs,
      fresh,
      vms,
      inUnit,
    });
    if (newest > lastTMs) {
      lastTMs = newest;
      feed.journal(lastTMs);
    }
  };
  return { read, finish: () => lastCounters(context, { read, lastTMs: () => lastTMs }) };
}

/** Time of the last stored sample of a series about `aroundMs`; -Infinity where there is none. */
const lastStored = ({ db, run }: RunContext, seriesId: number, aroundMs: number): number =>
  db.samples
    .read(run.id, [seriesId], { fromMs: aroundMs - 3 * counterMs })
    .flatMap(({ tMs }) => tMs.at(-1) ?? [])
    .at(-1) ?? -Infinity;

/**
 * Hands on the points that are new, in the engine's time, and gives the newest of their times. The
 * offset of vCenter's clock is measured anew for each answer, so a point that is told again may
 * seem to lie a little later: that is no new one.
 */
function pushCounters(
  context: RunContext,
  feed: Feed,
  series: readonly PerfSeries[],
  offsetMs: number,
  {
    sinceMs,
    fresh,
    vms,
    inUnit,
  }: Required<Pick<CounterQuestion, 'inUnit'>> & {
    sinceMs: number;
    fresh: FreshReadings;
    vms: ReadonlySet<string>;
  },
): number {
  const powerIds = context.connections.flatMap((c) =>
    c.kind === 'power' && !isMetered(c.source) ? [c.id] : [],
  );
  let newest = sinceMs;
  const entitiesOf = ({ ref, metric, instance }: PerfSeries): string[] => {
    if (vms.has(ref)) return [vmEntityId(ref)];
    if (metric === 'powerW') return powerIds.map((id) => `${id}.${ref}`);
    return [instance === undefined ? ref : uplinkEntityId(ref, instance)];
  };
  for (const one of series) {
    const ids = entitiesOf(one).flatMap((entity) => context.seriesId(entity, one.metric) ?? []);
    for (const point of one.points) {
      const tMs = point.tMs - offsetMs;
      // The hosts' samples share one 20 s grid, so one journalled time speaks for all of them.
      if (tMs <= sinceMs + 1_000) continue;
      newest = Math.max(newest, tMs);
      for (const id of ids) if (fresh.take(id, tMs)) feed.push(id, tMs, inUnit(one, point.value));
    }
  }
  return newest;
}

/** Waits, within its limit, until the counters reach the end of the steady state. */
async function lastCounters(
  { run, deps, limits, detached }: RunContext,
  { read, lastTMs }: Pick<PollReader, 'read'> & { lastTMs: () => number },
): Promise<void> {
  const steadyEndMs = phaseSpan(run.overview(), 'steady')?.endMs ?? null;
  const deadlineMs = awakeMs(deps.clock) + limits.lastCountersMs;
  const patience = AbortSignal.any([run.hard, detached]);
  try {
    await read(patience);
    while (
      steadyEndMs !== null &&
      !run.stop.aborted &&
      lastTMs() < steadyEndMs - counterMs &&
      awakeMs(deps.clock) < deadlineMs
    ) {
      await deps.clock.sleep(5_000, patience);
      await read(patience);
    }
  } catch (error) {
    if (!patience.aborted)
      run.finding({
        id: 'vcenter.last',
        severity: 'warn',
        text: `The last vCenter counters could not be read: ${toAppError(error).message}`,
      });
  }
}
