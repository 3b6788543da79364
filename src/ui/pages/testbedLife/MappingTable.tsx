import { Button, Checkbox, Group, Select, Stack, Text } from '@mantine/core';
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleMinus,
  IconInfoCircle,
} from '@tabler/icons-react';
import { useMemo, useState } from 'react';

import type { NamedRef } from '../../../core/testbed/testbed.ts';
import {
  type ImportStep,
  type Mapping,
  type MappingItem,
  type SuggestedBy,
  unresolved,
} from '../../../core/testbed/testbedImport.ts';
import { Table } from '../../kit/Table.tsx';
import { bad, dim, good } from '../../kit/tones.ts';

interface Props {
  step: ImportStep;
  mapping: Mapping;
  onMap: (changes: ReadonlyMap<string, NamedRef | null>) => void;
}
const pageSize = 60;
const byWords: Readonly<Record<SuggestedBy, string>> = {
  exact: 'same name',
  ignoreCase: 'same but for case',
  shortName: 'same host name',
  number: 'same number in its row',
  namePattern: 'by the naming pattern',
  only: 'the only one here',
};

/**
 * One step of an import: each thing of the file, what it is here, and the choice for those that
 * nobody can tell.
 */
export function MappingTable({ step, mapping, onMap }: Props) {
  const open = unresolved([step], mapping);
  const [onlyOpen, setOnlyOpen] = useState(open.length > 0);
  // What was open when the list was made stays in it: a row that goes away under the pointer takes
  // the next one's place.
  const [listed, setListed] = useState<ReadonlySet<string>>(
    () => new Set(open.map(({ id }) => id)),
  );
  const [pages, setPages] = useState(1);
  const options = useMemo(
    () => step.candidates.map(({ ref, name }) => ({ value: ref, label: name })),
    [step.candidates],
  );
  const items = onlyOpen ? step.items.filter(({ id }) => listed.has(id)) : step.items;
  const optional = step.kind !== 'client';
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Text size="sm" role="status">
          {`${step.items.length - open.length} of ${step.items.length} ` +
            `decided${open.length > 0 ? `, ${open.length} to be chosen` : ''}.`}
        </Text>
        <Group gap="md">
          {optional && open.length > 1 && (
            <Button
              size="xs"
              variant="default"
              onClick={() => onMap(new Map(open.map(({ id }) => [id, null])))}
            >{`Leave all ${open.length} out`}</Button>
          )}
          {listed.size > 0 && (
            <Checkbox
              size="xs"
              label="Only what was to be chosen"
              checked={onlyOpen}
              onChange={(event) => {
                setListed(new Set([...listed, ...open.map(({ id }) => id)]));
                setOnlyOpen(event.currentTarget.checked);
              }}
            />
          )}
        </Group>
      </Group>
      {step.candidates.length === 0 && (
        <Text size="sm" c={bad}>
          {optional
            ? `This lab has no ${step.title.toLowerCase()}: they can only be left out.`
            : 'No client machine is connected here. Add client machines under Connections; the file stays as it is.'}
        </Text>
      )}
      <Table.ScrollContainer
        minWidth={560}
        maxHeight={380}
        scrollAreaProps={{
          viewportProps: { tabIndex: 0, 'aria-label': `${step.title}, scrollable` },
        }}
      >
        <Table aria-label={step.title} stickyHeader fz="sm" verticalSpacing={4} layout="fixed">
          <Table.Thead>
            <Table.Tr>
              <Table.Th w="25%">In the file</Table.Th>
              <Table.Th w="21%">Used by</Table.Th>
              <Table.Th w="27%">Here</Table.Th>
              <Table.Th>How</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {items.slice(0, pages * pageSize).map((item) => (
              <Row
                key={item.id}
                item={item}
                here={mapping.get(item.id)}
                options={options}
                optional={optional}
                onChoose={(here) => onMap(new Map([[item.id, here]]))}
              />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {items.length > pages * pageSize && (
        <Button
          size="xs"
          variant="default"
          style={{ alignSelf: 'flex-start' }}
          onClick={() => setPages(pages + 1)}
        >{`Show ${Math.min(pageSize, items.length - pages * pageSize)} more of ${items.length}`}</Button>
      )}
    </Stack>
  );
}

const leaveOut = '\u0000leave out';

function Row({
  item,
  here,
  options,
  optional,
  onChoose,
}: {
  item: MappingItem;
  here: NamedRef | null | undefined;
  options: { value: string; label: string }[];
  optional: boolean;
  onChoose: (here: NamedRef | null) => void;
}) {
  const [asked, setAsked] = useState(
    here === undefined || here === null || item.suggestion?.by !== 'exact',
  );
  const data = optional ? [...options, { value: leaveOut, label: 'Leave out' }] : options;
  return (
    <Table.Tr>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>{item.name}</Table.Td>
      <Table.Td c={dim} title={item.where.join(', ')} style={{ overflowWrap: 'anywhere' }}>
        {item.where[0]}
        {item.uses > 1 ? ` and ${item.uses - 1} more` : ''}
      </Table.Td>
      <Table.Td>
        {asked ? (
          <Select
            size="xs"
            searchable
            limit={80}
            aria-label={`${item.name} is here`}
            placeholder="Choose"
            data={data}
            value={here === undefined ? null : here === null ? leaveOut : here.ref}
            onChange={(value) => {
              if (value === null) return;
              const chosen = options.find((one) => one.value === value);
              onChoose(chosen ? { ref: chosen.value, name: chosen.label } : null);
            }}
          />
        ) : (
          <Group gap={6} wrap="nowrap">
            <span style={{ overflowWrap: 'anywhere' }}>{here?.name}</span>
            <Button
              size="compact-xs"
              variant="subtle"
              aria-label={`Change ${item.name}`}
              onClick={() => setAsked(true)}
            >
              Change
            </Button>
          </Group>
        )}
      </Table.Td>
      <Table.Td>
        <How item={item} here={here} />
      </Table.Td>
    </Table.Tr>
  );
}

function How({ item, here }: { item: MappingItem; here: NamedRef | null | undefined }) {
  if (here === undefined)
    return (
      <Group gap={6} wrap="nowrap">
        <IconAlertTriangle size={15} aria-hidden color={bad} style={{ flexShrink: 0 }} />
        <Text span inherit>{`To be chosen: ${item.problem ?? 'no suggestion'}`}</Text>
      </Group>
    );
  if (here === null)
    return (
      <Group gap={6} wrap="nowrap">
        <IconCircleMinus size={15} aria-hidden style={{ flexShrink: 0 }} />
        <Text span inherit>
          Left out
        </Text>
      </Group>
    );
  const suggested = item.suggestion?.ref === here.ref ? item.suggestion.by : null;
  const guessed = suggested !== null && suggested !== 'exact';
  return (
    <Group gap={6} wrap="nowrap">
      {guessed ? (
        <IconInfoCircle size={15} aria-hidden style={{ flexShrink: 0 }} />
      ) : (
        <IconCircleCheck size={15} aria-hidden color={good} style={{ flexShrink: 0 }} />
      )}
      <Text span inherit>
        {suggested === null
          ? 'Chosen by hand'
          : guessed
            ? `Suggested: ${byWords[suggested]}`
            : 'Same name'}
      </Text>
    </Group>
  );
}
