import { Button, Checkbox, Group, Stack, Text, TextInput, VisuallyHidden } from '@mantine/core';
import { useState } from 'react';

import { formatExact } from '../../../core/base/format.ts';
import type { RunSummary } from '../../../core/run/run.ts';
import { isEnd } from '../../../core/run/states.ts';
import { type CompareChoice, maxCompared } from '../../addresses/compareAddress.ts';
import { formatDateTime } from '../../kit/formatDateTime.ts';
import { OriginMark } from '../../kit/OriginMark.tsx';
import { raw } from '../../kit/raw.ts';
import { RunStateBadge } from '../../kit/RunStateBadge.tsx';
import { Table } from '../../kit/Table.tsx';
import { dim } from '../../kit/tones.ts';
import { findRuns } from '../history/historyFilter.ts';

interface Props {
  runs: readonly RunSummary[];
  choice: CompareChoice;
  onCompare: (choice: CompareChoice) => void;
}
const shownAtMost = 50;

/** Choice of the runs to compare: the first chosen is the baseline. */
export function RunPicker({ runs, choice, onCompare }: Props) {
  const [picked, setPicked] = useState<string[]>(
    [choice.baselineId, ...choice.ids].filter((id) => id !== null),
  );
  const [text, setText] = useState('');
  const matching = findRuns(
    runs.filter((r) => isEnd(r.state)),
    text,
  );
  const known = picked.filter((id) => runs.some((r) => r.id === id));
  const full = known.length > maxCompared;
  return (
    <Stack gap="sm">
      <Group gap="sm">
        <TextInput
          size="xs"
          w={260}
          type="search"
          aria-label="Search runs"
          placeholder="Name, profile, testbed"
          value={text}
          onChange={(e) => setText(e.currentTarget.value)}
        />
        <Text size="sm">
          {known.length === 0
            ? 'The first run chosen is the baseline.'
            : `Baseline: ${runs.find((r) => r.id === known[0])?.name ?? ''}. ${known.length - 1} to compare with it.`}
        </Text>
        <Button
          size="xs"
          ml="auto"
          disabled={known.length < 2 || full}
          onClick={() => onCompare({ baselineId: known[0] ?? null, ids: known.slice(1) })}
        >
          Compare
        </Button>
      </Group>
      {full && <Text size="sm">{`At most ${maxCompared + 1} runs side by side.`}</Text>}
      <Table aria-label="Runs to compare" fz="sm" verticalSpacing={3} highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={40}>
              <VisuallyHidden>Compare</VisuallyHidden>
            </Table.Th>
            <Table.Th>Name</Table.Th>
            <Table.Th>State</Table.Th>
            <Table.Th ta="right">Score</Table.Th>
            <Table.Th ta="right">Tiles</Table.Th>
            <Table.Th>Started</Table.Th>
            <Table.Th>Profile</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {matching.slice(0, shownAtMost).map((r) => (
            <Table.Tr key={r.id}>
              <Table.Td>
                <Checkbox
                  size="xs"
                  aria-label={`Compare ${r.name}`}
                  checked={picked.includes(r.id)}
                  onChange={(e) => {
                    const on = e.currentTarget.checked;
                    setPicked((now) => (on ? [...now, r.id] : now.filter((id) => id !== r.id)));
                  }}
                />
              </Table.Td>
              <Table.Td>
                <OriginMark origin={r.origin} />
                {known[0] === r.id ? `${r.name} (baseline)` : r.name}
              </Table.Td>
              <Table.Td>
                <RunStateBadge state={r.state} compliant={r.compliant} />
              </Table.Td>
              <Table.Td ta="right" {...raw(r.score)}>
                {r.score === null ? '–' : formatExact(r.score, 2)}
              </Table.Td>
              <Table.Td ta="right">{r.tiles}</Table.Td>
              <Table.Td>{r.startedAtMs === null ? '–' : formatDateTime(r.startedAtMs)}</Table.Td>
              <Table.Td>{r.profileName}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {matching.length > shownAtMost && (
        <Text
          size="sm"
          c={dim}
        >{`The newest ${shownAtMost} of ${matching.length}. The search narrows them.`}</Text>
      )}
      {matching.length === 0 && (
        <Text size="sm" c={dim}>
          No finished run matches.
        </Text>
      )}
    </Stack>
  );
}
