import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import { chromium } from 'playwright-core';

import { browserArgs, bundlePage } from './charts.ts';
import type { StagePage, StageRun } from './charts/stagePage.tsx';
import type { BenchResult } from './row.ts';

declare global {
  interface Window {
    stagePage: StagePage;
  }
}

const rounds = 3;
const seconds = 4;

/**
 * Hosts and their VMs at 64 hosts and 1,200 VMs, two pixels a CSS pixel, VMs sliding in every
 * frame; beside it a canvas that gets as many rectangles and texts and nothing else.
 */
export async function run(): Promise<BenchResult[]> {
  const dir = await bundlePage('stagePage.tsx');
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
    const runs: Record<'ours' | 'bare', StageRun[]> = { ours: [], bare: [] };
    for (let i = 0; i < rounds; i++)
      for (const kind of ['bare', 'ours'] as const)
        runs[kind].push(
          await page.evaluate(([k, s]) => window.stagePage.run(k, s), [kind, seconds] as const),
        );
    const middle = (list: readonly number[]): number =>
      [...list].sort((a, b) => a - b)[list.length >> 1]!;
    const perFrame = (list: readonly StageRun[]): number =>
      middle(list.map((one) => one.drawMs / one.frames));
    const rate = (list: readonly StageRun[]): number =>
      middle(list.map((one) => one.frames / one.seconds));
    const [ours, bare] = [perFrame(runs.ours), perFrame(runs.bare)];
    return [
      {
        name: 'Hosts and their VMs: 64 hosts, 1,200 VMs, 24 of them on the way',
        rows: [
          {
            label: 'a frame, main thread',
            value: ours,
            unit: 'ms',
            ratio: ours / bare,
            budget: 3,
          },
          { label: '  as many rectangles and texts on a bare canvas', value: bare, unit: 'ms' },
          { label: '  frames a second', value: rate(runs.ours), unit: '' },
          { label: '  the same of the bare canvas', value: rate(runs.bare), unit: '' },
        ],
      },
    ];
  } finally {
    await browser.close();
    await rm(dir, { recursive: true, force: true });
  }
}
