import { Text } from '@mantine/core';
import { useMemo, useState } from 'react';

import type { RunRecord } from '../../../core/run/run.ts';
import { snapshotOfRun } from '../../../core/snapshot/snapshotTake.ts';
import { dim } from '../../kit/tones.ts';
import { SnapshotDiff } from './SnapshotDiff.tsx';

/** The set-ups of two runs thing by thing; unfolds, and says what is missing. */
export function RunSetupDiff({ records }: { records: readonly RunRecord[] }) {
  const [open, setOpen] = useState(false);
  const snapshots = useMemo(
    () => (open ? records.map((record) => snapshotOfRun(record, 'before')) : []),
    [open, records],
  );
  const [a, b] = snapshots;
  const without = records
    .filter((_record, i) => snapshots[i] === null)
    .map((record) => record.overview.name);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Text span size="sm" c={dim}>
          Thing by thing
        </Text>
      </summary>
      {open &&
        (a && b ? (
          <SnapshotDiff
            a={a}
            b={b}
            label="Set-ups thing by thing"
            sides={[records[0]!.overview.name, records[1]!.overview.name]}
          />
        ) : (
          <Text size="sm" c={dim}>{`No set-up was recorded of ${without.join(' and ')}.`}</Text>
        ))}
    </details>
  );
}
