import { join } from 'node:path';

import { startChild } from './child.ts';
import { poll } from './poll.ts';
import { freePort } from './ports.ts';

export interface LabIperf3 {
  readonly host: '127.0.0.1';
  readonly port: number;
  stop(): Promise<void>;
}

/** A private iperf3 server on loopback. Debian package iperf3. */
export async function startIperf3(dir: string): Promise<LabIperf3> {
  const port = await freePort();
  const path = join(dir, `iperf3-${port}.log`);
  const server = startChild(
    'iperf3',
    ['-s', '-B', '127.0.0.1', '-p', String(port), '--forceflush'],
    path,
  );
  await poll(`iperf3 -s (${path})`, () => {
    if (server.ended()) throw new Error(`iperf3 ended: ${server.log().slice(-400)}`);
    return server.log().includes('Server listening');
  });
  return { host: '127.0.0.1', port, stop: () => server.stop() };
}
