import type { NamedRef, Testbed } from '../../../../src/core/testbed/testbed.ts';
import type { VmMark } from '../../deps/vcenter.ts';

/** Key of a VM's advanced configuration under which the mark stands. */
const markKey = 'tilebench.mark';
/** Longest folder name vCenter takes. */
const folderNameLimit = 80;

/**
 * What a VM says that this app made: of which testbed, for which workload, under which name. A
 * clone somebody made of it has another name, so its copied mark does not hold.
 */
const markOf = (testbedId: string, key: string, name: string): string =>
  `${testbedId}/${key}/${name}`;

/** What is written on a clone: the mark, and a sentence for people who meet it in vCenter. */
export function marking(
  testbed: Pick<Testbed, 'id' | 'name'>,
  item: { key: string; tileIndex: number; workloadId: string; name: string },
): { annotation: string; extraConfig: Record<string, string> } {
  return {
    annotation:
      `Made by Tilebench for testbed ${testbed.name}: tile ${item.tileIndex + 1}, ` +
      `${item.workloadId}. Its clean-up removes this VM.`,
    extraConfig: { [markKey]: markOf(testbed.id, item.key, item.name) },
  };
}

/** Whether a VM carries the mark of this item. */
export const isMarkedFor = (
  testbedId: string,
  item: { key: string; name: string },
  mark: VmMark,
): boolean => mark.extraConfig[markKey] === markOf(testbedId, item.key, item.name);

/**
 * Why a VM must not be deleted; null = it may. Two witnesses have to agree: the testbed lists the
 * VM as made, and the VM itself carries this testbed's mark with the name it has now.
 */
export function refusalToDelete(
  testbedId: string,
  made: readonly NamedRef[],
  vmRef: string,
  mark: VmMark,
): string | null {
  if (!made.some(({ ref }) => ref === vmRef))
    return `${mark.name} is not among the VMs this testbed made`;
  const text = mark.extraConfig[markKey];
  if (text === undefined) return `${mark.name} does not carry the mark of this app`;
  if (!text.startsWith(`${testbedId}/`)) return `${mark.name} carries the mark of another testbed`;
  if (!text.endsWith(`/${mark.name}`))
    return `${mark.name} was renamed or copied: its mark is of ${text.slice(text.lastIndexOf('/') + 1)}`;
  return null;
}

/**
 * Name of the folder for a testbed's VMs. vCenter escapes `%`, `/` and `\`: left out, they cannot
 * be read back wrongly.
 */
export const folderNameOf = (testbed: Pick<Testbed, 'name'>): string =>
  `Tilebench ${testbed.name.replace(/[%/\\]+/g, '-')}`.slice(0, folderNameLimit).trim();
