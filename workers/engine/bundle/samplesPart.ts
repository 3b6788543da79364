import { fail } from '../../../src/shared/errors.ts';
import type { SeriesData, SeriesDef } from '../../../src/shared/metric.ts';
import { decodeChunk, encodeChunk, takeVarint } from '../db/codec.ts';

/**
 * `samples.bin`: one frame after the other, each the samples of one series: series id and length of what follows as
 * 32-bit little-endian integers, then a chunk as the database has them (docs/formats.md). A series may have several.
 */
const headBytes = 8;
const samplesAFrame = 20_000;
/** No frame of ours is larger: the length of a hostile one must not become an allocation. */
const largestFrame = samplesAFrame * 20 + 64;

/** Frames of one series, in the order of time. */
export function* framesOf(
  def: SeriesDef,
  { tMs, value }: Pick<SeriesData, 'tMs' | 'value'>,
): Generator<Buffer> {
  for (let from = 0; from < tMs.length; from += samplesAFrame) {
    const to = Math.min(tMs.length, from + samplesAFrame);
    const chunk = encodeChunk(
      tMs.subarray(from, to),
      value.subarray(from, to),
      to - from,
      def.decimals,
    );
    const frame = Buffer.allocUnsafe(headBytes + chunk.length);
    frame.writeUInt32LE(def.id, 0);
    frame.writeUInt32LE(chunk.length, 4);
    frame.set(chunk, headBytes);
    yield frame;
  }
}

const damaged = (what: string): Error =>
  fail(
    'invalidInput',
    `samples.bin of the bundle is damaged: ${what}.`,
    'Ask for the bundle again.',
  );

/** Decodes a stream of frames. Throws invalidInput for a frame that is cut, too large, of an unknown series or not in the order of time. */
export async function* readFrames(
  stream: AsyncIterable<Uint8Array>,
  known: ReadonlySet<number>,
): AsyncGenerator<SeriesData> {
  let rest: Buffer = Buffer.alloc(0);
  const last = new Map<number, number>();
  for await (const part of stream) {
    rest = rest.length === 0 ? Buffer.from(part) : Buffer.concat([rest, part]);
    while (rest.length >= headBytes) {
      const length = rest.readUInt32LE(4);
      if (length < 4 || length > largestFrame) throw damaged(`a frame of ${length} bytes`);
      if (rest.length < headBytes + length) break;
      const seriesId = rest.readUInt32LE(0);
      if (!known.has(seriesId))
        throw damaged(`samples of series ${seriesId}, which the run does not have`);
      const data = decode(rest.subarray(headBytes, headBytes + length));
      demandOrder(data.tMs, last.get(seriesId) ?? -Infinity);
      last.set(seriesId, data.tMs.at(-1)!);
      yield { seriesId, ...data };
      rest = rest.subarray(headBytes + length);
    }
  }
  if (rest.length > 0) throw damaged('its last frame is cut');
}

function decode(chunk: Buffer): { tMs: Float64Array; value: Float64Array } {
  // Each sample takes a byte at least: a count beyond that is a lie about memory.
  const count = takeVarint({ bytes: chunk, at: 2 });
  if (!Number.isInteger(count) || count < 1 || count > chunk.length)
    throw damaged(`a frame that claims ${count} samples`);
  try {
    return decodeChunk(chunk);
  } catch (thrown) {
    throw damaged(String(thrown));
  }
}

function demandOrder(tMs: Float64Array, after: number): void {
  let before = after;
  for (const at of tMs) {
    if (!(at > before)) throw damaged('times that do not ascend');
    before = at;
  }
}
