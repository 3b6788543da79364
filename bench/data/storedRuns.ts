import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { importOwn, sourceOf } from '../../src/wire/importOwn.ts';
import { type LabEngine, openLabEngine } from './labEngine.ts';
import { labPlan, type LabSize } from './labPlan.ts';

/** Runs in the history, and how long its biggest goes on, in hours of virtual time. */
const wanted = Number(process.env['BENCH_RUNS'] ?? 1_000);
const hours = Number(process.env['BENCH_HOURS'] ?? 1);

const short = { rampUpS: 10, staggerS: 0, steadyS: 60, periods: 3, rampDownS: 5 };
/** Runs side by side that a comparison takes: four tiles of three loads, half an hour. */
const compared: LabSize = {
  id: 'compared',
  name: 'Array before and after',
  hosts: 4,
  tiles: 4,
  loads: 3,
  phases: { rampUpS: 60, staggerS: 0, steadyS: 1_800, periods: 3, rampDownS: 10 },
};
const wide: LabSize = {
  id: 'wide',
  name: 'Datacenter north',
  hosts: 64,
  tiles: 20,
  loads: 6,
  phases: { rampUpS: 10, staggerS: 0, steadyS: 120, periods: 3, rampDownS: 5 },
};
const biggest: LabSize = {
  ...wide,
  id: 'biggest',
  name: 'Datacenter south, long',
  phases: { ...wide.phases, steadyS: hours * 3_600 - 15 },
};
const small: LabSize[] = [
  'Nightly mail',
  'Upgrade check',
  'DRS off',
  'DRS on',
  'Old array',
  'New array',
  'Smoke',
  'Web farm',
].map((name, n) => ({
  id: `small${n}`,
  name,
  hosts: 2,
  tiles: 1 + (n % 2),
  loads: 1 + (n % 3),
  phases: short,
}));

export interface StoredRuns {
  /** Data folder of the console, with the simulated workspace in it. */ consoleDir: string;
  /** Folder of that workspace. */ dataDir: string;
  /** Of the longest run of 20 tiles on 64 hosts. */ biggestId: string;
  /** Eight of the same plan, oldest first. */ comparedIds: string[];
  runs: number;
  bytes: number;
  /** How long the making took. */ seconds: number;
}

let made: Promise<StoredRuns> | null = null;

/**
 * A workspace with 1,000 runs of the simulated lab, each launched, measured, scored and stored by
 * the engine; made once in a bench run, removed at its end.
 */
export function storedRuns(): Promise<StoredRuns> {
  made ??= make();
  return made;
}

async function make(): Promise<StoredRuns> {
  const consoleDir = mkdtempSync(join(tmpdir(), 'tb-bench-history-'));
  const dataDir = join(consoleDir, 'demo');
  process.on('exit', () => {
    rmSync(consoleDir, { recursive: true, force: true });
  });
  const startedMs = performance.now();
  const lab = await openLabEngine(dataDir);
  try {
    const all = (size: LabSize, count: number): Promise<string[]> => series(lab, size, count);
    const biggestId = (await all(biggest, 1))[0]!;
    const comparedIds = await all(compared, 8);
    await all(wide, 5);
    const rest = Math.max(0, wanted - 14);
    for (const [n, size] of small.entries())
      await all(size, Math.floor(rest / small.length) + (n < rest % small.length ? 1 : 0));
    const runs = (await lab.client.call('run.list', {})).length;
    return {
      consoleDir,
      dataDir,
      biggestId,
      comparedIds,
      runs,
      bytes: statSync(join(dataDir, 'tilebench.sqlite')).size,
      seconds: (performance.now() - startedMs) / 1_000,
    };
  } finally {
    await lab.close();
  }
}

/** Runs of one plan, one after the other; throws where one does not pass. */
async function series(lab: LabEngine, size: LabSize, count: number): Promise<string[]> {
  const { client } = lab;
  await importOwn(client, sourceOf(labPlan(size)));
  const { hash } = await client.call('plan.check', { id: size.id });
  const ids: string[] = [];
  for (let n = 1; n <= count; n += 1) {
    const end = await lab.runToEnd(size.id, hash, `${size.name}, ${n}`);
    if (end.state !== 'passed')
      throw new Error(
        `A run of the stored history did not pass: ${end.verdict?.sentence ?? end.state}`,
      );
    ids.push(end.id);
  }
  return ids;
}
