import { Text } from '@mantine/core';

import type { Profile } from '../../../core/profile/profile.ts';
import { profileDiff } from '../../../core/profile/profileDiff.ts';
import { Table } from '../../kit/Table.tsx';
import { dim } from '../../kit/tones.ts';

/** What differs from the profile this one was copied from, and nothing else. */
export function ParentDiff({ profile, parent }: { profile: Profile; parent: Profile | undefined }) {
  if (parent === undefined)
    return (
      <Text size="sm" c={dim}>
        {profile.parentId == null
          ? 'This profile was not copied from another.'
          : `The profile it was copied from, ${profile.parentId}, is not here.`}
      </Text>
    );
  const rows = profileDiff(parent, profile);
  if (rows.length === 0)
    return <Text size="sm">{`Nothing differs from ${parent.name} ${parent.version}.`}</Text>;
  return (
    <Table
      aria-label={`What differs from ${parent.name}`}
      fz="sm"
      verticalSpacing={3}
      withTableBorder
      layout="fixed"
    >
      <Table.Thead>
        <Table.Tr>
          <Table.Th w="30%">What</Table.Th>
          <Table.Th>{`${parent.name} ${parent.version}`}</Table.Th>
          <Table.Th>{`${profile.name} ${profile.version}`}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row) => (
          <Table.Tr key={row.path}>
            <Table.Td>{row.label}</Table.Td>
            <Value text={row.parent} />
            <Value text={row.own} />
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Value({ text }: { text: string | null }) {
  return (
    <Table.Td c={text === null ? dim : 'inherit'} style={{ overflowWrap: 'anywhere' }}>
      {text ?? 'not set'}
    </Table.Td>
  );
}
