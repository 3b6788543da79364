import { fail } from '../../../../src/core/base/errors.ts';
import type { VCenterSession } from '../../deps/vcenter.ts';
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
    if (before.cluster === '' || isOut(before.connection ?? '')) return;
    const session = await scene.session(signal);
    await makeHost(session, hostRefOf(scene), { connected: true, maintenance: true }, signal);
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
    return 'The host takes VMs.';
  },
  end: restoreHost,
};

export const hostLeaves: ActPerformer = {
  before: hostBefore,
  async begin(scene, _before, signal) {
    await makeHost(
      await scene.session(signal),
      hostRefOf(scene),
      { connected: false, maintenance: true },
      signal,
    );
    return 'The host is empty and disconnected.';
  },
  end: restoreHost,
};

export const maintenance: ActPerformer = {
  before: hostBefore,
  async begin(scene, _before, signal) {
    await makeHost(
      await scene.session(signal),
      hostRefOf(scene),
      { connected: true, maintenance: true },
      signal,
    );
    return 'The host is in maintenance mode, and no running VM is on it.';
  },
  end: restoreHost,
};
