import { decode, Encoder, ExtensionCodec } from '@msgpack/msgpack';

import { fail } from '../core/base/errors.ts';
import { arrayExtension, faultOfFrame, type FrameBounds, ownBounds } from './frameBounds.ts';

/** Largest frame either end sends or takes, in bytes. */
export const maxFrameBytes = 64 * 1024 * 1024;

const extensionCodec = new ExtensionCodec();
extensionCodec.register({
  type: arrayExtension,
  encode: (value) =>
    value instanceof Float64Array
      ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
      : null,
  // Copied: the frame's bytes are not aligned to eight. Not by `slice`, which of a Node Buffer is a
  // view of its whole memory.
  decode: (bytes) => new Float64Array(new Uint8Array(bytes).buffer),
});
const encoder = new Encoder({ extensionCodec, ignoreUndefined: true });

/**
 * One message as MessagePack; a Float64Array is extension 1, its bytes as they lie in memory
 * (little-endian). Throws invalidInput above `maxBytes`.
 */
export function encodeFrame(data: unknown, maxBytes = maxFrameBytes): Uint8Array<ArrayBuffer> {
  const frame = encoder.encode(data);
  if (frame.byteLength > maxBytes)
    throw fail(
      'invalidInput',
      `A message of ${frame.byteLength} bytes is larger than the ${maxBytes} allowed.`,
      'Ask for less at once.',
    );
  return frame;
}
/**
 * Reads a frame whose headers keep within `bounds`: nothing of what it claims is made before.
 * Throws invalidInput for a frame that is too large, beyond the bounds or no MessagePack.
 */
export function decodeFrame(frame: Uint8Array, bounds: FrameBounds = ownBounds): unknown {
  refuseFrame(frame, bounds);
  try {
    return decode(frame, { extensionCodec });
  } catch (thrown) {
    throw fail('invalidInput', `A message is no MessagePack: ${String(thrown)}`);
  }
}

/**
 * Throws invalidInput, in words, for a frame that is too large or beyond the bounds. It is not
 * decoded.
 */
function refuseFrame(frame: Uint8Array, bounds: FrameBounds): void {
  if (frame.byteLength > maxFrameBytes)
    throw fail(
      'invalidInput',
      `A message of ${frame.byteLength} bytes is larger than the ${maxFrameBytes} allowed.`,
    );
  const fault = faultOfFrame(frame, bounds);
  if (fault !== null) throw fail('invalidInput', fault);
}
