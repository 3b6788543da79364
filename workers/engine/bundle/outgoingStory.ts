import { createHash } from 'node:crypto';
import { createWriteStream, mkdirSync } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

import { ZipFile } from 'yazl';

import { counted } from '../../../src/core/base/counted.ts';
import { fail } from '../../../src/core/base/errors.ts';
import { type OwnStory, ownStory } from '../../../src/core/history/story.ts';
import {
  runPartName,
  storyBundleLimits,
  type StoryBundleManifest,
  storyBundleVersion,
  storyPart,
} from '../../../src/core/history/storyBundle.ts';
import { demandConfirmed, type Redactor } from '../../../src/core/redact/redactor.ts';
import { runRedactor } from '../../../src/core/redact/runRedactor.ts';
import type { RunRecord } from '../../../src/core/run/run.ts';
import type { Output, ParsedInput } from '../../../src/wire/contract.ts';
import { safeName } from '../exports/fileName.ts';
import { previewOf } from '../redaction/runs.ts';
import { hashFile } from './hashFile.ts';
import { endedRecord, leavingBy, nextPage, type OutgoingScope, writeRun } from './outgoing.ts';

interface StoryLeaving {
  story: OwnStory;
  /** The runs of its steps, each once, as they are stored. */ records: RunRecord[];
  /** What its steps name and the file cannot hold, in words. */ stays: string[];
  redactor: Redactor | null;
}

/** What a story with its runs would hold in one file, and what redaction would replace in it. */
export function previewStory(
  scope: OutgoingScope,
  asked: ParsedInput<'story.preview'>,
): Output<'story.preview'> {
  const { story, records, stays, redactor } = storyLeaving(scope, asked);
  const words = JSON.stringify(wordsBy(story, redactor));
  // Redacted to their end: the words that somebody must look at are known only then.
  if (redactor !== null) for (const record of records) leavingBy(scope, record, redactor);
  const runs = records.map((record) => ({
    name: `run ${record.overview.name}`,
    holds:
      `Its bundle: ${record.overview.series.length} series, ` +
      `${scope.db.samples.sampleCount(record.overview.id)} samples, report and logs`,
    bytes: null,
  }));
  return {
    ...previewOf(redactor),
    parts: [
      {
        name: 'story',
        holds: `${counted(story.steps.length, 'step')} with headlines and speaker notes`,
        bytes: Buffer.byteLength(words),
      },
      ...runs,
      ...stays.map((holds) => ({ name: 'not in the file', holds, bytes: null })),
    ],
  };
}

/** The next part of a story with its runs; without a cursor it is made first. */
export const exportStory = async (
  scope: OutgoingScope,
  { cursor, ...asked }: ParsedInput<'story.export'>,
  signal: AbortSignal,
): Promise<Output<'story.export'>> =>
  nextPage(scope, cursor ?? (await makeStory(scope, asked, signal)));

function storyLeaving(
  scope: OutgoingScope,
  { id, redact, keep }: { id: string; redact: boolean; keep: readonly string[] },
): StoryLeaving {
  const story = scope.db.stories.list().find((one) => one.id === id);
  if (story === undefined)
    throw fail('notFound', 'There is no such story here.', 'It was deleted: open the list again.');
  const named = (kind: 'run' | 'study'): string[] => [
    ...new Set(story.steps.filter((step) => step.kind === kind).map(({ of }) => of)),
  ];
  const there = named('run').filter((of) => scope.db.runs.find(of) !== undefined);
  const removed = named('run').length - there.length;
  const studies = named('study').length;
  if (there.length === 0)
    throw fail(
      'conflict',
      `${story.name} has no step on a run that is here.`,
      'Add a run to it, or export its words only.',
    );
  const records = there.map((of) => endedRecord(scope, of));
  return {
    story,
    records,
    stays: [
      ...(studies === 0
        ? []
        : [`${counted(studies, 'study', 'studies')}: only runs travel; the steps say so there`]),
      ...(removed === 0
        ? []
        : [`${counted(removed, 'run')} that ${removed === 1 ? 'was' : 'were'} removed here`]),
    ],
    redactor: redact ? runRedactor(records, keep) : null,
  };
}

const wordsBy = (story: OwnStory, redactor: Redactor | null): OwnStory =>
  redactor === null ? story : redactor.value(ownStory, story);

/** Writes the file; gives the cursor of its first part. What fails leaves no file. */
async function makeStory(
  scope: OutgoingScope,
  { id, redact, keep, confirmed }: Omit<ParsedInput<'story.export'>, 'cursor'>,
  signal: AbortSignal,
): Promise<string> {
  const { deps, dir, made } = scope;
  const { story, records, redactor } = storyLeaving(scope, { id, redact, keep });
  const words = wordsBy(story, redactor);
  const runs = records.map((record) => ({
    ...leavingBy(scope, record, redactor),
    id: record.overview.id,
  }));
  if (redactor !== null) demandConfirmed(redactor, confirmed);
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const key = deps.ids.next('bundle');
  const path = join(dir, key);
  const paths = runs.map((_, index) => `${path}-${index + 1}`);
  try {
    for (const [index, run] of runs.entries())
      await writeRun(scope, paths[index]!, { ...run, redacted: redact }, signal);
    // A step is found again by the id that its run has in its own part.
    const leavesAs = new Map(runs.map(({ id: of, record }) => [of, record.overview.id]));
    const steps = words.steps.map((step, index) => ({
      ...step,
      of: leavesAs.get(story.steps[index]!.of) ?? step.of,
    }));
    await writeZip(scope, { path, paths, words: { ...words, steps }, redacted: redact }, signal);
    const { size } = await stat(path);
    if (size > storyBundleLimits.fileBytes)
      throw fail(
        'conflict',
        `The story with its runs would be ${size} bytes, more than the ${storyBundleLimits.fileBytes} a file may have.`,
        'Split it, or send its runs as bundles.',
      );
    made.set(key, { path, fileName: fileNameOf(words, records), bytes: size });
    return `${key}:0`;
  } catch (thrown) {
    await rm(path, { force: true });
    throw thrown;
  } finally {
    for (const one of paths) await rm(one, { force: true });
  }
}

/** What is not measured on a real lab says so in its name. */
const fileNameOf = ({ name }: OwnStory, records: readonly RunRecord[]): string => {
  const origins = [...new Set(records.map(({ overview }) => overview.origin))];
  const marks = origins.filter((one) => one !== 'real').map((one) => `-${one.toUpperCase()}`);
  return `${safeName(name)}${marks.join('')}.story.tilebench`;
};

async function writeZip(
  { deps }: Pick<OutgoingScope, 'deps'>,
  file: { path: string; paths: readonly string[]; words: OwnStory; redacted: boolean },
  signal: AbortSignal,
): Promise<void> {
  const createdAtMs = deps.clock.now();
  const words = Buffer.from(JSON.stringify(file.words), 'utf8');
  const zip = new ZipFile();
  const failed = new AbortController();
  zip.on('error', (error) => failed.abort(error));
  const manifest: StoryBundleManifest = {
    tilebenchStoryBundle: storyBundleVersion,
    createdAtMs,
    appVersion: deps.version,
    redacted: file.redacted,
    parts: [
      {
        name: storyPart,
        bytes: words.length,
        sha256: createHash('sha256').update(words).digest('hex'),
      },
      ...(await Promise.all(
        file.paths.map(async (path, index) => ({
          name: runPartName(index),
          bytes: (await stat(path)).size,
          sha256: await hashFile(path, signal),
        })),
      )),
    ],
  };
  const mtime = new Date(createdAtMs);
  zip.addBuffer(Buffer.from(JSON.stringify(manifest, null, 1), 'utf8'), 'manifest.json', { mtime });
  zip.addBuffer(words, storyPart, { mtime });
  // Bundles are packed already.
  for (const [index, path] of file.paths.entries())
    zip.addFile(path, runPartName(index), { mtime, compress: false });
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(file.path, { flags: 'wx', mode: 0o600 }), {
    signal: AbortSignal.any([signal, failed.signal]),
  });
}
