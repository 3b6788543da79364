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
interface Mark {
  icon: typeof IconFlask;
  color: string;
  word: string;
  text: string;
}

/**
 * What must be known before a number of this run is quoted: origin, compliance, what the result may
 * be called.
 */
export function RunMarks(props: Props) {
  const marks = [...originMarks(props), ...resultMarks(props)];
  if (marks.length === 0) return null;
  return (
    <Stack gap={4}>
      {marks.map(({ icon: MarkIcon, color, word, text }) => (
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

/** Where its numbers come from. */
function originMarks({ overview: { origin }, replayed = false, imported }: Props): Mark[] {
  const marks: Mark[] = [];
  if (origin === 'simulated')
    marks.push({
      icon: IconFlask,
      color: 'grape',
      word: 'SIMULATED',
      text: 'Every number comes from the model of the simulated lab, none from real machines.',
    });
  if (replayed || origin === 'replay')
    marks.push({
      icon: IconPlayerTrackNext,
      color: 'grape',
      word: 'REPLAY',
      text: 'A stored run played again. Nothing is measured now.',
    });
  if (imported)
    marks.push({
      icon: IconPackage,
      color: 'blue',
      word: imported.format === 'Bundle' ? 'From a bundle' : `From ${imported.format}`,
      text:
        `${imported.fileName}${imported.redacted ? ', redacted' : ''}: measured elsewhere, ` +
        (imported.format === 'Bundle'
          ? 'every part as its manifest says. Read-only.'
          : 'without plan, testbed or score. Read-only.'),
    });
  if (imported?.leftOut)
    marks.push({
      icon: IconAlertTriangle,
      color: 'orange',
      word: 'Read in part',
      text: imported.leftOut.join(' '),
    });
  return marks;
}

/** What its result may be called. */
function resultMarks({
  overview: { verdict, score },
  resultName,
  minimumHosts,
  hostCount,
  imported,
}: Props): Mark[] {
  const foreign = isForeign(imported);
  const marks: Mark[] = [];
  if (verdict?.compliant === false && !foreign)
    marks.push({
      icon: IconAlertTriangle,
      color: 'orange',
      word: 'Not compliant',
      text: 'The result does not follow the rules of its profile. Verdict and findings say where.',
    });
  if (hostCount !== null && hostCount < minimumHosts)
    marks.push({
      icon: IconAlertTriangle,
      color: 'orange',
      word: 'Too few hosts',
      text: `${hostCount} of at least ${minimumHosts} hosts the profile asks for.`,
    });
  if (verdict !== null && verdict.outcome === 'passed' && !foreign)
    marks.push({
      icon: IconInfoCircle,
      color: 'gray',
      word: `Result: ${resultName}`,
      text:
        score?.reference === 'none'
          ? 'Totals and means of what was measured; nothing says what scores 1.0. ' +
            'Not a published benchmark result.'
          : `Ratios to reference values${score ? ` (${score.referenceLabel})` : ''}, ` +
            'comparable with runs of the same profile and references only. Not a published ' +
            'benchmark result.',
    });
  return marks;
}
