import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import BetterSqlite from 'better-sqlite3';

import { openFile } from './cli/runs.ts';
import { openSession, type Session } from './cli/session.ts';

let dir: string;
let session: Session | null = null;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'tb-damaged-'));
});
afterEach(async () => {
  await session?.close();
  session = null;
  rmSync(dir, { recursive: true, force: true });
});

const rootDir = join(import.meta.dirname, '..');
async function start(): Promise<Session> {
  return (session = await openSession({ rootDir, version: '0', host: 'cli', dataDir: dir }));
}
async function end(): Promise<void> {
  await session?.close();
  session = null;
}

test('damage that shows only when it is read is told with the file and what to do; the rest goes on', async () => {
  const log = join(dir, 'sysbench.txt');
  const lines = Array.from(
    { length: 30 },
    (_, i) => `[ ${i + 1}s ] thds: 1 eps: 100.00 lat (ms,95%): 1.00`,
  );
  writeFileSync(log, `sysbench 1.0.20\n${lines.join('\n')}\n`);
  const said: string[] = [];
  const terminal = { out: (text: string) => said.push(text), err: () => undefined, isTty: false };
  await openFile((await start()).client, log, [], true, terminal);
  const { runId } = JSON.parse(said[0]!) as { runId: string };
  await end();

  const file = join(dir, 'tilebench.sqlite');
  const raw = new BetterSqlite(file, { readonly: true });
  const page = raw
    .prepare<[], { rootpage: number }>("SELECT rootpage FROM sqlite_schema WHERE name = 'chunks'")
    .get()!.rootpage;
  const size = raw.pragma('page_size', { simple: true }) as number;
  raw.close();
  const handle = openSync(file, 'r+');
  writeSync(handle, Buffer.alloc(size, 0xa5), 0, size, (page - 1) * size);
  closeSync(handle);

  const { client } = await start();
  expect(await client.call('run.list', {})).toMatchObject([{ id: runId }]);
  const read = client.call('run.export', {
    id: runId,
    format: 'csv',
    cursor: null,
    redact: false,
    keep: [],
    confirmed: [],
  });
  await expect(read).rejects.toMatchObject({
    kind: 'internal',
    message: expect.stringMatching(/tilebench\.sqlite is damaged: .*malformed/),
    hint: expect.stringMatching(/can still be looked at and exported\. There is no copy/),
  });
  expect(await client.call('run.list', {})).toHaveLength(1);
});
