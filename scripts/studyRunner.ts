import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Emit } from '../src/shared/contract.ts';
import { toAppError } from '../src/shared/errors.ts';
import type { StudyOverview } from '../src/shared/study.ts';
import { createDemoDeps } from '../workers/demoDeps.ts';
import { createEngine } from '../workers/engine/engine.ts';

/** One ready-made study of the gallery, run through the whole engine as fast as the machine goes, in a folder that is gone afterwards. */
export interface EntryResult {
  id: string;
  overview: StudyOverview;
  seconds: number;
}

const ends: ReadonlySet<StudyOverview['state']> = new Set(['done', 'failed', 'paused', 'waiting']);

export async function runEntry(id: string, resourcesDir: string): Promise<EntryResult> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tilebench-studies-'));
  const startedAt = performance.now();
  const demo = createDemoDeps({
    host: 'cli',
    dataDir,
    resourcesDir,
    version: '0',
    pace: { speed: null, paused: false },
    stderrLevel: 'error',
  });
  let take: (overview: StudyOverview) => void = () => undefined;
  const emit: Emit = (event, payload) => {
    if (event === 'study.changed') take(payload as StudyOverview);
  };
  const engine = await createEngine(demo.deps, emit);
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
    return {
      id,
      overview: await engine.handlers['study.overview']({ id: studyId }, signal),
      seconds: (performance.now() - startedAt) / 1_000,
    };
  } finally {
    await engine.close();
    demo.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** As a process of its own: `studyRunner.ts <resources> <id>`; one JSON object on stdout. */
const [resourcesDir, id] = process.argv.slice(2);
if (process.argv[1]?.endsWith('studyRunner.ts') && resourcesDir !== undefined && id !== undefined) {
  runEntry(id, resourcesDir).then(
    (result) => {
      process.stdout.write(`${JSON.stringify(result)}\n`);
    },
    (error: unknown) => {
      process.stderr.write(`${id}: ${toAppError(error).message}\n`);
      process.exitCode = 1;
    },
  );
}
