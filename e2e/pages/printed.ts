import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { profileSchema } from '../../src/core/profile/profile.ts';
import { getDriver } from '../../workers/engine/workloads/index.ts';
import { listProcesses, readProc } from '../lab/processes.ts';
import type { CsvRow } from './csv.ts';

/** What one job has printed, as its driver reads it in one go. */
export interface Printed {
  /** As the export calls it: `Tile 1 Java`. */
  entity: string;
  throughput: readonly { tMs: number; value: number }[];
}

const profile = profileSchema.parse(
  JSON.parse(readFileSync(join('resources', 'profiles', 'open-driver-quick.json'), 'utf8')),
);

/** Of every job of a run that goes on, what stands in its file on the client by now. */
export function printedSoFar(runId: string): Printed[] {
  const mark = new RegExp(`TILEBENCH_JOB=([^\0]*/${runId}/[^/\0]+)/`);
  const folders = new Set(
    listProcesses().flatMap(({ pid }) => mark.exec(readProc(`/proc/${pid}/environ`))?.[1] ?? []),
  );
  return [...folders].sort().map(readJob);
}

function readJob(folder: string): Printed {
  const [, tile, workloadId] = /^t(\d+)\.(.+)$/.exec(basename(folder))!;
  const workload = profile.workloads.find(({ id }) => id === workloadId)!;
  const driver = getDriver(workload.driver);
  const throughput: { tMs: number; value: number }[] = [];
  const parser = driver.parser(driver.params.parse(workload.params), {
    startMs: 0,
    intervalMs: 1_000,
    emit: (metric, tMs, value) => {
      if (metric === 'throughput') throughput.push({ tMs, value });
    },
  });
  parser.push(readFileSync(join(folder, 'stdout')));
  return { entity: `Tile ${Number(tile) + 1} ${workload.name}`, throughput };
}

/**
 * Where an export is not what the jobs printed: a sample that is missing, there twice, or another.
 * In words; none is right, however late a busy client printed. Times count from the first sample,
 * whose own value depends on when its job began.
 */
export function unlikePrinted(printed: readonly Printed[], rows: readonly CsvRow[]): string[] {
  return printed.flatMap(({ entity, throughput }) => {
    const stored = rows.filter((row) => row.entity === entity && row.metric === 'throughput');
    const at = throughput.findIndex(({ tMs, value }, i) => {
      const row = stored[i];
      if (row === undefined || row.tMs - stored[0]!.tMs !== tMs - throughput[0]!.tMs) return true;
      return i > 0 && Math.abs(row.value - value) > 0.01 + 1e-6 * value;
    });
    const told = (one: { tMs: number; value: number } | undefined, firstMs: number): string =>
      one === undefined ? 'nothing' : `${one.value} at ${(one.tMs - firstMs) / 1_000} s`;
    return at < 0
      ? []
      : [
          `${entity}, sample ${at + 1} of ${throughput.length}: printed ` +
            `${told(throughput[at], throughput[0]!.tMs)}, exported ` +
            told(stored[at], stored[0]?.tMs ?? 0),
        ];
  });
}
