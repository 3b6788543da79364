import { Code, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useDeferredValue, useMemo, useState } from 'react';

import { type Snapshot, snapshotHash } from '../../../core/snapshot/snapshot.ts';
import {
  type SnapshotGroup,
  snapshotGroups,
  thingNames,
} from '../../../core/snapshot/snapshotFields.ts';
import {
  countThings,
  searchFacts,
  snapshotFacts,
  summarise,
  type SummaryRow,
} from '../../../core/snapshot/snapshotSummary.ts';
import { Table } from '../../kit/Table.tsx';
import { dim } from '../../kit/tones.ts';
import { Scrollable } from './Scrollable.tsx';

/** Most hits of a search that are listed. */
const most = 300;
/** Most things that are listed under a figure in which they differ. */
const mostEach = 64;
const wrap = { overflowWrap: 'anywhere', fontVariantNumeric: 'tabular-nums' } as const;

/** What else belongs to a set-up: group, label and value in words. */
export type PlainFact = readonly [group: string, label: string, value: string];

/**
 * A whole snapshot: by group, a row a figure; with a search, thing by thing. `facts` come after it
 * and are searched with it.
 */
export function SnapshotView({
  snapshot,
  facts,
}: {
  snapshot: Snapshot | null;
  facts: readonly PlainFact[];
}) {
  const [query, setQuery] = useState('');
  const asked = useDeferredValue(query.trim());
  const rows = useMemo(() => (snapshot ? summarise(snapshot) : []), [snapshot]);
  const hash = useMemo(() => (snapshot ? snapshotHash(snapshot) : ''), [snapshot]);
  const groups = (Object.keys(snapshotGroups) as SnapshotGroup[]).filter((group) =>
    rows.some((row) => row.group === group),
  );
  return (
    <Stack gap="md">
      <Group gap="md">
        <TextInput
          aria-label="Search the set-up"
          placeholder="Search: a host, a setting, a value"
          leftSection={<IconSearch size={15} aria-hidden />}
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
          w={420}
          maw="100%"
        />
        {snapshot && (
          <Text size="sm" c={dim}>
            {countThings(snapshot).join(', ')}. Snapshot{' '}
            <Code
              title={
                `SHA-256 ${hash}. Runs with the same hash ran on the same testbed: names, free ` +
                'space and clocks aside.'
              }
            >
              {hash.slice(0, 12)}
            </Code>
          </Text>
        )}
      </Group>
      {asked === '' ? (
        <>
          {groups.map((group) => (
            <GroupTable
              key={group}
              group={group}
              rows={rows.filter((row) => row.group === group)}
            />
          ))}
          <PlainTables facts={facts} />
        </>
      ) : (
        <Hits snapshot={snapshot} facts={facts} query={asked} />
      )}
    </Stack>
  );
}

function PlainTables({ facts }: { facts: readonly PlainFact[] }) {
  return [...new Set(facts.map(([group]) => group))].map((group) => (
    <Stack key={group} gap={2}>
      <Title order={3}>{group}</Title>
      <Table aria-label={group} verticalSpacing={2} fz="sm" layout="fixed">
        <Table.Tbody>
          {facts
            .filter(([of]) => of === group)
            .map(([, label, value]) => (
              <Table.Tr key={label}>
                <Table.Th w={280} scope="row" fw={500}>
                  {label}
                </Table.Th>
                <Table.Td style={wrap}>{value}</Table.Td>
              </Table.Tr>
            ))}
        </Table.Tbody>
      </Table>
    </Stack>
  ));
}

function GroupTable({ group, rows }: { group: SnapshotGroup; rows: readonly SummaryRow[] }) {
  return (
    <Stack gap={2}>
      <Title order={3}>{snapshotGroups[group]}</Title>
      <Table aria-label={snapshotGroups[group]} verticalSpacing={2} fz="sm" layout="fixed">
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={`${row.thing} ${row.field}`}>
              <Table.Th
                w={280}
                scope="row"
                fw={500}
                style={{ verticalAlign: 'top', overflowWrap: 'anywhere' }}
              >{`${thingNames[row.thing]}: ${row.field}`}</Table.Th>
              <Table.Td style={wrap}>
                {row.each.length === 0 ? row.value : <Each row={row} />}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Stack>
  );
}

function Each({ row }: { row: SummaryRow }) {
  const left = row.each.length - mostEach;
  return (
    <details>
      <summary>{row.value}</summary>
      <Text component="ul" size="sm" c={dim} m={0} pl="lg" style={{ columnWidth: 320 }}>
        {row.each.slice(0, mostEach).map(({ name, value }, i) => (
          <li key={`${name} ${i}`}>{`${name}: ${value}`}</li>
        ))}
        {left > 0 && <li>{`${left} more: search for one by name`}</li>}
      </Text>
    </details>
  );
}

interface Hit {
  of: string;
  field: string;
  value: string;
  group: string;
}

function Hits({
  snapshot,
  facts,
  query,
}: {
  snapshot: Snapshot | null;
  facts: readonly PlainFact[];
  query: string;
}) {
  const all = useMemo(() => (snapshot ? snapshotFacts(snapshot) : []), [snapshot]);
  const hits = useMemo((): Hit[] => {
    const words = query.toLowerCase().split(/\s+/);
    const plain = facts.filter((fact) =>
      words.every((word) => fact.join(' ').toLowerCase().includes(word)),
    );
    return [
      ...searchFacts(all, query).map((fact) => ({
        of: `${thingNames[fact.thing]} ${fact.subject}`,
        field: fact.field,
        value: fact.value,
        group: snapshotGroups[fact.group],
      })),
      ...plain.map(([group, label, value]) => ({ of: group, field: label, value, group })),
    ];
  }, [all, facts, query]);
  return (
    <Stack gap={4}>
      <Text size="sm" c={dim} role="status">
        {hits.length === 0
          ? `Nothing in the set-up has “${query}”.`
          : hits.length > most
            ? `${hits.length} figures; the first ${most} are listed.`
            : `${hits.length} ${hits.length === 1 ? 'figure' : 'figures'}`}
      </Text>
      {hits.length > 0 && (
        <Scrollable label="Found in the set-up">
          <HitTable hits={hits.slice(0, most)} />
        </Scrollable>
      )}
    </Stack>
  );
}

function HitTable({ hits }: { hits: readonly Hit[] }) {
  return (
    <Table aria-label="Found in the set-up" verticalSpacing={2} fz="sm" miw={640} layout="fixed">
      <Table.Thead>
        <Table.Tr>
          <Table.Th w="28%">Of</Table.Th>
          <Table.Th w="28%">What</Table.Th>
          <Table.Th>Value</Table.Th>
          <Table.Th w={180}>Group</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {hits.map((hit, i) => (
          <Table.Tr key={`${hit.of} ${hit.field} ${i}`}>
            <Table.Th scope="row" fw={500} style={wrap}>
              {hit.of}
            </Table.Th>
            <Table.Td style={wrap}>{hit.field}</Table.Td>
            <Table.Td style={wrap}>{hit.value}</Table.Td>
            <Table.Td>{hit.group}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
