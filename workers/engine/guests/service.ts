import { fail } from '../../../src/core/base/errors.ts';
import type { Profile } from '../../../src/core/profile/profile.ts';
import { type GuestItem, type GuestJob, isPreparing } from '../../../src/core/roles/job.ts';
import { guestPlan } from '../../../src/core/roles/plan.ts';
import { roleOf } from '../../../src/core/roles/roles.ts';
import { isProvisioning } from '../../../src/core/testbed/provision.ts';
import type { Testbed } from '../../../src/core/testbed/testbed.ts';
import type { Emit, Handlers, ParsedInput } from '../../../src/wire/contract.ts';
import type { Peers } from '../connections/peers.ts';
import type { Database } from '../db/types.ts';
import type { Deps } from '../deps.ts';
import { bundleMethods, demandBundle } from './bundle/methods.ts';
import { createBundleShelf } from './bundle/shelf.ts';
import { createLiveJob, type LiveJob } from './liveJob.ts';
import { stepsOf, workJob } from './work.ts';

type Methods = Pick<
  Handlers,
  | 'guest.plan'
  | 'guest.start'
  | 'guest.cancel'
  | 'guest.retry'
  | 'guest.status'
  | 'guest.takeBundle'
  | 'guest.bundles'
  | 'guest.dropBundle'
>;
export interface GuestService {
  methods: Methods;
  /** Goes on with what an earlier engine had begun. */
  recover(): void;
  /** Steps under way end by themselves on their machines; the next engine goes on. */
  close(): void;
}
interface Scope {
  deps: Pick<Deps, 'clock' | 'ids' | 'log' | 'lab' | 'dataDir'>;
  db: Database;
  peers: Pick<Peers, 'client'>;
  emit: Emit;
  profile: (id: string) => Profile | undefined;
}

/** Prepares the machines of a testbed for their roles, one job a testbed, and takes it back. */
export function createGuestService(scope: Scope): GuestService {
  const { deps, db, emit, peers } = scope;
  const active = new Map<string, LiveJob>();
  const shelf = createBundleShelf(deps.dataDir);
  const last = (testbedId: string): GuestJob | null =>
    active.get(testbedId)?.get() ?? db.guestJobs.get(testbedId);
  const begin = (job: GuestJob): GuestJob => {
    const live = createLiveJob(job, db.guestJobs, emit, deps.clock);
    active.set(job.testbedId, live);
    live.change({});
    const loginName = (id: string): string => db.connections.get(id)?.name ?? id;
    const { clock } = deps;
    const working = { job: live, clock, client: peers.client, bundle: shelf.find, loginName };
    void workJob(working).finally(() => {
      if (active.get(job.testbedId) === live) active.delete(job.testbedId);
      if (live.open) emit('notice', endNotice(live.get(), db.testbeds.get(job.testbedId)));
    });
    return live.get();
  };
  const running = (testbedId: string): LiveJob | null => {
    const live = active.get(testbedId);
    return live && isPreparing(live.get()) ? live : null;
  };
  return {
    methods: {
      'guest.plan': async ({ testbedId }) => planFor(scope, testbedId, last(testbedId)),
      'guest.status': async ({ testbedId }) => last(testbedId),
      'guest.start': async (input) => {
        demandIdle(scope, input.testbedId, running(input.testbedId));
        await demandBundle(shelf, input);
        return begin(newJob(scope, input, last(input.testbedId)));
      },
      'guest.retry': async ({ testbedId }) => {
        demandIdle(scope, testbedId, running(testbedId));
        return begin(jobAgain(last(testbedId), deps.clock.now()));
      },
      'guest.cancel': async ({ testbedId }) => {
        const live = running(testbedId);
        if (!live)
          throw fail(
            'conflict',
            'No guest of this testbed is being prepared.',
            'There is nothing to cancel.',
          );
        live.change({ state: 'cancelling' });
        return live.get();
      },
      ...bundleMethods(
        shelf,
        (sha256) =>
          [...active.values()].some(
            (live) => isPreparing(live.get()) && live.get().settings.bundle === sha256,
          ),
        emit,
      ),
    },
    recover() {
      for (const job of db.guestJobs.list().filter(isPreparing)) {
        deps.log.info('Going on with preparing guests', { testbedId: job.testbedId });
        begin({ ...job, items: job.items.map((item) => waitingAgain(item, 'running')) });
      }
    },
    close() {
      for (const live of active.values()) live.stop();
    },
  };
}

function testbedOf({ db }: Scope, testbedId: string): Testbed {
  const testbed = db.testbeds.get(testbedId);
  if (!testbed)
    throw fail('notFound', 'The testbed does not exist.', 'Save it first, or refresh the list.');
  return testbed;
}

const planFor = (scope: Scope, testbedId: string, job: GuestJob | null) => {
  const testbed = testbedOf(scope, testbedId);
  return guestPlan({
    testbed,
    profile: scope.profile(testbed.profileId),
    inventory: testbed.vcenterId === null ? null : scope.db.inventories.get(testbed.vcenterId),
    connections: scope.db.connections.list(),
    prepared: job?.prepared ?? {},
    chosen: job?.items ?? [],
  });
};

/** Throws conflict where something else works on the testbed, or its machines are simulated. */
function demandIdle(scope: Scope, testbedId: string, live: LiveJob | null): void {
  const { deps, db } = scope;
  const testbed = testbedOf(scope, testbedId);
  if (deps.lab !== null)
    throw fail(
      'conflict',
      'Machines of the simulated lab cannot be prepared: they are not there.',
      'Prepare guests in the real workspace.',
    );
  if (live)
    throw fail(
      'conflict',
      `Guests of ${testbed.name} are being prepared.`,
      'Wait for the end, or cancel it.',
    );
  const run = db.runs.unfinished().find((one) => one.testbed.id === testbedId);
  if (run)
    throw fail(
      'conflict',
      `Run ${run.overview.name} uses testbed ${testbed.name}.`,
      'Wait for its end, or abort it.',
    );
  const provision = db.provisions.get(testbedId);
  if (provision && isProvisioning(provision))
    throw fail(
      'conflict',
      `VMs of ${testbed.name} are being made.`,
      'Wait for the end of provisioning.',
    );
}

function newJob(scope: Scope, input: ParsedInput<'guest.start'>, job: GuestJob | null): GuestJob {
  const { testbedId, purpose, choices, settings } = input;
  const plan = new Map(planFor(scope, testbedId, job).items.map((item) => [item.key, item]));
  const loads = new Set(
    testbedOf(scope, testbedId).tiles.flatMap(({ workloads }) =>
      workloads.map(({ clientId }) => clientId),
    ),
  );
  const seen = new Set<string>();
  const refuse = (message: string, hint: string): never => {
    throw fail('invalidInput', message, hint);
  };
  const items = choices.map(({ key, roleId, connectionId }): GuestItem => {
    const place = plan.get(key);
    if (!place) return refuse(`The testbed has no workload ${key}.`, 'Refresh the page.');
    if (!roleOf(roleId)) return refuse(`There is no role ${roleId}.`, 'Choose another role.');
    const login = scope.db.connections.get(connectionId);
    if (login?.kind !== 'client')
      return refuse(`The login of ${place.vm ?? key} does not exist.`, 'Choose another login.');
    if (loads.has(connectionId))
      return refuse(
        `${login.name} is a client that generates load, not a VM under load.`,
        `Add a login for ${place.vm ?? key} in Connections, and choose it.`,
      );
    for (const mark of [`key ${key}`, `login ${connectionId}`]) {
      if (seen.has(mark))
        return refuse(`${login.name} is chosen twice.`, 'Each machine gets one role.');
      seen.add(mark);
    }
    return {
      key,
      tileIndex: place.tileIndex,
      workloadId: place.workloadId,
      vm: place.vm,
      address: place.address,
      roleId,
      connectionId,
      state: 'waiting',
      error: null,
      steps: stepsOf({ purpose, settings }, roleId).map(({ id, title }) => ({
        id,
        title,
        state: 'waiting',
        note: '',
        startedAtMs: null,
        endedAtMs: null,
      })),
    };
  });
  const nowMs = scope.deps.clock.now();
  return {
    id: scope.deps.ids.next('guests'),
    testbedId,
    rev: 0,
    purpose,
    state: 'running',
    settings,
    items,
    startedAtMs: nowMs,
    endedAtMs: null,
    nowMs,
    prepared: job?.prepared ?? {},
  };
}

/** The item once more from its first step, where it is in one of these states. */
const waitingAgain = (item: GuestItem, ...states: GuestItem['state'][]): GuestItem =>
  states.includes(item.state)
    ? {
        ...item,
        state: 'waiting',
        error: null,
        steps: item.steps.map((step) => ({
          ...step,
          state: 'waiting',
          note: '',
          startedAtMs: null,
          endedAtMs: null,
        })),
      }
    : item;

function jobAgain(job: GuestJob | null, nowMs: number): GuestJob {
  if (!job?.items.some(({ state }) => state === 'failed' || state === 'cancelled'))
    throw fail(
      'conflict',
      'Nothing failed and nothing was cancelled.',
      'There is nothing to retry.',
    );
  return {
    ...job,
    state: 'running',
    startedAtMs: nowMs,
    endedAtMs: null,
    items: job.items.map((item) => waitingAgain(item, 'failed', 'cancelled')),
  };
}

/** How a job ended, for who looks at another page by then. */
function endNotice({ items, purpose }: GuestJob, testbed: Testbed | null) {
  const count = (wanted: GuestItem['state']): number =>
    items.filter(({ state }) => state === wanted).length;
  const failed = count('failed');
  return {
    level: failed > 0 ? ('warn' as const) : ('info' as const),
    text:
      `Testbed ${testbed?.name ?? ''}: ${count('done')} of ${items.length} guests ` +
      (purpose === 'prepare' ? 'prepared' : 'put back') +
      `${failed > 0 ? `, ${failed} failed` : ''}${count('cancelled') > 0 ? ', cancelled' : ''}.`,
  };
}
