import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { ZipFile } from 'yazl';

import { type BundleManifest, bundleVersion } from '../../../src/core/history/bundle.ts';
import type { RunRecord } from '../../../src/core/run/run.ts';
import type { SampleStore } from '../db/types.ts';
import { framesOf } from './samplesPart.ts';

export interface BundleSource {
  /** As it leaves: redacted where that was asked for. */
  record: RunRecord;
  logs: readonly { name: string; text: string }[];
  report: { markdown: string; html: string };
  redacted: boolean;
  samples: Pick<SampleStore, 'read' | 'sampleCount'>;
  /** Of the run as stored: redaction does not change what its samples are found by. */
  runId: string;
  appVersion: string;
  nowMs: number;
  onProgress?: (done: number, total: number) => void;
}

/**
 * Writes a bundle to `path`: parts one after the other, the manifest with the hash of each last.
 * Memory stays flat. Rejects with `aborted` when the signal fires; the caller removes the file.
 */
export async function writeBundle(
  path: string,
  source: BundleSource,
  signal: AbortSignal,
): Promise<BundleManifest> {
  const zip = new ZipFile();
  const failed = new AbortController();
  const { record, samples, runId } = source;
  const manifest: BundleManifest = {
    tilebenchBundle: bundleVersion,
    createdAtMs: source.nowMs,
    appVersion: source.appVersion,
    redacted: source.redacted,
    run: {
      id: record.overview.id,
      name: record.overview.name,
      origin: record.overview.origin,
      sampleCount: samples.sampleCount(runId),
    },
    parts: [],
    logs: {},
  };
  const options = { mtime: new Date(source.nowMs), compress: true };
  const add = (name: string, open: () => Iterable<Uint8Array>): void => {
    zip.addReadStreamLazy(name, options, (done) => {
      const stream = Readable.from(open(), { objectMode: false });
      stream.on('error', (error) => failed.abort(error));
      done(null, stream);
    });
  };
  const part = (name: string, open: () => Iterable<Uint8Array>): void =>
    add(name, function* () {
      const hash = createHash('sha256');
      let bytes = 0;
      for (const piece of open()) {
        signal.throwIfAborted();
        hash.update(piece);
        bytes += piece.length;
        yield piece;
      }
      manifest.parts.push({ name, bytes, sha256: hash.digest('hex') });
    });
  const text = (name: string, content: string): void =>
    part(name, () => [Buffer.from(content, 'utf8')]);

  text('run.json', JSON.stringify(record));
  source.logs.forEach((log, i) => {
    const name = logPartName(log.name, i);
    manifest.logs[name] = log.name;
    text(name, log.text);
  });
  text('report.md', source.report.markdown);
  text('report.html', source.report.html);
  part('samples.bin', function* () {
    const { series } = record.overview;
    for (const [i, def] of series.entries()) {
      for (const data of samples.read(runId, [def.id], { maxPoints: 0 }))
        yield* framesOf(def, data);
      source.onProgress?.(i + 1, series.length);
    }
  });
  // Made when its turn comes: then every part before it has its hash.
  add('manifest.json', function* () {
    yield Buffer.from(JSON.stringify(manifest, null, 1), 'utf8');
  });
  zip.end();
  zip.on('error', (error) => failed.abort(error));
  await pipeline(zip.outputStream, createWriteStream(path, { flags: 'wx', mode: 0o600 }), {
    signal: AbortSignal.any([signal, failed.signal]),
  });
  return manifest;
}

/** A part name that no archive tool stumbles over; the log's own name is in the manifest. */
function logPartName(name: string, index: number): string {
  const plain = name
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, 100);
  return `logs/${index}-${plain || 'log'}.txt`;
}
