import type { CheckFinding } from '../../../../src/core/plan/plan.ts';
import type { DatastoreInfo, Inventory } from '../../../../src/core/testbed/inventory.ts';
import { type CheckContext, defineCheck } from './types.ts';
import { vcenterName } from './vcenterChecks.ts';
import { placedUnits } from './vmChecks.ts';

/** App's choice: a datastore this full leaves no room for delta disks and logs of three hours. */
const tightFreePct = 5;
const gib = (bytes: number): string => `${(bytes / 2 ** 30).toFixed(1)} GiB`;

async function storesOf(
  context: CheckContext,
): Promise<{ inventory: Inventory; stores: DatastoreInfo[]; source: string }> {
  const inventory = await context.world.inventory();
  const { datastoreRefs } = await context.world.underTest();
  return {
    inventory,
    stores: inventory.datastores.filter((store) => datastoreRefs.has(store.ref)),
    source: vcenterName(context),
  };
}

export const storageReady = defineCheck({
  id: 'datastore.ready',
  title: 'Datastores are accessible',
  needs: 'vcenter',
  async run(context) {
    const { inventory, stores, source } = await storesOf(context);
    const { hostRefs } = await context.world.underTest();
    const { operations } = await context.world.infrastructure();
    const away = stores.filter((store) => !store.accessible);
    // VMs move between hosts only where every host mounts their datastore.
    const moves =
      operations.some((one) => one.kind === 'vmotion') ||
      context.inputs.plan.startPlacement !== undefined ||
      inventory.clusters.some(
        (cluster) =>
          cluster.drsEnabled &&
          cluster.drsBehavior === 'fullyAutomated' &&
          cluster.hostRefs.some((ref) => hostRefs.has(ref)),
      );
    const unmounted = stores
      .filter((store) => store.accessible && moves)
      .flatMap((store) => {
        const lacking = inventory.hosts
          .filter(
            (host) =>
              hostRefs.has(host.ref) &&
              host.connectionState === 'connected' &&
              !store.hostRefs.includes(host.ref),
          )
          .map((host) => host.name);
        return lacking.length > 0 ? [{ store, lacking }] : [];
      });
    return [
      ...away.map((store): CheckFinding => ({
        id: 'datastore.inaccessible',
        severity: 'block',
        title: `Datastore ${store.name}`,
        subject: store.name,
        source,
        evidence: 'not accessible',
        fix: 'Mount it again, or move the VMs.',
        command: 'esxcli storage core adapter rescan --all',
      })),
      ...unmounted.map(({ store, lacking }): CheckFinding => ({
        id: 'datastore.unmounted',
        severity: 'warn',
        title: `Datastore ${store.name}`,
        subject: store.name,
        source,
        evidence:
          'not mounted on ' +
          `${lacking.slice(0, 8).join(', ')}${lacking.length > 8 ? ` and ${lacking.length - 8} more` : ''}`,
        fix: 'Mount it on every host under test: VMs on it cannot be moved there.',
      })),
      ...(away.length === 0 && stores.length > 0
        ? [
            {
              id: 'datastore.ready',
              severity: 'ok' as const,
              title: 'Datastores',
              subject: 'datastores',
              source,
              evidence: `${stores.length} accessible`,
            },
          ]
        : []),
    ];
  },
});

/**
 * Bytes the run itself puts on each datastore: swap files of VMs that are still off, and the clones
 * of the deploy loops.
 */
async function neededBytes(
  context: CheckContext,
  inventory: Inventory,
): Promise<Map<string, number>> {
  const needed = new Map<string, number>();
  const add = (ref: string | undefined, bytes: number): void => {
    if (ref !== undefined) needed.set(ref, (needed.get(ref) ?? 0) + bytes);
  };
  for (const { vm } of placedUnits(context.units, inventory))
    if (vm.powerState !== 'poweredOn') add(vm.datastoreRefs[0], (vm.memoryMb ?? 0) * 1_048_576);
  for (const { kind, loops, targets } of (await context.world.infrastructure()).operations) {
    const bytesOf = (ref: string): number => {
      const vm = inventory.vms.find((one) => one.ref === ref);
      return (vm?.committedBytes ?? 0) + (vm?.memoryMb ?? 0) * 1_048_576;
    };
    if (kind === 'deploy' && targets.deploy)
      add(targets.deploy.datastoreRef, loops * bytesOf(targets.deploy.templateRef));
    if (kind === 'storageVmotion' && targets.storageVmotion)
      add(
        targets.storageVmotion.datastoreRef,
        loops * Math.max(0, ...targets.storageVmotion.vmRefs.map(bytesOf)),
      );
  }
  return needed;
}

export const storageSpace = defineCheck({
  id: 'datastore.free',
  title: 'Space for clones and swap files',
  needs: 'vcenter',
  async run(context) {
    const inventory = await context.world.inventory();
    const { stores, source } = await storesOf(context);
    const needed = await neededBytes(context, inventory);
    const concerned = inventory.datastores.filter(
      (store) => stores.includes(store) || needed.has(store.ref),
    );
    const judged = concerned.flatMap((store): CheckFinding[] => {
      const { capacityBytes, freeBytes } = store;
      if (capacityBytes === null || freeBytes === null || capacityBytes <= 0)
        return [
          {
            id: 'datastore.spaceUnknown',
            severity: 'info',
            title: `Datastore ${store.name}`,
            subject: store.name,
            source,
            evidence: 'its free space is not told',
          },
        ];
      const want = needed.get(store.ref) ?? 0;
      const freePct = (100 * freeBytes) / capacityBytes;
      const short = freeBytes <= want;
      if (!short && freePct >= tightFreePct) return [];
      return [
        {
          id: 'datastore.free',
          severity: short ? 'block' : 'warn',
          title: `Datastore ${store.name}`,
          subject: store.name,
          source,
          evidence:
            `${gib(freeBytes)} of ${gib(capacityBytes)} free (${freePct.toFixed(1)} ` +
            `%)${want > 0 ? `, clones and swap files of the run need ${gib(want)}` : ''}`,
          fix: 'Free space or move VMs: a full datastore stops every VM on it.',
          command: `govc datastore.du -ds '${store.name}'`,
        },
      ];
    });
    return judged.some((one) => one.id === 'datastore.free') || stores.length === 0
      ? judged
      : [
          ...judged,
          {
            id: 'datastore.free',
            severity: 'ok',
            title: 'Space on the datastores',
            subject: 'datastores',
            source,
            evidence: `enough on ${concerned.length}`,
          },
        ];
  },
});
