import { ActionIcon, Badge, Button, Group, Stack, Text } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useMemo, useState } from 'react';

import type { Profile } from '../../../core/profile/profile.ts';
import type { Score } from '../../../core/run/scoreTypes.ts';
import type { SampleLink, ScoreStep } from '../../../core/score/scoreStep.ts';
import { scoreSteps } from '../../../core/score/scoreSteps.ts';
import { Figure } from '../../kit/Figure.tsx';
import { Table } from '../../kit/Table.tsx';
import { dim } from '../../kit/tones.ts';

/** Parts, and in each the period that speaks for the run: what is unfolded at first. */
const speaking = (step: ScoreStep): string[] =>
  step.children.flatMap((c) =>
    c.key === 'application' || c.key === 'infrastructure'
      ? [c.key, ...speaking(c)]
      : c.chosen || step.children.length === 1
        ? [c.key]
        : [],
  );
const withChildren = (step: ScoreStep): string[] =>
  step.children.length === 0 ? [] : [step.key, ...step.children.flatMap(withChildren)];

interface Props {
  score: Score;
  profile?: Profile | undefined;
  /** Opens the samples behind a mean; absent = there are none to show. */ onSamples?:
    ((link: SampleLink, name: string) => void) | undefined;
}

/**
 * Every step of the score's calculation, unfolding from the result to the raw means, and from there
 * to their samples.
 */
export function ScoreTree({ score, profile, onSamples }: Props) {
  const root = useMemo(() => scoreSteps(score, profile), [score, profile]);
  const [sources, setSources] = useState(false);
  const first = (): Set<string> => new Set(['total', ...speaking(root)]);
  const [open, setOpen] = useState(first);
  const toggle = (key: string): void =>
    setOpen((now) => {
      const next = new Set(now);
      if (!next.delete(key)) next.add(key);
      return next;
    });
  return (
    <Stack gap={4}>
      <Group justify="space-between">
        <Text size="sm" c={dim}>{`References: ${score.referenceLabel}`}</Text>
        <Group gap={4}>
          <Button
            size="compact-xs"
            variant="subtle"
            aria-pressed={sources}
            onClick={() => setSources((now) => !now)}
          >
            {sources ? 'Hide sources' : 'Show sources'}
          </Button>
          <Button
            size="compact-xs"
            variant="subtle"
            onClick={() => setOpen(new Set(withChildren(root)))}
          >
            Unfold all
          </Button>
          <Button size="compact-xs" variant="subtle" onClick={() => setOpen(first())}>
            Fold
          </Button>
        </Group>
      </Group>
      <Table aria-label="Score calculation" verticalSpacing={2} fz="sm" highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={270}>Step</Table.Th>
            <Table.Th>Calculation</Table.Th>
            {sources && <Table.Th w="26%">Source</Table.Th>}
            <Table.Th ta="right" w={120}>
              Value
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          <Rows
            step={root}
            depth={0}
            open={open}
            toggle={toggle}
            path=""
            sources={sources}
            onSamples={onSamples}
          />
        </Table.Tbody>
      </Table>
      {score.missing.length > 0 && (
        <Stack gap={0}>
          <Text size="sm" fw={600}>
            Missing
          </Text>
          {score.missing.map((text) => (
            <Text key={text} size="sm">
              {text}
            </Text>
          ))}
        </Stack>
      )}
      {(score.notes ?? []).length > 0 && (
        <Stack gap={0}>
          <Text size="sm" fw={600}>
            Notes
          </Text>
          {score.notes?.map((text) => (
            <Text key={text} size="sm">
              {text}
            </Text>
          ))}
        </Stack>
      )}
    </Stack>
  );
}

interface RowsProps {
  step: ScoreStep;
  depth: number;
  open: ReadonlySet<string>;
  toggle: (key: string) => void;
  path: string;
  sources: boolean;
  onSamples: Props['onSamples'];
}

function Rows({ step, depth, open, toggle, path, sources, onSamples }: RowsProps) {
  const { samples } = step;
  const isOpen = open.has(step.key);
  const name = path === '' ? step.label : `${path}, ${step.label}`;
  return (
    <>
      <Table.Tr>
        <Table.Td style={{ paddingLeft: 4 + depth * 20 }}>
          <Group gap={4} wrap="nowrap">
            {step.children.length > 0 ? (
              <ActionIcon
                size="sm"
                variant="subtle"
                color="gray"
                aria-expanded={isOpen}
                aria-label={`${isOpen ? 'Fold' : 'Unfold'} ${name}`}
                onClick={() => toggle(step.key)}
              >
                {isOpen ? <IconChevronDown size={14} /> : <IconChevronRight size={14} />}
              </ActionIcon>
            ) : (
              <span style={{ width: 22 }} />
            )}
            <Text span inherit fw={depth === 0 ? 700 : undefined} style={{ whiteSpace: 'nowrap' }}>
              {step.label}
            </Text>
            {step.chosen && (
              <Badge size="xs" variant="outline" tt="none" style={{ flexShrink: 0 }}>
                speaks for the run
              </Badge>
            )}
          </Group>
        </Table.Td>
        <Table.Td
          title={step.exact}
          style={{ fontVariantNumeric: 'tabular-nums', overflowWrap: 'anywhere' }}
        >
          {step.calculation}
          {samples && onSamples && (
            <Button
              ml={8}
              size="compact-xs"
              variant="subtle"
              aria-label={`Samples of ${name}`}
              onClick={() => onSamples(samples, name)}
            >
              Samples
            </Button>
          )}
        </Table.Td>
        {sources && (
          <Table.Td c={dim} style={{ overflowWrap: 'anywhere' }}>
            {step.source}
          </Table.Td>
        )}
        <Table.Td ta="right">
          <Figure
            value={step.value}
            unit={step.unit === '1/kW' ? step.unit : ''}
            decimals={6}
            fw={depth === 0 ? 700 : undefined}
          />
        </Table.Td>
      </Table.Tr>
      {isOpen &&
        step.children.map((child) => (
          <Rows
            key={child.key}
            step={child}
            depth={depth + 1}
            open={open}
            toggle={toggle}
            path={depth === 0 ? '' : name}
            sources={sources}
            onSamples={onSamples}
          />
        ))}
    </>
  );
}
