import { Text, VisuallyHidden } from '@mantine/core';

import { byStrongestGroup } from '../../../core/snapshot/snapshotCompare.ts';
import { type Change, sayValue } from '../../../core/snapshot/snapshotDiff.ts';
import { snapshotGroups, thingNames } from '../../../core/snapshot/snapshotFields.ts';
import { Table } from '../../kit/Table.tsx';
import { dim } from '../../kit/tones.ts';
import { EffectMark } from './EffectMark.tsx';

const groupOrder = Object.keys(snapshotGroups);
const kindWords: Readonly<Partial<Record<Change['kind'], string>>> = {
  added: 'new',
  removed: 'gone',
  renamed: 'renamed',
  moved: 'moved',
};
const wrap = { overflowWrap: 'anywhere' } as const;

/**
 * Differences between two snapshots, grouped by meaning, the likely effect first; `label` names the
 * table, `sides` its two columns of values.
 */
export function ChangeTable({
  changes,
  label,
  sides = ['Before', 'After'],
}: {
  changes: readonly Change[];
  label: string;
  sides?: readonly [string, string];
}) {
  const rows = byStrongestGroup(changes, groupOrder);
  const groups = [...new Set(rows.map((change) => change.group))];
  return (
    <Table aria-label={label} verticalSpacing={2} fz="sm" withTableBorder layout="fixed" miw={720}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th w={120}>Likely effect</Table.Th>
          <Table.Th>What</Table.Th>
          {sides.map((side, i) => (
            <Table.Th key={i} w="27%" style={wrap}>
              {side}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      {groups.map((group) => (
        <Table.Tbody key={group}>
          <Table.Tr bg="var(--tb-hover)">
            <Table.Th colSpan={4} scope="rowgroup">
              {snapshotGroups[group]}
            </Table.Th>
          </Table.Tr>
          {rows
            .filter((change) => change.group === group)
            .map((change) => (
              <Table.Tr key={`${change.thing} ${change.ref} ${change.field} ${change.kind}`}>
                <Table.Td>
                  <EffectMark effect={change.effect} why={change.why} />
                </Table.Td>
                <Table.Th scope="row" fw={400} style={wrap}>
                  {`${thingNames[change.thing]} ` +
                    change.subject +
                    (change.field === '' ? '' : `: ${change.field}`) +
                    (kindWords[change.kind] === undefined ? '' : ` (${kindWords[change.kind]!})`)}
                </Table.Th>
                <Side value={change.before} change={change} none={change.kind === 'added'} />
                <Side value={change.after} change={change} none={change.kind === 'removed'} />
              </Table.Tr>
            ))}
        </Table.Tbody>
      ))}
    </Table>
  );
}

function Side({ value, change, none }: { value: Change['before']; change: Change; none: boolean }) {
  return (
    <Table.Td style={{ ...wrap, fontVariantNumeric: 'tabular-nums' }}>
      {none ? (
        <>
          <Text span inherit c={dim} aria-hidden>
            –
          </Text>
          <VisuallyHidden>none</VisuallyHidden>
        </>
      ) : (
        sayValue(value, change.unit)
      )}
    </Table.Td>
  );
}
