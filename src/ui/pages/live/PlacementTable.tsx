import { formatClock, formatElapsed } from '../../../core/base/format.ts';
import { RowsTable } from '../../charts/RowsTable.tsx';
import type { MoveLine } from './placementModel.ts';

const heads = ['Time', 'Tile', 'VM', 'From', 'To', 'By'] as const;
const placeOf = ({ tile, vm, from, to, by }: MoveLine): string[] => [tile, vm, from, to, by];

/** Every move behind the timeline. */
export function PlacementTable({
  lines,
  clock,
  originMs,
}: {
  lines: readonly MoveLine[];
  clock: boolean;
  originMs: number;
}) {
  return (
    <RowsTable
      title="Moves of VMs"
      heads={heads}
      columns="80px 50px minmax(120px, 1.4fr) minmax(90px, 1fr) minmax(90px, 1fr) minmax(130px, 1fr)"
      count={lines.length}
      row={(index) => {
        const line = lines[index]!;
        return [
          clock ? formatClock(line.atMs + originMs) : formatElapsed(line.atMs),
          ...placeOf(line),
        ];
      }}
      read={() => ({
        columns: [
          { label: 'Time', unit: 's' },
          { label: 'Clock' },
          ...heads.slice(1).map((label) => ({ label })),
        ],
        rows: lines.map((line) => [
          line.atMs / 1_000,
          new Date(line.atMs + originMs).toISOString(),
          ...placeOf(line),
        ]),
      })}
    />
  );
}
