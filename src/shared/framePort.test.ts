import fc from 'fast-check';
import { frameReader, portFromStream, type ByteStream } from './framePort.ts';

/** Everything a port writes for these messages. */
function written(messages: readonly unknown[]): Uint8Array {
  const pieces: Uint8Array[] = [];
  const stream = { write: (bytes: Uint8Array) => pieces.push(bytes), end: () => undefined, destroy: () => undefined, on: () => undefined } as ByteStream;
  const port = portFromStream(stream);
  for (const message of messages) port.post(message);
  return new Uint8Array(Buffer.concat(pieces));
}

test('messages come out as they went in, however the stream cuts them', () => {
  fc.assert(fc.property(fc.array(fc.jsonValue().filter((value) => !JSON.stringify(value).includes('__proto__')), { maxLength: 8 }), fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }), (messages, cuts) => {
    const bytes = written(messages), out: unknown[] = [];
    const take = frameReader((message) => out.push(message));
    for (let at = 0, i = 0; at < bytes.length; i += 1) {
      const next = at + cuts[i % cuts.length]!;
      take(bytes.slice(at, next));
      at = next;
    }
    expect(JSON.stringify(out)).toBe(JSON.stringify(messages));
  }));
});

test('a message of megabytes and typed arrays survive', () => {
  const message = { text: 'x'.repeat(3_000_000), times: Float64Array.of(1.5, Number.NaN), bytes: Uint8Array.of(1, 2, 3) };
  const out: unknown[] = [];
  frameReader((read) => out.push(read))(written([message]));
  expect(out).toEqual([message]);
});

test('a length that no message may have ends the stream, and the port tells of it', () => {
  const listeners = new Map<string, (piece: Uint8Array) => void>();
  let destroyed = false;
  const stream = { write: () => undefined, end: () => undefined, destroy: () => { destroyed = true; listeners.get('close')?.(new Uint8Array()); }, on: (event: string, listener: (piece: Uint8Array) => void) => { listeners.set(event, listener); } } as ByteStream;
  const port = portFromStream(stream);
  let closed = false;
  port.onClose(() => { closed = true; });
  // One byte of MessagePack that is reserved.
  listeners.get('data')!(Uint8Array.of(0, 0, 0, 1, 0xc1));
  expect([destroyed, closed]).toEqual([true, true]);
});
