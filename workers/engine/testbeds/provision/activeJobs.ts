import { fail } from '../../../../src/core/base/errors.ts';
import {
  isProvisioning,
  type ProvisionItem,
  type ProvisionJob,
} from '../../../../src/core/testbed/provision.ts';
import type { Testbed } from '../../../../src/core/testbed/testbed.ts';
import type { Emit, EventPayload } from '../../../../src/wire/contract.ts';
import type { Peers } from '../../connections/peers.ts';
import type { Database } from '../../db/types.ts';
import type { Deps } from '../../deps.ts';
import { createLiveJob, type LiveJob } from './liveJob.ts';
import { createRecord } from './record.ts';
import { workJob } from './work.ts';

/** The jobs this engine works on, one a testbed. */
export interface ActiveJobs {
  /** The job of a testbed as it is now, or as its last one ended; null = it never had one. */
  last(testbedId: string): ProvisionJob | null;
  /** Throws conflict while a job or a run works on the testbed. */
  demandIdle(testbed: Testbed): void;
  /** Works on a job from here on. `cancelling` = only to settle what was begun. */
  begin(job: ProvisionJob, cancelling?: boolean): ProvisionJob;
  /** Throws conflict where nothing can be cancelled. */
  cancel(testbedId: string): ProvisionJob;
  /** Leaves clones to vCenter; the next engine goes on. */
  close(): void;
}

export interface JobScope {
  deps: Pick<Deps, 'clock' | 'ids' | 'log'>;
  db: Database;
  peers: Pick<Peers, 'vcenter'>;
  emit: Emit;
}

export function createActiveJobs({ deps, db, peers, emit }: JobScope): ActiveJobs {
  const { clock } = deps;
  const active = new Map<string, { job: LiveJob; control: AbortController }>();
  /** One that has told its end is over, whatever its promise still does. */
  const running = (testbedId: string) => {
    const found = active.get(testbedId);
    return found && isProvisioning(found.job.get()) ? found : null;
  };

  return {
    last: (testbedId) => active.get(testbedId)?.job.get() ?? db.provisions.get(testbedId),
    demandIdle(testbed) {
      if (running(testbed.id))
        throw fail(
          'conflict',
          `Provisioning of ${testbed.name} is under way.`,
          'Wait for its end, or cancel it.',
        );
      const run = db.runs.unfinished().find((one) => one.testbed.id === testbed.id);
      if (run)
        throw fail(
          'conflict',
          `Run ${run.overview.name} uses testbed ${testbed.name}.`,
          'Wait for its end, or abort it.',
        );
    },
    begin(job, cancelling = false) {
      const live = createLiveJob(job, db.provisions, emit, clock);
      const control = new AbortController();
      if (cancelling) control.abort();
      const record = createRecord(db.testbeds, emit, job.testbedId, job.id, () => live.open);
      live.change({});
      void workJob({
        job: live,
        record,
        clock,
        signal: control.signal,
        connect: (signal) => peers.vcenter(job.vcenterId, signal),
      }).finally(() => {
        if (active.get(job.testbedId)?.job === live) active.delete(job.testbedId);
        if (live.open) emit('notice', endNotice(db, live.get()));
      });
      active.set(job.testbedId, { job: live, control });
      return live.get();
    },
    cancel(testbedId) {
      const found = running(testbedId);
      if (!found)
        throw fail(
          'conflict',
          'No provisioning is under way for this testbed.',
          'There is nothing to cancel.',
        );
      if (found.job.get().state === 'cleaningUp')
        throw fail('conflict', 'A clean-up is not cancelled half-way.', 'Wait for its end.');
      found.job.change({ state: 'cancelling' });
      found.control.abort();
      return found.job.get();
    },
    close() {
      for (const { job } of active.values()) job.stop();
    },
  };
}

/** How a job ended, for who looks at another page by then. */
function endNotice(
  db: Pick<Database, 'testbeds'>,
  { testbedId, purpose, state, items }: ProvisionJob,
): EventPayload<'notice'> {
  const name = db.testbeds.list().find(({ id }) => id === testbedId)?.name ?? testbedId;
  const count = (wanted: ProvisionItem['step']): number =>
    items.filter(({ step }) => step === wanted).length;
  const done = count(purpose === 'make' ? 'done' : 'removed');
  const failed = count('failed');
  const verb = purpose === 'make' ? 'made' : 'removed';
  const failures = failed > 0 ? `, ${failed} failed` : '';
  const cancelled = state === 'cancelled' ? ', cancelled' : '';
  return {
    level: failed > 0 || state === 'failed' ? 'warn' : 'info',
    text:
      `Testbed ${name}: ${done} of ${items.length - count('unmade')} VMs ${verb}` +
      `${failures}${cancelled}.`,
  };
}
