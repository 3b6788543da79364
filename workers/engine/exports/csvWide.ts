import type { SeriesData, SeriesDef } from '../../../src/core/metric/metric.ts';
import { metricWord } from '../../../src/core/metric/metricWords.ts';
import type { RunRecord } from '../../../src/core/run/run.ts';
import { phaseAt } from '../../../src/core/run/windows.ts';
import { csvText } from './csv.ts';

/** Seconds a page: with a thousand series some megabytes of text. */
export const secondsAPage = 600;

/** Head of the wide form: time, phase, and a column a series, named by what it is and its unit. */
export function csvWideHeader({ overview }: RunRecord): string {
  const name = ({ entity, metric, unit }: SeriesDef): string =>
    `${entity.name} ${metricWord(metric)} (${unit})`;
  return `${['t_s', 'elapsed_s', 'phase', ...overview.series.map((def) => csvText(name(def))), ...(overview.origin === 'real' ? [] : ['origin'])].join(',')}\r\n`;
}

/**
 * Rows of [fromS, toS), whole seconds since the start; one a second in which anything was measured.
 * A cell holds the last sample of its series in that second, with the decimals of its source; empty
 * where there was none. `data`: the same stretch of each series, in the order of the record.
 */
export function csvWideRows(
  { overview }: RunRecord,
  data: readonly SeriesData[],
  startMs: number,
  fromS: number,
  toS: number,
): string {
  const cells: (string | undefined)[][] = Array.from({ length: toS - fromS }, () => []);
  data.forEach(({ tMs, value }, column) => {
    const decimals = overview.series[column]?.decimals ?? 0;
    for (let i = 0; i < tMs.length; i += 1) {
      const second = Math.floor((tMs[i]! - startMs) / 1_000) - fromS;
      if (second >= 0 && second < cells.length) cells[second]![column] = plain(value[i]!, decimals);
    }
  });
  const end = overview.origin === 'real' ? '\r\n' : `,${overview.origin}\r\n`;
  let text = '';
  cells.forEach((row, i) => {
    if (row.length === 0) return;
    const elapsed = fromS + i;
    const atMs = startMs + elapsed * 1_000;
    const phase = phaseAt(overview, atMs)?.name ?? '';
    text += `${atMs / 1_000},${elapsed},${phase},${Array.from({ length: data.length }, (_, column) => row[column] ?? '').join(',')}${end}`;
  });
  return text;
}

/**
 * As the source printed it, without zeros at its end; a number that its decimals do not hold stays
 * whole.
 */
const plain = (value: number, decimals: number): string => {
  const short = Number(value.toFixed(decimals));
  return String(short === value ? short : value);
};
