import { Paper, Text, Title } from '@mantine/core';

import { counted } from '../../../core/base/counted.ts';
import type { Comparison } from '../../../core/compare/index.ts';
import { dim } from '../../kit/tones.ts';
import styles from './cards.module.css';

/** The others are told further down, with all they are about. */
const shownAtMost = 4;
/** Two values that are longer stand under each other. */
const besideEachOther = 22;

/** The settings that differ, the strongest likely effect first, and that nothing else does. */
export function DiffersCard({ comparison: { setup, settings, runs } }: { comparison: Comparison }) {
  const shown = setup.slice(0, shownAtMost);
  return (
    <Paper component="section" aria-label="What differs" className={styles.card}>
      <Title order={2}>What differs</Title>
      <dl className={styles.differs}>
        {shown.map(({ group, label, values, effect, why }) => (
          <div
            key={`${group} ${label}`}
            data-strong={effect === 'strong' || undefined}
            title={why === '' ? undefined : `Likely effect: ${effect}, ${why}`}
          >
            <dt>{label}</dt>
            <dd data-long={values.some((value) => value.length > besideEachOther) || undefined}>
              {(runs.length > 2 ? distinct(values) : values).map((value, i) => (
                <span key={i} title={value}>
                  {i > 0 && <i>{runs.length > 2 ? '·' : '→'}</i>}
                  {value}
                </span>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <Text size="xs" c={dim} mt="auto">
        {restText(setup.length, shown.length, settings)}
      </Text>
    </Paper>
  );
}

const distinct = (values: readonly string[]): string[] => [...new Set(values)];

function restText(differing: number, shown: number, settings: number): string {
  if (settings === 0) return 'No set-up was recorded.';
  if (differing === 0) return `Nothing of ${counted(settings, 'setting')} before the runs differs.`;
  return differing === shown
    ? `As set before the runs. Nothing else of ${counted(settings, 'setting')} differs.`
    : `As set before the runs. ${differing - shown} more of ${counted(settings, 'setting')} further down.`;
}
