import { memo, useEffect, useRef } from 'react';

import { onHeartbeat } from '../../charts/heartbeat.ts';
import styles from './figures.module.css';

const [width, height] = [100, 24];
const every = 3;

/** The path of points over the whole width, between its lowest and highest; gaps stay open. */
export function sparkPath(points: readonly number[]): string {
  const known = points.filter(Number.isFinite);
  if (known.length < 3) return '';
  const low = Math.min(...known);
  // What hardly moves is drawn as a flat line, not as a storm.
  const room = Math.max(Math.max(...known) - low, Math.abs(low) * 0.05, Number.MIN_VALUE);
  let pen = 'M';
  return points
    .flatMap((value, i) => {
      if (!Number.isFinite(value)) {
        pen = 'M';
        return [];
      }
      const x = (i / Math.max(1, points.length - 1)) * width;
      const y = height - 2 - ((value - low) / room) * (height - 4);
      const part = `${pen}${x.toFixed(1)} ${y.toFixed(1)}`;
      pen = 'L';
      return [part];
    })
    .join('');
}

/** The last minutes of a figure as a line, written without React. Keep the identity of `read`. */
export const Spark = memo(function Spark({ read }: { read: () => readonly number[] }) {
  const path = useRef<SVGPathElement>(null);
  useEffect(() => {
    let beat = 0;
    const write = (): void => {
      if (beat++ % every === 0) path.current?.setAttribute('d', sparkPath(read()));
    };
    write();
    return onHeartbeat(write);
  }, [read]);
  return (
    <svg
      className={styles.spark}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path ref={path} vectorEffect="non-scaling-stroke" />
    </svg>
  );
});
