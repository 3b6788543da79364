import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { type Child, startChild } from './child.ts';
import { poll } from './poll.ts';
import { freePort } from './ports.ts';
import { codeOf } from './processes.ts';

export interface LabNginx {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** Stops all of its processes where they stand, as a machine that hangs; `thaw` goes on. */
  freeze(): void;
  thaw(): void;
  /** Requests it answered so far, by its own access log. */
  answered(): number;
  /** The longest time between two of its answers, by its own access log. */
  longestSilenceMs(): number;
  stop(): Promise<void>;
}

/**
 * A private nginx on loopback with one worker and a page of 1 KB at `/page.html`, as any user.
 * Debian package nginx-light.
 */
export async function startNginx({ dir }: { dir: string }): Promise<LabNginx> {
  const home = join(dir, 'nginx');
  mkdirSync(join(home, 'pages'), { recursive: true });
  writeFileSync(join(home, 'pages', 'page.html'), `${'p'.repeat(1_023)}\n`);
  const port = await freePort();
  const log = join(home, 'access');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `${kind}_temp_path ${home}/${kind};`)
    .join('\n');
  const conf = join(home, 'conf');
  // A worker of another user could not read a folder of ours. A buffered log would lose what a test counts; a connection that ends after 1,000 requests, as
  // by default, looks like latency.
  writeFileSync(
    conf,
    `${process.getuid?.() === 0 ? 'user root; ' : ''}daemon off; worker_processes 1; pid ${home}/pid; error_log ${home}/error;
events { worker_connections 1024; }
http {
${temporary}
log_format short '$msec $status $request_uri';
access_log ${log} short;
keepalive_requests 1000000;
server { listen 127.0.0.1:${port} backlog=4096; root ${home}/pages; }
}
`,
  );
  const server: Child = startChild(
    'nginx',
    ['-p', home, '-c', conf, '-e', join(home, 'error')],
    join(home, 'log'),
    { PATH: `${process.env['PATH'] ?? ''}:/usr/sbin` },
  );
  const url = `http://127.0.0.1:${port}`;
  await poll(`nginx answers (${home}/error)`, async () => {
    if (server.ended()) throw new Error(`nginx ended: ${server.log().slice(-400)}`);
    return fetch(`${url}/ready`).then(
      () => true,
      () => false,
    );
  });
  // Known before they are stopped: to look for them takes a busy machine as long as what is timed.
  const all = [
    server.pid,
    ...execFileSync('ps', ['-o', 'pid=', '--ppid', String(server.pid)], { encoding: 'utf8' })
      .split('\n')
      .filter((one) => one.trim() !== '')
      .map(Number),
  ];
  const signal = (name: NodeJS.Signals) => (): void => {
    for (const pid of all) process.kill(pid, name);
  };
  const pageTimesS = (): number[] => {
    try {
      return [...readFileSync(log, 'utf8').matchAll(/^([\d.]+) \d+ \/page\.html/gm)].map((line) =>
        Number(line[1]),
      );
    } catch (thrown) {
      if (codeOf(thrown) === 'ENOENT') return [];
      throw thrown;
    }
  };
  return {
    url,
    port,
    pid: server.pid,
    freeze: signal('SIGSTOP'),
    thaw: signal('SIGCONT'),
    answered: () => pageTimesS().length,
    longestSilenceMs() {
      const timesS = pageTimesS().sort((one, other) => one - other);
      return timesS.reduce(
        (longest, timeS, at) => Math.max(longest, (timeS - (timesS[at - 1] ?? timeS)) * 1_000),
        0,
      );
    },
    async stop() {
      signal('SIGCONT')();
      await server.stop();
    },
  };
}
