import { Group, Paper, Stack, Text } from '@mantine/core';
import {
  IconAlertTriangle,
  IconFlask,
  IconInfoCircle,
  IconPackage,
  IconPlayerTrackNext,
} from '@tabler/icons-react';

import type { RunOverview, RunRecord } from '../../../core/run/run.ts';
import { isForeign } from './foreign.ts';

interface Props {
  overview: RunOverview;
  resultName: string;
  minimumHosts: number;
  hostCount: number | null;
  /** Played again, wherever its numbers come from. */ replayed?: boolean;
  /** The file it came in. */ imported?: RunRecord['imported'];
}
type Mark = readonly [icon: typeof IconFlask, color: string, word: string, text: string];

/**
 * What must be known before a number of this run is quoted: origin, compliance, what the result may
 * be called.
 */
export function RunMarks({
  overview: { origin, verdict, score },
  resultName,
  minimumHosts,
  hostCount,
  replayed = false,
  imported,
}: Props) {
  const foreign = isForeign(imported);
  const marks: Mark[] = [
    ...(origin === 'simulated'
      ? [
          [
            IconFlask,
            'grape',
            'SIMULATED',
            'Every number comes from the model of the simulated lab, none from real machines.',
          ] as const,
        ]
      : []),
    ...(replayed || origin === 'replay'
      ? [
          [
            IconPlayerTrackNext,
            'grape',
            'REPLAY',
            'A stored run played again. Nothing is measured now.',
          ] as const,
        ]
      : []),
    ...(imported
      ? [
          [
            IconPackage,
            'blue',
            imported.format === 'Bundle' ? 'From a bundle' : `From ${imported.format}`,
            `${imported.fileName}${imported.redacted ? ', redacted' : ''}: measured ` +
              `elsewhere${imported.format === 'Bundle' ? ', every part as its manifest says' : ', without plan, testbed or score'}. ` +
              'Read-only.',
          ] as const,
        ]
      : []),
    ...(imported?.leftOut
      ? [[IconAlertTriangle, 'orange', 'Read in part', imported.leftOut.join(' ')] as const]
      : []),
    ...(verdict?.compliant === false && !foreign
      ? [
          [
            IconAlertTriangle,
            'orange',
            'Not compliant',
            'The result does not follow the rules of its profile. Verdict and findings say where.',
          ] as const,
        ]
      : []),
    ...(hostCount !== null && hostCount < minimumHosts
      ? [
          [
            IconAlertTriangle,
            'orange',
            'Too few hosts',
            `${hostCount} of at least ${minimumHosts} hosts the profile asks for.`,
          ] as const,
        ]
      : []),
    ...(verdict !== null && verdict.outcome === 'passed' && !foreign
      ? [
          [
            IconInfoCircle,
            'gray',
            `Result: ${resultName}`,
            score?.reference === 'none'
              ? 'Totals and means of what was measured; nothing says what scores 1.0. Not a published benchmark result.'
              : `Ratios to reference values${score ? ` (${score.referenceLabel})` : ''}, ` +
                'comparable with runs of the same profile and references only. Not a published ' +
                'benchmark result.',
          ] as const,
        ]
      : []),
  ];
  if (marks.length === 0) return null;
  return (
    <Stack gap={4}>
      {marks.map(([MarkIcon, color, word, text]) => (
        <Paper
          key={word}
          px={10}
          py={5}
          radius={0}
          bg={`var(--mantine-color-${color}-light)`}
          style={{ borderLeft: `3px solid var(--mantine-color-${color}-6)` }}
        >
          <Group gap={8} wrap="nowrap">
            <MarkIcon size={16} aria-hidden style={{ flexShrink: 0 }} />
            <Text size="sm">
              <b>{word}</b>
              {` ${text}`}
            </Text>
          </Group>
        </Paper>
      ))}
    </Stack>
  );
}
