import { fail } from '../../../../src/core/base/errors.ts';
import type { Profile } from '../../../../src/core/profile/profile.ts';
import {
  isProvisioning,
  layoutOf,
  type ProvisionItem,
  type ProvisionJob,
  type ProvisionPlan,
  provisionPlan,
} from '../../../../src/core/testbed/provision.ts';
import type { Testbed } from '../../../../src/core/testbed/testbed.ts';
import type { Emit, Handlers } from '../../../../src/wire/contract.ts';
import type { Peers } from '../../connections/peers.ts';
import type { Database } from '../../db/types.ts';
import type { Deps } from '../../deps.ts';
import { itemsToClean } from './cleanUp.ts';
import { createLiveJob, type LiveJob } from './liveJob.ts';
import { createRecord } from './record.ts';
import { workJob } from './work.ts';

type Methods = Pick<
  Handlers,
  | 'provision.plan'
  | 'provision.start'
  | 'provision.cancel'
  | 'provision.retry'
  | 'provision.cleanUp'
  | 'provision.status'
>;
export interface ProvisionService {
  methods: Methods;
  /** Goes on with what an earlier engine had begun. */
  recover(): void;
  /** Leaves clones to vCenter; the next engine goes on. */
  close(): void;
}
interface Options {
  deps: Pick<Deps, 'clock' | 'ids' | 'log'>;
  db: Database;
  peers: Pick<Peers, 'vcenter'>;
  emit: Emit;
  profile: (id: string) => Profile | undefined;
}

/** Makes the VMs a testbed lacks, one job a testbed, and removes them again. */
export function createProvisionService({
  deps,
  db,
  peers,
  emit,
  profile,
}: Options): ProvisionService {
  const { clock } = deps;
  const active = new Map<
    string,
    { job: LiveJob; control: AbortController; ended: Promise<void> }
  >();

  const testbedOf = (testbedId: string): Testbed => {
    const testbed = db.testbeds.get(testbedId);
    if (!testbed)
      throw fail('notFound', 'The testbed does not exist.', 'Save it first, or refresh the list.');
    return testbed;
  };
  const lastOf = (testbedId: string): ProvisionJob => {
    const job = active.get(testbedId)?.job.get() ?? db.provisions.get(testbedId);
    if (!job)
      throw fail(
        'notFound',
        'Nothing was provisioned for this testbed.',
        'Start provisioning first.',
      );
    return job;
  };
  const demandIdle = (testbed: Testbed): void => {
    const running = active.get(testbed.id);
    // One that has told its end is over, whatever its promise still does.
    if (running && isProvisioning(running.job.get()))
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
  };
  /** For who looks at another page by then. */
  const tellEnd = ({ testbedId, purpose, state, items }: ProvisionJob): void => {
    const name = db.testbeds.list().find(({ id }) => id === testbedId)?.name ?? testbedId;
    const done = items.filter(
      ({ step }) => step === (purpose === 'make' ? 'done' : 'removed'),
    ).length;
    const failed = items.filter(({ step }) => step === 'failed').length;
    emit('notice', {
      level: failed > 0 || state === 'failed' ? 'warn' : 'info',
      text:
        `Testbed ${name}: ${done} of ${items.filter(({ step }) => step !== 'unmade').length} ` +
        'VMs ' +
        `${purpose === 'make' ? 'made' : 'removed'}${failed > 0 ? `, ${failed} failed` : ''}${state === 'cancelled' ? ', cancelled' : ''}.`,
    });
  };
  const begin = (job: ProvisionJob, aborted = false): ProvisionJob => {
    const live = createLiveJob(job, db.provisions, emit, clock);
    const control = new AbortController();
    if (aborted) control.abort();
    const record = createRecord(db.testbeds, emit, job.testbedId, job.id, () => live.open);
    live.change({});
    const ended = workJob({
      job: live,
      record,
      clock,
      signal: control.signal,
      connect: (signal) => peers.vcenter(job.vcenterId, signal),
    }).finally(() => {
      if (active.get(job.testbedId)?.job === live) active.delete(job.testbedId);
      if (live.open) tellEnd(live.get());
    });
    active.set(job.testbedId, { job: live, control, ended });
    return live.get();
  };
  const again = (
    job: ProvisionJob,
    purpose: ProvisionJob['purpose'],
    items: ProvisionItem[],
  ): ProvisionJob =>
    begin({
      ...job,
      purpose,
      state: purpose === 'make' ? 'running' : 'cleaningUp',
      items,
      error: null,
      startedAtMs: clock.now(),
      endedAtMs: null,
    });

  async function plan(
    testbed: Testbed,
    powerOn: boolean,
    signal: AbortSignal,
  ): Promise<ProvisionPlan> {
    const input = { testbed, profile: profile(testbed.profileId), powerOn };
    if (testbed.vcenterId === null) return provisionPlan({ ...input, inventory: null });
    const session = await peers.vcenter(testbed.vcenterId, signal);
    const inventory = await session.inventory(signal);
    db.inventories.save(inventory);
    emit('list.changed', { list: 'inventory' });
    const known = new Set(inventory.vms.map((vm) => vm.ref));
    const refs = [
      ...new Set(Object.values(layoutOf(testbed).templates).map(({ ref }) => ref)),
    ].filter((ref) => known.has(ref));
    const sizes = Object.fromEntries(
      await Promise.all(
        refs.map(async (ref) => [ref, (await session.vmStorage(ref, signal)).usedBytes] as const),
      ),
    );
    return provisionPlan({ ...input, inventory, sizes });
  }

  const methods: Methods = {
    'provision.plan': ({ testbedId, powerOn }, signal) =>
      plan(testbedOf(testbedId), powerOn, signal),
    async 'provision.start'({ testbedId, options }, signal) {
      demandIdle(testbedOf(testbedId));
      const { items } = await plan(testbedOf(testbedId), options.powerOn, signal);
      const makeable = items.filter((item) => item.problem === null);
      if (makeable.length === 0)
        throw fail(
          'conflict',
          items[0]?.problem
            ? `No VM can be made. ${items[0].problem.text}.`
            : 'Every workload has its VM: there is nothing to make.',
          items[0]?.problem?.hint,
        );
      // Planning took time: somebody else may have begun meanwhile.
      const testbed = testbedOf(testbedId);
      demandIdle(testbed);
      return begin({
        id: deps.ids.next('provision'),
        testbedId,
        vcenterId: testbed.vcenterId!,
        rev: 0,
        state: 'running',
        purpose: 'make',
        options,
        folder: null,
        startedAtMs: clock.now(),
        endedAtMs: null,
        nowMs: clock.now(),
        error: null,
        items: makeable.map(({ key, tileIndex, workloadId, name, template, host, datastore }) => ({
          key,
          tileIndex,
          workloadId,
          name,
          template: template!,
          host: host!,
          datastore: datastore!,
          step: 'waiting',
          progressPct: null,
          error: null,
          note: null,
          vmRef: null,
          taskRef: null,
          startedAtMs: null,
          endedAtMs: null,
        })),
      });
    },
    async 'provision.cancel'({ testbedId }) {
      const running = active.get(testbedId);
      if (!running || !isProvisioning(running.job.get()))
        throw fail(
          'conflict',
          'No provisioning is under way for this testbed.',
          'There is nothing to cancel.',
        );
      if (running.job.get().state === 'cleaningUp')
        throw fail('conflict', 'A clean-up is not cancelled half-way.', 'Wait for its end.');
      running.job.change({ state: 'cancelling' });
      running.control.abort();
      return running.job.get();
    },
    async 'provision.retry'({ testbedId }) {
      const job = lastOf(testbedId);
      demandIdle(testbedOf(testbedId));
      const wanted = (item: ProvisionItem): boolean =>
        item.step === 'failed' || item.step === 'cancelled';
      if (!job.items.some(wanted))
        throw fail(
          'conflict',
          'Nothing failed and nothing was cancelled.',
          'There is nothing to retry.',
        );
      if (job.purpose === 'remove')
        return again(
          job,
          'remove',
          job.items.filter(wanted).map((item) => ({ ...item, step: 'waiting', error: null })),
        );
      return again(
        job,
        'make',
        job.items.map((item) =>
          wanted(item)
            ? {
                ...item,
                step: 'waiting',
                error: null,
                note: null,
                progressPct: null,
                endedAtMs: null,
              }
            : item,
        ),
      );
    },
    async 'provision.cleanUp'({ testbedId }) {
      const testbed = testbedOf(testbedId);
      demandIdle(testbed);
      const job = db.provisions.get(testbedId);
      if (!job && layoutOf(testbed).made.length === 0)
        throw fail(
          'conflict',
          'This app made nothing for this testbed.',
          'There is nothing to clean up.',
        );
      if (testbed.vcenterId === null)
        throw fail(
          'conflict',
          'The testbed has no vCenter.',
          'Choose the vCenter the VMs were made in.',
        );
      const base: ProvisionJob = job ?? {
        id: deps.ids.next('provision'),
        testbedId,
        vcenterId: testbed.vcenterId,
        rev: 0,
        state: 'cleaningUp',
        purpose: 'remove',
        options: { powerOn: true, stageSize: 4, stagePauseS: 30 },
        folder: null,
        items: [],
        startedAtMs: clock.now(),
        endedAtMs: null,
        nowMs: clock.now(),
        error: null,
      };
      return again(base, 'remove', itemsToClean(testbed, base.items));
    },
    'provision.status': async ({ testbedId }) =>
      active.get(testbedId)?.job.get() ?? db.provisions.get(testbedId),
  };
  return {
    methods,
    recover() {
      for (const job of db.provisions.list().filter(isProvisioning)) {
        deps.log.info('Going on with provisioning', { testbedId: job.testbedId, state: job.state });
        begin(job, job.state === 'cancelling');
      }
    },
    close() {
      for (const { job } of active.values()) job.stop();
    },
  };
}
