import { fail } from '../../../../src/core/base/errors.ts';
import type { Profile } from '../../../../src/core/profile/profile.ts';
import {
  isProvisioning,
  layoutOf,
  type ProvisionJob,
  type ProvisionPlan,
} from '../../../../src/core/testbed/provision.ts';
import { provisionPlan } from '../../../../src/core/testbed/provisionPlan.ts';
import type { Testbed } from '../../../../src/core/testbed/testbed.ts';
import type { Handlers, ParsedInput } from '../../../../src/wire/contract.ts';
import { type ActiveJobs, createActiveJobs, type JobScope } from './activeJobs.ts';
import { itemsToClean } from './cleanUp.ts';
import { itemsToMake, itemsToRetry, jobAgain, newJob } from './jobs.ts';

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
interface Options extends JobScope {
  profile: (id: string) => Profile | undefined;
}
interface Scope extends Options {
  jobs: ActiveJobs;
}

/** Makes the VMs a testbed lacks, one job a testbed, and removes them again. */
export function createProvisionService(options: Options): ProvisionService {
  const { deps, db } = options;
  const jobs = createActiveJobs(options);
  const scope: Scope = { ...options, jobs };
  return {
    methods: {
      'provision.plan': async ({ testbedId, powerOn }, signal) =>
        planFor(scope, testbedOf(scope, testbedId), powerOn, signal),
      'provision.start': (input, signal) => startJob(scope, input, signal),
      'provision.cancel': async ({ testbedId }) => jobs.cancel(testbedId),
      'provision.retry': async ({ testbedId }) => retryJob(scope, testbedId),
      'provision.cleanUp': async ({ testbedId }) => startCleanUp(scope, testbedId),
      'provision.status': async ({ testbedId }) => jobs.last(testbedId),
    },
    recover() {
      for (const job of db.provisions.list().filter(isProvisioning)) {
        deps.log.info('Going on with provisioning', { testbedId: job.testbedId, state: job.state });
        jobs.begin(job, job.state === 'cancelling');
      }
    },
    close: () => {
      jobs.close();
    },
  };
}

/** What making the missing VMs would make, where, and of which size, in bytes. */
async function planFor(
  { db, peers, emit, profile }: Scope,
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
  const templates = Object.values(layoutOf(testbed).templates).map(({ ref }) => ref);
  const refs = [...new Set(templates)].filter((ref) => known.has(ref));
  const sizes = Object.fromEntries(
    await Promise.all(
      refs.map(async (ref) => [ref, (await session.vmStorage(ref, signal)).usedBytes] as const),
    ),
  );
  return provisionPlan({ ...input, inventory, sizes });
}

async function startJob(
  scope: Scope,
  { testbedId, options }: ParsedInput<'provision.start'>,
  signal: AbortSignal,
): Promise<ProvisionJob> {
  const { deps, jobs } = scope;
  jobs.demandIdle(testbedOf(scope, testbedId));
  const planned = await planFor(scope, testbedOf(scope, testbedId), options.powerOn, signal);
  const items = itemsToMake(planned.items);
  if (items.length === 0) {
    const problem = planned.items[0]?.problem;
    throw fail(
      'conflict',
      problem
        ? `No VM can be made. ${problem.text}.`
        : 'Every workload has its VM: there is nothing to make.',
      problem?.hint,
    );
  }
  // Planning took time: somebody else may have begun meanwhile.
  const testbed = testbedOf(scope, testbedId);
  jobs.demandIdle(testbed);
  return jobs.begin(
    newJob(
      {
        id: deps.ids.next('provision'),
        testbedId,
        vcenterId: testbed.vcenterId!,
        state: 'running',
        purpose: 'make',
        options,
        items,
      },
      deps.clock.now(),
    ),
  );
}

function retryJob(scope: Scope, testbedId: string): ProvisionJob {
  const { deps, jobs } = scope;
  const job = jobs.last(testbedId);
  if (!job)
    throw fail(
      'notFound',
      'Nothing was provisioned for this testbed.',
      'Start provisioning first.',
    );
  jobs.demandIdle(testbedOf(scope, testbedId));
  const items = itemsToRetry(job);
  if (items === null)
    throw fail(
      'conflict',
      'Nothing failed and nothing was cancelled.',
      'There is nothing to retry.',
    );
  return jobs.begin(jobAgain(job, job.purpose, items, deps.clock.now()));
}

/** Removes what this app made for a testbed, as a job of its own where none is stored. */
function startCleanUp(scope: Scope, testbedId: string): ProvisionJob {
  const { deps, db, jobs } = scope;
  const testbed = testbedOf(scope, testbedId);
  jobs.demandIdle(testbed);
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
  const nowMs = deps.clock.now();
  const base =
    job ??
    newJob(
      {
        id: deps.ids.next('provision'),
        testbedId,
        vcenterId: testbed.vcenterId,
        state: 'cleaningUp',
        purpose: 'remove',
        options: { powerOn: true, stageSize: 4, stagePauseS: 30 },
        items: [],
      },
      nowMs,
    );
  return jobs.begin(jobAgain(base, 'remove', itemsToClean(testbed, base.items), nowMs));
}

function testbedOf({ db }: Scope, testbedId: string): Testbed {
  const testbed = db.testbeds.get(testbedId);
  if (!testbed)
    throw fail('notFound', 'The testbed does not exist.', 'Save it first, or refresh the list.');
  return testbed;
}
