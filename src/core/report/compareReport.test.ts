import { createHash } from 'node:crypto';

import {
  demoComparison,
  demoDistributions,
  withSlots,
} from '../../ui/pages/runs/testing/comparison.ts';
import { type DemoRun, demoRun, samplesOf } from '../../ui/pages/runs/testing/records.ts';
import { withHostFailure } from '../../ui/pages/runs/testing/withActs.ts';
import {
  compareWords,
  formatCell,
  formatDelta,
  presentRows,
  rowDecimals,
} from '../compare/index.ts';
import { runRedactor } from '../redact/runRedactor.ts';
import { compareReport } from './compareReport.ts';
import type { CompareReportInput } from './compareReportInput.ts';
import { shortList } from './compareSetup.ts';
import { reportHtml } from './html.ts';
import { reportMarkdown } from './markdown.ts';
import { overlayLine } from './overlay.ts';
import { redactReport } from './redactReport.ts';

const hash = (text: string): string => createHash('sha256').update(text).digest('base64');

function inputOf(runs: readonly DemoRun[]): CompareReportInput {
  const compared = runs.map(withSlots);
  const comparison = demoComparison(runs[0]!.summary.id, runs);
  const distributions = [demoDistributions(runs)];
  const overlays = presentRows(compared)
    .map((spec) => ({
      label: spec.label,
      unit: spec.unit,
      lines: compared.map((run, i) =>
        overlayLine(spec, run, (def) => samplesOf(runs[i]!, [def.id])[0]!),
      ),
    }))
    .filter((row) => row.lines.some((l) => l !== null));
  return {
    comparison,
    records: runs.map((r) => r.record),
    distributions,
    undrawn: [],
    overlays,
    diagnosis: null,
    appVersion: '1.2.3',
    madeAtMs: Date.UTC(2026, 10, 21),
  };
}
const pair = [
  demoRun({ id: 'a', name: 'Old' }),
  demoRun({
    id: 'b',
    name: 'New',
    speed: 1.07,
    latency: 0.8,
    esxBuild: '24585383',
    planHash: 'h2',
  }),
];

test('a reader finds verdict, set-up, workloads, metrics, tests, tiles, distributions and lines, in that order', () => {
  const report = compareReport(inputOf(pair));
  expect(report.title).toBe('New against Old');
  expect(report.facts).toContainEqual(['Result', 'scaling study']);
  expect(report.sections.map((s) => s.title)).toEqual([
    'What changed most, over time',
    'What differs',
    'Where it comes from',
    'Tile by tile, summary',
    'Runs',
    'What differs in the set-up',
    'Metrics',
    'Is it real',
    'Tile by tile',
    'Distributions',
    'Over time in the run',
    'Set-up of the baseline',
    'Where the figures come from',
  ]);
  expect(report.sentence).toMatch(/^New scores 7\.00 % higher than Old/);
  expect(report.sections.find((s) => s.title === 'Runs')!.notes[0]).toMatch(
    /^New: better, 95 % interval \+6\.\d+ % to \+7\.\d+ %; a difference of 0\.\d+ % would be found in 4 of 5 cases/,
  );
  expect(report.banner!.reasons).toEqual([]);
  const html = reportHtml(report, hash);
  expect(html).not.toContain('class="banner"');
  expect(html.match(/<figure /g)).toHaveLength(
    report.sections.flatMap((s) => [...s.charts, ...(s.figures ?? [])]).length,
  );
  expect(html).toContain(
    `style-src 'sha256-${hash(/<style>([\s\S]*?)<\/style>/.exec(html)![1]!)}'`,
  );
});

test('acts of the runs stand side by side, and what keeps them from being compared', () => {
  const acted = [
    withHostFailure(pair[0]!),
    withHostFailure(pair[1]!, { recoveryS: 120, atS: 120 }),
  ];
  const [acts] = compareReport(inputOf(acted)).sections.filter((s) => s.title === 'Acts');
  expect(acts!.tables).toHaveLength(1);
  expect(acts!.tables[0]!.title).toBe(
    'Host esx3 fails: not comparable. Begun in the steady state at: 1:00 in Old, 2:00 in New.',
  );
  expect(acts!.tables[0]!.rows.slice(0, 3).map((row) => row.slice(1))).toEqual([
    ['Recovery', '1:30 on 1 of 2 tiles', '2:00 on 1 of 2 tiles'],
    ['Work lost', expect.stringMatching(/^8.*550 /), expect.stringMatching(/^11.*400 /)],
    ['QoS broken', '0:30', '0:30'],
  ]);
});

test('every figure of the metrics and of the tests is that of the comparison', () => {
  const input = inputOf(pair);
  const { rows } = input.comparison;
  const report = compareReport(input);
  const metrics = report.sections.find((s) => s.title === 'Metrics')!.tables[0]!;
  rows.forEach((row, i) => {
    const decimals = rowDecimals(row.values);
    expect(metrics.rows[i]).toEqual([
      row.label,
      row.unit,
      row.better ?? 'neither',
      formatCell(row.values[0]!, decimals),
      formatCell(row.values[1]!, decimals),
      row.deltaPct[1] === null
        ? '–'
        : `${formatDelta(row.deltaPct[1]!)}, ${compareWords[row.tests[1]!.word]}`,
    ]);
  });
  const [forest] = report.sections.find((s) => s.title === 'Where it comes from')!.tables;
  expect(forest!.rows.find(([name]) => name === 'Database')).toEqual([
    'Database',
    '+7.00 %',
    expect.stringMatching(/^\+6\.\d+ % to \+7\.\d+ %$/),
    'better',
    '−20.0 %',
  ]);
  const tests = report.sections.find((s) => s.title === 'Is it real')!.tables[0]!;
  expect(tests.rows.map((row) => row[1])).toEqual(
    rows.map((row) => compareWords[row.tests[1]!.word]),
  );
  const tiles = report.sections.find((s) => s.title === 'Tile by tile')!.tables;
  expect(tiles).toHaveLength(input.comparison.matrix.length);
  expect(tiles[0]!.rows[0]![1]).toContain(
    formatDelta(input.comparison.matrix[0]!.cells[0]!.deltaPct[1]!),
  );
});

test('runs that must not be compared: the reason stands first in every format, and no test is shown', () => {
  const runs = [
    pair[0]!,
    demoRun({ id: 'c', name: 'Modelled', origin: 'simulated', planHash: 'h3' }),
  ];
  const report = compareReport(inputOf(runs));
  expect(report.banner).toEqual({
    title: 'These runs must not be compared',
    reasons: expect.arrayContaining(['Different origin: real against simulated.']),
  });
  expect(report.sections.map((s) => s.title)).not.toContain('Is it real');
  expect(report.marks).toEqual([
    {
      word: 'SIMULATED',
      reason:
        'Modelled: every number comes from the model of the simulated lab, none from real machines.',
    },
  ]);
  const html = reportHtml(report, hash),
    markdown = reportMarkdown(report);
  expect(html.indexOf('Different origin: real against simulated.')).toBeLessThan(
    html.indexOf('class="verdict"'),
  );
  expect(html).toContain('<title>NOT COMPARABLE, SIMULATED: ');
  expect(html.match(/, NOT COMPARABLE, SIMULATED<\/text>/g)).toHaveLength(
    report.sections.flatMap((s) => [...s.charts, ...(s.figures ?? [])]).length,
  );
  expect(markdown).toMatch(
    /^# .*\n\n> \*\*NOT COMPARABLE: These runs must not be compared\*\*\n>\n> - Different origin: real against simulated\./,
  );
});

test('a line over the run is the mean over the tiles, and is left out where one of them has no sample', () => {
  const [run] = pair.map(withSlots);
  const spec = presentRows([run!]).find((s) => s.key.startsWith('throughput.database'))!;
  const all = overlayLine(spec, run!, (def) => samplesOf(pair[0]!, [def.id])[0]!)!;
  const defs = spec.parts(run!)!.defs;
  const inside = (t: number): boolean => t >= 100_000 && t <= 180_000;
  const steady = [...all.tMs.keys()].filter((i) => inside(all.tMs[i]!)).map((i) => all.value[i]!);
  const samples = defs.flatMap((def) => {
    const s = samplesOf(pair[0]!, [def.id])[0]!;
    return [...s.tMs.keys()]
      .filter((i) => inside(s.tMs[i]! - run!.record.overview.startedAtMs!))
      .map((i) => s.value[i]!);
  });
  const mean = (v: readonly number[]): number => v.reduce((a, b) => a + b, 0) / v.length;
  expect(mean(steady)).toBeCloseTo(mean(samples), 0);
  const late = overlayLine(spec, run!, (def) => {
    const s = samplesOf(pair[0]!, [def.id])[0]!;
    return def === defs[0] ? s : { tMs: s.tMs.subarray(100), value: s.value.subarray(100) };
  })!;
  expect(late.tMs[0]).toBeGreaterThan(99_000);
});

test('names that are markup, or turn the direction of reading, stay text', () => {
  const evil = '</script><img src=x onerror=alert(1)>|`*_\u202e';
  const report = compareReport(
    inputOf([
      demoRun({ id: 'a', name: evil }),
      demoRun({ id: 'b', name: '"><svg onload=alert(1)>', planHash: 'h2' }),
    ]),
  );
  const html = reportHtml(report, hash);
  expect(html).not.toMatch(/<img|<svg onload/);
  expect(html.match(/<script/g)).toHaveLength(2);
  const markdown = reportMarkdown(report);
  expect(markdown).not.toMatch(/(?<!\\)<(script|img|svg)/);
  for (const row of markdown.split('\n').filter((line) => line.startsWith('|')))
    expect(row.endsWith('|')).toBe(true);
});

test('redaction leaves no name of the testbed in any format, and all figures', () => {
  const input = inputOf(pair);
  const report = compareReport(input);
  const redacted = redactReport(report, runRedactor(input.records));
  const html = reportHtml(redacted, hash),
    markdown = reportMarkdown(redacted);
  for (const name of ['esx1', 'Rack 1', 'lun1', 'Old', 'New', 'client-1']) {
    const word = new RegExp(`(?<![A-Za-z0-9-])${name}(?![A-Za-z0-9])`);
    expect([name, word.test(reportMarkdown(report)) || name === 'client-1']).toEqual([name, true]);
    expect([name, word.test(markdown), word.test(html)]).toEqual([name, false, false]);
  }
  const figures = (text: string): string[] =>
    [...text.matchAll(/[+−]\d+\.\d+ %/g)].map((m) => m[0]);
  expect(figures(markdown)).toEqual(figures(reportMarkdown(report)));
});

test('eight runs: names once, letters in columns, and a size that can be mailed', () => {
  const runs = 'abcdefgh'
    .split('')
    .map((id, i) => demoRun({ id, name: `Array ${id}`, planHash: id, speed: 1 + i * 0.01 }));
  const report = compareReport(inputOf(runs));
  expect(report.landscape).toBe(true);
  expect(
    report.sections
      .find((s) => s.title === 'Metrics')!
      .tables.map((t) => t.columns.map((c) => c.label)),
  ).toEqual([
    ['Metric', 'Unit', 'Good', ...Array.from('ABCDEFGH')],
    ['Metric', 'Good', ...Array.from('BCDEFGH')],
  ]);
  expect(reportHtml(report, hash).length).toBeLessThan(2_000_000);
});

test.each([
  ['a, b, c', 20, 'a, b, c'],
  ['alpha, beta, gamma, delta, epsilon', 28, 'alpha, beta and 3 more'],
  ['one very long value without a list in it', 10, 'one very long value without a list in it'],
])('%s in %i characters', (value, most, shown) => expect(shortList(value, most)).toBe(shown));
