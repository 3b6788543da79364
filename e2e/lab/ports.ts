import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { codeOf } from './processes.ts';

/**
 * Below what systems hand to outgoing connections (from 32,768 on Linux): none of those can take a
 * port that a peer comes back on.
 */
const range = { from: 20_000, count: 12_000 };

/** Claims of all labs of this user on this machine: a file a port, with the process that drew it. */
const claims = join(tmpdir(), `tilebench-ports-${process.getuid?.() ?? 0}`);

/**
 * A loopback port that is free, and stays this process's as long as it lives: a peer may listen
 * later, end and come back, and no other lab draws the same one meanwhile.
 */
export async function freePort(): Promise<number> {
  for (let i = 0; i < 1_000; i += 1) {
    const port = range.from + Math.floor(Math.random() * range.count);
    if (claim(port) && (await isFree(port))) return port;
  }
  throw new Error(`No free port between ${range.from} and ${range.from + range.count}.`);
}

function claim(port: number): boolean {
  mkdirSync(claims, { recursive: true });
  const path = join(claims, String(port));
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx' });
    return true;
  } catch (thrown) {
    if (codeOf(thrown) !== 'EEXIST') throw thrown;
  }
  // Given back for the next draw where its process is gone: two that find that at once must not
  // both have it.
  if (!isAlive(Number(readClaim(path)))) rmSync(path, { force: true });
  return false;
}

/** Empty where it was given back meanwhile, or is being written. */
function readClaim(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (thrown) {
    if (codeOf(thrown) === 'ENOENT') return '';
    throw thrown;
  }
}

function isAlive(pid: number): boolean {
  // A claim that is being written names nobody yet.
  if (pid === 0) return true;
  try {
    return process.kill(pid, 0);
  } catch (thrown) {
    return codeOf(thrown) !== 'ESRCH';
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => {
      server.close(() => resolve(true));
    });
  });
}
