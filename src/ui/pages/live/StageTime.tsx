import { useCallback, useMemo, useState, useSyncExternalStore } from 'react';

import { overviewAt, type ReplaySpan, replaySpan } from '../../../core/run/replay.ts';
import type { RunOverview } from '../../../core/run/run.ts';
import { steadyPlanned } from '../../../core/run/windows.ts';
import type { ChartGroup } from '../../charts/group.ts';
import styles from './stageTime.module.css';
import { timeTextOf } from './timeView.ts';

/** The moment of a stored run that is on stage. */
export interface StageMoment {
  span: ReplaySpan;
  ms: number;
  atMs: () => number;
  /** Moves of VMs, epoch ms, ascending. */
  moves: readonly number[];
  /** The run as it stood at that moment. */
  overview: RunOverview;
  set: (ms: number) => void;
}

/** Last second of the steady state; of a run that did not come so far, its end. */
function firstMoment(overview: RunOverview, span: ReplaySpan): number {
  const steady = steadyPlanned(overview);
  return steady === null || steady.startMs > span.endMs
    ? span.endMs - 1
    : Math.min(steady.endMs, span.endMs) - 1;
}

export function useStageTime(overview: RunOverview): StageMoment {
  const { createdAtMs } = overview;
  const span = useMemo(
    () => replaySpan(overview) ?? { startMs: createdAtMs, endMs: createdAtMs + 1 },
    [overview, createdAtMs],
  );
  const [chosen, setChosen] = useState<number | null>(null);
  const ms = chosen ?? firstMoment(overview, span);
  const moves = useMemo(
    () =>
      [
        ...new Set(
          (overview.placement?.moves ?? []).filter((m) => m.by !== 'start').map((m) => m.tMs),
        ),
      ].sort((a, b) => a - b),
    [overview.placement],
  );
  const atMs = useCallback(() => ms, [ms]);
  const shown = useMemo(() => {
    // All moves, not those until then: places stay what they are while time goes to and fro.
    const { placement } = overview;
    return { ...overviewAt({ overview }, ms), ...(placement === undefined ? {} : { placement }) };
  }, [overview, ms]);
  return { span, ms, atMs, moves, overview: shown, set: setChosen };
}

/** A slider through the time of a run, and steps from move to move. */
export function StageTime({
  time: { span, ms, moves, set },
  group,
  originMs,
}: {
  time: StageMoment;
  group: ChartGroup;
  originMs: number;
}) {
  const state = useSyncExternalStore(group.subscribe, group.get);
  const text = timeTextOf(state, originMs)(ms - originMs);
  const earlier = moves.findLast((at) => at < ms);
  const later = moves.find((at) => at > ms);
  const go = (to: number): void => {
    set(to);
    group.moveCursor(to - originMs, set);
  };
  const leave = (): void => {
    group.moveCursor(NaN, set);
  };
  return (
    <div className={styles.time}>
      <span className={styles.at}>{text}</span>
      <input
        type="range"
        className={styles.slider}
        aria-label="Time of the hosts and their VMs"
        aria-valuetext={text}
        min={span.startMs}
        max={span.endMs}
        step={Math.max(1, Math.round((span.endMs - span.startMs) / 400))}
        value={ms}
        onChange={(event) => {
          go(Number(event.currentTarget.value));
        }}
        onBlur={leave}
        onPointerUp={leave}
      />
      {moves.length > 0 && (
        <>
          <Step label="Move before" to={earlier} onGo={go} />
          <Step label="Next move" to={later} onGo={go} />
        </>
      )}
    </div>
  );
}

function Step({
  label,
  to,
  onGo,
}: {
  label: string;
  to: number | undefined;
  onGo: (ms: number) => void;
}) {
  return (
    <button
      type="button"
      className={styles.step}
      disabled={to === undefined}
      onClick={() => {
        if (to !== undefined) onGo(to);
      }}
    >
      {label}
    </button>
  );
}
