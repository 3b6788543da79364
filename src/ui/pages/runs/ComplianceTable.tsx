import { Group, Text } from '@mantine/core';
import { IconCircleCheck, IconCircleX, IconHelpCircle, IconUser } from '@tabler/icons-react';
import { useMemo } from 'react';

import type { RunRecord } from '../../../core/run/run.ts';
import { type ComplianceFinding, complianceFindings } from '../../../core/score/compliance.ts';
import { Table } from '../../kit/Table.tsx';
import { dim } from '../../kit/tones.ts';

const looks: Readonly<
  Record<ComplianceFinding['state'], { icon: typeof IconUser; color: string; word: string }>
> = {
  kept: { icon: IconCircleCheck, color: 'green', word: 'Kept' },
  broken: { icon: IconCircleX, color: 'red', word: 'Broken' },
  unproven: { icon: IconHelpCircle, color: 'orange', word: 'Not shown' },
  open: { icon: IconUser, color: 'gray', word: 'To confirm' },
};

/**
 * The rules of the run's profile, one by one: kept, broken, not shown by what was measured, or for
 * a person to confirm.
 */
export function ComplianceTable({ record }: { record: RunRecord }) {
  const findings = useMemo(() => complianceFindings(record), [record]);
  return (
    <Table aria-label="Compliance" fz="sm" verticalSpacing={2}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th w={120}>State</Table.Th>
          <Table.Th>Rule</Table.Th>
          <Table.Th>Evidence</Table.Th>
          <Table.Th w="28%">Source</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {findings.map((finding) => {
          const { icon: StateIcon, color, word } = looks[finding.state];
          return (
            <Table.Tr key={finding.ruleId}>
              <Table.Td>
                <Group gap={4} wrap="nowrap">
                  <StateIcon size={14} aria-hidden color={`var(--mantine-color-${color}-6)`} />
                  <Text span inherit>
                    {word}
                  </Text>
                </Group>
              </Table.Td>
              <Table.Td>{finding.text}</Table.Td>
              <Table.Td style={{ overflowWrap: 'anywhere' }}>{finding.evidence}</Table.Td>
              <Table.Td c={dim}>{finding.source}</Table.Td>
            </Table.Tr>
          );
        })}
      </Table.Tbody>
    </Table>
  );
}
