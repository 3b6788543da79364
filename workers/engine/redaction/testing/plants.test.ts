import { createHash } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';

import { reportFormats, sampleFormats } from '../../../../src/core/history/exportForms.ts';
import { historyEntry } from '../../../../src/core/history/history.ts';
import { planSchema } from '../../../../src/core/plan/plan.ts';
import { createRedactor } from '../../../../src/core/redact/redactor.ts';
import { runRedactor } from '../../../../src/core/redact/runRedactor.ts';
import { drawFigure } from '../../../../src/core/report/figureSvg.ts';
import { reportHtml } from '../../../../src/core/report/html.ts';
import { reportMarkdown } from '../../../../src/core/report/markdown.ts';
import type { Report, ReportChart } from '../../../../src/core/report/model.ts';
import { redactChart, redactReport } from '../../../../src/core/report/redactReport.ts';
import { runReport } from '../../../../src/core/report/runReport.ts';
import { chartSvg, lightSvg } from '../../../../src/core/report/svg.ts';
import { type RunRecord, runRecord } from '../../../../src/core/run/run.ts';
import { type StudyOverview, studyOverview } from '../../../../src/core/study/study.ts';
import { connectionSchema } from '../../../../src/core/testbed/connection.ts';
import { testbedSchema } from '../../../../src/core/testbed/testbed.ts';
import { fileNameOf } from '../../../../src/ui/charts/fileName.ts';
import { listCsv } from '../../../../src/ui/pages/history/exportSelected.ts';
import { redactEntries } from '../../../../src/ui/pages/history/redactEntries.ts';
import { entryOf, studyEntry } from '../../../../src/ui/pages/history/testing/historyAnswers.ts';
import { demoRun } from '../../../../src/ui/pages/runs/testing/records.ts';
import { demoPair, demoStudy } from '../../../../src/ui/pages/studies/testing/overviews.ts';
import type { Input, Output } from '../../../../src/wire/contract.ts';
import { documentOf, reportPdf } from '../../reports/pdf.ts';
import { makeStudyReport, type StudyReportPeers } from '../../reports/study.ts';
import { fontsDirOf } from '../../reports/writers.ts';
import { createHarness, type Harness, testPlanFile } from '../../testing/engineHarness.ts';
import { pdfText } from './pdfText.ts';
import { createPlanter, decoded, spellings, traces } from './plants.ts';

const planter = createPlanter();
const planted = (name: string, speed: number): RunRecord =>
  runRecord.parse(
    planter.plant(runRecord, demoRun({ id: name, name, speed, planHash: 'ab12cd34' }).record),
  );
const runs = [planted('one', 1), planted('two', 1.1)];
const logText = spellings.map((spell) => `tps: 20.5 ${spell('zq999wolf.kelp.example')}`).join('\n');

/** What is left of plants, with some of its surroundings. */
function leaks(text: string): string[] {
  const plain = decoded(text);
  return traces.flatMap((trace) => {
    const found = trace.exec(plain);
    return found === null ? [] : [plain.slice(Math.max(0, found.index - 60), found.index + 60)];
  });
}
function unzipped(zip: Buffer): string {
  let text = '';
  for (
    let at = zip.indexOf('PK\u0003\u0004', 0, 'latin1');
    at >= 0;
    at = zip.indexOf('PK\u0003\u0004', at + 4, 'latin1')
  ) {
    const from = at + 30 + zip.readUInt16LE(at + 26) + zip.readUInt16LE(at + 28);
    text += `${zip.toString('latin1', at + 30, from)}\n${inflateRawSync(zip.subarray(from), { finishFlush: 2 }).toString('latin1')}\n`;
  }
  return text;
}
/** Of forms that are no plain text. */
const textOf: Readonly<Record<string, (bytes: Uint8Array) => string>> = {
  pdf: pdfText,
  pptx: (bytes) => unzipped(Buffer.from(bytes)),
};
const hash = (text: string): string => createHash('sha256').update(text).digest('base64');
/** Every form a report is written in, as text. */
const formsOf = (report: Report): string =>
  [
    reportHtml(report, hash),
    reportMarkdown(report),
    JSON.stringify(documentOf(report)),
    ...report.sections.flatMap((s) => (s.figures ?? []).map((f) => JSON.stringify(drawFigure(f)))),
  ].join('\n');

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
  await harness.restart((db) => {
    for (const record of runs) {
      const { id, series } = record.overview;
      db.runs.save(record);
      db.samples.defineSeries(id, series);
      const from = record.overview.startedAtMs!;
      db.samples.append({
        runId: id,
        batch: Float64Array.from(
          series.flatMap((def) => [60, 120, 180].flatMap((s) => [def.id, from + s * 1_000, 12.5])),
        ),
        journal: [],
      });
      db.samples.finish(id);
      db.runs.saveLog(id, 'zq998wolf.fio', logText);
    }
  });
});
afterAll(() => harness.close());

const [first, second] = runs.map((record) => record.overview.id) as [string, string];
async function bundleOf(id: string): Promise<string> {
  const { doubts } = await harness.call('bundle.preview', { id, redact: true });
  const confirmed = doubts.map((one) => one.text);
  const page = await harness.call('bundle.export', { id, redact: true, cursor: null, confirmed });
  return `${page.fileName}\n${unzipped(Buffer.from(page.bytes))}`;
}

test('the plants are there: more than 200 of them, in every string of a run, in ten spellings', () => {
  expect(planter.count()).toBeGreaterThan(200);
  expect(leaks(JSON.stringify(runs)).length).toBe(traces.length);
});

test('nothing planted is in a bundle, in any of its parts', async () => {
  const text = await bundleOf(first);
  for (const part of ['run.json', 'report.md', 'report.html', 'manifest.json', 'logs/'])
    expect(text).toContain(part);
  expect(leaks(text)).toEqual([]);
  // And it would be seen: the same bundle as it is has every kind of plant.
  const asIs = await harness.call('bundle.export', { id: first, redact: false, cursor: null });
  expect(leaks(unzipped(Buffer.from(asIs.bytes))).length).toBe(traces.length);
});

test.each(sampleFormats)('nothing planted is in %s', async (format) => {
  const { doubts } = await harness.call('bundle.preview', { id: first, redact: true });
  const confirmed = doubts.map((one) => one.text);
  let text = '';
  for (let cursor: string | null = null; ;) {
    const asked: Input<'run.export'> = { id: first, format, cursor, redact: true, confirmed };
    const page: Output<'run.export'> = await harness.call('run.export', asked);
    text += `${page.fileName}\n${Buffer.from(page.bytes).toString('latin1')}`;
    cursor = page.cursor;
    if (cursor === null) break;
  }
  // More than a head without rows: the plants are in an act too.
  expect(text.length).toBeGreaterThan(400);
  expect(leaks(text)).toEqual([]);
});

test.each(reportFormats)(
  'nothing planted is in the report of a run and of a comparison, %s',
  async (format) => {
    for (const of of [
      { kind: 'run' as const, id: first },
      { kind: 'compare' as const, baselineId: first, ids: [second] },
    ]) {
      const { doubts } = await harness.call('report.preview', { of });
      const options = { format, redact: true, confirmed: doubts.map((one) => one.text) };
      const { fileName, bytes } =
        of.kind === 'run'
          ? await harness.call('report.run', { id: of.id, ...options })
          : await harness.call('report.compare', {
              baselineId: of.baselineId,
              ids: of.ids,
              ...options,
            });
      expect(bytes.length).toBeGreaterThan(1_000);
      const text = textOf[format]?.(bytes) ?? `\n${Buffer.from(bytes).toString('utf8')}`;
      expect(text.length).toBeGreaterThan(1_000);
      expect(leaks(`${fileName}\n${text}`)).toEqual([]);
    }
  },
  60_000,
);

test.each<[string, () => StudyOverview]>([
  ['one curve', demoStudy],
  ['two curves', demoPair],
])(
  'nothing planted is in a study of %s, in any form of its report',
  async (_name, overview) => {
    const file = testPlanFile();
    const study = studyOverview.parse(planter.plant(studyOverview, overview()));
    const plan = planSchema.parse(planter.plant(planSchema, file.plan));
    const testbed = testbedSchema.parse(planter.plant(testbedSchema, file.testbed));
    const connections = file.connections.map((one) =>
      connectionSchema.parse(planter.plant(connectionSchema, one)),
    );
    const peers: StudyReportPeers = {
      db: {
        plans: { get: () => plan },
        testbeds: { get: () => testbed },
        connections: { list: () => connections },
        runs: { find: () => runs[0]! },
      } as unknown as StudyReportPeers['db'],
      profile: () => runs[0]!.profile,
      samples: {
        read: () => [],
        aggregate: () => ({ count: 0, mean: NaN, min: NaN, max: NaN }),
      },
      overviewOf: async () => study,
      compareCurves: () => Promise.reject(new Error('not asked')),
      diagnoseStudy: async () => ({
        curves: [],
        curve: null,
        beforeKey: null,
        afterKey: null,
        why: 'Two measured points of a curve are needed.',
        diagnosis: null,
      }),
      labsOf: () => [],
      version: '1.2.3',
      now: () => 0,
    };
    const { report, redactor } = await makeStudyReport(
      peers,
      study.spec.id,
      [],
      async () => undefined,
      new AbortController().signal,
    );
    expect(leaks(formsOf(report)).length).toBeGreaterThan(0);
    const leaving = redactReport(report, redactor!);
    expect(leaks(formsOf(leaving))).toEqual([]);
    expect(leaks(pdfText(await reportPdf(leaving, fontsDirOf('resources'))))).toEqual([]);
  },
  60_000,
);

test('the text of a PDF is really read: what was planted is found where it was not redacted', async () => {
  const { bytes } = await harness.call('report.run', { id: first, format: 'pdf', redact: false });
  const text = pdfText(bytes);
  expect(text).toContain('Steady');
  const plants = (of: string): Set<string> => new Set(decoded(of).match(/zq\d{3}/gi));
  const { bytes: markdown } = await harness.call('report.run', {
    id: first,
    format: 'markdown',
    redact: false,
  });
  expect(plants(text).size).toBeGreaterThan(10);
  // What the same report says in Markdown, but for a word that a line or page cuts.
  const said = plants(Buffer.from(markdown).toString('utf8'));
  const missing = [...said].filter((one) => !plants(text).has(one));
  expect(missing.length).toBeLessThan(said.size / 20);
});

test('the slides of a report are really opened: what was planted is found where it was not redacted', async () => {
  const { bytes } = await harness.call('report.run', { id: first, format: 'pptx', redact: false });
  const text = textOf['pptx']!(bytes);
  expect(text).toContain('<a:t>');
  expect(leaks(text).length).toBeGreaterThan(0);
});

test('nothing planted is in a picture of a chart, nor in its file name', () => {
  const from = runs[0]!.overview.startedAtMs!;
  const { sections } = runReport(runs[0]!, (seriesId) => ({
    seriesId,
    tMs: Float64Array.of(from + 60_000, from + 120_000),
    value: Float64Array.of(1, 2),
  }));
  const charts = sections.flatMap((section) => section.charts);
  const drawn = (chart: ReportChart): string =>
    `${fileNameOf(chart.title, null)} ${chartSvg(chart, { width: 1_000, height: 360, theme: lightSvg, mark: null })}`;
  // A picture is redacted without knowledge of its run.
  const redactor = createRedactor([]);
  const spelt = spellings.map((spell) => spell('zq997wolf.kelp.example'));
  const named = charts.map((chart) => ({
    ...chart,
    title: `${chart.title} ${spelt.join(' ')}`,
    lines: chart.lines.map((line, i) => ({ ...line, label: spelt[i % spelt.length]! })),
    limits: spelt.map((label, value) => ({ value, label })),
  }));
  expect(leaks(named.map(drawn).join('\n')).length).toBeGreaterThan(0);
  expect(
    leaks(
      named.map((chart) => drawn(redactChart(chart, (text) => redactor.text(text)))).join('\n'),
    ),
  ).toEqual([]);
});

test('nothing planted is in rows of the history that leave as CSV', () => {
  const rows = [
    entryOf(demoRun({ id: 'run-a', name: 'Before' }).summary),
    studyEntry('study-1', 'Sweep'),
  ].map((entry) => historyEntry.parse(planter.plant(historyEntry, entry)));
  expect(leaks(listCsv(rows)).length).toBeGreaterThan(0);
  const { entries, doubts } = redactEntries(rows);
  expect(leaks(listCsv(entries))).toEqual([]);
  expect(doubts.length).toBeGreaterThan(0);
  expect(entries.map((one) => one.createdAtMs)).toEqual(rows.map((one) => one.createdAtMs));
});

test('nothing planted is in the pages of a PDF', () => {
  const redactor = runRedactor([runs[0]!]);
  const none = { tMs: new Float64Array(), value: new Float64Array() };
  const make = (record: RunRecord): Report => runReport(record, () => ({ seriesId: 0, ...none }));
  expect(leaks(formsOf(make(runs[0]!)))).not.toEqual([]);
  const report = redactReport(make(redactor.value(runRecord, runs[0]!)), redactor);
  expect(leaks(formsOf(report))).toEqual([]);
});

test('nothing leaves while a doubtful word was not looked at', async () => {
  await expect(
    harness.call('bundle.export', { id: first, redact: true, cursor: null }),
  ).rejects.toMatchObject({ kind: 'conflict' });
  await expect(
    harness.call('report.run', { id: first, redact: true, format: 'markdown' }),
  ).rejects.toMatchObject({ kind: 'conflict' });
  await expect(
    harness.call('run.export', { id: first, redact: true, format: 'csv', cursor: null }),
  ).rejects.toMatchObject({ kind: 'conflict' });
});

test('figures, units, workloads, drivers, counters and verdicts of a run stay as they were', () => {
  const { record } = demoRun({ id: 'run-a', name: 'Before' });
  const redactor = runRedactor([record]);
  const leaving = redactor.value(runRecord, record);
  expect(runRecord.safeParse(leaving).success).toBe(true);
  expect(leaving.overview.score).toEqual(record.overview.score);
  expect(leaving.overview.phases).toEqual(record.overview.phases);
  expect(leaving.overview.verdict).toEqual(record.overview.verdict);
  expect(leaving.overview.findings.map((f) => f.text)).toEqual(
    record.overview.findings.map((f) => f.text),
  );
  const told = ({ overview }: RunRecord): unknown[] =>
    overview.series.map(({ metric, unit, decimals, entity, source }) => [
      metric,
      unit,
      decimals,
      entity.kind,
      source.split(' on ')[0]!.split(' ')[0],
    ]);
  expect(told(leaving)).toEqual(told(record));
  expect(leaving.profile.workloads.map((w) => [w.id, w.name, w.driver, w.unit])).toEqual(
    record.profile.workloads.map((w) => [w.id, w.name, w.driver, w.unit]),
  );
});

test('the same name has the same pseudonym in every part, and numbers tell nothing of the order of names', () => {
  const one = createNames(['alpha1.kelp', 'beta1.kelp', 'gamma1.kelp', 'delta1.kelp', 'eps1.kelp']);
  const other = createNames([
    'eps1.kelp',
    'delta1.kelp',
    'gamma1.kelp',
    'beta1.kelp',
    'alpha1.kelp',
  ]);
  expect(one).toEqual(other);
  const numbers = [...one.keys()].sort().map((name) => Number(/\d+$/.exec(one.get(name)!)![0]));
  expect(numbers).not.toEqual([...numbers].sort((a, b) => a - b));
});
function createNames(hosts: readonly string[]): Map<string, string> {
  const { record } = demoRun({ id: 'run-a', name: 'Before' });
  const host = record.inventoryBefore!.hosts[0]!;
  record.inventoryBefore!.hosts = hosts.map((name, i) => ({ ...host, ref: `host-${i}`, name }));
  record.inventoryAfter = null;
  const redactor = runRedactor([record]);
  return new Map(hosts.map((name) => [name, redactor.text(name)]));
}
