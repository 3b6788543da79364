import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { SeriesDef } from '../src/core/metric/metric.ts';
import { createCompareService } from '../workers/engine/compare/service.ts';
import { openDatabase } from '../workers/engine/db/open.ts';
import { silentLog } from '../workers/engine/deps.ts';
import { demoRecord } from './demoRecord.ts';
import type { BenchResult } from './row.ts';
import { took } from './time.ts';

const runs = 8,
  seriesOfRun = 12;
const hours = Number(process.env['BENCH_HOURS'] ?? 4);
const log = silentLog;

/**
 * Eight stored runs of twelve series at 1 Hz, compared whole: means, verdicts by resampling,
 * matrix, set-up; then their distributions.
 */
export async function run(): Promise<BenchResult[]> {
  const dir = mkdtempSync(join(tmpdir(), 'tb-bench-compare-'));
  const db = openDatabase({
    dataDir: dir,
    clock: { now: () => Date.now(), sleep: () => Promise.resolve() },
    log,
  });
  try {
    const startMs = 1_700_000_000_000;
    const seconds = hours * 3_600;
    const series: SeriesDef[] = Array.from({ length: seriesOfRun }, (_, id) => ({
      id,
      metric: id % 2 === 0 ? 'throughput' : 'latencyP95Ms',
      unit: id % 2 === 0 ? 'tps' : 'ms',
      source: 'bench',
      periodMs: 1_000,
      decimals: 2,
      lagMs: 0,
      entity: { kind: 'workload', id: `t0.w${id >> 1}`, name: `W${id >> 1}`, tile: 0 },
    }));
    for (let r = 0; r < runs; r += 1) {
      const record = demoRecord(`run-${r}`, series, startMs, seconds);
      const [workload] = record.profile.workloads;
      record.profile.workloads = Array.from({ length: seriesOfRun / 2 }, (_, i) => ({
        ...workload!,
        id: `w${i}`,
        name: `W${i}`,
      }));
      record.plan.tiles = 1;
      record.planHash = `plan ${r}`;
      record.overview.periods = [0, 1, 2].map((index) => ({
        index,
        startMs: startMs + (index * seconds * 1_000) / 3,
        endMs: startMs + ((index + 1) * seconds * 1_000) / 3,
      }));
      db.runs.save(record);
      db.samples.defineSeries(`run-${r}`, series);
      for (let from = 0; from < seconds; from += 300) {
        const batch = Float64Array.from(
          Array.from({ length: Math.min(300, seconds - from) }, (_, s) =>
            series.flatMap(({ id }) => [
              id,
              startMs + (from + s) * 1_000,
              Math.round(
                (1_000 +
                  r +
                  10 * Math.sin((from + s) / 7 + id) +
                  ((id * 7_919 + (from + s) * 104_729) % 200) / 10) *
                  100,
              ) / 100,
            ]),
          ).flat(),
        );
        db.samples.append({ runId: `run-${r}`, batch, journal: [] });
      }
      db.samples.finish(`run-${r}`);
    }
    const service = createCompareService(db);
    const ids = Array.from({ length: runs - 1 }, (_, i) => `run-${i + 1}`);
    const { signal } = new AbortController();
    let longest = 0,
      last = performance.now();
    const watch = setInterval(() => {
      const now = performance.now();
      longest = Math.max(longest, now - last);
      last = now;
    }, 1);
    const cold = await took(() => service.compare('run-0', ids, signal));
    const warm = await took(() => service.compare('run-1', ['run-0', ...ids.slice(1)], signal));
    const distributions = await took(() => service.distributions('run-0', ids, undefined, signal));
    clearInterval(watch);
    return [
      {
        name: `Compare: ${runs} runs × ${seriesOfRun} series at 1 Hz for ${hours} h`,
        rows: [
          { label: 'all of it, nothing read before, by the clock', value: cold.wallMs, unit: 'ms' },
          {
            label: 'all of it, nothing read before, processor',
            value: cold.cpuMs,
            unit: 'ms',
            budget: 150,
          },
          { label: 'another baseline, by the clock', value: warm.wallMs, unit: 'ms', budget: 150 },
          {
            label: 'distributions of one metric, processor',
            value: distributions.cpuMs,
            unit: 'ms',
            budget: 150,
          },
          { label: 'longest time the engine did nothing else', value: longest, unit: 'ms' },
        ],
      },
    ];
  } finally {
    db.close();
    rmSync(dir, { recursive: true, force: true });
  }
}
