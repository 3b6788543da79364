import { toAppError } from '../../../../src/core/base/errors.ts';
import type { Plan } from '../../../../src/core/plan/plan.ts';
import type { RunRecord } from '../../../../src/core/run/run.ts';
import type { Inventory } from '../../../../src/core/testbed/inventory.ts';
import type { Testbed } from '../../../../src/core/testbed/testbed.ts';
import type { VCenterSession } from '../../deps/vcenter.ts';
import type { RunContext } from '../context.ts';
import { ownNamePrefix } from '../drs/ownMoves.ts';
import { plannedHosts } from '../drs/startPlaces.ts';
import { isOpen } from './guard.ts';
import { candidates } from './operations.ts';
import { type InfraPlan, planInfrastructure } from './plan.ts';
import { meaningOf, retryPauseMs, retryTimes } from './retry.ts';

/**
 * Names a run's own VMs, so that they are known after a restart, and nothing else is ever deleted.
 */
export const cloneNameOf = (runId: string, count: number): string =>
  `${ownNamePrefix(runId)}${count}`;
const isCloneOf = (runId: string, name: string): boolean => name.startsWith(ownNamePrefix(runId));
const openPollMs = 10_000;

export interface Restoration {
  vmRef: string;
  what: string;
  /** The run made it. */ own: boolean;
  act: (session: VCenterSession, signal: AbortSignal) => Promise<void>;
}
export interface RestoreInputs {
  runId: string;
  operations: InfraPlan['operations'];
  before: Inventory;
  now: Inventory;
  /** Hosts where the plan wants VMs; wins over where they were before. */
  wanted?: ReadonlyMap<string, string>;
  /** VMs that the run moved to where it started them. */
  placed?: ReadonlySet<string>;
}

/**
 * What must be done so that everything is where the plan wants it, or else where it was before the
 * run: the run's own clones go, disks and, where no DRS decides, VMs return. Made from the two
 * inventories alone: it holds after any crash.
 */
function restorations({
  runId,
  operations,
  before,
  now,
  wanted = new Map(),
  placed = new Set(),
}: RestoreInputs): Restoration[] {
  const drs = new Set(
    before.clusters.flatMap((c) =>
      c.drsEnabled === true && c.drsBehavior === 'fullyAutomated' ? c.hostRefs : [],
    ),
  );
  const targets = operations[0]?.targets;
  const movedHosts = new Set([
    ...(targets?.vmotionVmRefs ?? []),
    ...(targets?.xvmotion?.vmRefs ?? []),
    ...placed,
  ]);
  const movedDisks = new Set([
    ...(targets?.storageVmotion?.vmRefs ?? []),
    ...(targets?.xvmotion?.vmRefs ?? []),
  ]);
  const was = new Map(before.vms.map((vm) => [vm.ref, vm]));
  return now.vms.flatMap((vm): Restoration[] => {
    if (isCloneOf(runId, vm.name)) {
      return [
        {
          vmRef: vm.ref,
          own: true,
          what: `${vm.name} is destroyed`,
          act: async (session, signal) => {
            await session.power(vm.ref, false, signal);
            await session.destroy(vm.ref, signal);
          },
        },
      ];
    }
    const old = was.get(vm.ref);
    if (!old) return [];
    const home = old.datastoreRefs[0];
    const datastoreRef =
      movedDisks.has(vm.ref) && home !== undefined && !vm.datastoreRefs.includes(home)
        ? home
        : undefined;
    const host = wanted.get(vm.ref) ?? old.hostRef;
    const hostRef =
      movedHosts.has(vm.ref) && host !== null && vm.hostRef !== host && !drs.has(host)
        ? host
        : undefined;
    if (datastoreRef === undefined && hostRef === undefined) return [];
    const place = wanted.has(vm.ref) ? 'where the plan wants it' : 'on its host';
    return [
      {
        vmRef: vm.ref,
        own: false,
        what:
          `${vm.name} is back ` +
          [...(hostRef ? [place] : []), ...(datastoreRef ? ['on its datastore'] : [])].join(
            ' and ',
          ),
        act: (session, signal) =>
          session.relocate(
            vm.ref,
            { ...(hostRef ? { hostRef } : {}), ...(datastoreRef ? { datastoreRef } : {}) },
            signal,
          ),
      },
    ];
  });
}

/**
 * Does it, VMs side by side; what cannot be done is a finding that says what is not where it should
 * be, and false. Never starts anything on a VM with a running task. `ownOnly`: what the run made
 * goes, and nothing is moved.
 */
export async function restoreInfrastructure(
  context: RunContext,
  signal: AbortSignal,
  ownOnly = false,
): Promise<boolean> {
  const { run, peers } = context;
  const record = run.record();
  const { testbed, inventoryBefore: before } = record;
  const placed = placedVms(record);
  const { operations } = planInfrastructure(record.profile, testbed, before);
  if (
    (operations.length === 0 && placed.size === 0) ||
    before === null ||
    testbed.vcenterId === null
  )
    return true;
  const failures: string[] = [];
  try {
    const session = await peers.vcenter(testbed.vcenterId, signal);
    await untilIdle(context, session, [...workedOn(operations), ...placed], signal);
    const now = await session.inventory(signal);
    const due = restorations({
      runId: run.id,
      operations,
      before,
      now,
      wanted: wantedHosts(record.plan, testbed),
      placed,
    }).filter(({ own }) => own || !ownOnly);
    await Promise.all(
      due.map(async ({ vmRef, what, act }) => {
        const ended = context.ownMoves.begin(vmRef);
        await retried(context, signal, () => act(session, signal))
          .catch((error: unknown) => {
            failures.push(`not done: ${what} (${toAppError(error).message})`);
          })
          .finally(() => {
            ended();
          });
      }),
    );
  } catch (error) {
    failures.push(`vCenter could not be asked: ${toAppError(error).message}`);
  }
  if (failures.length > 0)
    run.finding({
      id: 'infra.restore',
      severity: 'warn',
      text:
        'After the run not everything is where it was: ' +
        `${failures.slice(0, 5).join('; ')}${failures.length > 5 ? `; ${failures.length - 5} more` : ''}.`,
      fix: `Look for VMs named ${ownNamePrefix(run.id)}… and for VMs on the maintenance datastore.`,
    });
  return failures.length === 0;
}

/** VMs that the run itself moved before its ramp-up. */
function placedVms({ placedAtMs, testbed, plan }: RunRecord): Set<string> {
  if (placedAtMs === undefined || placedAtMs === null) return new Set();
  return new Set(
    testbed.tiles
      .slice(0, plan.tiles)
      .flatMap((tile) => tile.workloads.flatMap((w) => (w.vm ? [w.vm.ref] : []))),
  );
}

/** All on one host is a start, not a place to stay. */
const wantedHosts = (plan: Plan, testbed: Testbed): ReadonlyMap<string, string> =>
  plan.startPlacement === 'planned' ? plannedHosts(testbed, plan.tiles) : new Map();

const workedOn = (operations: InfraPlan['operations']): string[] => [
  ...new Set(
    operations.flatMap((plan) => [
      ...candidates(plan),
      ...(plan.kind === 'deploy' && plan.targets.deploy ? [plan.targets.deploy.templateRef] : []),
    ]),
  ),
];

/**
 * Waits until no task runs on these VMs: one that was cancelled, or cut off, may still move a disk.
 */
async function untilIdle(
  context: RunContext,
  session: VCenterSession,
  vmRefs: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const refs = [...new Set(vmRefs)];
  while ((await session.tasks(refs, signal)).some(isOpen))
    await context.deps.clock.sleep(openPollMs, signal);
}

async function retried(
  context: RunContext,
  signal: AbortSignal,
  work: () => Promise<void>,
): Promise<void> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      await work();
      return;
    } catch (error) {
      if (signal.aborted || attempts > retryTimes || meaningOf(toAppError(error)) !== 'again')
        throw error;
      await context.deps.clock.sleep(retryPauseMs(context.limits.retryPauseMs, attempts), signal);
    }
  }
}
