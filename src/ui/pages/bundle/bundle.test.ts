import { fail } from '../../../core/base/errors.ts';
import type { SendCommand } from '../../engine/sendCommand.ts';
import { isBundle, sendBundle } from './openBundle.ts';

interface Sent {
  uploadId: string | null;
  bytes: Uint8Array;
  last: boolean;
}
function engine(
  answer: (sent: Sent) => { uploadId: string; runId: string | null; storyId: string | null },
): {
  send: SendCommand;
  sent: Sent[];
} {
  const sent: Sent[] = [];
  const send = (async (_method: string, input: Sent) => {
    sent.push(input);
    return answer(input);
  }) as unknown as SendCommand;
  return { send, sent };
}
const never = new AbortController().signal;
function fileOf(size: number, readable = size) {
  const state = { closed: 0 };
  return {
    state,
    file: {
      name: 'x.tilebench',
      size,
      read: async (from: number, to: number) =>
        new Uint8Array(Math.max(0, Math.min(to, readable) - from)),
      close: () => {
        state.closed += 1;
      },
    },
  };
}

test('a file goes in pieces of a megabyte, the last one says so, and the file is closed', async () => {
  const { send, sent } = engine(({ last }) => ({
    uploadId: 'u1',
    runId: last ? 'run-9' : null,
    storyId: null,
  }));
  const { file, state } = fileOf(2_500_000);
  const told: number[] = [];
  expect(await sendBundle(send, file, (done) => told.push(done), never)).toEqual({
    kind: 'run',
    id: 'run-9',
  });
  expect(sent.map((s) => [s.uploadId, s.bytes.length, s.last])).toEqual([
    [null, 1_048_576, false],
    ['u1', 1_048_576, false],
    ['u1', 402_848, true],
  ]);
  expect(told).toEqual([1_048_576, 2_097_152, 2_500_000]);
  expect(state.closed).toBe(1);
});

test.each([
  ['an empty file', 0, 0, /empty/],
  ['a file that is cut while it is read', 3_000_000, 1_100_000, /shorter/],
])('%s is told, and closed', async (_what, size, readable, reason) => {
  const { send } = engine(() => ({ uploadId: 'u', runId: null, storyId: null }));
  const { file, state } = fileOf(size, readable);
  await expect(sendBundle(send, file, () => undefined, never)).rejects.toMatchObject({
    kind: 'invalidInput',
    message: expect.stringMatching(reason) as string,
  });
  expect(state.closed).toBe(1);
});

test('what the engine refuses comes through', async () => {
  const { send } = engine(() => {
    throw fail('invalidInput', 'samples.bin is damaged.');
  });
  const { file, state } = fileOf(10);
  await expect(sendBundle(send, file, () => undefined, never)).rejects.toMatchObject({
    message: 'samples.bin is damaged.',
  });
  expect(state.closed).toBe(1);
});

test.each([
  ['PK\u0003\u0004 and more', true],
  ['"(PDH-CSV 4.0)"', false],
  ['P', false],
  ['', false],
])('%j is told from its first bytes', async (text, bundle) => {
  const bytes = new TextEncoder().encode(text);
  expect(
    await isBundle({
      name: 'a-download',
      size: bytes.length,
      read: async (from, to) => bytes.slice(from, to),
      close: () => undefined,
    }),
  ).toBe(bundle);
});
