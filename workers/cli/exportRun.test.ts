import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { fail } from '../../src/core/base/errors.ts';
import type { Client } from '../../src/wire/contract.ts';
import { exportRun } from './exportRun.ts';
import { writeWhole } from './wholeFile.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'tb-export-'));
});
afterEach(() => {
  rmSync(dir, { recursive: true, force: true });
});

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
async function* pieces(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield bytes(text);
}
/** Answers with `count` pages, `before` each. */
function setUp(count: number, before: (page: number) => void = () => undefined) {
  const said: string[] = [];
  const printed: string[] = [];
  let interrupt: (count: number) => void = () => undefined;
  const client = {
    call: async (_method: string, { cursor }: { cursor: string | null }) => {
      const page = Number(cursor ?? 0);
      before(page);
      return {
        fileName: 'Run.csv',
        bytes: bytes(`page ${page}\n`),
        cursor: page + 1 < count ? String(page + 1) : null,
        done: page + 1,
        total: count,
      };
    },
  } as unknown as Client;
  const run = (options: Parameters<typeof exportRun>[2]): Promise<void> =>
    exportRun(
      client,
      'r',
      options,
      { out: (text) => printed.push(text), err: (text) => said.push(text), isTty: false },
      {
        on: (listener) => {
          interrupt = listener;
          return () => {
            interrupt = () => undefined;
          };
        },
      },
    );
  return { run, said, printed, interrupt: () => interrupt(1) };
}

test('pages become one file; each tenth is told, and with --json what was written', async () => {
  const { run, said, printed } = setUp(20);
  const output = join(dir, 'out.csv');
  await run({ format: 'csv', output, json: true });
  expect(readFileSync(output, 'utf8')).toBe(
    Array.from({ length: 20 }, (_, i) => `page ${i}\n`).join(''),
  );
  expect(said).toEqual([
    ...[10, 20, 30, 40, 50, 60, 70, 80, 90].map((part) => `${part} %: ${part / 5} of 20 series`),
    `Wrote ${output}.`,
  ]);
  expect(printed.map((text) => JSON.parse(text) as unknown)).toEqual([
    { path: output, format: 'csv', bytes: 150 },
  ]);
});

test('an interrupt in the middle leaves no file, no part, and what was there before as it was', async () => {
  const made = setUp(20, (page) => {
    if (page === 7) made.interrupt();
  });
  const output = join(dir, 'out.parquet');
  writeFileSync(output, 'yesterday');
  await expect(made.run({ format: 'parquet', output })).rejects.toMatchObject({
    kind: 'aborted',
    hint: 'No file was kept.',
  });
  expect(readdirSync(dir)).toEqual(['out.parquet']);
  expect(readFileSync(output, 'utf8')).toBe('yesterday');
});

test('an engine that fails in the middle leaves no file', async () => {
  const { run } = setUp(20, (page) => {
    if (page === 3) throw fail('internal', 'The disk of the data folder is full or failing.');
  });
  await expect(run({ format: 'json', output: join(dir, 'out.json') })).rejects.toThrow(
    /data folder/,
  );
  expect(readdirSync(dir)).toEqual([]);
});

test('until its last byte the file has another name', async () => {
  const path = join(dir, 'out.csv');
  let during: string[] = [];
  async function* watched(): AsyncGenerator<Uint8Array> {
    yield bytes('a');
    during = readdirSync(dir);
    yield bytes('b');
  }
  expect(await writeWhole(path, watched())).toBe(2);
  expect(during).toEqual([expect.stringMatching(/^\.tilebench-[0-9a-f]{16}\.part$/)]);
  expect(readdirSync(dir)).toEqual(['out.csv']);
});

test('a folder that is not there is said by name', async () => {
  await expect(writeWhole(join(dir, 'none', 'out.csv'), pieces('a'))).rejects.toMatchObject({
    kind: 'invalidInput',
    message: expect.stringContaining(join('none', 'out.csv')),
  });
});
