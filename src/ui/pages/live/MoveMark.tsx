import styles from './placement.module.css';
import { type MovedBy, movedByWords } from './placementModel.ts';

const paths = {
  circle: 'M5.5 1.5a4 4 0 1 0 .01 0z',
  diamond: 'M5.5 .8 10.2 5.5 5.5 10.2 .8 5.5z',
  triangle: 'M5.5 1 10.3 10H.7z',
  square: 'M1.7 1.7h7.6v7.6H1.7z',
} as const;

/** By whom a VM was moved, as a shape; nothing for its first place. */
export function MoveMark({ by, left }: { by: MovedBy; left?: string | undefined }) {
  const { shape } = movedByWords[by];
  if (shape === null) return null;
  return (
    <svg
      viewBox="0 0 11 11"
      aria-hidden="true"
      className={left === undefined ? styles.inline : styles.mark}
      style={left === undefined ? undefined : { left }}
      data-shape={shape}
    >
      <path className={styles.shape} d={paths[shape]} />
    </svg>
  );
}
