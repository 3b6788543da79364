import { Paper, Text, Title } from '@mantine/core';
import { useMemo } from 'react';

import { recoveryRuleText } from '../../../core/acts/effect.ts';
import { noValue } from '../../../core/base/format.ts';
import { compareActs, type ComparedAct } from '../../../core/run/actsCompared.ts';
import { actFigures } from '../../../core/run/actSummary.ts';
import type { RunRecord } from '../../../core/run/run.ts';
import { Table } from '../../kit/Table.tsx';
import { dim } from '../../kit/tones.ts';

/** What the same acts cost each run, side by side; nothing where no run has acts. */
export function ActsCompared({ records }: { records: readonly RunRecord[] }) {
  const acts = useMemo(
    () =>
      compareActs(
        records,
        records.map((one) => one.overview.name),
      ),
    [records],
  );
  if (acts.length === 0) return null;
  const rule = records.flatMap((one) => one.overview.acts ?? [])[0]?.rule;
  return (
    <Paper p="sm" component="section" aria-label="Acts">
      <Title order={2} mb={6}>
        Acts
      </Title>
      {acts.map((act) => (
        <OneAct key={act.key} act={act} records={records} />
      ))}
      <Text size="xs" c={dim} mt={6}>
        {recoveryRuleText(rule)}
      </Text>
    </Paper>
  );
}

function OneAct({ act, records }: { act: ComparedAct; records: readonly RunRecord[] }) {
  return (
    <>
      <Text size="sm" fw={550}>
        {act.label}
      </Text>
      {act.guards.length > 0 && <Text size="sm">{`Not comparable. ${act.guards.join(' ')}`}</Text>}
      {act.rows.length > 0 && (
        <Table aria-label={`What it cost: ${act.label}`} verticalSpacing={3} fz="sm">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Workload</Table.Th>
              {actFigures.map(({ title }) =>
                records.map(({ overview }) => (
                  <Table.Th key={`${title} ${overview.id}`} ta="right">
                    {`${title}, ${overview.name}`}
                  </Table.Th>
                )),
              )}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {act.rows.map(({ workloadId, cells }) => {
              const workload = records
                .flatMap((one) => one.profile.workloads)
                .find((one) => one.id === workloadId);
              return (
                <Table.Tr key={workloadId}>
                  <Table.Th scope="row">{workload?.name ?? workloadId}</Table.Th>
                  {actFigures.map(({ title, say }) =>
                    cells.map((cell, i) => (
                      <Table.Td key={`${title} ${records[i]!.overview.id}`} ta="right">
                        {cell === null ? noValue : say(cell, workload?.unit ?? '')}
                      </Table.Td>
                    )),
                  )}
                </Table.Tr>
              );
            })}
          </Table.Tbody>
        </Table>
      )}
    </>
  );
}
