import {
  IconAlertTriangle,
  IconCircleCheck,
  IconPlayerPlay,
  IconProgress,
  IconX,
} from '@tabler/icons-react';
import { useCallback } from 'react';

import { formatElapsed, formatExact, formatSi, noValue } from '../../../core/base/format.ts';
import type { QosHeadroom } from '../../../core/limits/index.ts';
import type { RunOverview } from '../../../core/run/run.ts';
import { isFlawed, phaseWords, runStateWord } from '../../../core/run/runWords.ts';
import { isEnd, type RunState } from '../../../core/run/states.ts';
import { timeLeft } from '../../../core/run/windows.ts';
import { staleAgeMs } from '../../charts/view.ts';
import { worstHeadroom } from './headroom.ts';
import styles from './live.module.css';
import { LiveText } from './LiveText.tsx';
import type { RunLines } from './useRunLines.ts';

export interface BoardSummaryProps {
  overview: RunOverview;
  /** State and times stand above the board: said twice, two clocks never quite agree. */
  headed?: boolean;
  live: boolean;
  nowMs: () => number;
  lines: Pick<RunLines, 'linesOf' | 'originMs'>;
  headroom: () => readonly QosHeadroom[];
  /** The profile sets no QoS limit at all. */
  unlimited: boolean;
}

/** What matters first: state, phase, time left, score so far, watts now, worst headroom. */
export function BoardSummary(props: BoardSummaryProps) {
  const { overview, headed = false, live } = props;
  const { left, phaseLeft, elapsed, watts, worst, worstOf } = useTexts(props);
  const { score } = overview;
  return (
    <dl className={styles.summary}>
      {!headed && (
        <>
          <Figure label="State">
            <StateWord state={overview.state} compliant={overview.verdict?.compliant ?? null} />
          </Figure>
          <Figure label="Elapsed">
            <LiveText text={elapsed} live={live} />
          </Figure>
        </>
      )}
      {!headed && !isEnd(overview.state) && (
        <Figure label="Time left">
          <LiveText text={left} live={live} />
          <LiveText text={phaseLeft} live={live} className={styles.aside} />
        </Figure>
      )}
      <Figure
        label={
          score === null
            ? 'Score so far'
            : `${live ? 'Score so far' : 'Score'}, ${score.tiles} ${score.tiles === 1 ? 'tile' : 'tiles'}`
        }
        hint={score?.missing.join('; ')}
      >
        {score?.reference === 'none'
          ? 'no reference'
          : score?.total == null
            ? noValue
            : `${formatSi(score.total)}${score.reference === 'itself' ? ' × itself' : ''}`}
      </Figure>
      <Figure label={live ? 'Power now' : 'Power at the end'}>
        <LiveText text={watts} live={live} />
      </Figure>
      <Figure label="Worst headroom">
        <LiveText text={worst} live={live} />
        <LiveText text={worstOf} live={live} className={styles.aside} />
      </Figure>
    </dl>
  );
}

/** Texts that change every second, each made when it is written. */
function useTexts({
  overview,
  live,
  nowMs,
  lines: { linesOf, originMs },
  headroom,
  unlimited,
}: BoardSummaryProps) {
  const left = useCallback(
    () => formatElapsed(timeLeft(overview, nowMs())?.runMs ?? NaN),
    [overview, nowMs],
  );
  const phaseLeft = useCallback(() => {
    const rest = timeLeft(overview, nowMs());
    return rest === null ? '' : `${phaseWords[rest.phase]} ${formatElapsed(rest.phaseMs)}`;
  }, [overview, nowMs]);
  const elapsed = useCallback(
    () => formatElapsed((live ? nowMs() : (overview.endedAtMs ?? overview.nowMs)) - originMs),
    [live, nowMs, overview.endedAtMs, overview.nowMs, originMs],
  );
  const watts = useCallback(() => {
    const meters = linesOf({ defs: overview.series.filter((s) => s.metric === 'powerW') });
    const now = live ? nowMs() : null;
    const values = meters
      .filter((line) => staleAgeMs(line, now) === 0)
      .map(({ source }) => source.lastValue())
      .filter(Number.isFinite);
    if (meters.length === 0 || values.length === 0) return noValue;
    return `${formatExact(
      values.reduce((total, value) => total + value, 0),
      0,
    )} W${values.length < meters.length ? `, ${values.length} of ${meters.length} meters` : ''}`;
  }, [overview.series, linesOf, live, nowMs]);
  const worst = useCallback(() => worstHeadroom(headroom(), unlimited).text, [headroom, unlimited]);
  const worstOf = useCallback(() => worstHeadroom(headroom(), unlimited).of, [headroom, unlimited]);
  return { left, phaseLeft, elapsed, watts, worst, worstOf };
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

function StateWord({ state, compliant }: { state: RunState; compliant: boolean | null }) {
  const flawed = isFlawed(state, compliant);
  const Icon = flawed
    ? IconAlertTriangle
    : state === 'passed'
      ? IconCircleCheck
      : state === 'failed'
        ? IconX
        : state === 'aborted'
          ? IconAlertTriangle
          : state === 'steady'
            ? IconPlayerPlay
            : IconProgress;
  return (
    <span className={styles.state} data-state-word={state}>
      <Icon size={18} aria-hidden="true" />
      {runStateWord(state, compliant)}
    </span>
  );
}
