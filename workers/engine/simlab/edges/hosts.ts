import { fail } from '../../../../src/core/base/errors.ts';
import type { HostCalls } from '../../deps/vcenter.ts';
import type { HostedLab } from '../lab.ts';
import type { LabHostState, LabModel } from '../model/types.ts';
import { clusterRef } from '../names.ts';
import { stateOf } from './inventory.ts';
import type { VCenterWorld } from './vcenterWorld.ts';

/** How long vCenter takes to let a host in or out, without the moves of its VMs. Chosen. */
const hostTaskMs = 5_000;

/** What acts on the model is a fault of it. */
const noPaths = () =>
  fail('conflict', 'A simulated lab loses a path by a fault of its own, not by a call to a host.');

/** What a session does to hosts. Every host of a lab belongs to its one cluster. */
export function createSimHosts(world: VCenterWorld): HostCalls {
  const at = (hostRef: string): { on: HostedLab; model: LabModel } => {
    const on = world.lab();
    if (!on.spec.hosts.some((host) => host.id === hostRef))
      throw fail('notFound', `vCenter ${on.id}.sim has no host ${hostRef}.`);
    if (on.hit('hostDown', hostRef))
      throw fail('conflict', `${hostRef} does not respond.`, 'Wait until it is back.');
    return { on, model: on.sync() };
  };
  const to = async (
    hostRef: string,
    state: LabHostState,
    signal: AbortSignal | undefined,
  ): Promise<void> => {
    at(hostRef);
    await world.clock.sleep(hostTaskMs, signal);
    at(hostRef).model.setHostState(hostRef, state);
  };
  return {
    hostState: async (hostRef) => {
      const on = world.lab();
      const host = on.spec.hosts.find((one) => one.id === hostRef);
      if (!host) throw fail('notFound', `vCenter ${on.id}.sim has no host ${hostRef}.`);
      return { ...stateOf(on, on.sync(), hostRef), clusterRef: host.virtual ? clusterRef : null };
    },
    hostVms: async (hostRef) => {
      const on = world.lab();
      if (!on.spec.hosts.some((one) => one.id === hostRef))
        throw fail('notFound', `vCenter ${on.id}.sim has no host ${hostRef}.`);
      return [...on.sync().placement()].flatMap(([ref, { hostId, poweredOn }]) =>
        hostId === hostRef ? [{ ref, name: ref, poweredOn }] : [],
      );
    },
    adapterPaths: async () => {
      throw noPaths();
    },
    setPath: async () => {
      throw noPaths();
    },
    async enterMaintenance(hostRef, signal) {
      const { model } = at(hostRef);
      if (model.hostState(hostRef) === 'maintenance') return;
      model.setHostState(hostRef, 'entering');
      try {
        for (let waitS = model.evacuate(hostRef); waitS !== null;) {
          await world.clock.sleep(waitS * 1_000, signal);
          waitS = at(hostRef).model.evacuate(hostRef);
        }
        await to(hostRef, 'maintenance', signal);
      } catch (error) {
        world.lab().sync().setHostState(hostRef, 'in');
        throw error;
      }
    },
    exitMaintenance: (hostRef, signal) => to(hostRef, 'in', signal),
    disconnectHost: (hostRef, signal) => to(hostRef, 'out', signal),
    // A host that was disconnected comes back as it was: in maintenance mode.
    reconnectHost: (hostRef, signal) => to(hostRef, 'maintenance', signal),
    joinCluster: async () => {
      throw fail('conflict', 'Every host of a simulated lab is in its cluster already.');
    },
  };
}
