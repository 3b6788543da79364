import { mkdirSync } from 'node:fs';
import { open, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { fail } from '../../../src/core/base/errors.ts';
import { demandConfirmed, type Redactor } from '../../../src/core/redact/redactor.ts';
import { runRedactor } from '../../../src/core/redact/runRedactor.ts';
import { reportMarkdown } from '../../../src/core/report/markdown.ts';
import { entityNames } from '../../../src/core/run/entityNames.ts';
import { type RunRecord, runRecord } from '../../../src/core/run/run.ts';
import { isEnd } from '../../../src/core/run/states.ts';
import type { Output, ParsedInput } from '../../../src/wire/contract.ts';
import type { Database } from '../db/types.ts';
import type { Deps } from '../deps.ts';
import { exportName } from '../exports/page.ts';
import { previewOf } from '../redaction/runs.ts';
import { reportOf } from '../reports/service.ts';
import { fontsDirOf, writeHtml } from '../reports/writers.ts';
import { writeBundle } from './write.ts';

export interface OutgoingScope {
  deps: Pick<Deps, 'ids' | 'clock' | 'version' | 'resourcesDir'>;
  db: Database;
  stored: (id: string) => RunRecord;
  /** Folder of what is on its way. */
  dir: string;
  /** Bundles that are made and not fetched whole, by the key of their cursor. */
  made: Map<string, { path: string; fileName: string; bytes: number }>;
}

const pageBytes = 1024 ** 2;

/** What a bundle of a run would hold, part by part, in bytes where that is known before. */
export function previewBundle(
  scope: OutgoingScope,
  { id, redact, keep }: ParsedInput<'bundle.preview'>,
): Output<'bundle.preview'> {
  const { record, logs, redactor } = leavingOf(scope, id, redact, keep);
  const size = (text: string): number => Buffer.byteLength(text);
  const samples = scope.db.samples.sampleCount(id);
  return {
    ...previewOf(redactor),
    parts: [
      {
        name: 'run.json',
        holds: 'Plan as run, testbed, profile, snapshots before and after, score, findings, events',
        bytes: size(JSON.stringify(record)),
      },
      {
        name: 'samples.bin',
        holds: `${record.overview.series.length} series, ${samples} samples`,
        bytes: null,
      },
      ...logs.map((log) => ({
        name: `log ${entityNames(record).entity(log.name)}`,
        holds: 'Command and output of the workload',
        bytes: size(log.text),
      })),
      { name: 'report.html, report.md', holds: 'The report', bytes: null },
    ],
  };
}

/** The next part of a bundle; without a cursor the bundle is made first. Removed with its last. */
export const exportBundle = async (
  scope: OutgoingScope,
  { cursor, ...asked }: ParsedInput<'bundle.export'>,
  signal: AbortSignal,
): Promise<Output<'bundle.export'>> =>
  nextPage(scope, cursor ?? (await makeBundle(scope, asked, signal)));

/** The part that a cursor points at, of a file that is made; the file is removed with its last. */
export async function nextPage(
  scope: OutgoingScope,
  cursor: string,
): Promise<Output<'bundle.export'>> {
  const [key = '', at = ''] = cursor.split(':');
  const file = scope.made.get(key);
  const offset = Number(at);
  if (file === undefined || !Number.isInteger(offset) || offset < 0 || offset >= file.bytes)
    throw fail('invalidInput', 'The cursor of the bundle is not valid.', 'Start the export again.');
  const bytes = await readPart(file.path, offset, Math.min(pageBytes, file.bytes - offset));
  const next = offset + bytes.length;
  const last = next >= file.bytes;
  if (last) {
    scope.made.delete(key);
    await rm(file.path, { force: true });
  }
  return {
    fileName: file.fileName,
    bytes,
    cursor: last ? null : `${key}:${next}`,
    done: next,
    total: file.bytes,
  };
}

/** A run as it would leave. */
export interface Leaving {
  record: RunRecord;
  logs: { name: string; text: string }[];
}

/** The record of a run that ended. Throws `conflict` for one that goes on. */
export function endedRecord({ stored }: Pick<OutgoingScope, 'stored'>, id: string): RunRecord {
  const record = stored(id);
  if (!isEnd(record.overview.state))
    throw fail(
      'conflict',
      `${record.overview.name} is not over: a bundle holds a whole run.`,
      'Wait for its end, or abort it.',
    );
  return record;
}

/** A record with its logs, by the redactor where there is one. */
export function leavingBy(
  { db }: Pick<OutgoingScope, 'db'>,
  record: RunRecord,
  redactor: Redactor | null,
): Leaving {
  const logs = db.runs.logs(record.overview.id);
  if (redactor === null) return { record, logs };
  return {
    record: redactor.value(runRecord, record),
    logs: logs.map(({ name, text }) => ({ name: redactor.text(name), text: redactor.text(text) })),
  };
}

/** Record and logs of an ended run as they would leave, redacted where asked. */
function leavingOf(
  scope: OutgoingScope,
  id: string,
  redact: boolean,
  keep: readonly string[],
): Leaving & { redactor: Redactor | null } {
  const record = endedRecord(scope, id);
  const redactor = redact ? runRedactor([record], keep) : null;
  return { ...leavingBy(scope, record, redactor), redactor };
}

/** Writes the bundle of a run; gives the cursor of its first part. */
async function makeBundle(
  scope: OutgoingScope,
  { id, redact, keep, confirmed }: Omit<ParsedInput<'bundle.export'>, 'cursor'>,
  signal: AbortSignal,
): Promise<string> {
  const { deps, dir, made } = scope;
  const { record, logs, redactor } = leavingOf(scope, id, redact, keep);
  if (redactor !== null) demandConfirmed(redactor, confirmed);
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const key = deps.ids.next('bundle');
  const path = join(dir, key);
  await writeRun(scope, path, { id, record, logs, redacted: redact }, signal);
  const { size } = await stat(path);
  made.set(key, { path, fileName: exportName(record, 'tilebench'), bytes: size });
  return `${key}:0`;
}

/** Writes the bundle of a run with its report to `path`. What fails leaves no file. */
export async function writeRun(
  { deps, db }: Pick<OutgoingScope, 'deps' | 'db'>,
  path: string,
  { id, record, logs, redacted }: Leaving & { id: string; redacted: boolean },
  signal: AbortSignal,
): Promise<void> {
  const report = reportOf(record, db.samples, id);
  const html = await writeHtml(report, fontsDirOf(deps.resourcesDir));
  try {
    await writeBundle(
      path,
      {
        record,
        logs,
        redacted,
        samples: db.samples,
        runId: id,
        appVersion: deps.version,
        nowMs: deps.clock.now(),
        report: { markdown: reportMarkdown(report), html },
      },
      signal,
    );
  } catch (thrown) {
    await rm(path, { force: true });
    throw thrown;
  }
}

async function readPart(path: string, offset: number, length: number): Promise<Uint8Array> {
  const file = await open(path, 'r');
  try {
    const buffer = new Uint8Array(length);
    const { bytesRead } = await file.read(buffer, 0, length, offset);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
