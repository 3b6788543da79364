import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';

import { ZipFile } from 'yazl';

import type { RunRecord } from '../../../../src/core/run/run.ts';
import { framesOf } from '../samplesPart.ts';

/** What a stranger puts into a bundle, right or wrong. */
export interface Made {
  /** `run.json`, as text. */
  run: string;
  samples: Buffer;
  /** Of the manifest. */
  sampleCount: number;
  runId: string;
  /** Further parts by name, in the manifest too. */
  more?: readonly (readonly [string, Buffer])[];
  /** The manifest as it would be right, to be made wrong. */
  manifest?: (right: Record<string, unknown>) => unknown;
  /** The archive's bytes, to be made wrong. */
  bytes?: (zip: Buffer) => Buffer;
}

/** A bundle whose sizes and hashes are right, but where it is told otherwise. */
export async function packBundle(path: string, made: Made): Promise<void> {
  const parts = [
    ['run.json', Buffer.from(made.run)] as const,
    ...(made.more ?? []),
    ['samples.bin', made.samples] as const,
  ];
  const right = {
    tilebenchBundle: 1,
    createdAtMs: 1_700_000_000_000,
    appVersion: '1',
    redacted: false,
    run: { id: made.runId, name: 'Baseline', origin: 'real', sampleCount: made.sampleCount },
    parts: parts.map(([name, bytes]) => ({
      name,
      bytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    })),
    logs: {},
  };
  const zip = new ZipFile();
  const pieces: Buffer[] = [];
  for (const [name, bytes] of parts) zip.addBuffer(bytes, name, { compressionLevel: 1 });
  zip.addBuffer(Buffer.from(JSON.stringify(made.manifest?.(right) ?? right)), 'manifest.json');
  zip.end();
  for await (const piece of zip.outputStream) pieces.push(piece as Buffer);
  const whole = Buffer.concat(pieces);
  await pipeline([made.bytes?.(whole) ?? whole], createWriteStream(path));
}

/** A bundle of the record as it is, a hundred samples a series. */
export function honest(record: RunRecord): Made {
  const tMs = Float64Array.from({ length: 100 }, (_, i) => 1_700_000_000_000 + i * 1_000);
  return {
    run: JSON.stringify(record),
    runId: record.overview.id,
    samples: Buffer.concat(
      record.overview.series.flatMap((def) => [
        ...framesOf(def, { tMs, value: tMs.map((_, i) => i) }),
      ]),
    ),
    sampleCount: record.overview.series.length * 100,
  };
}

/** The record as text, with the value at each path replaced by a text that need be no JSON. */
export function written(record: RunRecord, changes: Readonly<Record<string, string>>): string {
  const copy = structuredClone(record) as unknown as Record<string, unknown>;
  const texts = Object.values(changes);
  for (const [i, path] of Object.keys(changes).entries()) {
    const steps = path.split('.');
    let at = copy;
    for (const step of steps.slice(0, -1)) at = at[step] as Record<string, unknown>;
    at[steps.at(-1)!] = `@@${i}@@`;
  }
  return JSON.stringify(copy).replace(/"@@(\d+)@@"/g, (_, i: string) => texts[Number(i)]!);
}
