import { counted } from '../../../../src/core/base/counted.ts';
import { fail, toAppError } from '../../../../src/core/base/errors.ts';
import type { HostVm, VCenterSession } from '../../deps/vcenter.ts';
import type { ActPerformer, ActScene, Before } from './types.ts';

/** Reference of the host that an act is about. */
function hostRefOf({ act }: ActScene): string {
  if (act.target === null) throw fail('invalidInput', 'The act names no host.');
  return act.target.ref;
}

const isOut = (state: string): boolean => state === 'disconnected';

/** How the host stands, in words of `Before`. */
async function hostBefore(scene: ActScene, signal: AbortSignal): Promise<Before> {
  const session = await scene.session(signal);
  const now = await session.hostState(hostRefOf(scene), signal);
  if (now.connectionState === 'notResponding')
    throw fail(
      'conflict',
      `${scene.act.target?.name ?? 'The host'} does not respond to vCenter.`,
      'Look at the host in vCenter.',
    );
  return {
    connection: now.connectionState,
    maintenance: now.maintenance ? 'yes' : 'no',
    cluster: now.clusterRef ?? '',
  };
}

/** Makes a host what it is to be, by as few tasks as that takes; out = in maintenance mode. */
async function makeHost(
  session: VCenterSession,
  ref: string,
  wanted: { connected: boolean; maintenance: boolean },
  signal: AbortSignal,
): Promise<void> {
  let now = await session.hostState(ref, signal);
  if (isOut(now.connectionState) && (wanted.connected || wanted.maintenance !== now.maintenance)) {
    await session.reconnectHost(ref, signal);
    now = await session.hostState(ref, signal);
  }
  if (now.maintenance && !wanted.maintenance) await session.exitMaintenance(ref, signal);
  if (!now.maintenance && wanted.maintenance) await session.enterMaintenance(ref, signal);
  if (!wanted.connected && !isOut((await session.hostState(ref, signal)).connectionState))
    await session.disconnectHost(ref, signal);
}

/** Puts a host back as it was found. A host that the act took into a cluster stays in it. */
async function restoreHost(scene: ActScene, before: Before, signal: AbortSignal): Promise<void> {
  const session = await scene.session(signal);
  await makeHost(
    session,
    hostRefOf(scene),
    { connected: !isOut(before.connection ?? ''), maintenance: before.maintenance === 'yes' },
    signal,
  );
}

/** The cluster that the VMs of the run are in; throws where there is none. */
function clusterOfRun({ context: { run } }: ActScene): string {
  const { inventoryBefore, testbed, plan } = run.record();
  const refs = new Set(
    testbed.tiles
      .slice(0, plan.tiles)
      .flatMap((tile) => tile.workloads.flatMap((w) => (w.vm ? [w.vm.ref] : []))),
  );
  const hosts = new Set(
    inventoryBefore?.vms.flatMap((vm) => (refs.has(vm.ref) && vm.hostRef ? [vm.hostRef] : [])),
  );
  const cluster = inventoryBefore?.clusters.find((one) =>
    one.hostRefs.some((ref) => hosts.has(ref)),
  );
  if (!cluster)
    throw fail('conflict', 'The VMs of this run are in no cluster that a host could join.');
  return cluster.ref;
}

export const hostJoins: ActPerformer = {
  before: hostBefore,
  async prepare(scene, before, signal) {
    // Outside the cluster, or disconnected: it is out already.
    if (before.cluster === '' || isOut(before.connection ?? '')) return 'The host was out already.';
    const session = await scene.session(signal);
    const ref = hostRefOf(scene);
    await makeHost(session, ref, { connected: true, maintenance: true }, signal);
    return `The host entered maintenance mode until then: ${await leftOn(session, ref, signal)}.`;
  },
  async begin(scene, before, signal) {
    const session = await scene.session(signal);
    const ref = hostRefOf(scene);
    const now = await session.hostState(ref, signal);
    const cluster = before.cluster === '' ? clusterOfRun(scene) : before.cluster;
    if (isOut(now.connectionState)) await session.reconnectHost(ref, signal);
    if (now.clusterRef !== cluster && cluster !== undefined)
      await session.joinCluster(ref, cluster, signal);
    if ((await session.hostState(ref, signal)).maintenance)
      await session.exitMaintenance(ref, signal);
    return 'The host was let in.';
  },
  end: restoreHost,
};

/** So many VMs are named in a sentence. */
const mostNamed = 3;

/** What vCenter has on a host after it was emptied, in words; a task that ended is no proof. */
async function leftOn(session: VCenterSession, ref: string, signal: AbortSignal): Promise<string> {
  let vms: HostVm[];
  try {
    vms = await session.hostVms(ref, signal);
  } catch (error) {
    if (signal.aborted) throw error;
    return `which VMs are on it is not known: ${toAppError(error).message.replace(/\.$/, '')}`;
  }
  const running = vms.filter((vm) => vm.poweredOn === true).map((vm) => vm.name);
  const untold = vms.filter((vm) => vm.poweredOn === null).length;
  const off = vms.length - running.length - untold;
  const more = [
    ...(off === 0 ? [] : [`${counted(off, 'VM')} powered off`]),
    ...(untold === 0 ? [] : [`${counted(untold, 'VM')} of which vCenter does not tell the state`]),
  ];
  const beside = more.length === 0 ? '' : `, beside ${more.join(' and ')}`;
  if (running.length === 0)
    return `${untold === 0 ? 'no running VM' : 'no VM known to run'} was left on it${beside}`;
  const named = running.slice(0, mostNamed).join(', ');
  const others = running.length > mostNamed ? ` and ${running.length - mostNamed} more` : '';
  return (
    `${counted(running.length, 'running VM')} stayed on it ` +
    `(${named}${others})${beside}, though the task of vCenter ended well`
  );
}

/**
 * The host enters maintenance mode, and stays connected or not. What is left on it is asked while
 * it is connected: of a host that is not, vCenter tells what it last knew.
 */
const empties = (connected: boolean, done: string): ActPerformer => ({
  before: hostBefore,
  async begin(scene, _before, signal) {
    const session = await scene.session(signal);
    const ref = hostRefOf(scene);
    await makeHost(session, ref, { connected: true, maintenance: true }, signal);
    const left = await leftOn(session, ref, signal);
    if (!connected) await makeHost(session, ref, { connected: false, maintenance: true }, signal);
    return `${done}: ${left}.`;
  },
  end: restoreHost,
});

export const hostLeaves = empties(false, 'The host entered maintenance mode and was disconnected');
export const maintenance = empties(true, 'The host entered maintenance mode');
