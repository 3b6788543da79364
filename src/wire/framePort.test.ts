import fc from 'fast-check';

import { type ByteStream, frameReader, portFromStream } from './framePort.ts';

const fail = (thrown: unknown): void => {
  throw thrown;
};

/** Everything a port writes for these messages. */
function written(messages: readonly unknown[]): Uint8Array {
  const pieces: Uint8Array[] = [];
  const stream = {
    write: (bytes: Uint8Array) => pieces.push(bytes),
    end: () => undefined,
    destroy: () => undefined,
    on: () => undefined,
  } as ByteStream;
  const port = portFromStream(stream, fail);
  for (const message of messages) port.post(message);
  return new Uint8Array(Buffer.concat(pieces));
}

/** Memory of Node that holds more than the piece, as sockets give it. */
const asSocket = (bytes: Uint8Array): Uint8Array => {
  const held = Buffer.alloc(bytes.byteLength + 9, 0xff);
  held.set(bytes, 5);
  return held.subarray(5, 5 + bytes.byteLength);
};

test.each([
  ['plain bytes', (bytes: Uint8Array) => bytes],
  ['pieces of a Node Buffer', asSocket],
])('messages come out as they went in, however the stream cuts them: %s', (_, made) => {
  const message = fc.record({
    json: fc.jsonValue().filter((value) => !JSON.stringify(value).includes('__proto__')),
    times: fc.array(fc.double()),
  });
  fc.assert(
    fc.property(
      fc.array(message, { maxLength: 8 }),
      fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1 }),
      (messages, cuts) => {
        const sent = messages.map(({ json, times }) => ({
          json: JSON.stringify(json),
          times: Float64Array.from(times),
        }));
        const bytes = written(sent),
          out: unknown[] = [];
        const read = frameReader();
        for (let at = 0, i = 0; at < bytes.length; i += 1) {
          const next = at + cuts[i % cuts.length]!;
          out.push(...read(made(bytes.slice(at, next))));
          at = next;
        }
        expect(out).toEqual(sent);
      },
    ),
  );
});

test('a message of megabytes and typed arrays survive', () => {
  const message = {
    text: 'x'.repeat(3_000_000),
    times: Float64Array.of(1.5, Number.NaN),
    bytes: Uint8Array.of(1, 2, 3),
  };
  expect(frameReader()(written([message]))).toEqual([message]);
});

test('a length that no message may have ends the stream, and the port tells of it', () => {
  const listeners = new Map<string, (piece: Uint8Array) => void>();
  let destroyed = false;
  const stream = {
    write: () => undefined,
    end: () => undefined,
    destroy: () => {
      destroyed = true;
      listeners.get('close')?.(new Uint8Array());
    },
    on: (event: string, listener: (piece: Uint8Array) => void) => {
      listeners.set(event, listener);
    },
  } as ByteStream;
  const broken: unknown[] = [];
  const port = portFromStream(stream, (thrown) => broken.push(thrown));
  let closed = false;
  port.onClose(() => {
    closed = true;
  });
  // One byte of MessagePack that is reserved.
  listeners.get('data')!(Uint8Array.of(0, 0, 0, 1, 0xc1));
  expect([destroyed, closed]).toEqual([true, true]);
  expect(broken).toEqual([expect.objectContaining({ kind: 'invalidInput' })]);
});
