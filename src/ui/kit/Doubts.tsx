import { Checkbox, Stack, Text } from '@mantine/core';
import { useMemo, useState } from 'react';

import type { RedactionPreview } from '../../wire/contract/leaving.ts';
import { type Confirmed, nothingConfirmed } from '../engine/exportRun.ts';
import { Table } from './Table.tsx';
import { dim } from './tones.ts';

type Doubt = RedactionPreview['doubts'][number];

/** What a person decides about the doubts of a preview. `ready`: nothing is left to look at. */
export function useDoubts(doubts: readonly Doubt[] | undefined): {
  decided: Confirmed;
  ready: boolean;
  props: DoubtsProps;
} {
  const [keep, setKeep] = useState<ReadonlySet<string>>(new Set());
  const [looked, setLooked] = useState<readonly Doubt[] | null>(null);
  const list = doubts ?? [];
  // Of another list nobody has looked at anything.
  const confirmed = looked === doubts;
  const decided = useMemo(
    () =>
      confirmed && doubts !== undefined
        ? { keep: [...keep], confirmed: doubts.map((one) => one.text) }
        : nothingConfirmed,
    [confirmed, doubts, keep],
  );
  return {
    decided,
    ready: doubts !== undefined && (list.length === 0 || confirmed),
    props: {
      doubts: list,
      keep,
      onKeep: (word, on) =>
        setKeep((was) => new Set(on ? [...was, word] : [...was].filter((one) => one !== word))),
      looked: confirmed && list.length > 0,
      onLooked: (on) => setLooked(on ? (doubts ?? null) : null),
    },
  };
}

export interface DoubtsProps {
  doubts: readonly Doubt[];
  keep: ReadonlySet<string>;
  onKeep: (word: string, on: boolean) => void;
  looked: boolean;
  onLooked: (on: boolean) => void;
}

/** Words that may still name somebody: how each leaves, and that a person has looked at them. */
export function Doubts({ doubts, keep, onKeep, looked, onLooked }: DoubtsProps) {
  if (doubts.length === 0) return null;
  const leavesAs = ({ text, to }: Doubt): string => (keep.has(text) ? text : to);
  return (
    <Stack gap={4} component="section" aria-label="Words to look at">
      <Text size="sm" fw={600}>
        Words to look at: {doubts.length}
      </Text>
      <Text size="xs" c={dim}>
        In no list of known words, or a name that is a plain word too. Unknown words are replaced;
        tick the ones that name nobody to keep them.
      </Text>
      <Table.ScrollContainer minWidth={480} mah={220} type="native">
        <Table aria-label="Words to look at" stickyHeader verticalSpacing={2}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Word</Table.Th>
              <Table.Th>Leaves as</Table.Th>
              <Table.Th ta="right">Places</Table.Th>
              <Table.Th>Keep</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {doubts.map((one) => (
              <Table.Tr key={`${one.why} ${one.text}`}>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>{one.text}</Table.Td>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>{leavesAs(one)}</Table.Td>
                <Table.Td ta="right">{one.count}</Table.Td>
                <Table.Td>
                  {one.why === 'unknown' ? (
                    <Checkbox
                      size="xs"
                      aria-label={`Keep ${one.text}`}
                      checked={keep.has(one.text)}
                      onChange={(event) => onKeep(one.text, event.currentTarget.checked)}
                    />
                  ) : (
                    'a plain word'
                  )}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <Checkbox
        size="sm"
        label={`Looked at: ${doubts.length === 1 ? 'this word leaves' : `these ${doubts.length} words leave`} as shown`}
        checked={looked}
        onChange={(event) => onLooked(event.currentTarget.checked)}
      />
    </Stack>
  );
}
