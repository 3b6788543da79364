import { toAppError } from '../../../src/core/base/errors.ts';
import { uplinkEntityId } from '../../../src/core/metric/metric.ts';
import { isMetered } from '../../../src/core/testbed/powerSources.ts';
import { pause } from '../clock/jumps.ts';
import { awakeMs } from '../clock/jumps.ts';
import type { PerfProvider, PerfSeries } from '../deps/vcenter.ts';
import { createFreshReadings, type FreshReadings } from '../metrics/freshReadings.ts';
import { busyPct, type CpuTicks, readCpuTicks } from './clientCpu.ts';
import type { OpenMeter, RunContext } from './context.ts';
import { watchedProviders } from './series.ts';

/** How far a vCenter's real-time history reaches back. */
const historyMs = 3_600_000;
/** Period of vCenter's real-time samples. */
const counterMs = 20_000;

export interface Telemetry {
  /** Stops the loops and reads once more, so that the last interval is not lost. */
  finish(): Promise<void>;
}

/**
 * Polls vCenter's counters and the power meters until `signal` fires. A peer that is away is told
 * once and asked again.
 */
export function startTelemetry(
  context: RunContext,
  meters: readonly OpenMeter[],
  signal: AbortSignal,
): Telemetry {
  const record = context.run.record();
  const { hosts, datastores } = watchedProviders(context.units, record.inventoryBefore);
  const providers: PerfProvider[] = [
    ...hosts.map((h) => ({ kind: 'host' as const, ref: h.ref })),
    ...datastores.map((d) => ({ kind: 'datastore' as const, ref: d.ref })),
  ];
  const vcenterId = record.testbed.vcenterId;
  const poll =
    vcenterId !== null && providers.length > 0
      ? counterReader(context, vcenterId, providers)
      : null;
  const clients = [...new Set(context.units.map((unit) => unit.assignment.clientId))];
  const loops = [
    ...clients.map((id) =>
      loop(
        context,
        `CPU of client ${nameOf(context, id)}`,
        record.plan.sampling.vcenterMs,
        clientReader(context, id),
        signal,
      ),
    ),
    ...(poll
      ? [loop(context, 'vCenter counters', record.plan.sampling.vcenterMs, poll, signal)]
      : []),
    ...meters
      .filter((m) => isMetered(m.connection.source))
      .map((m) =>
        loop(
          context,
          `Power meter ${m.connection.name}`,
          m.meter.periodMs,
          meterReader(context, m),
          signal,
        ),
      ),
  ];
  return {
    async finish() {
      await Promise.all(loops);
      if (poll) await lastCounters(context, poll);
    },
  };
}

const nameOf = (context: RunContext, id: string): string =>
  context.connections.find((one) => one.id === id)?.name ?? id;

type Reader = (signal: AbortSignal) => Promise<void>;

async function loop(
  context: RunContext,
  what: string,
  periodMs: number,
  read: Reader,
  signal: AbortSignal,
): Promise<void> {
  const { run, deps } = context;
  const id = `telemetry.${what}`;
  let awaySinceMs: number | null = null;
  while (!signal.aborted) {
    try {
      await read(signal);
      if (awaySinceMs !== null) {
        const seconds = Math.round((deps.clock.now() - awaySinceMs) / 1_000);
        run.event('recovered', `${what}: answering again after ${seconds} s`);
        run.finding({
          id,
          severity: 'info',
          text: `${what} did not answer for ${seconds} s during the run.`,
        });
        awaySinceMs = null;
      }
    } catch (error) {
      if (signal.aborted) return;
      const failure = toAppError(error);
      if (awaySinceMs === null) {
        awaySinceMs = deps.clock.now();
        run.event('fault', `${what}: ${failure.message}`);
        run.finding({
          id,
          severity: 'warn',
          text: `${what} does not answer: ${failure.message}`,
          ...(failure.hint ? { fix: failure.hint } : {}),
        });
      }
    }
    await pause(deps.clock, periodMs, signal);
  }
}

/** Reads what is new since the journal, back-filling after a gap of up to an hour. */
function counterReader(
  context: RunContext,
  vcenterId: string,
  providers: readonly PerfProvider[],
): Reader & { lastTMs(): number } {
  const { run, peers, pipeline, deps } = context;
  const stored = context.db.samples.journal(run.id).find((entry) => entry.key === 'vcenter');
  const startedMs = run.overview().phases[0]?.startMs ?? deps.clock.now();
  let lastTMs = stored?.lastTMs ?? startedMs;
  const fresh = createFreshReadings(counterMs, (series) =>
    stored === undefined ? -Infinity : lastStored(context, Number(series), stored.lastTMs),
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
    const newest = pushCounters(context, series, offsetMs, { sinceMs: lastTMs, fresh });
    if (newest > lastTMs) {
      lastTMs = newest;
      pipeline.journal({ key: 'vcenter', resume: { offset: 0 }, lastTMs });
    }
  };
  return Object.assign(read, { lastTMs: () => lastTMs });
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
  series: readonly PerfSeries[],
  offsetMs: number,
  { sinceMs, fresh }: { sinceMs: number; fresh: FreshReadings },
): number {
  const powerIds = context.connections.flatMap((c) =>
    c.kind === 'power' && !isMetered(c.source) ? [c.id] : [],
  );
  let newest = sinceMs;
  for (const one of series) {
    const entities =
      one.metric === 'powerW'
        ? powerIds.map((id) => `${id}.${one.ref}`)
        : [one.instance === undefined ? one.ref : uplinkEntityId(one.ref, one.instance)];
    const ids = entities.flatMap((entity) => context.seriesId(entity, one.metric) ?? []);
    for (const point of one.points) {
      const tMs = point.tMs - offsetMs;
      // The hosts' samples share one 20 s grid, so one journalled time speaks for all of them.
      if (tMs <= sinceMs + 1_000) continue;
      newest = Math.max(newest, tMs);
      for (const id of ids) if (fresh.take(id, tMs)) context.pipeline.push(id, tMs, point.value);
    }
  }
  return newest;
}

/** Waits, within its limit, until the counters reach the end of the steady state. */
async function lastCounters(
  context: RunContext,
  poll: Reader & { lastTMs(): number },
): Promise<void> {
  const { run, deps, limits } = context;
  const steadyEndMs = run.overview().phases.find((p) => p.name === 'steady')?.endMs ?? null;
  const deadlineMs = awakeMs(deps.clock) + limits.lastCountersMs;
  const patience = AbortSignal.any([run.hard, context.detached]);
  try {
    await poll(patience);
    while (
      steadyEndMs !== null &&
      !run.stop.aborted &&
      poll.lastTMs() < steadyEndMs - 20_000 &&
      awakeMs(deps.clock) < deadlineMs
    ) {
      await deps.clock.sleep(5_000, patience);
      await poll(patience);
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

function meterReader(context: RunContext, { connection, meter }: OpenMeter): Reader {
  const id = context.seriesId(connection.id, 'powerW');
  let lastTMs = -Infinity;
  return async (signal) => {
    for (const reading of await meter.read(signal)) {
      if (id === undefined || reading.tMs <= lastTMs) continue;
      lastTMs = reading.tMs;
      context.pipeline.push(id, reading.tMs, reading.watts);
    }
  };
}

/**
 * Busy processors of a client between two looks. A client without /proc/stat has no such series,
 * and is not asked again.
 */
function clientReader(context: RunContext, clientId: string): Reader {
  const id = context.seriesId(clientId, 'clientCpuPct');
  let before: CpuTicks | null = null;
  let known = id !== undefined;
  return async (signal) => {
    if (!known || id === undefined) return;
    let after: CpuTicks | null;
    try {
      after = await readCpuTicks(await context.peers.client(clientId), signal);
    } catch (error) {
      // Its workloads tell of a lost client; what it did meanwhile is a gap.
      context.deps.log.debug('The CPU of a client could not be read', {
        run: context.run.id,
        client: clientId,
        error: toAppError(error).message,
      });
      before = null;
      return;
    }
    if (after === null) {
      known = false;
      return;
    }
    const busy = before === null ? null : busyPct(before, after);
    if (busy !== null) context.pipeline.push(id, context.deps.clock.now(), busy);
    before = after;
  };
}
