import { Group, Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';

import type { Evidence } from '../../../core/diagnosis/diagnosis.ts';
import { raw } from '../../kit/raw.ts';
import { Table } from '../../kit/Table.tsx';
import { dim } from '../../kit/tones.ts';
import styles from './diagnosis.module.css';
import { changeText, figure } from './diagnosisWords.ts';

/** Counters of a hypothesis: both runs, the change, the threshold and who says so. */
export function EvidenceTable({
  title,
  rows,
  before,
}: {
  title: string;
  rows: readonly Evidence[];
  /** There is a first run. */ before: boolean;
}) {
  return (
    <div className={styles.scroll}>
      <Table
        fz="xs"
        verticalSpacing={3}
        className={styles.evidence}
        aria-label={`Counters of ${title}`}
      >
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Counter</Table.Th>
            {before && <Table.Th ta="right">First run</Table.Th>}
            <Table.Th ta="right">{before ? 'Second run' : 'Run'}</Table.Th>
            {before && <Table.Th ta="right">Change</Table.Th>}
            <Table.Th>Threshold</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row, i) => (
            <Table.Tr key={`${row.entityId} ${row.label} ${i}`}>
              <Table.Th scope="row" fw={400}>
                {row.label}
                <Text span size="xs" c={dim} className={styles.entity}>
                  {row.entityName}
                </Text>
              </Table.Th>
              {before && (
                <Table.Td className={styles.number} {...raw(row.before, row.unit)}>
                  {row.before === null ? '–' : `${figure(row.before)} ${row.unit}`}
                </Table.Td>
              )}
              <Table.Td
                className={styles.number}
                {...raw(row.after, row.unit)}
                fw={row.broken === true ? 600 : 400}
              >
                {row.after === null ? '–' : `${figure(row.after)} ${row.unit}`}
              </Table.Td>
              {before && <Table.Td className={styles.number}>{changeText(row)}</Table.Td>}
              <Table.Td>
                {row.threshold === null ? (
                  <Text span size="xs" c={dim}>
                    For comparison
                  </Text>
                ) : (
                  <Group gap={4} wrap="nowrap" align="flex-start">
                    {row.broken === true ? (
                      <IconAlertTriangle
                        size={14}
                        aria-hidden
                        color="var(--tb-warn)"
                        className={styles.mark}
                      />
                    ) : (
                      <IconCheck size={14} aria-hidden className={styles.mark} />
                    )}
                    <span>
                      <b>{row.broken === null ? 'Not measured' : row.broken ? 'Over' : 'Below'}</b>
                      {` ${figure(row.threshold)} ${row.unit}`}
                      {rows[i - 1]?.thresholdSource !== row.thresholdSource && (
                        <Text span size="xs" c={dim} className={styles.source}>
                          {row.thresholdSource}
                        </Text>
                      )}
                    </span>
                  </Group>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}
