import { byName, byNaturalOrder } from '../../../src/core/base/naturalOrder.ts';
import type { FolderInfo, ResourcePoolInfo } from '../../../src/core/testbed/inventory.ts';
import { allocationOf } from './machines.ts';
import { nameOf } from './names.ts';
import type { ManagedObject, Wanted } from './properties.ts';
import { textOf } from './xml.ts';

export const placeProperties: Wanted = {
  Datacenter: ['name', 'parent'],
  Folder: ['name', 'parent', 'childType'],
  // vApps are resource pools too.
  ResourcePool: ['name', 'parent', 'owner', 'config.cpuAllocation', 'config.memoryAllocation'],
};

const parentOf = (object: ManagedObject): string | null => textOf(object.props.get('parent'));

/**
 * Names from the outermost known ancestor down, `/` between them. A ring of parents, which no
 * vCenter makes, ends where it closes.
 */
function pathOf(object: ManagedObject, known: ReadonlyMap<string, ManagedObject>): string {
  const names: string[] = [];
  const seen = new Set<string>();
  for (
    let at: ManagedObject | undefined = object;
    at && !seen.has(at.ref.id);
    at = known.get(parentOf(at) ?? '')
  ) {
    seen.add(at.ref.id);
    names.unshift(nameOf(at));
  }
  return names.join('/');
}

/**
 * Resource pools by what owns them. The root pool of a cluster, always called `Resources`, goes by
 * its owner's name.
 */
export function toPools(
  pools: readonly ManagedObject[],
  owners: ReadonlyMap<string, string>,
): ResourcePoolInfo[] {
  const known = new Map(pools.map((pool) => [pool.ref.id, pool]));
  return pools
    .map((pool) => {
      const ownerRef = textOf(pool.props.get('owner'));
      const path = pathOf(pool, known).split('/');
      const owner = ownerRef === null ? undefined : owners.get(ownerRef);
      const parentRef = parentOf(pool);
      return {
        ref: pool.ref.id,
        name: nameOf(pool),
        path: [owner ?? path[0]!, ...path.slice(1)].join('/'),
        ownerRef,
        parentRef: parentRef !== null && known.has(parentRef) ? parentRef : null,
        cpu: allocationOf(pool.props.get('config.cpuAllocation')),
        memory: allocationOf(pool.props.get('config.memoryAllocation')),
      };
    })
    .sort(byPath);
}

/** Folders that can hold VMs, by datacenter. */
export function toFolders(
  folders: readonly ManagedObject[],
  datacenters: readonly ManagedObject[],
): FolderInfo[] {
  const known = new Map([...folders, ...datacenters].map((object) => [object.ref.id, object]));
  return folders
    .filter(
      (folder) =>
        folder.props
          .get('childType')
          ?.children.some((type) => textOf(type) === 'VirtualMachine') === true,
    )
    .map((folder) => ({
      ref: folder.ref.id,
      name: nameOf(folder),
      path: pathOf(folder, known),
      parentRef: parentOf(folder),
    }))
    .sort(byPath);
}
const byPath = <T extends { name: string; path: string }>(a: T, b: T): number =>
  byNaturalOrder(a.path, b.path) || byName(a, b);
