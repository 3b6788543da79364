import type { ExpectationLine } from '../../../src/core/study/study.ts';

/** One line of a study over several seeds of the measurement noise. */
export interface JudgedLine {
  id: string;
  label: string;
  unit: string;
  published: string;
  source: string;
  /** Over the seeds; null where one of them gave no value. */
  mean: number | null;
  /** Standard deviation over the seeds; 0 for one. */
  spread: number | null;
  /** Bounds, as means where they hang on another line of the same run. */
  low: number | null;
  high: number | null;
  seeds: number;
  insideOf: number;
  met: boolean;
  /** Why a line that is missed is known to be; null = it has to be met. */
  knownMiss: string | null;
}

/**
 * Part of the seeds that must lie inside beside their mean: a line that luck decides is not met.
 */
const leastInside = 0.8;

/**
 * The same lines of one study under several seeds, judged by mean and spread: met where the mean
 * lies inside its tolerance and at least four seeds of five do. Every run must have the same lines
 * in the same order; throws where one has not.
 */
export function judgeLines(
  runs: readonly (readonly ExpectationLine[])[],
  knownMisses: Readonly<Record<string, string>>,
): JudgedLine[] {
  return (runs[0] ?? []).map((first, index) => {
    const lines = runs.map((run) => {
      const line = run[index];
      if (line?.id !== first.id)
        throw new Error(`Line ${first.id} is ${line?.id ?? 'missing'} under another seed.`);
      return line;
    });
    const values = lines.flatMap((line) => line.model ?? []);
    const known = values.length === lines.length;
    const mean = known ? meanOf(values) : null;
    const low = bound(lines.map((line) => line.low)),
      high = bound(lines.map((line) => line.high));
    const insideOf = lines.filter((line) => line.inside).length;
    // 100 · a / a may be 100.00000000000001.
    const dust = mean === null ? 0 : 1e-9 * Math.max(1, Math.abs(mean));
    const met =
      mean !== null &&
      (low === null || mean >= low - dust) &&
      (high === null || mean <= high + dust) &&
      insideOf >= leastInside * lines.length;
    const { id, label, unit, published, source } = first;
    return {
      ...{ id, label, unit, published, source, mean, low, high, insideOf, met },
      spread: mean === null ? null : deviation(values, mean),
      seeds: lines.length,
      knownMiss: met ? null : (knownMisses[id] ?? null),
    };
  });
}

const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
const deviation = (values: readonly number[], mean: number): number =>
  values.length < 2
    ? 0
    : Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1));
const bound = (values: readonly (number | null)[]): number | null =>
  values.includes(null) ? null : meanOf(values.filter((value) => value !== null));
