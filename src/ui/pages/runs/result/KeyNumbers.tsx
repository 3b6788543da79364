import { Paper } from '@mantine/core';
import type { ReactNode } from 'react';

import { formatExact, formatQuantity, noValue } from '../../../../core/base/format.ts';
import { leftOfLimit, scoreHeadroom, shortMetric } from '../../../../core/limits/index.ts';
import type { RunRecord, RunSummary } from '../../../../core/run/run.ts';
import type { Score } from '../../../../core/run/scoreTypes.ts';
import { isForeign } from '../foreign.ts';
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
  // Another tool's results have no score, and seldom power.
  if (foreign && (summary?.meanPowerW ?? null) === null) return null;
  return (
    <Paper className={styles.numbers} py={4} component="section" aria-label="Key numbers">
      {!foreign && <ScoreNumber record={record} setReference={setReference} />}
      {!foreign && <HeadroomNumber score={record.overview.score} />}
      <PowerNumber record={record} summary={summary} />
      {children}
    </Paper>
  );
}

function ScoreNumber({
  record: { overview, profile },
  setReference,
}: {
  record: RunRecord;
  setReference: ReactNode;
}) {
  const { score, state } = overview;
  if (score === null)
    return (
      <KeyNumber label="Score" figure={noValue}>
        {state === 'aborted' ? 'aborted runs get none' : 'no measurement period ended'}
      </KeyNumber>
    );
  if (score.reference !== undefined)
    return (
      <KeyNumber label="Score" figure={noValue}>
        {score.reference === 'itself' ? 'this run is the reference' : 'no reference '}
        {score.reference === 'none' && setReference}
      </KeyNumber>
    );
  const decimals = profile.scoring.number?.decimals ?? 2;
  const parts = [
    ['application', score.application],
    ['infrastructure', score.infrastructure],
  ].flatMap(([name, value]) =>
    typeof value === 'number' ? [`${name} ${formatExact(value, decimals)}`] : [],
  );
  return (
    <KeyNumber
      label="Score"
      figure={score.total === null ? noValue : formatExact(score.total, decimals)}
      unit={score.total === null ? '' : '× reference'}
      exact={score.total === null ? undefined : formatExact(score.total, 6)}
    >
      {score.total === null
        ? 'a measurement is missing'
        : parts.length > 0
          ? parts.join(', ')
          : `of ${score.referenceLabel}`}
    </KeyNumber>
  );
}

function HeadroomNumber({ score }: { score: Score | null }) {
  const limits = score === null ? [] : scoreHeadroom(score);
  const worst = limits.find(({ headroom }) => headroom !== null);
  const left = worst === undefined ? null : leftOfLimit(worst);
  if (worst === undefined || left === null)
    return (
      <KeyNumber label="Headroom" figure={noValue}>
        {score === null || limits.length > 0 ? 'not measured' : 'the profile sets no QoS limit'}
      </KeyNumber>
    );
  const unmeasured = limits.filter(({ headroom }) => headroom === null).length;
  return (
    <KeyNumber
      label="Headroom"
      figure={left.figure}
      unit={left.word}
      tone={worst.headroom !== null && worst.headroom < 0 ? 'bad' : undefined}
    >
      {`${worst.name} ${shortMetric(worst)}, tile ${worst.tile + 1}` +
        (worst.over === 'steady' ? '' : `, period ${worst.period + 1}`) +
        (unmeasured === 0 ? '' : `; ${unmeasured} not measured`)}
    </KeyNumber>
  );
}

function PowerNumber({
  record: { overview, plan, imported },
  summary,
}: {
  record: RunRecord;
  summary: RunSummary | undefined;
}) {
  const watts = summary?.meanPowerW ?? null;
  const power = overview.score?.power;
  if (watts === null)
    return (
      <KeyNumber label="Power" figure={noValue}>
        {power?.refused === undefined || power.refused === null
          ? 'not measured'
          : `No figure: ${power.refused}`}
      </KeyNumber>
    );
  const { figure, unit } = formatQuantity(watts, 'W');
  const each = formatQuantity(watts / Math.max(1, plan.tiles), 'W');
  const perKilowatt =
    overview.score?.reference !== undefined || power === undefined
      ? []
      : power.value !== null
        ? [`score ${formatExact(power.value, 2)} per kW`]
        : power.refused === null
          ? []
          : [`No figure: ${power.refused}`];
  return (
    <KeyNumber label="Power" figure={figure} unit={unit} exact={`${formatExact(watts, 3)} W`}>
      {[
        ...(isForeign(imported) || plan.tiles < 2 ? [] : [`${each.figure} ${each.unit} per tile`]),
        ...perKilowatt,
      ].join(', ') || 'mean of the steady state'}
    </KeyNumber>
  );
}
