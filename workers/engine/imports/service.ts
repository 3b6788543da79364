import { createHash, type Hash } from 'node:crypto';

import { fail } from '../../../src/core/base/errors.ts';
import {
  importForms,
  type ImportId,
  importIds,
  importTitles,
} from '../../../src/core/history/importForms.ts';
import type { RunRecord } from '../../../src/core/run/run.ts';
import type { Emit, Handlers } from '../../../src/wire/contract.ts';
import type { Database } from '../db/types.ts';
import type { Deps } from '../deps.ts';
import { inOrder } from './dropped.ts';
import { importers } from './importers.ts';
import { importedRecord } from './record.ts';
import { type StoringSink, storingSink } from './sink.ts';
import type { ImportParser } from './types.ts';

/**
 * What a tool prints before its first result (its preparation, a report of its set-up) may be long;
 * more of it is not waited for.
 */
const beginningBytes = 4 * 1024 * 1024;

interface Upload {
  runId: string;
  fileName: string;
  format: ImportId;
  parser: ImportParser;
  sink: StoringSink;
  ordered: ReturnType<typeof inOrder>;
  hash: Hash;
  atMs: number;
}
interface Beginning {
  fileName: string;
  filter: readonly string[];
  bytes: Uint8Array;
}
export interface ImportService {
  methods: Pick<Handlers, 'file.import' | 'file.importStop'>;
  close(): void;
}

/** The format of a file by its beginning; null = none that is known. */
function knownFormat(bytes: Uint8Array): ImportId | null {
  const beginning = new TextDecoder('utf-8').decode(bytes.subarray(0, beginningBytes));
  return importIds.find((id) => importers[id].matches(beginning)) ?? null;
}

/**
 * What a known tool prints in a form that holds too little to be read, and how it prints the other.
 */
const otherForms: readonly (readonly [form: RegExp, name: string, hint: string])[] = [
  [
    /^\d;fio-\d|^\S.*: \(g(?:roupid)?=\d+(?:\): rw=|, jobs=\d+\): err=)/m,
    'what fio prints for people, or its terse form',
    'Run fio with --output-format=json, or json+ for percentiles of each interval, and choose its output.',
  ],
];

/** The format of a file by its beginning. Throws invalidInput where it is none that is known. */
export function formatOf(fileName: string, bytes: Uint8Array): ImportId {
  const format = knownFormat(bytes);
  if (format !== null) return format;
  const text = new TextDecoder('utf-8').decode(bytes.subarray(0, beginningBytes));
  const other = otherForms.find(([form]) => form.test(text));
  if (other) throw fail('invalidInput', `${fileName} is ${other[1]}.`, other[2]);
  throw fail(
    'invalidInput',
    `${fileName} is of no known format.`,
    `Known are: ${importTitles.join(', ')}. Bundles are opened by Open bundle.`,
  );
}

/**
 * Files of other tools as runs: parsed as they stream, stored as they are parsed, whole or not at
 * all.
 */
export function createImportService({
  deps,
  db,
  emit,
}: {
  deps: Pick<Deps, 'ids' | 'clock' | 'version'>;
  db: Database;
  emit: Emit;
}): ImportService {
  const uploads = new Map<string, Upload>();
  /** The beginnings of files that have not said yet what they are. */
  const waiting = new Map<string, Uint8Array>();
  const drop = (key: string): void => {
    waiting.delete(key);
    const upload = uploads.get(key);
    uploads.delete(key);
    if (upload) db.runs.remove(upload.runId);
  };
  /**
   * Opens the file as soon as its beginning says what it is; null = not yet. What came until then
   * is kept.
   */
  const recognise = (key: string, input: Beginning, last: boolean): Uint8Array | null => {
    const bytes = Buffer.concat([waiting.get(key) ?? new Uint8Array(0), input.bytes]);
    waiting.delete(key);
    const format = knownFormat(bytes);
    if (format === null && !last && bytes.length < beginningBytes) {
      waiting.set(key, bytes);
      return null;
    }
    open(key, input, format ?? formatOf(input.fileName, bytes));
    return bytes;
  };
  const open = (runId: string, { fileName, filter }: Beginning, format: ImportId): void => {
    const atMs = deps.clock.now();
    const sink = storingSink(db, runId, fileName);
    const ordered = inOrder(sink);
    const upload: Upload = {
      runId,
      fileName,
      format,
      sink,
      ordered,
      atMs,
      hash: createHash('sha256'),
      parser: importers[format].open(ordered, { fileName, startMs: atMs, filter }),
    };
    db.runs.save(recordOf(upload, deps.version, { complete: false, sha256: '0'.repeat(64) }));
    uploads.set(runId, upload);
  };
  return {
    methods: {
      'file.import': async ({ fileName, uploadId, bytes: piece, last, filter }) => {
        if (uploadId !== null && !uploads.has(uploadId) && !waiting.has(uploadId))
          throw fail('notFound', 'The import is not known.', 'Import the file again.');
        const key = uploadId ?? deps.ids.next('run');
        const bytes = uploads.has(key)
          ? piece
          : recognise(key, { fileName, filter, bytes: piece }, last);
        const upload = uploads.get(key);
        if (bytes === null || upload === undefined)
          return { uploadId: key, runId: null, leftOut: [] };
        try {
          upload.hash.update(bytes);
          upload.parser.push(bytes);
          if (!last) return { uploadId: key, runId: null, leftOut: [] };
          storeWhole(db, upload, deps.version);
        } catch (thrown) {
          drop(key);
          throw thrown;
        }
        uploads.delete(key);
        emit('list.changed', { list: 'runs' });
        return { uploadId: key, runId: upload.runId, leftOut: upload.sink.leftOut() };
      },
      'file.importStop': async ({ uploadId }) => {
        drop(uploadId);
        return {};
      },
    },
    close() {
      for (const key of [...uploads.keys(), ...waiting.keys()]) drop(key);
    },
  };
}

/** Ends the parser and stores what it held back: from here on the run is whole. */
function storeWhole(db: Database, upload: Upload, appVersion: string): void {
  upload.parser.end();
  upload.ordered.end();
  upload.sink.flush();
  db.samples.finish(upload.runId);
  const sha256 = upload.hash.digest('hex');
  db.runs.save(recordOf(upload, appVersion, { complete: true, sha256 }));
}

function recordOf(
  upload: Upload,
  appVersion: string,
  state: { complete: boolean; sha256: string },
): RunRecord {
  return importedRecord({
    id: upload.runId,
    fileName: upload.fileName,
    title: importForms[upload.format].title,
    formatId: upload.format,
    atMs: upload.atMs,
    ...state,
    appVersion,
    series: upload.sink.series,
    notes: upload.sink.notes,
    leftOut: upload.sink.leftOut(),
    span: upload.sink.span(),
  });
}
