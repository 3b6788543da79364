import { Group, Popover, Text, UnstyledButton } from '@mantine/core';
import {
  IconAlertTriangle,
  IconFlask,
  IconInfoCircle,
  IconPackage,
  IconPlayerTrackNext,
} from '@tabler/icons-react';

import { isForeign } from '../../../core/run/foreign.ts';
import type { RunOverview, RunRecord } from '../../../core/run/run.ts';
import { useSimulated } from '../../engine/services.ts';
import styles from './result/result.module.css';

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
  tone: 'info' | 'warn' | 'simulated';
  word: string;
  text: string;
}

/**
 * What must be known before a number of this run is quoted: origin, what the result may be called.
 * A chip each, its words on request.
 */
export function RunMarkChips(props: Props) {
  // The frame of the simulated workspace says it once for every screen.
  const framed = useSimulated();
  const marks = [...originMarks(props, framed), ...resultMarks(props)];
  return marks.map((mark) => <MarkChip key={mark.word} {...mark} />);
}

/** The chips in a row of their own; no row where there is none. */
export function RunMarks(props: Props) {
  const framed = useSimulated();
  if (originMarks(props, framed).length + resultMarks(props).length === 0) return null;
  return (
    <Group gap={8}>
      <RunMarkChips {...props} />
    </Group>
  );
}

function MarkChip({ icon: MarkIcon, tone, word, text }: Mark) {
  return (
    <span>
      <Popover width={360} position="bottom-start" shadow="md" transitionProps={{ duration: 0 }}>
        <Popover.Target>
          <UnstyledButton className={styles.chip} data-tone={tone}>
            <MarkIcon size={13} aria-hidden />
            {word}
          </UnstyledButton>
        </Popover.Target>
        <Popover.Dropdown>
          <Text size="sm">{text}</Text>
        </Popover.Dropdown>
      </Popover>
    </span>
  );
}

/** Where its numbers come from. */
function originMarks(
  { overview: { origin }, replayed = false, imported }: Props,
  framed: boolean,
): Mark[] {
  const marks: Mark[] = [];
  if (origin === 'simulated' && !framed)
    marks.push({
      icon: IconFlask,
      tone: 'simulated',
      word: 'SIMULATED',
      text: 'Every number comes from the model of the simulated lab, none from real machines.',
    });
  // The frame of the player says REPLAY.
  if (!replayed && origin === 'replay')
    marks.push({
      icon: IconPlayerTrackNext,
      tone: 'simulated',
      word: 'REPLAY',
      text: 'A stored run played again. Nothing is measured now.',
    });
  if (imported)
    marks.push({
      icon: IconPackage,
      tone: 'info',
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
      tone: 'warn',
      word: 'Read in part',
      text: imported.leftOut.join(' '),
    });
  return marks;
}

/** What its result may be called. Where it broke rules, the verdict says which. */
function resultMarks({
  overview: { verdict, score },
  resultName,
  minimumHosts,
  hostCount,
  imported,
}: Props): Mark[] {
  const foreign = isForeign(imported);
  const marks: Mark[] = [];
  if (hostCount !== null && hostCount < minimumHosts)
    marks.push({
      icon: IconAlertTriangle,
      tone: 'warn',
      word: 'Too few hosts',
      text: `${hostCount} of at least ${minimumHosts} hosts the profile asks for.`,
    });
  if (verdict !== null && verdict.outcome === 'passed' && !foreign)
    marks.push({
      icon: IconInfoCircle,
      tone: 'info',
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
