import { join } from 'node:path';

import { startChild } from './child.ts';
import { poll } from './poll.ts';
import { freePort } from './ports.ts';

export interface LabVictoria {
  readonly port: number;
  /** Takes samples in the text form of Prometheus, with times in ms since 1970. */
  import(lines: readonly string[]): Promise<void>;
  stop(): Promise<void>;
}

/**
 * A private VictoriaMetrics on loopback, which answers queries as Prometheus does. Debian package
 * victoria-metrics.
 */
export async function startVictoria(dir: string): Promise<LabVictoria> {
  const port = await freePort();
  const log = join(dir, 'victoria.log');
  const child = startChild(
    '/usr/bin/victoria-metrics',
    [
      `-storageDataPath=${join(dir, 'victoria')}`,
      `-httpListenAddr=127.0.0.1:${port}`,
      // What was just taken in is found at once.
      '-search.latencyOffset=0s',
      '-search.disableCache',
    ],
    log,
  );
  const url = `http://127.0.0.1:${port}`;
  await poll(`VictoriaMetrics (${log})`, async () => {
    if (child.ended()) throw new Error(`VictoriaMetrics ended: ${child.log()}`);
    return fetch(`${url}/health`).then(
      ({ ok }) => ok,
      () => false,
    );
  });
  return {
    port,
    async import(lines) {
      const { ok, status } = await fetch(`${url}/api/v1/import/prometheus`, {
        method: 'POST',
        body: `${lines.join('\n')}\n`,
      });
      if (!ok) throw new Error(`VictoriaMetrics took no samples: HTTP ${status}`);
    },
    stop: () => child.stop(10_000),
  };
}
