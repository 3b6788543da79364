import { Stack, Text } from '@mantine/core';
import { useMemo } from 'react';

import { byNaturalOrder } from '../../../core/base/naturalOrder.ts';
import type { Snapshot } from '../../../core/snapshot/snapshot.ts';
import { diffSnapshots, type OneSided } from '../../../core/snapshot/snapshotDiff.ts';
import { thingNames } from '../../../core/snapshot/snapshotFields.ts';
import { dim } from '../../kit/tones.ts';
import { ChangeTable } from './ChangeTable.tsx';
import { Scrollable } from './Scrollable.tsx';

/**
 * Only what differs between two snapshots, by meaning. `label` names the table, `sides` its
 * columns.
 */
export function SnapshotDiff({
  a,
  b,
  label = 'Differences of the set-ups',
  sides = ['Before', 'After'],
}: {
  a: Snapshot;
  b: Snapshot;
  label?: string;
  sides?: readonly [string, string];
}) {
  const { changes, oneSided } = useMemo(() => diffSnapshots(a, b), [a, b]);
  return (
    <Stack gap={6}>
      {changes.length === 0 ? (
        <Text size="sm" c={dim}>
          Nothing recorded differs.
        </Text>
      ) : (
        <Scrollable label={label}>
          <ChangeTable changes={changes} label={label} sides={sides} />
        </Scrollable>
      )}
      <OneSidedNote oneSided={oneSided} />
    </Stack>
  );
}

/** Figures that cannot be compared as only one side told them; nothing where there are none. */
export function OneSidedNote({ oneSided }: { oneSided: readonly OneSided[] }) {
  if (oneSided.length === 0) return null;
  const kinds = [
    ...new Set(oneSided.map(({ thing, field }) => `${thingNames[thing]}: ${field}`)),
  ].sort(byNaturalOrder);
  return (
    <details>
      <summary>
        <Text span size="sm" c={dim}>
          {`${oneSided.length} ${oneSided.length === 1 ? 'figure was' : 'figures were'} told on ` +
            'one side only and cannot be compared'}
        </Text>
      </summary>
      <Text size="sm" c={dim} pl="md">
        {kinds.slice(0, 40).join('; ')}
        {kinds.length > 40 ? ` and ${kinds.length - 40} more` : ''}
      </Text>
    </details>
  );
}
