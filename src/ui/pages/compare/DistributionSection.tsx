import { Group, NativeSelect, ScrollArea, Stack, Text } from '@mantine/core';
import { useState } from 'react';

import {
  type Comparison,
  type Distributions,
  formatCell,
  rowDecimals,
} from '../../../core/compare/index.ts';
import { useDistributions } from '../../engine/runData.ts';
import { Failure, Pending } from '../../kit/LoadState.tsx';
import { raw } from '../../kit/raw.ts';
import { Table } from '../../kit/Table.tsx';
import { dim } from '../../kit/tones.ts';
import styles from './compare.module.css';
import { BoxFigure, EcdfFigure, HistogramFigure } from './distributionFigures.tsx';
import { RunKey } from './RunKey.tsx';

/**
 * How the samples of one metric lie, beside their means: histogram, distribution, boxes, and their
 * quantiles as a table.
 */
export function DistributionSection({
  comparison,
  first,
}: {
  comparison: Comparison;
  /** Key of the metric that is shown first; undefined = the first there is. */
  first: string | undefined;
}) {
  const [key, setKey] = useState(first);
  const asked = useDistributions(
    comparison.baselineId,
    comparison.runs.slice(1).map((r) => r.id),
    key,
  );
  if (asked.data === undefined)
    return asked.error?.kind === 'notFound' && key === first ? (
      <Text size="sm" c={dim}>
        {asked.error.message}
      </Text>
    ) : asked.error ? (
      <Failure
        title="The distributions cannot be drawn"
        error={asked.error}
        onRetry={asked.retry}
      />
    ) : (
      <Pending label="distributions" rows={8} />
    );
  const { names } = comparison;
  const { data } = asked;
  return (
    <Stack gap={6}>
      <Group gap="sm" wrap="wrap">
        <NativeSelect
          size="xs"
          w={320}
          aria-label="Metric of the distributions"
          value={data.key}
          data={data.keys.map((k) => ({ value: k.key, label: k.label }))}
          onChange={(e) => setKey(e.currentTarget.value)}
        />
        <Text size="xs" c={dim}>
          Samples of the steady state of all tiles and machines together.
        </Text>
      </Group>
      <div className={styles.figures}>
        <HistogramFigure data={data} names={names} />
        <EcdfFigure data={data} names={names} />
        <BoxFigure data={data} names={names} />
      </div>
      <Quantiles data={data} comparison={comparison} />
    </Stack>
  );
}

function Quantiles({
  data,
  comparison: { runs, names },
}: {
  data: Distributions;
  comparison: Comparison;
}) {
  const columns = [
    'min',
    'whiskerLow',
    'q1',
    'median',
    'q3',
    'whiskerHigh',
    'max',
    'mean',
  ] as const;
  const decimals = rowDecimals(
    data.runs.flatMap((r) => (r.box === null ? [] : [r.box.median, r.box.q1])),
  );
  return (
    <ScrollArea type="auto" viewportProps={{ tabIndex: 0, 'aria-label': 'Quantiles, scrollable' }}>
      <Table aria-label={`Distribution of ${data.label}`} fz="sm" verticalSpacing={2}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Run</Table.Th>
            {[
              'Least',
              'Low whisker',
              '25 %',
              'Median',
              '75 %',
              'High whisker',
              'Greatest',
              'Mean',
              'Beyond whiskers',
              'Samples',
            ].map((h) => (
              <Table.Th key={h} ta="right">
                {h}
              </Table.Th>
            ))}
            <Table.Th>Unit</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {data.runs.map((r, i) => (
            <Table.Tr key={r.runId}>
              <Table.Th scope="row" fw={400}>
                <span style={{ display: 'inline-flex', gap: 6, alignItems: 'center' }}>
                  <RunKey index={i} name={names[i] ?? r.runId} origin={runs[i]?.origin ?? 'real'} />
                </span>
              </Table.Th>
              {columns.map((c) => (
                <Table.Td
                  key={c}
                  ta="right"
                  {...raw(r.box?.[c])}
                  style={{ fontVariantNumeric: 'tabular-nums' }}
                >
                  {formatCell(r.box?.[c] ?? null, decimals)}
                </Table.Td>
              ))}
              <Table.Td ta="right">{r.box?.outliers ?? '–'}</Table.Td>
              <Table.Td ta="right">{r.samples}</Table.Td>
              <Table.Td>{data.unit}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollArea>
  );
}
