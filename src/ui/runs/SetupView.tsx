import { Stack, Table, Text, Title } from '@mantine/core';
import { useMemo } from 'react';
import { setupFacts } from '../../shared/compareSetup.ts';
import type { RunRecord } from '../../shared/run.ts';
import { snapshotOfRun } from '../../shared/snapshot.ts';
import { DriftView } from '../snapshot/DriftView.tsx';
import { SnapshotView } from '../snapshot/SnapshotView.tsx';
import { dim } from './tones.ts';

/** What the plan asked for and which programs ran it; all else is in the snapshot. */
const ownGroups: ReadonlySet<string> = new Set(['Profile', 'Plan', 'Testbed', 'Workloads', 'Power', 'Software']);

/** What drifted during the run, then the whole set-up as recorded before it. */
export function SetupView({ record }: { record: RunRecord }) {
  const snapshot = useMemo(() => snapshotOfRun(record, 'before'), [record]);
  const facts = setupFacts(record).filter(([group]) => ownGroups.has(group));
  return (
    <Stack gap="lg">
      <DriftView record={record} />
      <Stack gap="md" component="section" aria-label="Set-up before the run">
        <Title order={2}>Set-up before the run</Title>
        {snapshot === null ? <Text size="sm" c={dim}>Nothing was recorded before the run.</Text> : <>{!snapshot.read.inventory && <Text size="sm" c={dim}>{record.testbed.vcenterId === null ? 'This testbed has no vCenter: only the client machines are recorded.' : 'The inventory was not read before the run: only the client machines are recorded.'}</Text>}<SnapshotView snapshot={snapshot} /></>}
        {[...new Set(facts.map(([group]) => group))].map((group) => (
          <Stack key={group} gap={2}>
            <Title order={3}>{group}</Title>
            <Table aria-label={group} verticalSpacing={2} fz="sm" layout="fixed"><Table.Tbody>{facts.filter(([of]) => of === group).map(([, label, value]) => <Table.Tr key={label}><Table.Th w={280} scope="row" fw={500}>{label}</Table.Th><Table.Td style={{ overflowWrap: 'anywhere' }}>{value}</Table.Td></Table.Tr>)}</Table.Tbody></Table>
          </Stack>
        ))}
      </Stack>
    </Stack>
  );
}
