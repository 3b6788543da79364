import { Paper, Title } from '@mantine/core';

import { runStyle } from '../../../core/chart/palette.ts';
import {
  type Comparison,
  formatCell,
  formatDelta,
  rowDecimals,
  sideOfRun,
} from '../../../core/compare/index.ts';
import { raw } from '../../kit/raw.ts';
import styles from './cards.module.css';
import { wordTone } from './VerdictWord.tsx';

/** Beside the score, where they were measured. */
const beside: Readonly<Record<string, string>> = {
  'score.application': 'Application part',
  'score.infrastructure': 'Infrastructure part',
  power: 'Mean power',
  scorePerKw: 'Score per kW',
};

/**
 * Scores as bars over each other, and what stands beside a score. Grey where the runs must not be
 * compared.
 */
export function ScoreCard({
  comparison,
  run,
}: {
  comparison: Comparison;
  /** The run whose changes are told. */
  run: number;
}) {
  const { rows, runs, names, guards } = comparison;
  const score = rows.find((row) => row.key === 'score')!;
  const values = score.values.map((value) => value ?? 0);
  const most = Math.max(0, ...values);
  const decimals = rowDecimals(score.values);
  const blocked = guards.length > 0;
  const side = sideOfRun(comparison, run);
  return (
    <Paper component="section" aria-label="Score" className={styles.card}>
      <Title order={2}>Score</Title>
      <ul
        className={styles.bars}
        data-blocked={blocked || undefined}
        data-many={runs.length > 3 || undefined}
      >
        {runs.map(({ id }, i) => (
          <li key={id}>
            <span className={styles.barName} title={names[i]}>
              {names[i]}
            </span>
            <span className={styles.barLine}>
              <span className={styles.track} aria-hidden>
                <i
                  style={{
                    width: `${most === 0 ? 0 : (values[i]! / most) * 100}%`,
                    background: runStyle(i).color,
                  }}
                />
              </span>
              <b {...raw(score.values[i])} title={exactText(score, i)}>
                {formatCell(score.values[i] ?? null, decimals)}
              </b>
            </span>
          </li>
        ))}
      </ul>
      <dl className={styles.facts}>
        {rows.flatMap((row) => {
          const label = beside[row.key];
          const deltaPct = row.deltaPct[run] ?? null;
          if (label === undefined || deltaPct === null) return [];
          const word = row.tests[side]?.word ?? null;
          return [
            <div key={row.key} title={row.values.map((_, i) => exactText(row, i)).join(' → ')}>
              <dt>{label}</dt>
              <dd data-tone={blocked || word === null ? undefined : wordTone(word)}>
                {formatDelta(deltaPct)}
              </dd>
            </div>,
          ];
        })}
      </dl>
    </Paper>
  );
}

const exactText = ({ values, unit }: Comparison['rows'][number], i: number): string =>
  values[i] === null || values[i] === undefined ? 'not measured' : `${values[i]} ${unit}`;
