import { Anchor, Button, Group, Stack, Text, Title } from '@mantine/core';
import { IconBan, IconRuler2 } from '@tabler/icons-react';
import type { ReactNode } from 'react';

import { type Comparison, intervalText } from '../../../core/compare/index.ts';
import { dim } from '../../kit/tones.ts';
import styles from './cards.module.css';
import { RepeatBoth } from './RepeatBoth.tsx';

/** What can be done about runs that are not comparable, or whose scores are not. */
export interface Repair {
  /** Scores all against a run; undefined = as each was scored. */
  scoreAgainst: (runId: string | undefined) => void;
  /** The run that was chosen so; absent = none was. */
  chosen: string | undefined;
  onPick: () => void;
}

/**
 * The sentence, what it rests on and, where these runs must not be compared, why in one line each,
 * with what mends it.
 */
export function CompareVerdict({ comparison, repair }: { comparison: Comparison; repair: Repair }) {
  const { guards, sentence, rows, sides } = comparison;
  return (
    <Stack gap={2}>
      <Title
        order={2}
        fz={sides.length > 2 ? 14 : 20}
        lh={sides.length > 2 ? '20px' : '28px'}
        data-testid="verdict"
      >
        {sentence}
      </Title>
      <Group gap="sm">
        {guards.length === 0 &&
          sides.slice(1).map((side, i) => {
            const test = rows[0]?.tests[i + 1];
            const text = test ? intervalText(test) : '';
            return text === '' ? null : (
              <Text
                key={side.runs.join(' ')}
                size="sm"
                c={dim}
              >{`${sides.length > 2 ? `${side.name}: ` : ''}${text}.`}</Text>
            );
          })}
        <RepeatBoth comparison={comparison} />
      </Group>
      <GuardBanner guards={guards}>
        <Group gap={8}>
          <ScoreAgainst comparison={comparison} repair={repair} />
          {comparison.referenceToOffer === undefined && (
            <Button size="xs" variant="default" onClick={repair.onPick}>
              Choose other runs
            </Button>
          )}
        </Group>
      </GuardBanner>
      {guards.length === 0 && <ScoreAgainst comparison={comparison} repair={repair} />}
    </Stack>
  );
}

/** What scores are held against, and the button that gives all of them one reference. */
function ScoreAgainst({
  comparison: { scoredAgainst, referenceToOffer: offer, runs },
  repair: { scoreAgainst, chosen },
}: {
  comparison: Comparison;
  repair: Repair;
}) {
  if (offer !== undefined)
    return (
      <Button
        size="xs"
        variant="default"
        w="fit-content"
        leftSection={<IconRuler2 size={14} aria-hidden />}
        onClick={() => scoreAgainst(offer.id)}
      >{`Score ${runs.length === 2 ? 'both' : 'all'} against ${offer.name}`}</Button>
    );
  if (scoredAgainst === undefined) return null;
  return (
    <Text size="sm" c={dim}>
      {`${runs.length === 2 ? 'Both' : 'All'} scored against ${scoredAgainst.name}.`}
      {chosen !== undefined && (
        <>
          {' '}
          <Anchor
            component="button"
            type="button"
            size="sm"
            onClick={() => scoreAgainst(undefined)}
          >
            As each was scored
          </Anchor>
        </>
      )}
    </Text>
  );
}

/** Why these must not be compared: a line for each reason, and what mends it beside them. */
export function GuardBanner({
  guards,
  children,
}: {
  guards: readonly string[];
  children?: ReactNode;
}) {
  if (guards.length === 0) return null;
  return (
    <div role="alert" className={styles.guard}>
      <IconBan size={16} aria-hidden />
      <div>
        <ul className={styles.reasons} aria-label="These runs must not be compared">
          {guards.map((guard) => (
            <li key={guard}>{guard}</li>
          ))}
        </ul>
        <Text size="xs" c={dim}>
          Each figure stands for itself; a difference between them proves nothing.
        </Text>
      </div>
      {children}
    </div>
  );
}
