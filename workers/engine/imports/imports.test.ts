import fc from 'fast-check';
import { esxtop } from './esxtop.ts';
import { parseColumn } from './esxtopColumns.ts';
import type { ImportedSeries, ImportFormat, ImportOptions } from './types.ts';

/** What a format makes of a text that comes in pieces of `size` bytes. */
export function importText(format: ImportFormat, text: string, size = 1 << 20, options: Partial<ImportOptions> = {}) {
  const series: (ImportedSeries & { samples: [number, number][] })[] = [];
  const notes: string[] = [];
  const parser = format.open({
    define: (one) => series.push({ ...one, samples: [] }) - 1,
    add: (id, tMs, value) => { series[id]!.samples.push([tMs, value]); },
    note: (note) => { notes.push(note); },
  }, { fileName: 'x.csv', startMs: 1_000, filter: [], ...options });
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += size) parser.push(bytes.subarray(at, at + size));
  parser.end();
  return { series, notes };
}

const head = ['(PDH-CSV 4.0) (UTC)(0)', '\\\\esx1\\Memory\\Memory Overcommit (1 Minute Avg)', '\\\\esx1\\Physical Cpu(_Total)\\% Util Time', '\\\\esx1\\Group Cpu(28868:Ted, "quoted")\\% Ready',
  '\\\\esx1\\Physical Disk SCSI Device(naa.1)\\Commands/sec', '\\\\esx1\\Physical Disk SCSI Device(naa.2)\\Average Driver MilliSec/Command', '\\\\esx1\\Power\\Power Usage Now Watts'];
const line = (fields: readonly string[]): string => `${fields.map((f) => `"${f}"`).join(',')}\r\n`;
const file = line(head) + line(['05/15/2017 06:49:37', '0.00', '12.34', '1', '100.5', '2.25', '310']) + line(['05/15/2017 06:49:42', '0.00', '15.00', '1', '-3', '', '311.5']);

test('columns that a chart shows become series with their unit, entity and source', () => {
  const { series, notes } = importText(esxtop, file);
  expect(series.map((s) => [s.metric, s.entity.kind, s.entity.name, s.unit, s.source])).toEqual([
    ['cpuBusyPct', 'host', 'esx1', '%', 'esxtop on esx1'], ['iops', 'datastore', 'naa.1 (esx1)', 'IOPS', 'esxtop on esx1'],
    ['deviceLatencyMs', 'datastore', 'naa.2 (esx1)', 'ms', 'esxtop on esx1'], ['powerW', 'power', 'esx1', 'W', 'esxtop on esx1'],
  ]);
  const t0 = Date.UTC(2017, 4, 15, 6, 49, 37);
  expect(series.map((s) => s.samples)).toEqual([[[t0, 12.34], [t0 + 5_000, 15]], [[t0, 100.5], [t0 + 5_000, -3]], [[t0, 2.25]], [[t0, 310], [t0 + 5_000, 311.5]]]);
  expect(notes[0]).toContain('4 of 6 columns');
});

test('however the file is cut, the same comes out', () => {
  const whole = importText(esxtop, file);
  fc.assert(fc.property(fc.integer({ min: 1, max: 300 }), (size) => { expect(importText(esxtop, file, size)).toEqual(whole); }), { numRuns: 60 });
});

test('a decimal comma inside quotes is a number, not two fields', () => {
  expect(importText(esxtop, line(head) + line(['05/15/2017 06:49:37', '0,00', '12,34', '1', '5', '1', '300'])).series[0]!.samples[0]![1]).toBe(12.34);
});

test('a row that is cut or has no time is left out and counted; the rest stays', () => {
  const { series, notes } = importText(esxtop, `${file}"05/15/2017 06:49:47","0.00","99"\r\n${line(['no time', '0', '1', '1', '1', '1', '1'])}`);
  expect(series[0]!.samples).toHaveLength(2);
  expect(notes[1]).toContain('2 of 4 rows');
});

test('a filter takes devices by name; one that takes none is refused', () => {
  expect(importText(esxtop, file, 100, { filter: ['NAA.2'] }).series.map((s) => s.metric)).toEqual(['cpuBusyPct', 'deviceLatencyMs', 'powerW']);
  expect(importText(esxtop, line(head) + file.split('\r\n')[1]!, 100, { filter: ['nothing'] }).series.map((s) => s.entity.kind)).not.toContain('datastore');
});

test.each([['only a head', line(head), /no rows could be read|none of its/], ['no head line end', head.join(','), /no rows/], ['no counter of ours', `${line(['(PDH-CSV 4.0)', '\\\\a\\B\\C'])}x\r\n`, /no counter/]])('%s is refused', (_what, text, reason) => {
  expect(() => importText(esxtop, text)).toThrow(reason);
});

test('any bytes after the head neither crash nor hang', () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 400 }), fc.integer({ min: 1, max: 64 }), (bytes, size) => {
    const text = line(head) + new TextDecoder('latin1').decode(bytes);
    try { importText(esxtop, text, size); } catch (thrown) { expect((thrown as { kind?: string }).kind).toBe('invalidInput'); }
  }), { numRuns: 100 });
});

test.each([['\\\\h\\Physical Cpu(0)\\% Util Time', { host: 'h', object: 'Physical Cpu', instance: '0', counter: '% Util Time' }], ['\\\\h\\Memory\\Free MBytes', { host: 'h', object: 'Memory', instance: null, counter: 'Free MBytes' }], ['time', null]])('%s', (text, expected) => expect(parseColumn(text)).toEqual(expected));
