import type { MarkShape } from './laneModel.ts';
import styles from './lanes.module.css';

const paths: Readonly<Record<MarkShape, string>> = {
  circle: 'M5.5 1.5a4 4 0 1 0 .01 0z',
  diamond: 'M5.5 .8 10.2 5.5 5.5 10.2 .8 5.5z',
  triangle: 'M5.5 1 10.3 10H.7z',
  square: 'M1.7 1.7h7.6v7.6H1.7z',
  flag: 'M2 .5h7.5L7.3 3.6l2.2 3.1H3.4v4H2z',
  cross:
    'M2.6 .8 5.5 3.7 8.4 .8l1.8 1.8L7.3 5.5l2.9 2.9-1.8 1.8L5.5 7.3l-2.9 2.9L.8 8.4l2.9-2.9L.8 2.6z',
  tick: 'M4.5 .5h2v10h-2z',
};

/** A mark of a lane, by shape; `bad` ones are coloured as well. */
export function LaneShape({
  shape,
  bad,
  left,
}: {
  shape: MarkShape;
  bad: boolean;
  left?: string | undefined;
}) {
  return (
    <svg
      viewBox="0 0 11 11"
      aria-hidden="true"
      className={left === undefined ? styles.inline : styles.mark}
      style={left === undefined ? undefined : { left }}
      data-shape={shape}
      data-bad={bad || undefined}
    >
      <path className={styles.shape} d={paths[shape]} />
    </svg>
  );
}
