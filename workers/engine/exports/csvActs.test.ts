import { demoRun } from '../../../src/ui/pages/runs/testing/records.ts';
import { withHostFailure } from '../../../src/ui/pages/runs/testing/withActs.ts';
import { csvOfActs } from './csvActs.ts';
import { createExporter } from './page.ts';

const { record } = withHostFailure(demoRun({ state: 'passed' }));
/** Rows by column name. */
const rowsOf = (csv: string): Record<string, string>[] => {
  const [head, ...rows] = csv
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(','));
  return rows.map((row) => Object.fromEntries(head!.map((name, i) => [name, row[i]!])));
};

test('a row for each workload of each tile, times from the start of the steady state, nothing rounded', () => {
  const rows = rowsOf(csvOfActs(record));
  expect(rows).toHaveLength(record.overview.workloads.length);
  const { tile, workloadId } = record.overview.workloads[0]!;
  expect(rows[0]).toMatchObject({
    act: 'Host esx3 fails',
    kind: 'hostFails',
    began_steady_s: '60',
    tile: String(tile),
    workload: workloadId,
    outcome: 'recovered',
    recovery_s: '90',
    work_lost: '8550',
    qos_broken_s: '30',
    latency_at_end_ms: '5',
    origin: record.overview.origin,
  });
  // Not measured, or without a limit, is empty: never 0.
  expect(rows[1]).toMatchObject({ outcome: 'even', recovery_s: '', qos_broken_s: '' });
});

test('an act that never began has one row without figures; a run without acts has its head only', () => {
  const [act] = record.overview.acts!;
  const { effects: _effects, ...missed } = act!;
  const acts = [{ ...missed, state: 'missed' as const, startedMs: null }];
  const [only, ...others] = rowsOf(
    csvOfActs({ ...record, overview: { ...record.overview, acts } }),
  );
  expect(others).toEqual([]);
  expect(only).toMatchObject({ state: 'missed', began_steady_s: '', workload: '', recovery_s: '' });
  expect(rowsOf(csvOfActs(demoRun({ state: 'passed' }).record))).toEqual([]);
});

test('it leaves as one page under its own ending; a cursor is none of ours', () => {
  const exporter = createExporter({ samples: {} as never });
  const page = exporter.page(record, 'csv-acts', null);
  expect(page).toMatchObject({ cursor: null, done: 1, total: 1 });
  expect(page.fileName).toMatch(/\.acts\.csv$/);
  expect(() => exporter.page(record, 'csv-acts', '1')).toThrow('is not valid');
});
