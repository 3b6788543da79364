import {
  clonesAtOnce,
  clonesPerDatastore,
  layoutOf,
  type ProvisionItem,
} from '../../../../src/core/testbed/provision.ts';
import { pause } from '../../clock/jumps.ts';
import type { Clock } from '../../deps.ts';
import type { VCenterSession } from '../../deps/vcenter.ts';
import { settleCancelled } from './cancelled.ts';
import { cleanUp } from './cleanUp.ts';
import { createGate } from './gate.ts';
import { errorOf, type LiveJob } from './liveJob.ts';
import { type MakeScope, makeVm, startVm } from './makeVm.ts';
import { folderNameOf } from './mark.ts';
import type { MadeRecord } from './record.ts';

export interface WorkScope {
  job: LiveJob;
  record: MadeRecord;
  clock: Clock;
  connect: (signal: AbortSignal) => Promise<VCenterSession>;
  signal: AbortSignal;
}

const isPending = ({ step }: ProvisionItem): boolean =>
  step !== 'done' &&
  step !== 'failed' &&
  step !== 'cancelled' &&
  step !== 'removed' &&
  step !== 'unmade';

/**
 * Works a job to its end: all clones within the bounds, then power-on in stages, or the clean-up.
 * Items fail one by one and do not stop the others; what stops the whole (vCenter away, no folder)
 * fails what is left. Never rejects.
 */
export async function workJob(scope: WorkScope): Promise<void> {
  const { job, clock, signal } = scope;
  const cleaning = job.get().state === 'cleaningUp';
  try {
    // The clean-up after a cancel, and of an engine that was stopped, has no signal to be cancelled
    // by.
    const session = await scope.connect(new AbortController().signal);
    const make: MakeScope & { clock: Clock } = { ...scope, session };
    if (cleaning) {
      const clean = await cleanUp(make);
      job.change({ state: clean ? 'cleaned' : 'failed', endedAtMs: clock.now() });
      return;
    }
    if (!signal.aborted) await provideFolder(make);
    await makeAll(make);
    await startAll(make);
    const cancelled = job.get().items.some((item) => item.step === 'cancelled') || signal.aborted;
    job.change({
      state: cancelled
        ? 'cancelled'
        : job.get().items.some((item) => item.step === 'failed')
          ? 'failed'
          : 'done',
      endedAtMs: clock.now(),
    });
  } catch (error) {
    const why = errorOf(error);
    job.change({
      state: 'failed',
      error: why,
      endedAtMs: clock.now(),
      items: job
        .get()
        .items.map((item) =>
          !isPending(item) ? item : { ...item, step: 'failed', error: why, endedAtMs: clock.now() },
        ),
    });
  }
}

/** The folder all VMs of the testbed are made in; only one that is made here is ever removed. */
async function provideFolder({ session, job, record, signal }: MakeScope): Promise<void> {
  const first = job.get().items.find(isPending);
  if (!first) return;
  const testbed = record.testbed();
  const name = layoutOf(testbed).madeFolder?.name ?? folderNameOf(testbed);
  const folder = await session.makeFolder(name, first.host.ref, signal);
  if (folder.made) record.folder({ ref: folder.ref, name });
  job.change({ folder: { ref: folder.ref, name } });
}

/** One item's work; how it failed or was cancelled is written on the item. */
async function attempt(
  scope: MakeScope & { clock: Clock },
  key: string,
  work: () => Promise<void>,
): Promise<void> {
  const { job, clock, signal } = scope;
  if (signal.aborted) {
    await settleCancelled(scope, key);
    return;
  }
  try {
    await work();
  } catch (error) {
    if (!job.open) return;
    if (signal.aborted) await settleCancelled(scope, key);
    else job.changeItem(key, { step: 'failed', error: errorOf(error), endedAtMs: clock.now() });
  }
}

async function makeAll(scope: MakeScope & { clock: Clock }): Promise<void> {
  const { job, clock } = scope;
  const gate = createGate(clonesAtOnce, clonesPerDatastore);
  await Promise.all(
    job
      .get()
      .items.filter(isPending)
      .map((item) =>
        gate(item.datastore.ref, () =>
          attempt(scope, item.key, async () => {
            job.changeItem(item.key, { startedAtMs: clock.now(), error: null });
            await makeVm(scope, item.key);
          }),
        ),
      ),
  );
}

async function startAll(scope: MakeScope & { clock: Clock }): Promise<void> {
  const { job, clock, signal } = scope;
  const { stageSize, stagePauseS, powerOn } = job.get().options;
  const ready = job.get().items.filter(isPending);
  for (let from = 0; from < ready.length; from += stageSize) {
    if (from > 0 && powerOn && !signal.aborted) await pause(clock, stagePauseS * 1_000, signal);
    await Promise.all(
      ready.slice(from, from + stageSize).map(({ key }) =>
        attempt(scope, key, async () => {
          await startVm(scope, key);
          job.changeItem(key, { step: 'done', endedAtMs: clock.now() });
        }),
      ),
    );
  }
}
