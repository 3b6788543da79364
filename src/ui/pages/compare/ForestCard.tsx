import { Paper, Text, Title } from '@mantine/core';
import { type CSSProperties, type KeyboardEvent, useRef } from 'react';

import {
  compareWords,
  type Comparison,
  forestAxis,
  type ForestRow,
  forestRows,
  formatDelta,
} from '../../../core/compare/index.ts';
import { metricWords } from '../../../core/metric/metricWords.ts';
import { dim } from '../../kit/tones.ts';
import styles from './cards.module.css';
import { wordTone } from './VerdictWord.tsx';

interface Props {
  comparison: Comparison;
  /** The run that is held against the baseline. */
  run: number;
  workloadId: string | null;
  onChoose: (workloadId: string) => void;
}

/**
 * Where a difference comes from: a row for each workload, its change with its interval, the noise
 * band grey. One stop of the Tab key; arrows step, and the chosen row is what the chart shows.
 */
export function ForestCard({ comparison, run, workloadId, onChoose }: Props) {
  const rows = forestRows(comparison, run);
  const axis = forestAxis(rows);
  const zero = placeOf(0, axis);
  const list = useRef<HTMLDivElement>(null);
  const at = Math.max(
    0,
    rows.findIndex((row) => row.workloadId === workloadId),
  );
  const move = (event: KeyboardEvent): void => {
    const next = stepped(event.key, at, rows.length);
    if (next === null) return;
    event.preventDefault();
    onChoose(rows[next]!.workloadId);
    list.current?.querySelectorAll<HTMLElement>('[role="radio"]')[next]?.focus();
  };
  return (
    <Paper component="section" aria-label="Where it comes from" className={styles.card}>
      <Title order={2}>Where it comes from</Title>
      {rows.length === 0 ? (
        <Text size="sm" c={dim}>
          None of these runs has samples of a workload.
        </Text>
      ) : (
        <>
          <div
            ref={list}
            role="radiogroup"
            aria-label="Change of each workload"
            className={styles.forest}
          >
            {rows.map((row, i) => (
              <div
                key={row.workloadId}
                role="radio"
                aria-checked={row.workloadId === workloadId}
                aria-label={rowText(row)}
                title={rowText(row)}
                tabIndex={i === at ? 0 : -1}
                className={styles.row}
                onClick={() => onChoose(row.workloadId)}
                onKeyDown={(event) => {
                  if (event.key === ' ' || event.key === 'Enter') onChoose(row.workloadId);
                  else move(event);
                }}
              >
                <span className={styles.name}>{row.name}</span>
                <Plot row={row} axis={axis} />
                <span className={styles.delta} data-tone={toneOf(row)}>
                  {row.deltaPct === null ? '–' : `${markOf(row)}${formatDelta(row.deltaPct)}`}
                </span>
                <span className={styles.latency} data-tone={latencyTone(row)}>
                  {row.latency === null ? '' : `p95 ${formatDelta(row.latency.deltaPct)}`}
                </span>
              </div>
            ))}
          </div>
          <div className={styles.axis} aria-hidden>
            <span>Mean of the tiles</span>
            <span>
              <i>{`−${-axis[0]} %`}</i>
              {isApart(zero) && <i style={{ left: `${zero}%` }}>0</i>}
              <i>{`+${axis[1]} %`}</i>
            </span>
          </div>
        </>
      )}
    </Paper>
  );
}

/** Whether a label at this place of the axis leaves those of its ends their room. */
const isApart = (placePct: number): boolean => placePct > 26 && placePct < 62;

/** Which row a key leads to; null = none. */
function stepped(key: string, at: number, rows: number): number | null {
  const next =
    key === 'ArrowDown' || key === 'ArrowRight'
      ? at + 1
      : key === 'ArrowUp' || key === 'ArrowLeft'
        ? at - 1
        : key === 'Home'
          ? 0
          : key === 'End'
            ? rows - 1
            : -1;
  return next < 0 || next >= rows ? null : next;
}

type Axis = ReturnType<typeof forestAxis>;
/** Place on the axis in percent of its length; what lies outside stands at its end. */
const placeOf = (pct: number, [from, to]: Axis): number =>
  ((Math.min(to, Math.max(from, pct)) - from) / (to - from)) * 100;
const spanOf = (fromPct: number, toPct: number, axis: Axis): CSSProperties => ({
  left: `${placeOf(fromPct, axis)}%`,
  width: `${placeOf(toPct, axis) - placeOf(fromPct, axis)}%`,
});

function Plot({ row, axis }: { row: ForestRow; axis: Axis }) {
  const { deltaPct, lowPct, highPct, noisePct } = row;
  return (
    <span className={styles.plot} aria-hidden>
      {noisePct !== null && (
        <i className={styles.noise} style={spanOf(-noisePct, noisePct, axis)} />
      )}
      <i className={styles.zero} style={{ left: `${placeOf(0, axis)}%` }} />
      {deltaPct !== null && (
        <>
          <i
            className={styles.stem}
            style={deltaPct < 0 ? spanOf(deltaPct, 0, axis) : spanOf(0, deltaPct, axis)}
          />
          {lowPct !== null && highPct !== null && (
            <i className={styles.whisker} style={spanOf(lowPct, highPct, axis)} />
          )}
          <i
            className={styles.dot}
            data-tone={toneOf(row)}
            style={{ left: `${placeOf(deltaPct, axis)}%` }}
          />
        </>
      )}
    </span>
  );
}

const toneOf = ({ word }: ForestRow): string | undefined =>
  word === null ? undefined : wordTone(word);
const latencyTone = ({ latency }: ForestRow): string | undefined =>
  latency === null || latency.word === null ? undefined : wordTone(latency.word);
const marks: Readonly<Partial<Record<NonNullable<ForestRow['word']>, string>>> = {
  better: '▲ ',
  worse: '▼ ',
  withinNoise: '= ',
};
const markOf = ({ word }: ForestRow): string => (word === null ? '' : (marks[word] ?? ''));

function rowText({ name, metric, deltaPct, lowPct, highPct, word, latency }: ForestRow): string {
  const change =
    deltaPct === null
      ? 'not measured in both'
      : formatDelta(deltaPct) + (word === null ? '' : `, ${compareWords[word]}`);
  const interval =
    lowPct === null || highPct === null
      ? ''
      : `, 95 % interval ${formatDelta(lowPct)} to ${formatDelta(highPct)}`;
  const slow =
    latency === null
      ? ''
      : `; 95th percentile latency ${formatDelta(latency.deltaPct)}` +
        (latency.word === null ? '' : `, ${compareWords[latency.word]}`);
  return `${name}: ${metricWords[metric].toLowerCase()} ${change}${interval}${slow}`;
}
