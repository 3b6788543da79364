import { Paper } from '@mantine/core';
import type { ReactElement, ReactNode } from 'react';

import { isForeign } from '../../../../core/run/foreign.ts';
import type { RunRecord, RunSummary } from '../../../../core/run/run.ts';
import {
  headroomNumber,
  type KeyNumber as Key,
  powerNumber,
  scoreNumber,
} from '../../../../core/score/keyNumbers.ts';
import styles from './result.module.css';

interface NumberProps {
  label: string;
  figure: string;
  unit?: string;
  tone?: 'bad' | undefined;
  /** A picture beside the figure. */
  aside?: ReactNode;
  /** The exact value, on hover. */
  exact?: string | undefined;
  /** A line that says what the figure is of, or why there is none. */
  children?: ReactNode;
}

/** One of the numbers that are asked for first. */
export function KeyNumber({ label, figure, unit = '', tone, aside, exact, children }: NumberProps) {
  return (
    <div className={styles.number} role="group" aria-label={label}>
      <div className={styles.label}>{label}</div>
      <div className={styles.figure} data-tone={tone} title={exact}>
        {figure}
        {unit !== '' && <span className={styles.unit}>{unit}</span>}
        {aside}
      </div>
      <div className={styles.under}>{children}</div>
    </div>
  );
}

/** Score, headroom and power of an ended run, and what stands beside them. */
export function KeyNumbers({
  record,
  summary,
  setReference,
  children,
}: {
  record: RunRecord;
  summary: RunSummary | undefined;
  /** The way to a reference, where the run has none. */
  setReference?: ReactNode;
  children?: ReactNode;
}) {
  const foreign = isForeign(record.imported);
  const { score } = record.overview;
  // Another tool's results have no score, and seldom power.
  if (foreign && (summary?.meanPowerW ?? null) === null) return null;
  return (
    <Paper className={styles.numbers} py={4} component="section" aria-label="Key numbers">
      {!foreign && shown(scoreNumber(record), score?.reference === 'none' && setReference)}
      {!foreign && shown(headroomNumber(score))}
      {shown(powerNumber(score, summary?.meanPowerW ?? null, foreign ? 0 : record.plan.tiles))}
      {children}
    </Paper>
  );
}

/** A number as core tells it; `more` stands behind its note. */
const shown = ({ note, exact, ...number }: Key, more?: ReactNode): ReactElement => (
  <KeyNumber {...number} exact={exact}>
    {note}
    {more !== undefined && more !== false && <> {more}</>}
  </KeyNumber>
);
