import { noValue } from '../../../core/base/format.ts';
import { byNaturalOrder } from '../../../core/base/naturalOrder.ts';
import type { StageScene } from '../../../core/chart/stage/scene.ts';
import { figureWords, vmStateWords } from '../../../core/chart/stage/words.ts';
import { RowsTable } from '../RowsTable.tsx';

const heads = ['Host', 'CPU', 'Power', 'VM', 'Tile', 'Workload', 'Load'] as const;
type Line = readonly string[];

/** A line a VM, by host; a host without VMs has a line as well, and so has a VM without a host. */
function linesOf({ hosts, vms, roles }: StageScene): Line[] {
  const lineOf = (at: number | null): Line[] => {
    const host = at === null ? undefined : hosts[at]!;
    const head =
      host === undefined
        ? [noValue, noValue, noValue]
        : [host.name, figureWords(host.cpuPct, '%'), figureWords(host.watts, 'W')];
    const own = vms
      .filter((vm) => vm.host === at)
      .sort((a, b) => (a.tile ?? Infinity) - (b.tile ?? Infinity) || a.role - b.role);
    if (own.length === 0 && host !== undefined)
      return [[...head, noValue, noValue, noValue, noValue]];
    return own.map((vm) => [
      ...head,
      vm.name,
      vm.tile === null ? noValue : String(vm.tile + 1),
      roles[vm.role]!.name,
      vmStateWords(vm),
    ]);
  };
  const order = hosts
    .map((host, at) => ({ name: host.name, at }))
    .sort((a, b) => byNaturalOrder(a.name, b.name));
  return [...order.flatMap(({ at }) => lineOf(at)), ...lineOf(null)];
}

/** The stage as a table. */
export function StageTable({ scene }: { scene: StageScene }) {
  const rows = linesOf(scene);
  return (
    <RowsTable
      title="Hosts and their VMs"
      heads={heads}
      columns="minmax(90px, 1fr) 110px 110px minmax(120px, 1.4fr) 50px minmax(90px, 1fr) 90px"
      count={rows.length}
      row={(index) => rows[index]!}
      read={() => ({ columns: heads.map((label) => ({ label })), rows })}
    />
  );
}
