import { Stack, Text, Title } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useMemo } from 'react';

import type { RunRecord } from '../../../core/run/run.ts';
import { isEnd } from '../../../core/run/states.ts';
import { type Drift, driftOf } from '../../../core/snapshot/drift.ts';
import { countThings } from '../../../core/snapshot/snapshotSummary.ts';
import { dim, good } from '../../kit/tones.ts';
import { ChangeTable } from './ChangeTable.tsx';
import { Scrollable } from './Scrollable.tsx';
import { OneSidedNote } from './SnapshotDiff.tsx';

/**
 * What the set-up did while the run went: drift first, then the moves that belong to the run, then
 * what could not be compared.
 */
export function DriftView({ record }: { record: RunRecord }) {
  const drift = useMemo(() => driftOf(record), [record]);
  return (
    <Stack gap={6} component="section" aria-label="Drift during the run">
      <Title order={2}>Drift during the run</Title>
      {drift === null ? (
        <Text size="sm" c={dim}>
          {missing(record)}
        </Text>
      ) : (
        <Told drift={drift} />
      )}
    </Stack>
  );
}

/** Why there is nothing to compare. */
function missing({ inventoryBefore, clients, testbed, overview }: RunRecord): string {
  if (inventoryBefore === null && clients.length === 0)
    return 'No set-up was recorded before the run: it ended while it was being read.';
  if (!isEnd(overview.state)) return 'Told when the run has ended.';
  if (overview.abortReason !== null)
    return 'The run was ended before its set-up was read again: what drifted is not known.';
  return testbed.vcenterId === null
    ? 'This testbed has no vCenter, and its clients were not read after the run.'
    : 'The set-up was not read again after the run: what drifted is not known.';
}

function Told({ drift }: { drift: Drift }) {
  const { changes, moves, oneSided, unread, before } = drift;
  const compared = countThings(before, (kind) =>
    kind === 'client' ? drift.after.read.clients : drift.after.read.inventory,
  );
  return (
    <>
      {unread.map((sentence) => (
        <Text key={sentence} size="sm" fw={600}>
          {sentence}
        </Text>
      ))}
      {changes.length === 0 ? (
        compared.length > 0 && (
          <Text size="sm">
            <IconCheck
              size={15}
              aria-hidden
              color={good}
              style={{ verticalAlign: '-2px', marginInlineEnd: 6 }}
            />
            {`Nothing drifted. Compared: ${compared.join(', ')}.`}
          </Text>
        )
      ) : (
        <Scrollable label="Drift during the run">
          <ChangeTable changes={changes} label="Drift during the run" />
        </Scrollable>
      )}
      {moves.length > 0 && (
        <details>
          <summary>
            <Text
              span
              size="sm"
              c={dim}
            >{`${moves.length} ${moves.length === 1 ? 'move' : 'moves'} by DRS or the run itself: no drift`}</Text>
          </summary>
          <Scrollable label="Moves by DRS or the run">
            <ChangeTable changes={moves} label="Moves by DRS or the run" />
          </Scrollable>
        </details>
      )}
      <OneSidedNote oneSided={oneSided} />
    </>
  );
}
