import type { Plan } from '../../../../src/core/plan/plan.ts';
import type { Inventory } from '../../../../src/core/testbed/inventory.ts';
import type { Testbed } from '../../../../src/core/testbed/testbed.ts';

/** Host of each VM as the testbed's layout plans it, for the tiles that run. */
export function plannedHosts(testbed: Testbed, tiles: number): Map<string, string> {
  return new Map(
    testbed.tiles
      .slice(0, tiles)
      .flatMap((tile) =>
        tile.workloads.flatMap((w) =>
          w.vm && w.planned?.host ? [[w.vm.ref, w.planned.host.ref] as const] : [],
        ),
      ),
  );
}

export interface StartMove {
  vmRef: string;
  vmName: string;
  hostRef: string;
  hostName: string;
}
export interface StartPlaces {
  moves: StartMove[];
  /** Why the wish cannot be met; a start is refused for any of them. */ problems: string[];
}

/**
 * What must be moved before the ramp-up so that every VM of the run is where the plan starts it.
 */
export function startMoves(plan: Plan, testbed: Testbed, inventory: Inventory | null): StartPlaces {
  const wish = plan.startPlacement;
  if (wish === undefined) return { moves: [], problems: [] };
  if (inventory === null)
    return {
      moves: [],
      problems: ['The plan places VMs before the ramp-up, and the run has no vCenter.'],
    };
  const vms = new Map(
    testbed.tiles
      .slice(0, plan.tiles)
      .flatMap((tile) =>
        tile.workloads.flatMap((w) => (w.vm ? [[w.vm.ref, w.vm.name] as const] : [])),
      ),
  );
  const wanted =
    wish === 'planned'
      ? plannedHosts(testbed, plan.tiles)
      : new Map([...vms.keys()].map((ref) => [ref, wish.allOnHostRef]));
  const problems = new Set<string>();
  if (wish === 'planned' && wanted.size === 0)
    problems.add(
      "The plan starts VMs at their planned hosts, and the testbed's layout plans none.",
    );
  const moves = [...wanted].flatMap(([vmRef, hostRef]): StartMove[] => {
    const host = inventory.hosts.find((one) => one.ref === hostRef);
    const vm = inventory.vms.find((one) => one.ref === vmRef);
    if (!host) {
      problems.add(`Host ${hostRef}, where VMs are to start, is not in vCenter.`);
      return [];
    }
    if (host.maintenance || host.connectionState !== 'connected') {
      problems.add(
        `${host.name}, where VMs are to start, is ${host.maintenance ? 'in maintenance mode' : host.connectionState}.`,
      );
      return [];
    }
    if (!vm) {
      problems.add(`${vms.get(vmRef) ?? vmRef} is not in vCenter.`);
      return [];
    }
    return vm.hostRef === hostRef ? [] : [{ vmRef, vmName: vm.name, hostRef, hostName: host.name }];
  });
  return { moves, problems: [...problems] };
}
