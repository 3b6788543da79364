import { limits } from '../../../src/core/base/bounds.ts';
import type { SeriesData, SeriesDef } from '../../../src/core/metric/metric.ts';
import { decodeChunkInto, encodeChunk, takeVarint } from '../db/codec.ts';
import { refuse } from './refusal.ts';

/**
 * `samples.bin`: one frame after the other, each the samples of one series: series id and length of what follows as
 * 32-bit little-endian integers, then a chunk as the database has them (docs/formats.md). A series
 * may have several.
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

/**
 * Frames that a writer of ours makes: one a series, and one more for each full one. Others may cut
 * them smaller, not to dust.
 */
const leastAFrame = 200;

/**
 * Decodes a stream of frames, which must hold `sampleCount` samples of `known` series. Throws
 * invalidInput for a frame that is cut, too large, of an unknown series, not in the order of time
 * or beyond the bounds of time and value, and for another number of samples, as soon as there is
 * one too many.
 */
export async function* readFrames(
  stream: AsyncIterable<Uint8Array>,
  known: ReadonlySet<number>,
  sampleCount: number,
  fileName: string,
): AsyncGenerator<SeriesData> {
  const mostFrames = 2 * known.size + sampleCount / leastAFrame;
  let rest: Buffer = Buffer.alloc(0);
  let [frames, samples, at] = [0, 0, 0];
  const damaged = (what: string): Error =>
    refuse(`samples.bin of ${fileName} is damaged at byte ${at}: ${what}.`);
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
      const data = decode(rest.subarray(headBytes, headBytes + length), damaged);
      frames += 1;
      samples += data.tMs.length;
      if (samples > sampleCount)
        throw damaged(`more samples than the ${sampleCount} of its manifest`);
      if (frames > mostFrames) throw damaged(`more than ${Math.floor(mostFrames)} frames`);
      demandSamples(data, last.get(seriesId) ?? -Infinity, damaged);
      last.set(seriesId, data.tMs.at(-1)!);
      yield { seriesId, ...data };
      rest = rest.subarray(headBytes + length);
      at += headBytes + length;
    }
  }
  if (rest.length > 0) throw damaged('its last frame is cut');
  if (samples < sampleCount)
    throw refuse(
      `samples.bin of ${fileName} holds ${samples} samples, its manifest says ${sampleCount}.`,
    );
}

type Samples = Pick<SeriesData, 'tMs' | 'value'>;

function decode(chunk: Buffer, damaged: (what: string) => Error): Samples {
  // Each sample takes a byte at least: a count beyond that is a lie about memory.
  const count = takeVarint({ bytes: chunk, at: 2 });
  if (!Number.isInteger(count) || count < 1 || count > chunk.length)
    throw damaged(`a frame that claims ${count} samples`);
  const tMs = new Float64Array(count),
    value = new Float64Array(count);
  let end: number;
  try {
    end = decodeChunkInto(chunk, tMs, value);
  } catch (thrown) {
    throw damaged(String(thrown));
  }
  if (end !== chunk.length)
    throw damaged(`${count} samples in ${end} bytes of a frame of ${chunk.length}`);
  return { tMs, value };
}

function demandSamples(
  { tMs, value }: Samples,
  after: number,
  damaged: (what: string) => Error,
): void {
  let before = after;
  for (let i = 0; i < tMs.length; i += 1) {
    if (!(tMs[i]! > before)) throw damaged('times that do not ascend');
    before = tMs[i]!;
    if (!(Math.abs(value[i]!) <= limits.figure)) throw damaged('a value that is no figure');
  }
  if (tMs[0]! < 0 || before > limits.timeMs)
    throw damaged('a time before 1970 or after the year 9999');
}
