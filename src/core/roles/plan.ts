import type { Profile } from '../profile/profile.ts';
import type { ClientConnection, Connection } from '../testbed/connection.ts';
import type { Inventory } from '../testbed/inventory.ts';
import type { Testbed } from '../testbed/testbed.ts';
import type { GuestChoice, GuestPlan } from './job.ts';
import { roleFor } from './roles.ts';

/**
 * The machines of a testbed, with the role that fits each workload and the login that is plainly its
 * own: the one client connection with the VM's guest address, or else with its name.
 */
export function guestPlan(given: {
  testbed: Testbed;
  profile: Profile | undefined;
  inventory: Inventory | null;
  connections: readonly Connection[];
  prepared: Readonly<Record<string, string>>;
  /** Choices of the last job: they stand before what would be proposed. */
  chosen: readonly GuestChoice[];
}): GuestPlan {
  const { testbed, profile, inventory, prepared } = given;
  const clients = given.connections.filter((one) => one.kind === 'client');
  return {
    testbedId: testbed.id,
    items: testbed.tiles.flatMap((tile) =>
      tile.workloads.map(({ workloadId, vm, params }) => {
        const workload = profile?.workloads.find(({ id }) => id === workloadId);
        const found = vm && inventory?.vms.find(({ ref }) => ref === vm.ref);
        const address = found?.ip ?? null;
        const key = `${tile.index}/${workloadId}`;
        const before = given.chosen.find((one) => one.key === key);
        const login = clients.find(({ id }) => id === before?.connectionId);
        return {
          key,
          tileIndex: tile.index,
          workloadId,
          vm: found?.name ?? vm?.name ?? null,
          address,
          roleId:
            before?.roleId ??
            (workload
              ? (roleFor(workload.role, { ...workload.params, ...params })?.id ?? null)
              : null),
          connectionId:
            (login ?? loginOf(clients, address, found?.name ?? vm?.name ?? null))?.id ?? null,
          preparedAs: prepared[key] ?? null,
        };
      }),
    ),
  };
}

function loginOf(
  clients: readonly ClientConnection[],
  address: string | null,
  name: string | null,
): ClientConnection | null {
  const only = (fits: (one: ClientConnection) => boolean): ClientConnection | null => {
    const all = clients.filter(fits);
    return all.length === 1 ? all[0]! : null;
  };
  return (
    (address !== null ? only(({ host }) => host === address) : null) ??
    (name !== null ? only((one) => one.name === name || one.host === name) : null)
  );
}
