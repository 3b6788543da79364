import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { CDPSession, Page } from 'playwright-core';

import { startConsole } from '../e2e/fixtures/consoleHost.ts';
import {
  layoutClients,
  layoutInventory,
  layoutProfile,
  layoutTestbed,
} from '../src/core/testing/layoutLab.ts';
import { openDatabase } from '../workers/engine/db/open.ts';
import type { BenchResult, BenchRow } from './row.ts';

const [hosts, luns, tiles, moves, edits] = [64, 100, 200, 200, 12];

/** A data folder with the testbed, its vCenter as discovered, and its clients. */
function store(dataDir: string): void {
  const quiet = (): void => undefined;
  const db = openDatabase({
    dataDir,
    clock: { now: () => 0, sleep: () => Promise.resolve() },
    log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
  });
  const profile = layoutProfile();
  db.profiles.save(profile);
  db.connections.save({
    kind: 'vcenter',
    id: 'vc',
    name: 'vCenter',
    host: 'vc.invalid',
    port: 443,
    user: 'u',
    password: { keychain: 'vc' },
  });
  for (const { id, name } of layoutClients(40))
    db.connections.save({
      kind: 'client',
      id,
      name,
      host: `${id}.invalid`,
      port: 22,
      user: 'u',
      auth: { method: 'agent' },
    });
  db.inventories.save(layoutInventory({ hosts, datastores: luns, tiles }));
  db.testbeds.save({ ...layoutTestbed(tiles, { clients: 40 }), profileId: profile.id });
  db.close();
}

/** Milliseconds of main-thread tasks so far. */
async function taskMs(cdp: CDPSession): Promise<number> {
  const { metrics } = await cdp.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1_000;
}

/**
 * Milliseconds from a key to the frame that shows what it did, and of the main thread until then;
 * the medians of `edits`.
 */
async function answered(
  page: Page,
  cdp: CDPSession,
  key: string,
): Promise<{ wallMs: number; taskMs: number }> {
  const times: number[] = [],
    tasks: number[] = [];
  for (let i = 0; i < edits; i += 1) {
    const shown = await page.evaluateHandle(() => ({
      ms: new Promise<number>((tell) => {
        window.addEventListener(
          'keydown',
          function heard(event) {
            if (['Control', 'Shift', 'Alt'].includes(event.key)) return;
            window.removeEventListener('keydown', heard, true);
            requestAnimationFrame(() => {
              // A message is handled after the frame is drawn.
              const { port1, port2 } = new MessageChannel();
              port1.onmessage = () => tell(performance.now() - event.timeStamp);
              port2.postMessage(null);
            });
          },
          true,
        );
      }),
    }));
    const before = await taskMs(cdp);
    await page.keyboard.press(key);
    times.push(await shown.evaluate(({ ms }) => ms));
    tasks.push((await taskMs(cdp)) - before);
  }
  const median = (values: number[]): number => values.sort((a, b) => a - b)[edits >> 1]!;
  return { wallMs: median(times), taskMs: median(tasks) };
}

/**
 * The designer's boards in Chromium at full size: a drag over both, and edits by keys. The page is
 * the built one (npm run build).
 */
export async function run(): Promise<BenchResult[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tilebench-board-'));
  store(dataDir);
  const host = await startConsole('chromium', dataDir);
  try {
    const { page } = host;
    await page.setViewportSize({ width: 1_920, height: 1_080 });
    await page.evaluate(() => {
      window.location.hash = '#/testbeds/bed';
    });
    await page.getByText('Both', { exact: true }).click();
    const grid = page.getByRole('grid', { name: 'Tiles by host' });
    const from = (await grid.getByRole('rowheader').first().boundingBox())!;
    const cdp = await page.context().newCDPSession(page);
    await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
    await page.mouse.move(from.x + 20, from.y + 10);
    await page.mouse.down();
    await page.mouse.move(from.x + 200, from.y + 20);
    const before = await taskMs(cdp);
    for (let i = 0; i < moves; i += 1)
      await page.mouse.move(
        from.x + 200 + 800 * Math.abs(Math.sin(i / 20)),
        from.y + 20 + 500 * Math.abs(Math.cos(i / 13)),
      );
    const spent = (await taskMs(cdp)) - before;
    await page.keyboard.press('Escape');
    await page.mouse.up();
    await grid.focus();
    await page.keyboard.press('Control+Home');
    const rows: BenchRow[] = [
      {
        label: 'main thread a frame of a drag over both boards',
        value: spent / moves,
        unit: 'ms',
        budget: 16,
      },
    ];
    for (const [label, key] of [
      ['walk', 'ArrowDown'],
      ['move a tile down', 'Alt+ArrowDown'],
      ['undo', 'Control+z'],
      ['redo', 'Control+Shift+Z'],
      ['duplicate a tile', 'd'],
    ] as const) {
      const { wallMs, taskMs: spentMs } = await answered(page, cdp, key);
      rows.push(
        { label: `${label}: key to frame, by the clock`, value: wallMs, unit: 'ms', budget: 50 },
        { label: `${label}: processor of the main thread`, value: spentMs, unit: 'ms' },
      );
    }
    return [{ name: `board: ${hosts} hosts, ${luns} LUNs, ${tiles} tiles in Chromium`, rows }];
  } finally {
    await host.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
