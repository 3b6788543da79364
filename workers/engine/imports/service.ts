import { createHash, type Hash } from 'node:crypto';

import type { Emit, Handlers } from '../../../src/shared/contract.ts';
import { fail } from '../../../src/shared/errors.ts';
import type { Database } from '../db/types.ts';
import type { Deps } from '../deps.ts';
import { dvdstore } from './dvdstore.ts';
import { esxtop } from './esxtop.ts';
import { fioFile } from './fioFile.ts';
import { iometer } from './iometer.ts';
import { importedRecord } from './record.ts';
import { type StoringSink, storingSink } from './sink.ts';
import { sysbench } from './sysbench.ts';
import type { ImportFormat, ImportParser } from './types.ts';

/** In the order they are tried. */
export const importFormats: readonly ImportFormat[] = [
  esxtop,
  iometer,
  fioFile,
  dvdstore,
  sysbench,
];
const beginningBytes = 64 * 1024;

interface Upload {
  runId: string;
  fileName: string;
  format: ImportFormat;
  parser: ImportParser;
  sink: StoringSink;
  hash: Hash;
  atMs: number;
}
export interface ImportService {
  methods: Pick<Handlers, 'file.import' | 'file.importStop'>;
  close(): void;
}

/** The format of a file by its beginning. Throws invalidInput where it is none that is known. */
export function formatOf(fileName: string, bytes: Uint8Array): ImportFormat {
  const beginning = new TextDecoder('utf-8').decode(bytes.subarray(0, beginningBytes));
  const format = importFormats.find((one) => one.matches(beginning));
  if (format === undefined)
    throw fail(
      'invalidInput',
      `${fileName} is of no known format.`,
      `Known are: ${importFormats.map((one) => one.title).join(', ')}. Bundles are opened by Open bundle.`,
    );
  return format;
}

/** Files of other tools as runs: parsed as they stream, stored as they are parsed, whole or not at all. */
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
  const record = (upload: Upload, complete: boolean, sha256: string) =>
    importedRecord({
      id: upload.runId,
      fileName: upload.fileName,
      title: upload.format.title,
      formatId: upload.format.id,
      sha256,
      atMs: upload.atMs,
      complete,
      appVersion: deps.version,
      series: upload.sink.series,
      notes: upload.sink.notes,
      span: upload.sink.span(),
    });
  const drop = (key: string): void => {
    const upload = uploads.get(key);
    uploads.delete(key);
    if (upload) db.runs.remove(upload.runId);
  };
  const begin = (fileName: string, bytes: Uint8Array, filter: readonly string[]): string => {
    const format = formatOf(fileName, bytes);
    const runId = deps.ids.next('run');
    const atMs = deps.clock.now();
    const sink = storingSink(db, runId);
    const upload: Upload = {
      runId,
      fileName,
      format,
      sink,
      atMs,
      hash: createHash('sha256'),
      parser: format.open(sink, { fileName, startMs: atMs, filter }),
    };
    db.runs.save(record(upload, false, '0'.repeat(64)));
    uploads.set(runId, upload);
    return runId;
  };
  return {
    methods: {
      'file.import': async ({ fileName, uploadId, bytes, last, filter }) => {
        const key = uploadId ?? begin(fileName, bytes, filter);
        const upload = uploads.get(key);
        if (upload === undefined)
          throw fail('notFound', 'The import is not known.', 'Import the file again.');
        try {
          upload.hash.update(bytes);
          upload.parser.push(bytes);
          if (!last) return { uploadId: key, runId: null };
          upload.parser.end();
          upload.sink.flush();
          db.samples.finish(upload.runId);
          db.runs.save(record(upload, true, upload.hash.digest('hex')));
        } catch (thrown) {
          drop(key);
          throw thrown;
        }
        uploads.delete(key);
        emit('list.changed', { list: 'runs' });
        return { uploadId: key, runId: upload.runId };
      },
      'file.importStop': async ({ uploadId }) => {
        drop(uploadId);
        return {};
      },
    },
    close() {
      for (const key of [...uploads.keys()]) drop(key);
    },
  };
}
