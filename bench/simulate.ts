import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import type { PlanFile } from '../src/core/plan/plan.ts';
import type { RunOverview } from '../src/core/run/run.ts';
import { isEnd } from '../src/core/run/states.ts';
import { createClient } from '../src/wire/channel.ts';
import type { Client } from '../src/wire/contract.ts';
import { createEventHub } from '../src/wire/eventHub.ts';
import { importOwn, sourceOf } from '../src/wire/importOwn.ts';
import { memoryPorts } from '../src/wire/ports.ts';
import { serve } from '../src/wire/serve.ts';
import { createDemoDeps } from '../workers/demoDeps.ts';
import { createEngine } from '../workers/engine/engine.ts';
import { labPlan } from './data/labPlan.ts';
import type { BenchResult } from './row.ts';

const tiles = Number(process.env['BENCH_TILES'] ?? 20);
const hours = Number(process.env['BENCH_HOURS'] ?? 4);

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
/**
 * Bytes that are held, garbage aside: how far a fast run lets garbage pile up is the collector's
 * choice.
 */
function held(): number {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** 20 tiles of nine loads with five series each on 4 hosts: about 960 series at 1 Hz. */
const benchPlan = (): PlanFile =>
  labPlan({
    id: 'bench',
    name: 'Bench',
    hosts: 4,
    tiles,
    loads: 9,
    phases: {
      rampUpS: 600,
      staggerS: 30,
      steadyS: hours * 3_600 - 900,
      periods: 3,
      rampDownS: 300,
    },
  });

/** Bytes held at a quarter of the run that comes and near its end, and that end. */
function watchHeap(client: Client): {
  ended: Promise<RunOverview>;
  early: number[];
  late: number[];
} {
  const early: number[] = [];
  const late: number[] = [];
  const ended = new Promise<RunOverview>((done) => {
    client.on('run.changed', (overview) => {
      const share =
        (overview.nowMs - (overview.startedAtMs ?? overview.nowMs)) / (hours * 3_600_000);
      if (share > 0.2 && share < 0.35) early.push(held());
      if (share > 0.85) late.push(held());
      if (isEnd(overview.state)) done(overview);
    });
  });
  return { ended, early, late };
}

const mb = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length) / 1e6;

/** A whole simulated run as fast as the machine goes, with an interface that watches it. */
export async function run(): Promise<BenchResult[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tb-bench-simulate-'));
  const demo = createDemoDeps({
    host: 'test',
    dataDir,
    resourcesDir: resolve(import.meta.dirname, '..', 'resources'),
    version: '0',
    pace: { speed: null, paused: false },
  });
  const hub = createEventHub((thrown) => {
    throw thrown;
  });
  const engine = await createEngine(demo.deps, hub.emit);
  const [near, far] = memoryPorts();
  serve(far, engine.handlers, hub.subscribe);
  const client = createClient(near);
  const followed = new Set<string>();
  let watched = 0;
  let longestMs = 0;
  let last = performance.now();
  const beat = setInterval(() => {
    const now = performance.now();
    longestMs = Math.max(longestMs, now - last - 20);
    last = now;
  }, 20);
  try {
    client.on('run.changed', ({ id }) => {
      if (!followed.has(id)) client.follow(id);
      followed.add(id);
    });
    client.on('run.samples', ({ batch }) => {
      watched += batch.length / 3;
    });
    await importOwn(client, sourceOf(benchPlan()));
    const report = await client.call('plan.check', { id: 'bench' });
    const startedMs = performance.now();
    const before = process.cpuUsage();
    const { ended, early, late } = watchHeap(client);
    await client.call('run.start', { planId: 'bench', checkedHash: report.hash });
    const end = await ended;
    const seconds = (performance.now() - startedMs) / 1_000;
    const used = process.cpuUsage(before);
    const samples = (await client.call('run.list', {}))[0]?.sampleCount ?? 0;
    process.stderr.write(
      `${end.state}: ${end.verdict?.sentence ?? ''} ${end.findings
        .filter((f) => f.severity !== 'info')
        .map((f) => f.text)
        .join('; ')}\n`,
    );
    return [
      {
        name:
          `Simulated run: ${hours} h, ${tiles} tiles, 4 hosts, ${end.series.length} series, ` +
          `${(samples / 1e6).toFixed(2)} M samples`,
        rows: [
          {
            label: 'launch to verdict, as fast as the machine goes',
            value: seconds,
            unit: 's',
            budget: (60 * hours) / 4,
          },
          {
            label: 'CPU time of it, all threads',
            value: (used.user + used.system) / 1e6,
            unit: 's',
          },
          { label: 'virtual seconds a second', value: (hours * 3_600) / seconds, unit: '×' },
          { label: 'memory at a quarter', value: mb(early), unit: 'MB' },
          { label: 'memory near the end', value: mb(late), unit: 'MB', budget: mb(early) + 100 },
          { label: 'longest time the loop gave nobody a turn', value: longestMs, unit: 'ms' },
          { label: 'samples that reached the interface', value: watched, unit: '' },
        ],
      },
    ];
  } finally {
    clearInterval(beat);
    client.close();
    await engine.close();
    demo.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
