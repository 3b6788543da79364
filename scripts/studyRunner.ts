import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { toAppError } from '../src/core/base/errors.ts';
import type { StudyOverview } from '../src/core/study/study.ts';
import type { Emit } from '../src/wire/contract.ts';
import { createDemoDeps } from '../workers/demoDeps.ts';
import { createEngine } from '../workers/engine/engine.ts';
import { gallery } from '../workers/engine/gallery/index.ts';
import { createLabModel } from '../workers/engine/simlab/model/model.ts';
import { type SharedSolutions, shareSolutions } from '../workers/engine/simlab/model/solutions.ts';

/**
 * One ready-made study of the gallery, run through the whole engine as fast as the machine goes, in
 * folders that are gone afterwards.
 */
export interface EntryResult {
  id: string;
  /** One for each seed of the measurement noise, in order. */
  overviews: StudyOverview[];
  seconds: number;
}

const ends: ReadonlySet<StudyOverview['state']> = new Set(['done', 'failed', 'paused', 'waiting']);

/**
 * Runs the study under `seeds` seeds, each in a fresh workspace: the first is the one it is shipped
 * with.
 */
export async function runEntry(id: string, resourcesDir: string, seeds = 1): Promise<EntryResult> {
  const startedAt = performance.now();
  const solutions = shareSolutions();
  const overviews: StudyOverview[] = [];
  for (let seed = 0; seed < seeds; seed += 1)
    overviews.push(await runSeed(id, resourcesDir, seed, solutions));
  return { id, overviews, seconds: (performance.now() - startedAt) / 1_000 };
}

/** `seed` is added to what the lab is shipped with. */
async function runSeed(
  id: string,
  resourcesDir: string,
  seed: number,
  solutions: SharedSolutions,
): Promise<StudyOverview> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tilebench-studies-'));
  const demo = createDemoDeps({
    host: 'cli',
    dataDir,
    resourcesDir,
    version: '0',
    pace: { speed: null, paused: false },
    stderrLevel: 'error',
    createModel: (spec, startMs) => createLabModel(spec, startMs, { solved: solutions.of(spec) }),
  });
  let take: (overview: StudyOverview) => void = () => undefined;
  const emit: Emit = (event, payload) => {
    if (event === 'study.changed') take(payload as StudyOverview);
  };
  const entries = gallery.map((entry) => ({
    ...entry,
    labs: entry.labs.map((lab) => ({ ...lab, seed: lab.seed + seed * seedStep })),
  }));
  const engine = await createEngine(demo.deps, emit, { gallery: entries });
  const { signal } = new AbortController();
  try {
    const { studyId } = await engine.handlers['gallery.install']({ id }, signal);
    const ended = new Promise<void>((resolve) => {
      take = ({ spec, state }) => {
        if (spec.id === studyId && ends.has(state)) resolve();
      };
    });
    await engine.handlers['study.start']({ id: studyId }, signal);
    await ended;
    return await engine.handlers['study.overview']({ id: studyId }, signal);
  } finally {
    await engine.close();
    demo.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Far apart, so that no two studies ever share a seed. */
const seedStep = 1_000;

/**
 * As a process of its own: `studyRunner.ts <resources> <id> [<seeds>]`; one JSON object on stdout.
 */
const [resourcesDir, id, seeds = '1'] = process.argv.slice(2);
if (process.argv[1]?.endsWith('studyRunner.ts') && resourcesDir !== undefined && id !== undefined) {
  runEntry(id, resourcesDir, Number(seeds)).then(
    (result) => {
      process.stdout.write(`${JSON.stringify(result)}\n`);
    },
    (error: unknown) => {
      process.stderr.write(`${id}: ${toAppError(error).message}\n`);
      process.exitCode = 1;
    },
  );
}
