import { decodeFrame, encodeFrame, maxFrameBytes } from './frameCodec.ts';
import { createPort, type Port } from './ports.ts';

/** A stream of bytes in both ways: a pipe between two processes, as `net.Socket` gives it. */
export interface ByteStream {
  write(bytes: Uint8Array): unknown;
  end(): unknown;
  destroy(): unknown;
  on(event: 'data', listener: (piece: Uint8Array) => void): unknown;
  on(event: 'close' | 'error', listener: () => void): unknown;
}

const headBytes = 4;

/**
 * A port over a stream: each message is its length (32 bits, big-endian) and one MessagePack frame.
 * A frame that is no message ends the stream and is told to `onBroken`: both ends are of one
 * version of this program, so that it is a fault.
 */
export function portFromStream(stream: ByteStream, onBroken: (thrown: unknown) => void): Port {
  const { port, receive, closed } = createPort(
    (data) => {
      const frame = encodeFrame(data);
      const head = new Uint8Array(headBytes);
      new DataView(head.buffer).setUint32(0, frame.byteLength);
      stream.write(head);
      stream.write(frame);
    },
    () => {
      stream.end();
    },
  );
  const read = frameReader();
  stream.on('data', (piece) => {
    let messages: unknown[];
    try {
      messages = read(piece);
    } catch (thrown) {
      onBroken(thrown);
      stream.destroy();
      return;
    }
    for (const message of messages) receive(message);
  });
  // An error is always followed by close, which is what counts.
  stream.on('error', () => undefined);
  stream.on('close', closed);
  return port;
}

/**
 * Puts frames together from pieces of any size; gives the messages that a piece completes. Throws
 * invalidInput for a frame that is too large or no message.
 */
export function frameReader(): (piece: Uint8Array) => unknown[] {
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  let needed = headBytes;
  return (piece) => {
    held.push(piece);
    heldBytes += piece.byteLength;
    if (heldBytes < needed) return [];
    const messages: unknown[] = [];
    let bytes = joined(held, heldBytes);
    for (;;) {
      if (bytes.byteLength < headBytes) {
        needed = headBytes;
        break;
      }
      const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0);
      needed = headBytes + Math.min(length, maxFrameBytes + 1);
      if (bytes.byteLength < needed) break;
      // A copy, so that bytes inside a message do not drag the whole piece with them. `slice` of a
      // Node Buffer would be none.
      messages.push(decodeFrame(new Uint8Array(bytes.subarray(headBytes, needed))));
      bytes = bytes.subarray(needed);
    }
    held = [bytes];
    heldBytes = bytes.byteLength;
    return messages;
  };
}

function joined(pieces: readonly Uint8Array[], total: number): Uint8Array {
  if (pieces.length === 1) return pieces[0]!;
  const all = new Uint8Array(total);
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.byteLength;
  }
  return all;
}
