/** One row of a run's CSV export. */
export interface CsvRow {
  tMs: number;
  elapsedS: number;
  phase: string;
  tile: string;
  entity: string;
  entityKind: string;
  metric: string;
  unit: string;
  value: number;
  source: string;
}

export const csvHeader = 't_ms,elapsed_s,phase,tile,entity,entity_kind,metric,unit,value,source';

/** Reads an export back; throws at a header or a row that is not as documented. */
export function readCsv(text: string): CsvRow[] {
  const [head, ...lines] = text.split('\r\n');
  if (head !== csvHeader) throw new Error(`The header is ${String(head)}.`);
  if (lines.pop() !== '') throw new Error('The last line has no end.');
  return lines.map((line, index) => {
    const cells = [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
      ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '',
    );
    const [tMs, elapsedS, phase, tile, entity, entityKind, metric, unit, value, source] = cells as [
      string,
      string,
      string,
      string,
      string,
      string,
      string,
      string,
      string,
      string,
    ];
    const numbers = [tMs, elapsedS, value].map(Number);
    if (cells.length !== 10 || !numbers.every(Number.isFinite) || value === '')
      throw new Error(`Row ${index + 2} is ${line}.`);
    return {
      tMs: numbers[0]!,
      elapsedS: numbers[1]!,
      phase,
      tile,
      entity,
      entityKind,
      metric,
      unit,
      value: numbers[2]!,
      source,
    };
  });
}

/** Samples by series, `entity metric`, in the order of the file. */
export function bySeries(rows: readonly CsvRow[]): Map<string, CsvRow[]> {
  const series = new Map<string, CsvRow[]>();
  for (const row of rows) {
    const key = `${row.entity} ${row.metric}`;
    const list = series.get(key) ?? [];
    list.push(row);
    series.set(key, list);
  }
  return series;
}

/**
 * Places where two samples of a 1 s series are not one second apart: gaps and duplicates, in words.
 * dbench (MB/s) says nothing in the one second in which its warm-up ends: its next line speaks for both. A heart
 * beats a second and a fork after its last beat: now and then a second has none, and the next says half the rate.
 * fio's last report comes at its end, not at a whole second: it speaks for what was left, however short.
 * On a busy machine a report comes late and the next on time: the two steps together are two seconds.
 */
export function breaks(rows: readonly CsvRow[]): string[] {
  let allowed = rows[0]?.unit === 'MB/s' ? 1 : rows[0]?.unit === 'beats/s' ? rows.length / 10 : 0;
  const stepAt = (i: number): number => (rows[i]?.tMs ?? NaN) - (rows[i - 1]?.tMs ?? NaN);
  const twoSeconds = (ms: number): boolean => ms > 1_500 && ms < 2_500;
  return rows.flatMap((row, i) => {
    const before = rows[i - 1];
    if (before === undefined) return [];
    const apart = stepAt(i);
    if (apart > 0 && (twoSeconds(apart + stepAt(i + 1)) || twoSeconds(stepAt(i - 1) + apart)))
      return [];
    if (apart >= 1_500 && apart < 2_500 && allowed-- >= 1) return [];
    const least = row.unit === 'IOPS' && i === rows.length - 1 ? 0 : 500;
    return apart > least && apart < 1_500
      ? []
      : [`${row.entity} ${row.metric}: ${apart} ms from ${before.elapsedS} s to ${row.elapsedS} s`];
  });
}
