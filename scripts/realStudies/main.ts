import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join, resolve } from 'node:path';

import { startEngineOnLab } from '../../e2e/lab/engineOnLab.ts';
import { toAppError } from '../../src/core/base/errors.ts';
import { gallery } from '../../workers/engine/gallery/index.ts';
import type { GalleryEntry } from '../../workers/engine/gallery/types.ts';
import { type Circumstances, documentOf, documentPath, lineOf, runsOf } from './document.ts';
import { readMapping, type RealStudy } from './mapping.ts';
import { type RealPeers, startPeers } from './peers.ts';
import { isDone, keepResult, keptResult } from './results.ts';
import { type RealResult, runStudy } from './runStudy.ts';

export interface RealOptions {
  studies: readonly RealStudy[];
  /** Data folder that stays, and is gone on with; null = one that is removed. */
  keep: string | null;
  /** Whether docs/ gets the table. */
  write: boolean;
  say: (line: string) => void;
}

/**
 * Runs studies of the gallery on real peers of this machine and tells what came of each. Gives 0
 * where every run of them ended, and 1 where one is missing or failed. Throws where the peers do
 * not start.
 */
export async function runReal({ studies, keep, write, say }: RealOptions): Promise<number> {
  const dataDir = keep === null ? mkdtempSync(join(tmpdir(), 'tilebench-real-')) : resolve(keep);
  mkdirSync(dataDir, { recursive: true });
  const kept = (id: string): RealResult | null => keptResult(dataDir, id);
  try {
    const left = studies.filter(({ id }) => {
      const before = kept(id);
      return before === null || !isDone(before);
    });
    for (const { id } of studies.filter((one) => !left.includes(one)))
      say(`${lineOf(kept(id)!)} (kept from before)`);
    if (left.length > 0) await runAll(left, dataDir, say);
    for (const study of studies)
      say(`\n${study.id} ${entryOf(study).item.title}\n${runsOf(study, kept(study.id))}`);
    if (write) {
      const rows = readMapping().map((study) => ({
        study,
        entry: entryOf(study),
        result: kept(study.id),
      }));
      writeFileSync(documentPath, documentOf(rows, circumstances()));
      say(`\n${documentPath} is written.`);
    }
    if (keep !== null)
      say(`\nThe runs are in ${dataDir}: npx tilebench runs list --data ${dataDir}`);
    const broken = studies.filter(({ id }) => {
      const result = kept(id);
      return result === null || !isDone(result);
    });
    say(
      `\nreal studies: ${studies.length - broken.length} passed, ${broken.length} failed` +
        (broken.length === 0 ? '' : `: ${broken.map(({ id }) => id).join(', ')}`),
    );
    return broken.length === 0 ? 0 : 1;
  } finally {
    if (keep === null) rmSync(dataDir, { recursive: true, force: true });
  }
}

function entryOf({ id }: RealStudy): GalleryEntry {
  const entry = gallery.find(({ item }) => item.id === id);
  if (!entry) throw new Error(`The gallery has no study ${id}.`);
  return entry;
}

async function runAll(
  studies: readonly RealStudy[],
  dataDir: string,
  say: RealOptions['say'],
): Promise<void> {
  // Of now: who commits while it runs does not change what runs.
  const commit = checkedOut();
  say('Starting the peers (the first time, programs are built: about two minutes) …');
  const peers = await startPeers(studies);
  // Ctrl-C must leave no server and no load behind.
  const stopOnSignal = (): void => {
    void peers.stop().finally(() => process.exit(130));
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stopOnSignal);
  try {
    const on = await startEngineOnLab({ dataDir, limits: { lastCountersMs: 1_000 } });
    try {
      for (const study of studies) {
        const result = await resultOf(on, study, peers);
        keepResult(dataDir, { ...result, commit });
        say(lineOf(result));
      }
    } finally {
      await on.close();
    }
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.removeListener(signal, stopOnSignal);
    await peers.stop();
  }
}

/** A study that could not even be started is a result too. */
async function resultOf(
  on: Awaited<ReturnType<typeof startEngineOnLab>>,
  study: RealStudy,
  peers: RealPeers,
): Promise<RealResult> {
  const atMs = Date.now();
  try {
    return await runStudy(on, study, entryOf(study), peers);
  } catch (thrown) {
    return {
      id: study.id,
      planId: '',
      studyId: '',
      atMs,
      seconds: Math.round((Date.now() - atMs) / 1_000),
      state: 'notStarted',
      detail: toAppError(thrown).message,
      runs: [],
    };
  }
}

/** The commit of this folder, and whether files differ from it. */
function checkedOut(): string {
  const git = (...args: string[]): string =>
    execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  try {
    const changed = git('status', '--porcelain', '--untracked-files=no') !== '';
    return `${git('rev-parse', '--short=8', 'HEAD')}${changed ? ' with changes' : ''}`;
  } catch {
    // No repository, or no git: the runs are none the worse for it.
    return 'not known';
  }
}

function circumstances(): Circumstances {
  const system = /^PRETTY_NAME="(.*)"$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1];
  const model = cpus()[0]?.model.trim();
  return {
    date: new Date().toISOString().slice(0, 10),
    commit: checkedOut(),
    machine:
      `${cpus().length} processors (${model ?? 'not told'}), ` +
      `${Math.round(totalmem() / 2 ** 30)} GB of memory, ${system ?? 'Linux'}`,
  };
}
