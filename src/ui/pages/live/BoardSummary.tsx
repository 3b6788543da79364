import { useCallback } from 'react';

import { formatExact, noValue } from '../../../core/base/format.ts';
import type { QosHeadroom } from '../../../core/limits/index.ts';
import type { RunOverview } from '../../../core/run/run.ts';
import { worstHeadroom } from './headroom.ts';
import styles from './live.module.css';
import { LiveText } from './LiveText.tsx';
import type { RunLines } from './useRunLines.ts';

export interface BoardSummaryProps {
  overview: RunOverview;
  lines: Pick<RunLines, 'linesOf'>;
  headroom: () => readonly QosHeadroom[];
  /** The profile sets no QoS limit at all. */
  unlimited: boolean;
}

/** What a run that has ended came to: score, watts at its end, worst headroom. */
export function BoardSummary({ overview, lines, headroom, unlimited }: BoardSummaryProps) {
  const { score, series } = overview;
  const { linesOf } = lines;
  const watts = useCallback(() => {
    const meters = linesOf({ defs: series.filter((s) => s.metric === 'powerW') });
    const values = meters.map(({ source }) => source.lastValue()).filter(Number.isFinite);
    if (values.length === 0) return noValue;
    return `${formatExact(
      values.reduce((total, value) => total + value, 0),
      0,
    )} W${values.length < meters.length ? `, ${values.length} of ${meters.length} meters` : ''}`;
  }, [series, linesOf]);
  const worst = useCallback(() => worstHeadroom(headroom(), unlimited).text, [headroom, unlimited]);
  const worstOf = useCallback(() => worstHeadroom(headroom(), unlimited).of, [headroom, unlimited]);
  return (
    <dl className={styles.summary}>
      <Figure
        label={
          score === null ? 'Score' : `Score, ${score.tiles} ${score.tiles === 1 ? 'tile' : 'tiles'}`
        }
        hint={score?.missing.join('; ')}
      >
        {score?.reference === 'none'
          ? 'no reference'
          : score?.total == null
            ? noValue
            : `${formatExact(score.total, 2)}${score.reference === 'itself' ? ' × itself' : ''}`}
      </Figure>
      <Figure label="Power at the end">
        <LiveText text={watts} live={false} />
      </Figure>
      <Figure label="Worst headroom">
        <LiveText text={worst} live={false} />
        <LiveText text={worstOf} live={false} className={styles.aside} />
      </Figure>
    </dl>
  );
}

function Figure({
  label,
  hint,
  children,
}: {
  label: string;
  hint?: string | undefined;
  children: React.ReactNode;
}) {
  return (
    <div className={styles.figure} title={hint}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
