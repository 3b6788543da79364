import { formatElapsed } from '../../../core/base/format.ts';
import { Dialog } from '../../kit/Dialog.tsx';
import { Table } from '../../kit/Table.tsx';
import type { Lane } from './laneModel.ts';

interface Props {
  lanes: readonly Lane[];
  /** Times are of the clock, not of the run. */
  clock: boolean;
  timeText: (ms: number) => string;
  onClose: () => void;
}

/** Everything on the lanes as rows in time order. */
export function LaneTable({ lanes, clock, timeText, onClose }: Props) {
  return (
    <Dialog onClose={onClose} title="What happened" size="xl">
      <Table fz="sm" verticalSpacing={2} aria-label="What happened">
        <Table.Thead>
          <Table.Tr>
            <Table.Th ta="right">{clock ? 'Clock' : 'Time in run'}</Table.Th>
            <Table.Th>Lane</Table.Th>
            <Table.Th>Kind</Table.Th>
            <Table.Th>What</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {laneRows(lanes).map((r, i) => (
            <Table.Tr key={i}>
              <Table.Td ta="right">{timeText(r.atMs)}</Table.Td>
              <Table.Td>{r.lane}</Table.Td>
              <Table.Td>{r.what}</Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{r.text}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Dialog>
  );
}

const laneRows = (
  lanes: readonly Lane[],
): { atMs: number; lane: string; what: string; text: string }[] =>
  lanes
    .flatMap(({ title, spans, marks }) => [
      ...spans.map((s) => ({
        atMs: s.fromMs,
        lane: title,
        what: s.label,
        text: `until ${formatElapsed(s.toMs)}${s.open ? ', as planned' : ''}`,
      })),
      ...marks.map((m) => ({ atMs: m.atMs, lane: title, what: m.what, text: m.text })),
    ])
    .sort((a, b) => a.atMs - b.atMs);
