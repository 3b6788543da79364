import type { SampleBatch } from '../../../src/core/metric/metric.ts';
import {
  type ByteReader,
  createWriter,
  powers,
  putSigned,
  putVarint,
  reserve,
  takeSigned,
  takeVarint,
} from './codec.ts';

const writer = createWriter(64 * 1024);
const largestExact = 2 ** 50;

/**
 * One second of all series as it lies in the tail. A sample is its series as a step from the one
 * before, its time as a step from the one before, and its value as an integer at the series'
 * precision, or as a double where that is not exact.
 */
export function packTail(batch: SampleBatch, decimalsOf: (seriesId: number) => number): Uint8Array {
  writer.length = 0;
  let lastId = 0;
  let lastMs = 0;
  for (let i = 0; i + 2 < batch.length; i += 3) {
    reserve(writer, 40);
    const id = batch[i]!;
    const tMs = batch[i + 1]!;
    const value = batch[i + 2]!;
    const decimals = decimalsOf(id);
    const scale = powers[decimals] ?? 1;
    const whole = Math.round(value * scale);
    const exact =
      whole / scale === value &&
      whole < largestExact &&
      whole > -largestExact &&
      !Object.is(value, -0);
    putSigned(writer, id - lastId);
    putSigned(writer, tMs - lastMs);
    // 0 = a double follows; otherwise the decimals plus one, then the integer.
    putVarint(writer, exact ? decimals + 1 : 0);
    if (exact) putSigned(writer, whole);
    else {
      new DataView(writer.buffer.buffer).setFloat64(writer.length, value, true);
      writer.length += 8;
    }
    lastId = id;
    lastMs = tMs;
  }
  return writer.buffer.subarray(0, writer.length);
}

export function unpackTail(
  bytes: Uint8Array,
  visit: (seriesId: number, tMs: number, value: number) => void,
): void {
  const reader: ByteReader = { bytes, at: 0 };
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let id = 0;
  let tMs = 0;
  while (reader.at < bytes.length) {
    id += takeSigned(reader);
    tMs += takeSigned(reader);
    const kind = takeVarint(reader);
    if (kind > 0) visit(id, tMs, takeSigned(reader) / (powers[kind - 1] ?? 1));
    else {
      visit(id, tMs, view.getFloat64(reader.at, true));
      reader.at += 8;
    }
  }
}
