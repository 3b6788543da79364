import { execFileSync } from 'node:child_process';
import { createServer } from 'node:net';
import { resolve } from 'node:path';

import { freePort } from './ports.ts';

test('no port is drawn twice while its process lives, by another process neither', async () => {
  const mine = new Set<number>();
  for (let i = 0; i < 200; i += 1) mine.add(await freePort());
  expect(mine.size).toBe(200);
  const script = `const { freePort } = await import(${JSON.stringify(resolve('e2e/lab/ports.ts'))});
    for (let i = 0; i < 200; i += 1) console.log(await freePort());`;
  const others = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
  });
  const theirs = others.trim().split('\n').map(Number);
  expect(new Set(theirs).size).toBe(200);
  expect(theirs.filter((port) => mine.has(port))).toEqual([]);
});

test('a port that is drawn can be listened on, and lies below those of outgoing connections', async () => {
  const port = await freePort();
  expect(port).toBeGreaterThanOrEqual(20_000);
  expect(port).toBeLessThan(32_768);
  const server = createServer();
  await new Promise<void>((done, failed) => {
    server.once('error', failed);
    server.listen(port, '127.0.0.1', done);
  });
  await new Promise((done) => server.close(done));
});
