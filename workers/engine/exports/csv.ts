import type { SeriesData, SeriesDef } from '../../../src/shared/metric.ts';
import type { RunRecord } from '../../../src/shared/run.ts';

export const csvHeader = 't_ms,elapsed_s,phase,tile,entity,entity_kind,metric,unit,value,source\r\n';

/** RFC 4180 quoting; a text that a spreadsheet would run as a formula gets an apostrophe in front. */
export function csvText(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** One series as rows, oldest first. Values as the source printed them, missing ones left out, nothing rounded again. */
export function csvOfSeries({ overview }: RunRecord, def: SeriesDef, { tMs, value }: SeriesData): string {
  const before = `${def.entity.tile === undefined ? '' : def.entity.tile + 1},${csvText(def.entity.name)},${def.entity.kind},${def.metric},${csvText(def.unit)},`;
  const after = `,${csvText(def.source)}\r\n`;
  const startMs = overview.startedAtMs ?? tMs[0] ?? 0;
  const spans = overview.phases.map(({ name, startMs: from, endMs, plannedEndMs }) => ({ name, from, to: endMs ?? plannedEndMs }));
  const rows: string[] = [];
  for (let i = 0; i < tMs.length; i += 1) {
    const at = tMs[i]!;
    const phase = spans.find((span) => at >= span.from && at < span.to)?.name ?? '';
    rows.push(`${at},${(at - startMs) / 1_000},${phase},${before}${value[i]!}${after}`);
  }
  return rows.join('');
}
