import { createHash } from 'node:crypto';

import { demoRun } from '../../ui/pages/runs/testing/records.ts';
import type { RunRecord } from '../run/run.ts';
import { reportHtml } from './html.ts';
import { reportMarkdown } from './markdown.ts';
import { runReport } from './runReport.ts';
import { chartSvg } from './svg.ts';

const hash = (text: string): string => createHash('sha256').update(text).digest('base64');
const { record } = demoRun({ id: 'run-a', name: 'Baseline' });
const start = record.overview.startedAtMs!;
const read = (id: number) => ({
  tMs: Float64Array.from({ length: 100 }, (_, i) => start + i * 1_000 + (i >= 50 ? 30_000 : 0)),
  value: Float64Array.from({ length: 100 }, (_, i) => 10 + id + (i % 5)),
});
const hostile = (): RunRecord => {
  const copy = structuredClone(record);
  copy.overview.name = '</script><script>alert(1)</script>';
  copy.testbed.name = '| a | `b` <img src=x onerror=alert(1)> \u0000';
  copy.overview.findings = [{ id: 'x', severity: 'warn', text: '"><svg onload=alert(1)>', tMs: 0 }];
  copy.overview.series[0]!.entity.name = '</script><b>';
  return copy;
};

test('verdict, score, set-up, findings, events and every chart of the board are in it', () => {
  const report = runReport(record, read);
  expect(report.sections.map((s) => s.title)).toEqual([
    'The worst: Database, tile 1',
    'The limits',
    'Tile by tile',
    'What happened',
    'Findings',
    'Score',
    'Charts',
    'Set-up',
    'Events',
    'Appendix: steps of the score',
  ]);
  expect(report.sections.filter((s) => s.part === 'summary')).toHaveLength(4);
  expect(report.numbers?.map((n) => n.label)).toEqual(['Score', 'Headroom', 'Power']);
  expect(report.sentence).toBe(record.overview.verdict!.sentence);
  const drawn = report.sections.flatMap((s) => s.charts).flatMap((c) => c.lines).length;
  expect(drawn).toBe(record.overview.series.length);
});

test('what is simulated or not compliant says so first, in every format', () => {
  const marked = structuredClone(record);
  marked.overview.origin = 'simulated';
  marked.overview.verdict = {
    outcome: 'passed',
    compliant: false,
    sentence: 'Passed, not compliant.',
  };
  const report = runReport(marked, read);
  expect(report.marks.map((m) => m.word)).toEqual(['SIMULATED', 'NOT COMPLIANT']);
  expect(reportMarkdown(report).indexOf('SIMULATED')).toBeLessThan(
    reportMarkdown(report).indexOf('Passed, not compliant'),
  );
  const html = reportHtml(report, hash);
  expect(html).toContain('<title>SIMULATED, NOT COMPLIANT: ');
  expect(html.match(/, SIMULATED, NOT COMPLIANT<\/text>/g)?.length).toBe(
    report.sections.flatMap((s) => s.charts).length,
  );
});

test('markup in a name stays text', () => {
  const html = reportHtml(runReport(hostile(), read), hash);
  expect(html).not.toMatch(/<script>alert|<img|<svg onload|<b>(?!SIM)/);
  expect(html.match(/<script/g)).toHaveLength(2);
  const markdown = reportMarkdown(runReport(hostile(), read));
  expect(markdown).not.toMatch(/(?<!\\)<(script|img|svg)/);
});

test('the page may run its own script and style only', () => {
  const html = reportHtml(runReport(record, read), hash);
  const script = /<script>([\s\S]*?)<\/script>\n<\/body>/.exec(html)![1]!;
  const css = /<style>([\s\S]*?)<\/style>/.exec(html)![1]!;
  expect(html).toContain(`script-src 'sha256-${hash(script)}'`);
  expect(html).toContain(`style-src 'sha256-${hash(css)}'`);
  expect(html).not.toMatch(/https?:\/\/(?!www\.w3\.org\/2000\/svg)/);
});

test('a gap in the samples is a gap in the line; a chart without samples says so', () => {
  const [chart] = runReport(record, read).sections.flatMap((s) => s.charts);
  const paths = [...chartSvg(chart!).matchAll(/<path d="([^"]+)"/g)].map((m) => m[1]!);
  for (const path of paths) expect(path.match(/M/g)).toHaveLength(2);
  expect(
    chartSvg({
      ...chart!,
      lines: chart!.lines.map((l) => ({
        ...l,
        tMs: new Float64Array(),
        value: new Float64Array(),
      })),
    }),
  ).toContain('No samples');
});

test('a Markdown cell keeps its row', () => {
  const rows = reportMarkdown(runReport(hostile(), read))
    .split('\n')
    .filter((line) => line.startsWith('|'));
  expect(rows.length).toBeGreaterThan(10);
  for (const row of rows) expect(row.endsWith('|')).toBe(true);
});

test('of more lines than a chart can hold, the highest are drawn and the title says so; what has no samples, or is 0 throughout, is named', () => {
  const big = structuredClone(record);
  const host = (n: number, metric: 'cpuPct' | 'memoryPct' | 'readyPct') => ({
    id: 1_000 + n,
    entity: { kind: 'host' as const, id: `h${n}`, name: `esx${n}` },
    metric,
    unit: '%',
    decimals: 1,
    periodMs: 20_000,
    lagMs: 0,
    source: 'vCenter',
  });
  big.overview.series = [
    ...Array.from({ length: 64 }, (_, n) => host(n, 'cpuPct')),
    host(100, 'memoryPct'),
    host(200, 'readyPct'),
  ];
  const report = runReport(big, (id) => ({
    tMs: id === 1_100 ? new Float64Array() : Float64Array.of(start, start + 20_000),
    value:
      id === 1_100
        ? new Float64Array()
        : id === 1_200
          ? Float64Array.of(0, 0)
          : Float64Array.of(id - 1_000, id - 1_000),
  }));
  const section = report.sections.find((s) => s.title === 'Charts')!;
  expect(section.charts.map((c) => c.title)).toEqual(['Host CPU, the 24 highest of 64']);
  expect(section.charts[0]!.lines.map((l) => l.label)).toEqual(
    Array.from({ length: 24 }, (_, i) => `esx${i + 40}`),
  );
  expect(section.notes).toEqual([
    expect.stringMatching(/^No samples, and not drawn: Host memory/),
    expect.stringMatching(/^0 throughout, and not drawn: Host CPU ready/),
  ]);
});

describe('hosts and their VMs', () => {
  const placed = (hosts: number): RunRecord => {
    const copy = structuredClone(record);
    const { overview } = copy;
    overview.placement = {
      hosts: Array.from({ length: hosts }, (_, i) => ({ ref: `h${i}`, name: `esx${i + 1}.lab` })),
      vms: overview.workloads.map((w, i) => ({ ref: `v${i}`, name: `vm${i}`, tile: w.tile })),
      moves: overview.workloads.map((_, vm) => ({
        tMs: start,
        vm,
        host: vm % hosts,
        by: 'start' as const,
      })),
    };
    overview.workloads = overview.workloads.map((w, i) => ({ ...w, vmName: `vm${i}` }));
    overview.series = overview.series.filter(({ entity }) => entity.kind !== 'host');
    return copy;
  };

  test('are drawn on the second page, as they stood at the end of the steady state, and said in Markdown', () => {
    const report = runReport(placed(2), read);
    const { stage, part } = report.sections.find((s) => s.title === 'Hosts and their VMs')!;
    expect(part).toBe('summary');
    const html = reportHtml(report, hash);
    expect(html).toMatch(/>esx1<\/text>/);
    expect(stage!.blocks).toHaveLength(record.overview.workloads.length);
    expect(reportMarkdown(report)).toMatch(/VMs on \d hosts, \d+ under load.* esx1\.lab: CPU /);
  });

  test('are left out where there is one host, or nobody knows where VMs ran', () => {
    expect(runReport(placed(1), read).sections.some((s) => s.stage !== undefined)).toBe(false);
  });
});

describe('more lines than there are colours', () => {
  const crowded = (): RunRecord => {
    const copy = structuredClone(record);
    const [first] = copy.overview.series.filter((s) => s.metric === 'throughput');
    copy.overview.series = Array.from({ length: 20 }, (_, tile) => ({
      ...first!,
      id: 500 + tile,
      entity: { ...first!.entity, id: `t${tile}.db`, tile },
    }));
    return copy;
  };
  const flat = (id: number) => ({
    tMs: Float64Array.of(start + 1_000, start + 2_000),
    // Both ends of the run lie far from its steady state.
    value: Float64Array.of(id === 507 ? 1 : 50, 9_999),
  });
  const aggregate = (id: number) => ({ count: 9, mean: id - 400, min: 0, max: 0 });

  test('show the worst in its colour and all others in one grey; the legend tells the steady state', () => {
    const { sections } = runReport(crowded(), flat, { aggregate });
    const chart = sections.flatMap((s) => s.charts).find((c) => c.lines.length === 20)!;
    expect(chart.highlight).toBe(0);
    expect(new Set(chart.lines.slice(1).map((l) => l.color)).size).toBe(1);
    expect(chart.lines[0]!.color).not.toBe(chart.lines[1]!.color);
    const svg = chartSvg(chart);
    expect(svg).toContain('>Tile 1 100<');
    expect(svg).toContain('>19 others, 101 to 119<');
    expect(svg).not.toContain('9.99');
  });
});
