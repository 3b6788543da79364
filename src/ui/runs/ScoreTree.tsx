import { ActionIcon, Badge, Button, Group, Stack, Table, Text } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import type { Score } from '../../shared/score.ts';
import { Figure } from './Figure.tsx';
import { scoreSteps, type ScoreStep } from '../../shared/scoreSteps.ts';
import { dim } from './tones.ts';

const withChildren = (step: ScoreStep): string[] => (step.children.length === 0 ? [] : [step.key, ...step.children.flatMap(withChildren)]);

/** Every step of the score's calculation, unfolding from the result to the raw means. */
export function ScoreTree({ score }: { score: Score }) {
  const root = useMemo(() => scoreSteps(score), [score]);
  const first = (): Set<string> => new Set(['total', ...root.children.filter((c) => c.chosen || root.children.length === 1).map((c) => c.key)]);
  const [open, setOpen] = useState(first);
  const toggle = (key: string): void => setOpen((now) => { const next = new Set(now); if (!next.delete(key)) next.add(key); return next; });
  return (
    <Stack gap={4}>
      <Group justify="space-between">
        <Text size="sm" c={dim}>{`References: ${score.referenceLabel}`}</Text>
        <Group gap={4}>
          <Button size="compact-xs" variant="subtle" onClick={() => setOpen(new Set(withChildren(root)))}>Unfold all</Button>
          <Button size="compact-xs" variant="subtle" onClick={() => setOpen(first())}>Fold</Button>
        </Group>
      </Group>
      <Table aria-label="Score calculation" verticalSpacing={2} fz="sm" highlightOnHover>
        <Table.Thead><Table.Tr><Table.Th w={270}>Step</Table.Th><Table.Th>Calculation</Table.Th><Table.Th ta="right" w={120}>Value</Table.Th></Table.Tr></Table.Thead>
        <Table.Tbody><Rows step={root} depth={0} open={open} toggle={toggle} path="" /></Table.Tbody>
      </Table>
      {score.missing.length > 0 && (
        <Stack gap={0}><Text size="sm" fw={600}>Missing</Text>{score.missing.map((text) => <Text key={text} size="sm">{text}</Text>)}</Stack>
      )}
    </Stack>
  );
}

interface RowsProps { step: ScoreStep; depth: number; open: ReadonlySet<string>; toggle: (key: string) => void; path: string }

function Rows({ step, depth, open, toggle, path }: RowsProps) {
  const isOpen = open.has(step.key);
  const name = path === '' ? step.label : `${path}, ${step.label}`;
  return (
    <>
      <Table.Tr>
        <Table.Td style={{ paddingLeft: 4 + depth * 20 }}>
          <Group gap={4} wrap="nowrap">
            {step.children.length > 0
              ? <ActionIcon size="sm" variant="subtle" color="gray" aria-expanded={isOpen} aria-label={`${isOpen ? 'Fold' : 'Unfold'} ${name}`} onClick={() => toggle(step.key)}>{isOpen ? <IconChevronDown size={14} /> : <IconChevronRight size={14} />}</ActionIcon>
              : <span style={{ width: 22 }} />}
            <Text span inherit fw={depth === 0 ? 700 : undefined} style={{ whiteSpace: 'nowrap' }}>{step.label}</Text>
            {step.chosen && <Badge size="xs" variant="outline" tt="none" style={{ flexShrink: 0 }}>speaks for the run</Badge>}
          </Group>
        </Table.Td>
        <Table.Td title={step.exact} style={{ fontVariantNumeric: 'tabular-nums', overflowWrap: 'anywhere' }}>{step.calculation}</Table.Td>
        <Table.Td ta="right"><Figure value={step.value} decimals={6} fw={depth === 0 ? 700 : undefined} /></Table.Td>
      </Table.Tr>
      {isOpen && step.children.map((child) => <Rows key={child.key} step={child} depth={depth + 1} open={open} toggle={toggle} path={depth === 0 ? '' : name} />)}
    </>
  );
}
