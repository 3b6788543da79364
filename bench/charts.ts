import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { build } from 'esbuild';
import { type CDPSession, chromium, type Page } from 'playwright-core';

import type { WallSize } from './charts/ours.tsx';
import type { BenchPage } from './charts/page.ts';
import type { BenchRow } from './row.ts';

type Kind = 'ours' | 'uplot';
declare global {
  interface Window {
    benchPage: BenchPage;
  }
}

/** Bundles a page of bench/charts into a folder of its own. Returns the folder. */
export async function bundlePage(entry: string): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'tilebench-charts-'));
  const source = new URL('./charts/', import.meta.url).pathname;
  await build({
    entryPoints: [join(source, entry)],
    outfile: join(dir, 'page.js'),
    bundle: true,
    format: 'esm',
    minify: true,
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    loader: { '.module.css': 'local-css' },
    logLevel: 'error',
  });
  await cp(join(source, 'index.html'), join(dir, 'index.html'));
  return dir;
}

export const browserArgs = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--allow-file-access-from-files',
  '--js-flags=--expose-gc',
];

/** Main-thread milliseconds spent in tasks since the page was opened. */
async function taskMs(cdp: CDPSession): Promise<number> {
  const { metrics } = await cdp.send('Performance.getMetrics');
  return (metrics.find((m) => m.name === 'TaskDuration')?.value ?? 0) * 1_000;
}

interface Measured {
  perUpdateMs: number;
  missed: number;
  frames: number;
  worstMs: number;
}

async function measure(
  page: Page,
  cdp: CDPSession,
  kind: Kind,
  size: WallSize,
  updates: number,
  everyMs: number,
): Promise<Measured> {
  await page.evaluate(([k, s]) => window.benchPage.mount(k, s), [kind, size] as const);
  await page.evaluate(([e]) => window.benchPage.run(4, e), [everyMs] as const);
  const before = await taskMs(cdp);
  const frames = await page.evaluate(([n, e]) => window.benchPage.run(n, e), [
    updates,
    everyMs,
  ] as const);
  const spent = (await taskMs(cdp)) - before;
  await page.evaluate(() => window.benchPage.unmount());
  return { perUpdateMs: spent / updates, ...frames };
}

const middle = (list: readonly number[]): number =>
  [...list].sort((a, b) => a - b)[list.length >> 1]!;

/** Both kinds in turns, so that a busy moment of the machine hits both; the middle run counts. */
async function versus(
  page: Page,
  cdp: CDPSession,
  size: WallSize,
  updates: number,
  everyMs: number,
  rounds: number,
): Promise<Record<Kind, Measured>> {
  const runs: Record<Kind, Measured[]> = { ours: [], uplot: [] };
  for (let i = 0; i < rounds; i++)
    for (const kind of ['ours', 'uplot'] as const)
      runs[kind].push(await measure(page, cdp, kind, size, updates, everyMs));
  const sum = (list: Measured[]): Measured => ({
    perUpdateMs: middle(list.map((m) => m.perUpdateMs)),
    missed: list.reduce((n, m) => n + m.missed, 0),
    frames: list.reduce((n, m) => n + m.frames, 0),
    worstMs: Math.max(...list.map((m) => m.worstMs)),
  });
  return { ours: sum(runs.ours), uplot: sum(runs.uplot) };
}

const percentMissed = (m: Measured): number => (m.missed / (m.missed + m.frames)) * 100;

/** All memory of the page: JavaScript heap, DOM, and the buffers behind typed arrays. */
export async function heapMb(page: Page, cdp: CDPSession): Promise<number> {
  await page.evaluate(() => {
    (globalThis as { gc?: () => void }).gc?.();
  });
  await cdp.send('HeapProfiler.collectGarbage');
  const usage = (await cdp.send('Runtime.getHeapUsage')) as {
    usedSize: number;
    embedderHeapUsedSize?: number;
    backingStorageSize?: number;
  };
  return (
    (usage.usedSize + (usage.embedderHeapUsedSize ?? 0) + (usage.backingStorageSize ?? 0)) / 1e6
  );
}

/**
 * 960 series, four hours compressed: growth from the moment all buffers exist (31 min) to the end.
 */
async function fourHours(page: Page, cdp: CDPSession): Promise<BenchRow[]> {
  const size: WallSize = { charts: 20, series: 48, points: 300, width: 380, height: 120 };
  await page.evaluate((s) => window.benchPage.mount('ours', s), size);
  await page.evaluate(() => window.benchPage.rush(60 * 60 - 300));
  const early = await heapMb(page, cdp);
  await page.evaluate(() => window.benchPage.rush(3 * 60 * 60));
  const late = await heapMb(page, cdp);
  await page.evaluate(() => window.benchPage.unmount());
  return [
    { label: 'heap and buffers after 1 h, 960 series', value: early, unit: 'MB' },
    { label: 'growth from 1 h to 4 h', value: (late / early - 1) * 100, unit: '%', budget: 5 },
  ];
}

/** The chart budgets, ours against uPlot in the same page of the same browser. */
export async function run(): Promise<{ name: string; rows: BenchRow[] }[]> {
  const dir = await bundlePage('page.ts');
  const browser = await chromium.launch({
    executablePath: process.env.TILEBENCH_CHROMIUM ?? '/usr/bin/chromium',
    args: browserArgs,
  });
  try {
    const page = await browser.newPage({ viewport: { width: 1920, height: 1080 } });
    page.on('pageerror', (error) => {
      throw error;
    });
    await page.goto(`file://${join(dir, 'index.html')}`);
    const cdp = await page.context().newCDPSession(page);
    await cdp.send('Performance.enable');
    const update: BenchRow[] = [];
    for (const points of [300, 1_200]) {
      const { ours, uplot } = await versus(
        page,
        cdp,
        { charts: 4, series: 20, points, width: 900, height: 300 },
        30,
        100,
        3,
      );
      update.push(
        {
          label: `4 charts × 20 series × ${points} points, main thread an update`,
          value: ours.perUpdateMs,
          unit: 'ms',
          ratio: ours.perUpdateMs / uplot.perUpdateMs,
          budget: 1.3,
        },
        { label: '  the same in uPlot', value: uplot.perUpdateMs, unit: 'ms' },
        { label: '  frames missed at 10 Hz', value: percentMissed(ours), unit: '%', budget: 1 },
        { label: '  the same in uPlot', value: percentMissed(uplot), unit: '%' },
      );
    }
    const wall = await versus(
      page,
      cdp,
      { charts: 20, series: 18, points: 300, width: 380, height: 190 },
      10,
      1_000,
      3,
    );
    const perSecond = (m: Measured): number => m.missed / 10 / 3;
    const wallRows: BenchRow[] = [
      {
        label: '20 charts × 18 series × 300 points at 1 Hz, main thread a second',
        value: wall.ours.perUpdateMs,
        unit: 'ms',
        ratio: wall.ours.perUpdateMs / wall.uplot.perUpdateMs,
        budget: 1.3,
      },
      { label: '  the same in uPlot', value: wall.uplot.perUpdateMs, unit: 'ms' },
      { label: '  frames missed a second', value: perSecond(wall.ours), unit: '' },
      { label: '  the same in uPlot', value: perSecond(wall.uplot), unit: '' },
    ];
    const first: Record<Kind, number[]> = { ours: [], uplot: [] };
    for (let i = 0; i < 7; i++)
      for (const kind of ['ours', 'uplot'] as const)
        first[kind].push(await page.evaluate((k) => window.benchPage.firstDraw(k, 100_000), kind));
    const [a, b] = [middle(first.ours.slice(1)), middle(first.uplot.slice(1))];
    const firstRows: BenchRow[] = [
      {
        label: 'first draw of one line of 100,000 points',
        value: a,
        unit: 'ms',
        ratio: a / b,
        budget: 1.5,
      },
      { label: '  the same in uPlot', value: b, unit: 'ms' },
    ];
    return [
      { name: 'Live charts', rows: update },
      { name: 'Wall of charts', rows: wallRows },
      { name: 'First draw', rows: firstRows },
      { name: 'Chart memory over four hours', rows: await fourHours(page, cdp) },
    ];
  } finally {
    await browser.close();
    await rm(dir, { recursive: true, force: true });
  }
}
