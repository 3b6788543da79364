import { Stack, Text, Title } from '@mantine/core';
import { useMemo } from 'react';

import type { RunRecord } from '../../../core/run/run.ts';
import { setupFacts } from '../../../core/snapshot/setupFacts.ts';
import { snapshotOfRun } from '../../../core/snapshot/snapshotTake.ts';
import { dim } from '../../kit/tones.ts';
import { DriftView } from '../snapshot/DriftView.tsx';
import { SnapshotView } from '../snapshot/SnapshotView.tsx';

/** What the plan asked for and which programs ran it; all else is in the snapshot. */
const ownGroups: ReadonlySet<string> = new Set([
  'Profile',
  'Plan',
  'Testbed',
  'Workloads',
  'Power',
  'Software',
]);

/** What drifted during the run, then the whole set-up as recorded before it. */
export function SetupView({ record }: { record: RunRecord }) {
  const snapshot = useMemo(() => snapshotOfRun(record, 'before'), [record]);
  const facts = useMemo(
    () =>
      setupFacts(record).filter(([group, label]) => ownGroups.has(group) && label !== 'vCenter'),
    [record],
  );
  const missing =
    snapshot === null
      ? 'Nothing was read of the testbed before the run.'
      : snapshot.read.inventory
        ? null
        : record.testbed.vcenterId === null
          ? 'This testbed has no vCenter: only the client machines are recorded.'
          : 'The inventory was not read before the run: only the client machines are recorded.';
  return (
    <Stack gap="lg">
      <DriftView record={record} />
      <Stack gap="md" component="section" aria-label="Set-up before the run">
        <Title order={2}>Set-up before the run</Title>
        {missing !== null && (
          <Text size="sm" c={dim}>
            {missing}
          </Text>
        )}
        <SnapshotView snapshot={snapshot} facts={facts} />
      </Stack>
    </Stack>
  );
}
