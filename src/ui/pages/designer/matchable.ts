import { layoutOf } from '../../../core/layout/layoutEdit.ts';
import type { LayoutView } from '../../../core/testbed/layoutModel.ts';
import type { NamingInput } from './NamingFields.tsx';

/** What a name pattern is held against: the VMs of the last discovery without the excluded ones. */
export function matchable({ testbed, inventory, profile, tiles }: LayoutView): NamingInput {
  return {
    profile,
    tiles: tiles.length,
    vms: inventory?.vms ?? [],
    excludedRefs: new Set(layoutOf(testbed).excludedVms.map(({ ref }) => ref)),
  };
}
