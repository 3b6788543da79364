import { toAppError } from '../../../../src/core/base/errors.ts';
import type { PlacementHistory, RunRecord } from '../../../../src/core/run/run.ts';
import type { Inventory } from '../../../../src/core/testbed/inventory.ts';
import { pause } from '../../clock/jumps.ts';
import type { RunContext } from '../context.ts';
import { watchedProviders } from '../series.ts';
import { createPortWatch } from './portWatch.ts';
import { createVmEventReader, type Followed } from './vmEvents.ts';
import { createVmPlaces } from './vmPlaces.ts';

const periodMs = 20_000;
export interface VmWatch {
  /** Reads once more and ends. */
  finish(): Promise<void>;
}

/** VMs that are followed: those under load by tile, then those that only operations work on. */
function followedVms(
  { testbed, plan }: Pick<RunRecord, 'testbed' | 'plan'>,
  nameOf: (ref: string) => string,
): PlacementHistory['vms'] {
  const tiles = testbed.tiles
    .slice(0, plan.tiles)
    .flatMap((tile, index) =>
      tile.workloads.flatMap((w) =>
        w.vm ? [{ ref: w.vm.ref, name: w.vm.name, tile: index }] : [],
      ),
    );
  const { infrastructure: targets } = testbed;
  const others = [
    ...(targets?.vmotionVmRefs ?? []),
    ...(targets?.xvmotion?.vmRefs ?? []),
    ...(targets?.storageVmotion?.vmRefs ?? []),
    ...(targets?.snapshotVmRefs ?? []),
  ].map((ref) => ({ ref, name: nameOf(ref), tile: null }));
  return [...new Map([...others, ...tiles].map((vm) => [vm.ref, vm])).values()].sort(
    (a, b) => (a.tile ?? Infinity) - (b.tile ?? Infinity),
  );
}

/**
 * Follows what happens to the run's VMs in vCenter until `signal` fires: events every 20 s,
 * back-filled after a gap, and where each VM runs. Null without a vCenter.
 */
export function watchVms(context: RunContext, signal: AbortSignal): VmWatch | null {
  const { run, deps } = context;
  const record = run.record();
  const { inventoryBefore: inventory } = record;
  const vcenterId = record.testbed.vcenterId;
  if (vcenterId === null || inventory === null) return null;
  const nameOf = namesIn(inventory);
  const hosts = new Set(watchedProviders(context.units, inventory).hosts.map((host) => host.ref));
  const stored = record.overview.placement;
  const vms = stored?.vms ?? followedVms(record, nameOf.vm);
  if (vms.length === 0) return null;
  const startMs = record.overview.startedAtMs ?? deps.clock.now();
  const places = createVmPlaces(context, {
    start: stored ?? {
      hosts: inventory.hosts
        .filter((host) => hosts.has(host.ref))
        .map(({ ref, name }) => ({ ref, name })),
      vms,
      moves: [],
    },
    known: stored !== undefined,
    startMs,
    hostName: nameOf.host,
  });
  const followed: Followed = { vms: new Set(vms.map((vm) => vm.ref)), hosts, nameOf };
  const events = createVmEventReader(context, followed, places, startMs);
  const ports = createPortWatch(
    context,
    inventory,
    vms.map((vm) => vm.ref),
    nameOf,
  );

  async function read(until: AbortSignal): Promise<void> {
    try {
      const session = await context.peers.vcenter(vcenterId!, until);
      const { offsetMs } = await session.clockOffset(until);
      if (!places.wasRead()) await places.read(session, until);
      await events.read(session, offsetMs, until);
      await places.read(session, until);
      await ports.read(session, until);
      context.outages.back(vcenterId!, 'events');
    } catch (error) {
      if (until.aborted) return;
      context.outages.lost(vcenterId!, {
        key: 'events',
        detail: `Events and places of VMs: ${toAppError(error).message}`,
      });
    }
  }
  const reading = (async () => {
    while (!signal.aborted) {
      await read(signal);
      await pause(deps.clock, Math.max(periodMs, deps.clock.grainMs?.() ?? 0), signal);
    }
  })();
  return {
    async finish() {
      await reading;
      await read(AbortSignal.any([run.hard, context.detached]));
      events.tellRest();
    },
  };
}

/** Names of VMs and hosts by their reference, which stands where none is known. */
function namesIn({ vms, hosts }: Inventory): Followed['nameOf'] {
  const vmNames = new Map(vms.map((vm) => [vm.ref, vm.name]));
  const hostNames = new Map(hosts.map((host) => [host.ref, host.name]));
  return {
    vm: (ref) => vmNames.get(ref) ?? ref,
    host: (ref) => hostNames.get(ref) ?? ref,
  };
}
