import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { startChild } from './child.ts';
import { poll } from './poll.ts';
import { freePort } from './ports.ts';

/** What tilekit serve counted of one load, when that was over. */
export interface ServedLoad {
  packets: number;
  bytes: number;
  reordered: number;
  duplicates: number;
  damaged: number;
  answered: number;
}

export interface LabTilekitServe {
  readonly host: '127.0.0.1';
  readonly port: number;
  /** Of every load that is over, in the order of their ends. */
  loads(): ServedLoad[];
  stop(): Promise<void>;
}

/** The other side of tilekit's scenario net on loopback, by the program at `kit`. */
export async function startTilekitServe(dir: string, kit: string): Promise<LabTilekitServe> {
  const port = await freePort();
  const job = join(dir, `serve-${port}.json`);
  const log = join(dir, `serve-${port}.log`);
  writeFileSync(job, JSON.stringify({ schema: 1, netServer: { listen: `127.0.0.1:${port}` } }));
  const server = startChild(kit, ['serve', '--job', job], log);
  await poll(`tilekit serve (${log})`, () => {
    if (server.ended()) throw new Error(`tilekit serve ended: ${server.log().slice(-400)}`);
    return server.log().includes('listens');
  });
  return {
    host: '127.0.0.1',
    port,
    loads: () =>
      server
        .log()
        .split('\n')
        .filter((line) => line.startsWith('{"session"'))
        .map((line) => JSON.parse(line) as ServedLoad),
    stop: () => server.stop(),
  };
}
