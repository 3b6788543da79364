import { Anchor, Button, Group, Text, VisuallyHidden } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { Link } from 'react-router';

import { counted } from '../../../core/base/counted.ts';
import { formatExact, noValue } from '../../../core/base/format.ts';
import { axisTitle } from '../../../core/chart/xyModel.ts';
import type { ChartChoice } from '../../../core/study/figurePlot.ts';
import type { StudyOverview, StudyPoint } from '../../../core/study/study.ts';
import { valueText } from '../../../core/study/studyWords.ts';
import { raw } from '../../kit/raw.ts';
import { PointStateBadge } from '../../kit/StudyStateBadge.tsx';
import { Table } from '../../kit/Table.tsx';
import { dim } from '../../kit/tones.ts';
import { useFirst } from '../../kit/useFirst.tsx';

interface Props {
  overview: StudyOverview;
  /** Measures shown as columns. */ columns: readonly ChartChoice[];
  chosen: string | null;
  onChoose: (key: string) => void;
  onRerun: (key: string) => void;
  busy: boolean;
}
const shownAtFirst = 120;
const canRerun = (overview: StudyOverview, point: StudyPoint): boolean =>
  overview.state !== 'running' &&
  overview.state !== 'pausing' &&
  point.state !== 'pending' &&
  point.state !== 'running';

/** Every point: its values, its state, what it measured, its run. One point can be run again. */
export function PointTable({ overview, columns, chosen, onChoose, onRerun, busy }: Props) {
  const { spec, points } = overview;
  const { shown, more } = useFirst(points, shownAtFirst, (count) => counted(count, 'point'));
  const repeats = points.some((p) => p.repeat > 1);
  return (
    <>
      <Table.ScrollContainer
        minWidth={640}
        maxHeight={370}
        scrollAreaProps={{ viewportProps: { tabIndex: 0, 'aria-label': 'Points, scrollable' } }}
      >
        <Table aria-label="Points" stickyHeader fz="sm" verticalSpacing={3} highlightOnHover>
          <Head spec={spec} columns={columns} repeats={repeats} />
          <Table.Tbody>
            {shown.map((point) => (
              <PointRow
                key={point.key}
                overview={overview}
                point={point}
                columns={columns}
                repeats={repeats}
                chosen={point.key === chosen}
                onChoose={onChoose}
                onRerun={onRerun}
                busy={busy}
              />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {more}
    </>
  );
}

function Head({
  spec,
  columns,
  repeats,
}: {
  spec: StudyOverview['spec'];
  columns: readonly ChartChoice[];
  repeats: boolean;
}) {
  return (
    <Table.Thead>
      <Table.Tr>
        {spec.axes.map((axis, i) => (
          <Table.Th
            key={axis.name}
            ta={i === 0 ? 'right' : undefined}
            style={{ whiteSpace: 'nowrap' }}
          >
            {axisTitle(axis.label, axis.unit)}
          </Table.Th>
        ))}
        {repeats && <Table.Th ta="right">Repeat</Table.Th>}
        <Table.Th>State</Table.Th>
        {columns.map((c) => (
          <Table.Th key={c.measure} ta="right">
            {c.unit === '' || c.normalise ? c.title : `${c.title} (${c.unit})`}
          </Table.Th>
        ))}
        <Table.Th>Run</Table.Th>
        <Table.Th>
          <VisuallyHidden>Actions</VisuallyHidden>
        </Table.Th>
      </Table.Tr>
    </Table.Thead>
  );
}

function PointRow({
  overview,
  point,
  columns,
  repeats,
  chosen,
  onChoose,
  onRerun,
  busy,
}: Omit<Props, 'chosen'> & { point: StudyPoint; repeats: boolean; chosen: boolean }) {
  return (
    <Table.Tr
      data-chosen={chosen || undefined}
      {...(chosen && { bg: 'var(--tb-hover)' })}
      onClick={() => onChoose(point.key)}
      style={{ fontVariantNumeric: 'tabular-nums' }}
    >
      {overview.spec.axes.map((axis, i) => (
        <Table.Td
          key={axis.name}
          ta={i === 0 ? 'right' : undefined}
          fw={i === 0 ? 600 : undefined}
          style={{ whiteSpace: 'nowrap' }}
        >
          {valueText(axis, point.values[axis.name])}
        </Table.Td>
      ))}
      {repeats && <Table.Td ta="right">{point.repeat}</Table.Td>}
      <Table.Td>
        <Group gap={6} wrap="nowrap">
          <PointStateBadge state={point.state} />
          {point.detail !== '' && (
            <Text span size="xs" c={dim} lineClamp={1} title={point.detail}>
              {point.detail}
            </Text>
          )}
        </Group>
      </Table.Td>
      {columns.map((c) => (
        <MeasureCell key={c.measure} column={c} point={point} />
      ))}
      <Table.Td>
        <RunLinks point={point} />
      </Table.Td>
      <Table.Td ta="right">
        {canRerun(overview, point) && (
          <Button
            size="compact-xs"
            variant="subtle"
            disabled={busy}
            leftSection={<IconRefresh size={13} aria-hidden />}
            aria-label={`Run ${point.key} again`}
            onClick={(event) => {
              event.stopPropagation();
              onRerun(point.key);
            }}
          >
            Run again
          </Button>
        )}
      </Table.Td>
    </Table.Tr>
  );
}

/** What the point measured, or why there is no value. */
function MeasureCell({ column, point }: { column: ChartChoice; point: StudyPoint }) {
  const value = point.measures[column.measure];
  return (
    <Table.Td
      ta="right"
      {...raw(value)}
      title={
        value == null ? (point.state === 'pending' ? 'Not run yet' : 'Not measured') : String(value)
      }
    >
      {value == null ? noValue : formatExact(value, column.decimals)}
    </Table.Td>
  );
}

/** The run that counts, and those before it. */
function RunLinks({ point }: { point: StudyPoint }) {
  if (point.runId === null) return noValue;
  return (
    <Group gap={8} wrap="nowrap">
      <Anchor component={Link} to={`/runs/${point.runId}`} size="sm">
        Open
      </Anchor>
      {point.earlierRunIds.map((id, i) => (
        <Anchor key={id} component={Link} to={`/runs/${id}`} size="xs">{`Earlier ${i + 1}`}</Anchor>
      ))}
    </Group>
  );
}
