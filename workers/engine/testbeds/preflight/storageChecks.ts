import type { CheckFinding } from '../../../../src/shared/plan.ts';
import type { DatastoreInfo, Inventory } from '../../../../src/shared/testbed.ts';
import { outstandingOf } from '../../../../src/shared/layoutOutstanding.ts';
import type { DriverParams } from '../../../../src/shared/profile.ts';
import { vcenterName } from './vcenterChecks.ts';
import { placedUnits } from './vmChecks.ts';
import type { Check, CheckContext } from './types.ts';

/** App's choice: a datastore this full leaves no room for delta disks and logs of three hours. */
const tightFreePct = 5;
const gib = (bytes: number): string => `${(bytes / 2 ** 30).toFixed(1)} GiB`;

async function storesOf(context: CheckContext): Promise<{ inventory: Inventory; stores: DatastoreInfo[]; source: string }> {
  const inventory = await context.world.inventory();
  const { datastoreRefs } = await context.world.underTest();
  return { inventory, stores: inventory.datastores.filter((store) => datastoreRefs.has(store.ref)), source: vcenterName(context) };
}

export const storageReady: Check = {
  id: 'datastore.ready', title: 'Datastores are accessible', needs: 'vcenter',
  async run(context) {
    const { inventory, stores, source } = await storesOf(context);
    const { hostRefs } = await context.world.underTest();
    const { operations } = await context.world.infrastructure();
    const away = stores.filter((store) => !store.accessible);
    // VMs move between hosts only where every host mounts their datastore.
    const moves = operations.some((one) => one.kind === 'vmotion') || context.inputs.plan.startPlacement !== undefined || inventory.clusters.some((cluster) => cluster.drsEnabled && cluster.drsBehavior === 'fullyAutomated' && cluster.hostRefs.some((ref) => hostRefs.has(ref)));
    const unmounted = stores.filter((store) => store.accessible && moves).flatMap((store) => {
      const lacking = inventory.hosts.filter((host) => hostRefs.has(host.ref) && host.connectionState === 'connected' && !store.hostRefs.includes(host.ref)).map((host) => host.name);
      return lacking.length > 0 ? [{ store, lacking }] : [];
    });
    return [
      ...away.map((store): CheckFinding => ({ id: 'datastore.inaccessible', severity: 'block', title: `Datastore ${store.name}`, subject: store.name, source, evidence: 'not accessible', fix: 'Mount it again, or move the VMs.', command: 'esxcli storage core adapter rescan --all' })),
      ...unmounted.map(({ store, lacking }): CheckFinding => ({ id: 'datastore.unmounted', severity: 'warn', title: `Datastore ${store.name}`, subject: store.name, source, evidence: `not mounted on ${lacking.slice(0, 8).join(', ')}${lacking.length > 8 ? ` and ${lacking.length - 8} more` : ''}`, fix: 'Mount it on every host under test: VMs on it cannot be moved there.' })),
      ...(away.length === 0 && stores.length > 0 ? [{ id: 'datastore.ready', severity: 'ok' as const, title: 'Datastores', subject: 'datastores', source, evidence: `${stores.length} accessible` }] : []),
    ];
  },
};

/** Bytes the run itself puts on each datastore: swap files of VMs that are still off, and the clones of the deploy loops. */
async function neededBytes(context: CheckContext, inventory: Inventory): Promise<Map<string, number>> {
  const needed = new Map<string, number>();
  const add = (ref: string | undefined, bytes: number): void => { if (ref !== undefined) needed.set(ref, (needed.get(ref) ?? 0) + bytes); };
  for (const { vm } of placedUnits(context.units, inventory)) if (vm.powerState !== 'poweredOn') add(vm.datastoreRefs[0], (vm.memoryMb ?? 0) * 1_048_576);
  for (const { kind, loops, targets } of (await context.world.infrastructure()).operations) {
    const bytesOf = (ref: string): number => { const vm = inventory.vms.find((one) => one.ref === ref); return (vm?.committedBytes ?? 0) + (vm?.memoryMb ?? 0) * 1_048_576; };
    if (kind === 'deploy' && targets.deploy) add(targets.deploy.datastoreRef, loops * bytesOf(targets.deploy.templateRef));
    if (kind === 'storageVmotion' && targets.storageVmotion) add(targets.storageVmotion.datastoreRef, loops * Math.max(0, ...targets.storageVmotion.vmRefs.map(bytesOf)));
  }
  return needed;
}

export const storageSpace: Check = {
  id: 'datastore.space', title: 'Space for clones and swap files', needs: 'vcenter',
  async run(context) {
    const inventory = await context.world.inventory();
    const { stores, source } = await storesOf(context);
    const needed = await neededBytes(context, inventory);
    const concerned = inventory.datastores.filter((store) => stores.includes(store) || needed.has(store.ref));
    const judged = concerned.flatMap((store): CheckFinding[] => {
      const { capacityBytes, freeBytes } = store;
      if (capacityBytes === null || freeBytes === null || capacityBytes <= 0) return [{ id: 'datastore.spaceUnknown', severity: 'info', title: `Datastore ${store.name}`, subject: store.name, source, evidence: 'its free space is not told' }];
      const want = needed.get(store.ref) ?? 0;
      const freePct = (100 * freeBytes) / capacityBytes;
      const short = freeBytes <= want;
      if (!short && freePct >= tightFreePct) return [];
      return [{
        id: 'datastore.space', severity: short ? 'block' : 'warn', title: `Datastore ${store.name}`, subject: store.name, source,
        evidence: `${gib(freeBytes)} of ${gib(capacityBytes)} free (${freePct.toFixed(1)} %)${want > 0 ? `, clones and swap files of the run need ${gib(want)}` : ''}`,
        fix: 'Free space or move VMs: a full datastore stops every VM on it.', command: `govc datastore.du -ds '${store.name}'`,
      }];
    });
    return judged.some((one) => one.id === 'datastore.space') || stores.length === 0 ? judged : [...judged, { id: 'datastore.space', severity: 'ok', title: 'Space on the datastores', subject: 'datastores', source, evidence: `enough on ${concerned.length}` }];
  },
};

/** Commands that one LUN of an array took in the seeds' 64-host study before latency grew: the figure of that array, used where vCenter tells no depth. */
const studiedLunCommands = 256;

export const queueDepth: Check = {
  id: 'lun.queueDepth', title: 'Queue depth of the LUNs against planned I/Os', needs: 'vcenter',
  async run(context) {
    const { inventory, stores, source } = await storesOf(context);
    const planned = placedUnits(context.units, inventory).flatMap(({ unit, vm }) => {
      const outstanding = outstandingOf(unit.workload.driver, unit.params as DriverParams);
      return outstanding === null ? [] : [{ unit, vm, outstanding }];
    });
    const judged = stores.flatMap((store) => {
      const here = planned.filter(({ vm }) => vm.datastoreRefs.includes(store.ref) && vm.hostRef !== null);
      const depths = store.luns.flatMap((lun) => lun.queueDepth ?? []);
      if (here.length === 0 || depths.length === 0) return [];
      // The depth that vCenter tells is one host's: what the VMs of one host keep outstanding must fit in it.
      const depth = depths.reduce((sum, one) => sum + one, 0);
      const byHost = new Map<string, number>();
      for (const { vm, outstanding } of here) byHost.set(vm.hostRef!, (byHost.get(vm.hostRef!) ?? 0) + outstanding);
      const [hostRef, most] = [...byHost].sort((a, b) => b[1] - a[1])[0]!;
      const total = [...byHost.values()].reduce((sum, one) => sum + one, 0);
      return [{ store, depth, most, total, hostName: inventory.hosts.find((host) => host.ref === hostRef)?.name ?? hostRef }];
    });
    const shallow = judged.filter(({ depth, most, total }) => most > depth || total > studiedLunCommands);
    return [
      ...shallow.map(({ store, depth, most, total, hostName }): CheckFinding => ({
        id: 'lun.queueDepth', severity: 'warn', title: `Queue of ${store.name}`, subject: store.name, source,
        evidence: `${most} outstanding I/Os planned from ${hostName}, whose queue for it takes ${depth}${total > studiedLunCommands ? `; ${total} from all hosts, and one LUN took ${studiedLunCommands} before its latency grew in the study of 64 hosts on one LUN (seed E14)` : ''}`,
        fix: 'Spread the VMs over more LUNs or hosts, lower the outstanding I/Os, or raise the queue depth.', command: 'esxcli storage core device set --device=<naa…> --sched-num-req-outstanding=64',
      })),
      ...(shallow.length === 0 && judged.length > 0 ? [{ id: 'lun.queueDepth', severity: 'ok' as const, title: 'Queue depth', subject: 'datastores', source, evidence: `planned I/Os fit into the queues of ${judged.length} datastores; the fullest takes ${Math.max(...judged.map((one) => (100 * one.most) / one.depth)).toFixed(0)} %` }] : []),
    ];
  },
};

export const oneTileALun: Check = {
  id: 'lun.shared', title: 'One tile a LUN', needs: 'vcenter',
  async run(context) {
    const { inventory, stores, source } = await storesOf(context);
    const placed = placedUnits(context.units, inventory);
    const maintenance = context.inputs.testbed.layout?.maintenanceDatastore?.ref;
    const findings = stores.flatMap((store): CheckFinding[] => {
      const here = placed.filter(({ vm }) => vm.datastoreRefs.includes(store.ref));
      const tiles = [...new Set(here.map(({ unit }) => unit.tile))].sort((a, b) => a - b);
      const about = { title: `Datastore ${store.name}`, subject: store.name, source };
      const onMaintenance: CheckFinding[] = store.ref === maintenance && tiles.length > 0 ? [{ ...about, id: 'lun.maintenance', severity: 'warn', evidence: `is the maintenance datastore and holds VMs of ${words(tiles)}`, fix: 'Keep the tiles off it: Storage vMotion and deploy write to it during the run.' }] : [];
      if (tiles.length < 2) return onMaintenance;
      // Where the layout itself puts several tiles there, that is what is studied.
      const meant = here.every(({ unit }) => unit.assignment.planned?.datastore?.ref === store.ref);
      return [...onMaintenance, { ...about, id: 'lun.shared', severity: meant ? 'info' : 'warn', evidence: `holds VMs of ${words(tiles)}${meant ? ', as the layout has it' : ''}`, ...(meant ? {} : { fix: 'Give each tile a LUN of its own: tiles on one LUN contend in its queue. Where that is meant, plan it so in the layout.' }) }];
    });
    return findings.length > 0 || placed.length === 0 ? findings : [{ id: 'lun.shared', severity: 'ok', title: 'One tile a LUN', subject: 'datastores', source, evidence: `no datastore of ${stores.length} holds VMs of two tiles` }];
  },
};
function words(tiles: readonly number[]): string {
  return `${tiles.length === 1 ? 'tile' : 'tiles'} ${tiles.slice(0, 8).map((tile) => tile + 1).join(', ')}${tiles.length > 8 ? ` and ${tiles.length - 8} more` : ''}`;
}
