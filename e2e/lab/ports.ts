import { createServer } from 'node:net';

/**
 * Below what systems hand to outgoing connections (from 32,768 on Linux): none of those can take a
 * port that a peer comes back on.
 */
const range = { from: 20_000, count: 12_000 };

/**
 * A loopback port that was free a moment ago; drawn at random, because other tests draw beside this
 * one.
 */
export async function freePort(): Promise<number> {
  for (let i = 0; i < 100; i += 1) {
    const port = range.from + Math.floor(Math.random() * range.count);
    if (await isFree(port)) return port;
  }
  throw new Error(`No free port between ${range.from} and ${range.from + range.count}.`);
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
