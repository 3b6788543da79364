import { createHash } from 'node:crypto';
import {
  createReadStream,
  createWriteStream,
  mkdirSync,
  readdirSync,
  rmdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { open, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

import { fail } from '../../../src/core/base/errors.ts';
import { bundleLimits } from '../../../src/core/history/bundle.ts';
import { demandConfirmed } from '../../../src/core/redact/redactor.ts';
import { runRedactor } from '../../../src/core/redact/runRedactor.ts';
import { reportHtml } from '../../../src/core/report/html.ts';
import { reportMarkdown } from '../../../src/core/report/markdown.ts';
import { isEnd, type RunRecord, runRecord } from '../../../src/core/run/run.ts';
import type { Emit, Handlers, ParsedInput } from '../../../src/wire/contract.ts';
import type { Database } from '../db/types.ts';
import type { Deps } from '../deps.ts';
import { exportName } from '../exports/page.ts';
import { previewOf } from '../redaction/runs.ts';
import { reportOf, sha256Base64 } from '../reports/service.ts';
import { openBundle } from './read.ts';
import { storeBundle } from './store.ts';
import { writeBundle } from './write.ts';

type Methods = Pick<Handlers, 'bundle.preview' | 'bundle.export' | 'bundle.import'>;
const pageBytes = 1024 ** 2;

export interface BundleService {
  methods: Methods;
  /** Removes what an earlier engine left half done. */ recover(): void;
  close(): void;
}

/** The names of what is on its way. */
const onItsWay = /^(?:bundle|upload)-[\w-]+$/;

/**
 * Empties the folder of what is on its way. By name: a folder of this name may have stood there
 * before Tilebench did.
 */
function removeOwn(dir: string): void {
  if (!statSync(dir, { throwIfNoEntry: false })?.isDirectory()) return;
  const names = readdirSync(dir);
  const own = names.filter((name) => onItsWay.test(name));
  for (const name of own) rmSync(join(dir, name), { force: true });
  if (own.length === names.length) rmdirSync(dir);
}

/**
 * Bundles out and in. What is on its way lies in a folder of its own below the data folder, emptied
 * at start and end.
 */
export function createBundleService(options: {
  deps: Pick<Deps, 'dataDir' | 'ids' | 'clock' | 'version'>;
  db: Database;
  stored: (id: string) => RunRecord;
  emit: Emit;
}): BundleService {
  const { deps, db, stored, emit } = options;
  const dir = join(deps.dataDir, 'exchange');
  const outgoing = new Map<string, { path: string; fileName: string; bytes: number }>();
  const incoming = new Map<string, { path: string; bytes: number }>();
  const emptyDir = (): void => removeOwn(dir);

  const ended = (id: string): RunRecord => {
    const record = stored(id);
    if (!isEnd(record.overview.state))
      throw fail(
        'conflict',
        `${record.overview.name} is not over: a bundle holds a whole run.`,
        'Wait for its end, or abort it.',
      );
    return record;
  };
  const leaving = (id: string, redact: boolean, keep: readonly string[]) => {
    const record = ended(id);
    const redactor = redact ? runRedactor([record], keep) : null;
    const out = redactor === null ? record : redactor.value(runRecord, record);
    const logs = db.runs
      .logs(id)
      .map(({ name, text }) =>
        redactor === null
          ? { name, text }
          : { name: redactor.text(name), text: redactor.text(text) },
      );
    return {
      record: out,
      logs,
      redactor,
    };
  };

  async function make(
    { id, redact, keep, confirmed }: Omit<ParsedInput<'bundle.export'>, 'cursor'>,
    signal: AbortSignal,
  ): Promise<string> {
    const { record, logs, redactor } = leaving(id, redact, keep);
    if (redactor !== null) demandConfirmed(redactor, confirmed);
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    const key = deps.ids.next('bundle');
    const path = join(dir, key);
    const report = reportOf(record, db.samples, id);
    try {
      await writeBundle(
        path,
        {
          record,
          logs,
          redacted: redact,
          samples: db.samples,
          runId: id,
          appVersion: deps.version,
          nowMs: deps.clock.now(),
          report: { markdown: reportMarkdown(report), html: reportHtml(report, sha256Base64) },
        },
        signal,
      );
    } catch (thrown) {
      await rm(path, { force: true });
      throw thrown;
    }
    outgoing.set(key, {
      path,
      fileName: exportName(record, 'tilebench'),
      bytes: (await stat(path)).size,
    });
    return `${key}:0`;
  }

  const methods: Methods = {
    'bundle.preview': async ({ id, redact, keep }) => {
      const { record, logs, redactor } = leaving(id, redact, keep);
      const size = (text: string): number => Buffer.byteLength(text);
      return {
        ...previewOf(redactor),
        parts: [
          {
            name: 'run.json',
            holds:
              'Plan as run, testbed, profile, snapshots before and after, score, findings, events',
            bytes: size(JSON.stringify(record)),
          },
          {
            name: 'samples.bin',
            holds: `${record.overview.series.length} series, ${db.samples.sampleCount(id)} samples`,
            bytes: null,
          },
          ...logs.map((log) => ({
            name: `log ${log.name}`,
            holds: 'Command and output of the workload',
            bytes: size(log.text),
          })),
          { name: 'report.html, report.md', holds: 'The report', bytes: null },
        ],
      };
    },
    'bundle.export': async ({ cursor, ...asked }, signal) => {
      const [key = '', at = ''] = (cursor ?? (await make(asked, signal))).split(':');
      const file = outgoing.get(key);
      const offset = Number(at);
      if (file === undefined || !Number.isInteger(offset) || offset < 0 || offset >= file.bytes)
        throw fail(
          'invalidInput',
          'The cursor of the bundle is not valid.',
          'Start the export again.',
        );
      const bytes = await readPart(file.path, offset, Math.min(pageBytes, file.bytes - offset));
      const next = offset + bytes.length;
      const last = next >= file.bytes;
      if (last) {
        outgoing.delete(key);
        await rm(file.path, { force: true });
      }
      return {
        fileName: file.fileName,
        bytes,
        cursor: last ? null : `${key}:${next}`,
        done: next,
        total: file.bytes,
      };
    },
    'bundle.import': async ({ fileName, uploadId, bytes, last }, signal) => {
      mkdirSync(dir, { recursive: true, mode: 0o700 });
      const key = uploadId ?? deps.ids.next('upload');
      const upload = uploadId === null ? { path: join(dir, key), bytes: 0 } : incoming.get(key);
      if (upload === undefined)
        throw fail('notFound', 'The upload is not known.', 'Open the bundle again.');
      incoming.set(key, upload);
      const drop = async (): Promise<void> => {
        incoming.delete(key);
        await rm(upload.path, { force: true });
      };
      try {
        upload.bytes += bytes.length;
        if (upload.bytes > bundleLimits.fileBytes)
          throw fail(
            'invalidInput',
            `${fileName} is larger than the ${bundleLimits.fileBytes} bytes a bundle may have.`,
          );
        await pipeline([bytes], createWriteStream(upload.path, { flags: 'a', mode: 0o600 }), {
          signal,
        });
        if (!last) return { uploadId: key, runId: null };
        const runId = await take(upload.path, fileName, signal);
        await drop();
        return { uploadId: key, runId };
      } catch (thrown) {
        await drop();
        throw thrown;
      }
    },
  };

  async function take(path: string, fileName: string, signal: AbortSignal): Promise<string> {
    const sha256 = await hashOf(path, signal);
    const bundle = await openBundle(path, fileName);
    try {
      const runId = await storeBundle(
        db,
        bundle,
        { fileName, sha256, atMs: deps.clock.now() },
        signal,
      );
      // The same file opened again: who opens it wants to see it.
      if (db.history.row({ kind: 'run', id: runId })?.deletedAtMs != null)
        db.history.change({ kind: 'run', id: runId }, { deletedAtMs: null }, deps.clock.now());
      emit('list.changed', { list: 'runs' });
      return runId;
    } finally {
      bundle.close();
    }
  }

  return {
    methods,
    recover() {
      emptyDir();
      for (const { id, importedFrom } of db.runs.list()) {
        if (importedFrom !== undefined && db.runs.find(id)?.imported?.complete === false)
          db.runs.remove(id);
      }
    },
    close: emptyDir,
  };
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

async function hashOf(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash, { signal });
  return hash.digest('hex');
}
