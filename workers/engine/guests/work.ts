import { fail, toAppError } from '../../../src/core/base/errors.ts';
import { formatElapsed } from '../../../src/core/base/format.ts';
import type { StepAnswer } from '../../../src/core/roles/faults.ts';
import type { GuestItem, GuestJob } from '../../../src/core/roles/job.ts';
import { roleOf } from '../../../src/core/roles/roles.ts';
import { prepareSteps, type RoleStep, undoSteps } from '../../../src/core/roles/steps.ts';
import type { Family } from '../../../src/core/roles/systems.ts';
import type { Clock } from '../deps.ts';
import type { SshHost } from '../deps/ssh.ts';
import type { LiveJob } from './liveJob.ts';
import { runStep, type StepBundle, strangerFault } from './runStep.ts';

export interface WorkScope {
  job: LiveJob;
  clock: Clock;
  client: (id: string) => Promise<Pick<SshHost, 'exec' | 'putFile' | 'dropFiles'>>;
  /** Null where it was never taken in, or is gone. */
  bundle: (sha256: string) => Promise<StepBundle | null>;
  loginName: (connectionId: string) => string;
}

/** Machines prepared side by side. This app's choice: more share one mirror. */
const machinesAtOnce = 8;
/** How often a step is taken up again after its connection was lost. */
const attempts = 4;
const pauseMs = 5_000;

/** What is done to a machine, in order; empty for a role of another version of this app. */
export function stepsOf(
  { purpose, settings }: Pick<GuestJob, 'purpose' | 'settings'>,
  roleId: string,
  family: Family = 'debian',
): RoleStep[] {
  const role = roleOf(roleId);
  if (!role) return [];
  return purpose === 'prepare' ? prepareSteps(role, settings, family) : undoSteps(role, family);
}

/** Works a job to its end: a machine that fails stops no other. Never rejects. */
export async function workJob(scope: WorkScope): Promise<void> {
  const { job, clock } = scope;
  const left = job
    .get()
    .items.filter(({ state }) => state === 'waiting' || state === 'running')
    .map(({ key }) => key);
  const worker = async (): Promise<void> => {
    for (let key = left.shift(); key !== undefined; key = left.shift()) await workItem(scope, key);
  };
  await Promise.all(Array.from({ length: machinesAtOnce }, worker));
  const { items, state } = job.get();
  job.change({
    state:
      state === 'cancelling' || items.some((item) => item.state === 'cancelled')
        ? 'cancelled'
        : items.some((item) => item.state === 'failed')
          ? 'failed'
          : 'done',
    endedAtMs: clock.now(),
  });
}

const isCancelled = ({ job }: WorkScope): boolean => job.get().state === 'cancelling';

async function workItem(scope: WorkScope, key: string): Promise<void> {
  const { job } = scope;
  if (!job.open) return;
  if (isCancelled(scope)) {
    job.changeItem(key, { state: 'cancelled' });
    return;
  }
  const { connectionId, roleId, address } = job.item(key);
  job.changeItem(key, { state: 'running', error: null });
  // Noted first: a machine that is given up half-way is one that can be undone.
  if (job.get().purpose === 'prepare')
    job.change({ prepared: { ...job.get().prepared, [key]: roleId } });
  try {
    const from = await bundleOf(scope);
    let family: Family = 'debian';
    // The first step is the same everywhere, and finds out which kind of system the others are for.
    for (const { id } of stepsOf(job.get(), roleId)) {
      if (isCancelled(scope)) {
        job.changeItem(key, { state: 'cancelled' });
        return;
      }
      const step = stepsOf(job.get(), roleId, family).find((one) => one.id === id);
      if (!step) continue;
      const answer = await workStep(scope, key, { step, from, connectionId, address });
      if (!job.open) return;
      if (answer.fault) {
        job.changeItem(key, { state: 'failed', error: answer.fault });
        return;
      }
      family = answer.family ?? family;
    }
    if (job.get().purpose === 'undo') await (await scope.client(connectionId)).dropFiles();
  } catch (thrown) {
    failItem(scope, job.item(key), thrown);
    return;
  }
  if (job.get().purpose === 'undo') {
    const { [key]: _gone, ...prepared } = job.get().prepared;
    job.change({ prepared });
  }
  job.changeItem(key, { state: 'done' });
}

/** What packages are taken from; null = from a mirror. Throws notFound where it is gone. */
async function bundleOf({ job, bundle }: WorkScope): Promise<StepBundle | null> {
  const { purpose, settings } = job.get();
  if (purpose === 'undo' || settings.bundle === '') return null;
  const found = await bundle(settings.bundle);
  if (found) return found;
  throw fail(
    'notFound',
    'The bundle of packages is gone from this computer.',
    'Take it in again, and retry.',
  );
}

async function workStep(
  scope: WorkScope,
  key: string,
  given: {
    step: RoleStep;
    from: StepBundle | null;
    connectionId: string;
    address: string | null;
  },
): Promise<StepAnswer> {
  const { job, clock } = scope;
  const { step, from, connectionId, address } = given;
  job.changeStep(key, step.id, { state: 'running', startedAtMs: clock.now(), note: '' });
  for (let attempt = 1; ; attempt += 1) {
    try {
      const answer = await runStep(await scope.client(connectionId), step, from, () =>
        job.changeStep(key, step.id, { note: 'Brings the bundle of packages.' }),
      );
      const fault =
        answer.fault ?? strangerFault(address, answer, scope.loginName(connectionId)) ?? null;
      job.changeStep(key, step.id, {
        state: fault ? 'failed' : answer.state,
        note: [answer.note, clockNote(answer, clock.now())].filter(Boolean).join('; '),
        endedAtMs: clock.now(),
      });
      return { ...answer, fault };
    } catch (thrown) {
      // A step is safe to run again, and waits for what still runs of it. The first one finds out
      // whether the machine is there at all.
      const again =
        job.open &&
        step.id !== 'look' &&
        attempt < attempts &&
        toAppError(thrown).kind === 'unreachable';
      if (!again) throw thrown;
      job.changeStep(key, step.id, { note: 'The connection was lost; taken up again.' });
      await clock.sleep(pauseMs);
    }
  }
}

/** Signatures and certificates of mirrors bear a clock that is off by minutes, not by hours. */
const bearableMs = 300_000;

/** What is to be said of a machine's clock; '' = it is right, or the step did not look. */
function clockNote({ clockMs }: StepAnswer, nowMs: number): string {
  if (clockMs === null || Math.abs(clockMs - nowMs) < bearableMs) return '';
  const off = formatElapsed(Math.abs(clockMs - nowMs));
  return `its clock is ${off} ${clockMs > nowMs ? 'ahead of' : 'behind'} that of this computer`;
}

function failItem({ job, clock }: WorkScope, { key, steps }: GuestItem, thrown: unknown): void {
  const error = toAppError(thrown);
  job.changeItem(key, {
    state: 'failed',
    error: {
      message: error.message,
      hint: error.hint ?? 'Test the login in Connections, and retry.',
    },
    steps: steps.map((step) =>
      step.state === 'running' ? { ...step, state: 'failed', endedAtMs: clock.now() } : step,
    ),
  });
}
