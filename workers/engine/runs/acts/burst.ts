import { counted } from '../../../../src/core/base/counted.ts';
import { fail, toAppError } from '../../../../src/core/base/errors.ts';
import { phaseSpan } from '../../../../src/core/run/windows.ts';
import type { JobHandle } from '../../deps/ssh.ts';
import { getDriver } from '../../workloads/index.ts';
import type { WorkloadUnit } from '../series.ts';
import type { ActPerformer, ActScene } from './types.ts';

/** How long a driver that was added may take to end by itself. */
const graceMs = 5_000;

/** Names of what a burst started: client, job and its process group, to be ended by any engine. */
const packHandle = ({ clientId, handle }: Started): string => JSON.stringify([clientId, handle]);
const unpackHandle = (text: string): Started => {
  const [clientId, handle] = JSON.parse(text) as [string, JobHandle];
  return { clientId, handle };
};
interface Started {
  clientId: string;
  handle: JobHandle;
}

/**
 * Load beside the load: each driver is started `amount − 1` times more, for the time of the burst,
 * by a job of its own whose output nobody reads. Its own time limit ends it whatever happens, and
 * the clean-up of the run takes its folder away.
 */
export const burst: ActPerformer = {
  before: async () => ({}),
  async begin(scene, _before, signal, learn) {
    const { context, act } = scene;
    const copies = Math.max(1, (act.amount ?? 2) - 1);
    const untilMs = endOf(scene);
    const started: string[] = [];
    const failures: string[] = [];
    await Promise.all(
      context.units.flatMap((unit) =>
        Array.from({ length: copies }, async (_, copy) => {
          try {
            const one = await startCopy(scene, unit, copy, untilMs, signal);
            started.push(packHandle(one));
            learn({ [`job.${one.handle.jobId}`]: packHandle(one) });
          } catch (error) {
            failures.push(toAppError(error).message);
          }
        }),
      ),
    );
    if (started.length === 0 && failures.length > 0) throw fail('conflict', failures[0]!);
    const text = `${counted(started.length, 'driver')} more ${started.length === 1 ? 'runs' : 'run'}`;
    return failures.length === 0
      ? `${text}.`
      : `${text}; ${failures.length} could not be started: ${failures[0]}`;
  },
  async end({ context }, before, signal) {
    const jobs = Object.entries(before).filter(([key]) => key.startsWith('job.'));
    await Promise.all(
      jobs.map(async ([, text]) => {
        const { clientId, handle } = unpackHandle(text);
        await (await context.peers.client(clientId)).endJob(handle, graceMs, signal);
      }),
    );
  },
};

/** When the burst is over: at its end, or with the load. */
function endOf({ context, act }: ActScene): number {
  const { phases, startedAtMs, phasesPlanned } = context.run.overview();
  const loadEndMs =
    phaseSpan({ phases }, 'rampDown')?.plannedEndMs ??
    (startedAtMs ?? 0) +
      1_000 * (phasesPlanned.rampUpS + phasesPlanned.steadyS + phasesPlanned.rampDownS);
  return act.lastsS === null
    ? loadEndMs
    : Math.min(loadEndMs, context.deps.clock.now() + act.lastsS * 1_000);
}

async function startCopy(
  { context, act }: ActScene,
  unit: WorkloadUnit,
  copy: number,
  untilMs: number,
  signal: AbortSignal,
): Promise<Started> {
  const { run, peers, deps } = context;
  const { clientId } = unit.assignment;
  const durationS = Math.max(1, Math.ceil((untilMs - deps.clock.now()) / 1_000));
  const host = await peers.client(clientId);
  const handle = await host.startJob(
    {
      runId: run.id,
      jobId: `${unit.entityId}.act-${act.id}-${copy + 1}`,
      command: getDriver(unit.workload.driver).command(unit.params, {
        durationS,
        intervalS: run.record().plan.sampling.workloadMs / 1_000,
      }),
      timeLimitS: durationS + 10,
    },
    signal,
  );
  return { clientId, handle };
}
