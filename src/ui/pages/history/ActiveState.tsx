import { formatElapsed } from '../../../core/base/format.ts';
import { type RunState } from '../../../core/run/states.ts';
import { runClock } from '../../engine/runClock.ts';
import { useRunOverview } from '../../engine/runData.ts';
import { useNow } from '../../engine/useNow.ts';
import { RunStateBadge } from '../../kit/RunStateBadge.tsx';
import styles from './history.module.css';

/** State of a run that goes on, with what is left of it; how far it is runs along its row. */
export function ActiveState({ id, state }: { id: string; state: RunState }) {
  const { data } = useRunOverview(id);
  const nowMs = useNow(data?.nowMs ?? 0, data !== undefined);
  const clock = data === undefined ? null : runClock(data, nowMs);
  return (
    <>
      <RunStateBadge state={data?.state ?? state} />
      {clock !== null && clock.remainingMs !== null && (
        <span className={styles.left}>
          {`${formatElapsed(Math.ceil(clock.remainingMs / 1_000) * 1_000)} left`}
        </span>
      )}
      {clock !== null && (
        <span
          role="progressbar"
          aria-label="Progress of the run"
          aria-valuenow={Math.round(clock.fraction * 100)}
          aria-valuemin={0}
          aria-valuemax={100}
          className={styles.progress}
        >
          <i style={{ width: `${clock.fraction * 100}%` }} />
        </span>
      )}
    </>
  );
}
