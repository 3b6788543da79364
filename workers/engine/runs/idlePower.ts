import { toAppError } from '../../../src/core/base/errors.ts';
import { steadyPower } from '../../../src/core/compare/index.ts';
import type { RunRecord } from '../../../src/core/run/run.ts';
import type { PowerConnection } from '../../../src/core/testbed/connection.ts';
import { isMetered } from '../../../src/core/testbed/powerSources.ts';
import type { PowerReading } from '../deps/power.ts';
import { type RunContext, stopOrDetached } from './context.ts';

type Idle = NonNullable<RunRecord['idleBefore']>[number];

/**
 * Reads each meter for as long as the testbed asks, when everything is prepared and nothing is
 * loaded yet. A source that cannot be read costs the run its idle baseline, nothing else.
 */
export async function measureIdle(context: RunContext): Promise<void> {
  const { run, connections } = context;
  const { idlePower, powerIds } = run.record().testbed;
  if (idlePower?.by !== 'measured' || run.record().idleBefore !== undefined) return;
  const powers = connections.flatMap((one) =>
    one.kind === 'power' && powerIds.includes(one.id) ? [one] : [],
  );
  const measured = await Promise.all(
    powers.map((one) => measureOne(context, one, idlePower.windowS)),
  );
  run.change({ idleBefore: measured.flatMap((one) => one ?? []) });
}

async function measureOne(
  context: RunContext,
  connection: PowerConnection,
  windowS: number,
): Promise<Idle | null> {
  const { run, deps } = context;
  const signal = stopOrDetached(context);
  const without = (why: string): null => {
    run.finding({
      id: `idle.${connection.id}`,
      severity: 'warn',
      text: `The idle power of ${connection.name} was not measured: ${why}.`,
      fix: 'Give the idle baseline by hand in the testbed, with the time it was watched for.',
    });
    return null;
  };
  if (!isMetered(connection.source))
    return without("vCenter's counter has no reading before a run");
  const def = run
    .overview()
    .series.find(({ metric, entity }) => metric === 'powerW' && entity.id === connection.id);
  const meter = context.peers.meter(connection);
  const startMs = deps.clock.now();
  const readings: PowerReading[] = [];
  try {
    for (const endMs = startMs + windowS * 1_000; deps.clock.now() < endMs;) {
      readings.push(...(await meter.read(signal, startMs)));
      await deps.clock.sleep(Math.min(meter.periodMs, endMs - deps.clock.now()), signal);
    }
  } catch (error) {
    signal.throwIfAborted();
    return without(toAppError(error).message.replace(/\.$/, ''));
  } finally {
    await meter.close();
  }
  if (def === undefined || readings.length === 0) return without(`no reading came in ${windowS} s`);
  const data = {
    tMs: Float64Array.from(readings, ({ tMs }) => tMs),
    value: Float64Array.from(readings, ({ watts }) => watts),
  };
  // Of a counter that moves rarely the first step begins before the window: what lies between.
  const first = data.tMs[0]!;
  const window = def.meter?.counts
    ? { startMs: first, endMs: data.tMs.at(-1)! }
    : { startMs, endMs: deps.clock.now() };
  const found = steadyPower([{ def, data }], window, { tiles: 1, vms: 0, idle: null });
  return found === null
    ? without(`no two steps of its counter came in ${windowS} s`)
    : { connectionId: connection.id, watts: found.meanW, windowS: found.windowS };
}
