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
