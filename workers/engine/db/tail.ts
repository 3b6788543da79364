import type { SampleBatch } from '../../../src/shared/metric.ts';

/** One second of all series as it lies in the tail: triples of doubles. It lives five minutes, so it is fast, not small. */
export function packTail(batch: SampleBatch): Uint8Array {
  return new Uint8Array(batch.buffer, batch.byteOffset, batch.byteLength);
}

export function unpackTail(bytes: Uint8Array, visit: (seriesId: number, tMs: number, value: number) => void): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at + 24 <= bytes.byteLength; at += 24) visit(view.getFloat64(at, true), view.getFloat64(at + 8, true), view.getFloat64(at + 16, true));
}
