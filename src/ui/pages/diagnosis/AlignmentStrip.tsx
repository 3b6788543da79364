import { Text } from '@mantine/core';

import { formatElapsed } from '../../../core/base/format.ts';
import type { Alignment } from '../../../core/diagnosis/diagnosis.ts';
import { dim } from '../../kit/tones.ts';
import styles from './diagnosis.module.css';

const width = 640,
  height = 34,
  most = 2,
  rim = 2;

/**
 * A line through the steps; a gap stays a gap. Shares beyond twice the threshold are drawn at the
 * top.
 */
function path(values: readonly (number | null)[]): string {
  const step = width / Math.max(1, values.length - 1);
  let pen = 'M';
  return values
    .map((value, i) => {
      if (value === null) {
        pen = 'M';
        return '';
      }
      const y = height - rim - (Math.min(most, value) / most) * (height - 2 * rim);
      const at = `${pen}${(i * step).toFixed(1)},${y.toFixed(1)}`;
      pen = 'L';
      return at;
    })
    .join('');
}

/**
 * A counter and the failing workload over the run, each as a share of its threshold; the dashed
 * line is the threshold.
 */
export function AlignmentStrip({
  alignment,
  counter,
  workload,
}: {
  alignment: Alignment;
  counter: string;
  workload: string;
}) {
  const { startMs, bucketMs, crossedMs, failedMs } = alignment;
  const lasts = alignment.counter.length * bucketMs;
  const rows = [
    { name: counter, values: alignment.counter, at: crossedMs, word: 'crosses' },
    { name: workload, values: alignment.workload, at: failedMs, word: 'fails' },
  ];
  return (
    <figure className={styles.strip} aria-label="Alignment in time">
      {rows.map(({ name, values, at, word }) => (
        <div key={name} className={styles.lane}>
          <Text size="xs" className={styles.laneName} title={name}>
            {name}
          </Text>
          <svg
            viewBox={`0 0 ${width} ${height}`}
            preserveAspectRatio="none"
            className={styles.line}
            aria-hidden
          >
            <line
              x1={0}
              x2={width}
              y1={height / 2}
              y2={height / 2}
              className={styles.limit}
              vectorEffect="non-scaling-stroke"
            />
            {at !== null && (
              <line
                x1={((at - startMs) / Math.max(1, lasts)) * width}
                x2={((at - startMs) / Math.max(1, lasts)) * width}
                y1={0}
                y2={height}
                className={styles.crossing}
                vectorEffect="non-scaling-stroke"
              />
            )}
            <path d={path(values)} className={styles.trace} vectorEffect="non-scaling-stroke" />
          </svg>
          <Text size="xs" c={dim} className={styles.laneEnd}>
            {at === null ? 'not for long' : `${word} at ${formatElapsed(at - startMs)}`}
          </Text>
        </div>
      ))}
      <figcaption>
        <Text size="xs" c={dim}>
          {alignment.words} Dashed: the threshold of each; from the start of the run to the end of
          its steady state.
        </Text>
      </figcaption>
    </figure>
  );
}
