import { fail } from '../../src/core/base/errors.ts';
import type { GuestChoice, GuestPlan, GuestPlanItem } from '../../src/core/roles/job.ts';
import { placeText } from '../../src/core/roles/words.ts';

/** One `--machine`: which, and what is chosen for it in place of what is proposed. */
export interface MachineWish {
  /** Tile and workload, `1/database`, or the name of its VM. */
  machine: string;
  roleId: string | null;
  connectionId: string | null;
}

/** What `--machine` and the lists call a machine: tiles count from 1, as everywhere on screen. */
export const machineName = (item: { tileIndex: number; workloadId: string }): string =>
  `${item.tileIndex + 1}/${item.workloadId}`;

/** Reads `MACHINE[=ROLE][@LOGIN]`. Throws invalidInput. */
export function machineWish(text: string): MachineWish {
  const [, machine, roleId = null, connectionId = null] =
    /^([^=@]+)(?:=([a-z]+))?(?:@(.+))?$/.exec(text) ?? [];
  if (machine === undefined)
    throw fail(
      'invalidInput',
      `"${text}" is no machine.`,
      'It is MACHINE[=ROLE][@LOGIN]: 1/database, 1/database=mariadb, or db1=mariadb@db1.',
    );
  return { machine, roleId, connectionId };
}

/** What is done to which machine, and what is left alone for which reason. */
export interface GuestSelection {
  chosen: { item: GuestPlanItem; choice: GuestChoice }[];
  left: { item: GuestPlanItem; why: string }[];
}

/**
 * The machines that a command works on: all that can be, or those that were wished for. Throws
 * invalidInput for a wish that names no machine, or two.
 */
export function selectGuests(
  { items }: GuestPlan,
  purpose: 'prepare' | 'undo',
  wishes: readonly MachineWish[],
): GuestSelection {
  const wished = new Map(wishes.map((wish) => [itemOf(items, wish.machine).key, wish]));
  const selection: GuestSelection = { chosen: [], left: [] };
  for (const item of items) {
    const wish = wished.get(item.key);
    if (wishes.length > 0 && !wish) continue;
    const proposed = purpose === 'undo' ? item.preparedAs : item.roleId;
    const roleId = wish?.roleId ?? proposed;
    const connectionId = wish?.connectionId ?? item.connectionId;
    if (roleId !== null && connectionId !== null)
      selection.chosen.push({ item, choice: { key: item.key, roleId, connectionId } });
    else selection.left.push({ item, why: whyLeft(item, purpose, roleId) });
  }
  return selection;
}

function itemOf(items: readonly GuestPlanItem[], machine: string): GuestPlanItem {
  const found = items.filter((item) => machineName(item) === machine || item.vm === machine);
  if (found.length === 1) return found[0]!;
  throw fail(
    'invalidInput',
    found.length === 0
      ? `The testbed has no machine ${machine}.`
      : `${machine} stands for ${found.map(placeText).join(' and ')}.`,
    `Name one of ${items.slice(0, 20).map(machineName).join(', ')}.`,
  );
}

function whyLeft(item: GuestPlanItem, purpose: 'prepare' | 'undo', roleId: string | null): string {
  if (roleId === null)
    return purpose === 'undo'
      ? 'as far as this app knows, not prepared'
      : `no role fits; one is chosen by --machine ${machineName(item)}=ROLE`;
  return `no login is plainly its own; one is chosen by --machine ${machineName(item)}@LOGIN`;
}
