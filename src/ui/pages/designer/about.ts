import { keysOfTiles } from '../../../core/layout/layoutEdit.ts';
import type { FindingAt } from '../../../core/layout/layoutTypes.ts';
import type { LayoutView, LayoutVm } from '../../../core/testbed/layoutModel.ts';

/** What a finding is about, as keys of VMs and refs of columns: what lights up on the boards. */
export function aboutOf(view: LayoutView, { kind, ref }: FindingAt): Set<string> {
  switch (kind) {
    case 'slot':
      return new Set([ref]);
    case 'tile':
      return new Set(keysOfTiles(view.testbed, [Number(ref)]));
    case 'host':
    case 'datastore':
      return new Set([ref]);
    case 'client':
      return new Set(view.clients.find(({ id }) => id === ref)?.vms.map((vm) => vm.key) ?? []);
    case 'testbed':
      return new Set();
  }
}

/** VMs that stand at the host or LUN a finding is about; undefined where it is about neither. */
export function vmsAt(view: LayoutView, { kind, ref }: FindingAt): readonly LayoutVm[] | undefined {
  return kind === 'host'
    ? view.hostByRef.get(ref)?.vms
    : kind === 'datastore'
      ? view.datastoreByRef.get(ref)?.vms
      : undefined;
}

/** VMs whose place or tile a finding names: what the filter "with findings" keeps. */
export function flaggedKeys(view: LayoutView, places: readonly FindingAt[]): Set<string> {
  const flagged = new Set<string>();
  for (const at of places) {
    const vms = vmsAt(view, at);
    if (vms) for (const vm of vms) flagged.add(vm.key);
    else for (const key of aboutOf(view, at)) flagged.add(key);
  }
  return flagged;
}
