import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import { chromium } from 'playwright-core';

import { browserArgs, bundlePage, heapMb } from './charts.ts';
import type { SoakPage } from './charts/soak.tsx';
import type { BenchResult } from './row.ts';

declare global {
  interface Window {
    soakPage: SoakPage;
  }
}

const hours = Number(process.env['BENCH_HOURS'] ?? 4);
const series = 960;
/**
 * Looks at the heap in the first and the last quarter; the first only when every buffer of 30
 * minutes is full.
 */
const looks = [0.75, 0.875, 1, 3.75, 3.875, 4].map((quarter) =>
  Math.round((quarter / 4) * hours * 3_600),
);

/**
 * The whole application on a live run: 960 series at 1 Hz for four hours, compressed, over a port,
 * the client, the live store and the board.
 */
export async function run(): Promise<BenchResult[]> {
  const dir = await bundlePage('soak.tsx');
  const browser = await chromium.launch({
    executablePath: process.env['TILEBENCH_CHROMIUM'] ?? '/usr/bin/chromium',
    args: browserArgs,
  });
  try {
    const page = await browser.newPage({ viewport: { width: 1_920, height: 1_080 } });
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(error.message));
    await page.goto(`file://${join(dir, 'index.html')}`);
    const cdp = await page.context().newCDPSession(page);
    const started = performance.now();
    await page.evaluate(() => window.soakPage.mount());
    const heaps: number[] = [];
    let at = 0;
    let received = 0;
    for (const untilS of looks) {
      received += (await page.evaluate((seconds) => window.soakPage.run(seconds), untilS - at))
        .received;
      at = untilS;
      heaps.push(await heapMb(page, cdp));
    }
    const { length: charts } = await page.$$('canvas');
    if (faults.length > 0) throw new Error(`The page failed: ${faults.join('; ')}`);
    if (received !== at * series) throw new Error(`${received} of ${at * series} samples arrived.`);
    const mean = (list: readonly number[]): number => list.reduce((a, b) => a + b, 0) / list.length;
    const [early, late] = [mean(heaps.slice(0, 3)), mean(heaps.slice(3))];
    return [
      {
        name: `soak: ${series} series at 1 Hz for ${hours} h, ${charts} canvases`,
        rows: [
          { label: 'heap and buffers in the first quarter', value: early, unit: 'MB' },
          { label: 'heap and buffers in the last quarter', value: late, unit: 'MB' },
          {
            label: 'growth from the first quarter to the last',
            value: (late / early - 1) * 100,
            unit: '%',
            budget: 5,
          },
          {
            label: 'wall time, as fast as the page goes',
            value: (performance.now() - started) / 1_000,
            unit: 's',
          },
        ],
      },
    ];
  } finally {
    await browser.close();
    await rm(dir, { recursive: true, force: true });
  }
}
