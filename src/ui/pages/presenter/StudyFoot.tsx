import type { StudyOverview } from '../../../core/study/study.ts';
import styles from './presenter.module.css';
import { donePoints } from './studyNumbers.ts';

/** How far a study is: points of points, and its origin in words. */
export function StudyFoot({ overview, note }: { overview: StudyOverview; note?: string }) {
  const done = donePoints(overview).length;
  const total = overview.points.length;
  return (
    <>
      <span>{`${done} of ${total} ${total === 1 ? 'point' : 'points'}${note === undefined ? '' : `, ${note}`}`}</span>
      <div
        className={styles.progress}
        role="progressbar"
        aria-label="Points done"
        aria-valuemin={0}
        aria-valuemax={total}
        aria-valuenow={done}
      >
        <i style={{ width: `${total === 0 ? 0 : (done / total) * 100}%` }} />
      </div>
    </>
  );
}
