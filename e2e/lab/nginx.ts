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
  /** Every request it answered so far, by its own access log; times are Unix ones. */
  log(): { atMs: number; status: number; path: string }[];
  /** Requests of the page it answered so far, by the same log. */
  answered(): number;
  /** The longest time between two of its answers, by its own access log. */
  longestSilenceMs(): number;
  stop(): Promise<void>;
}

/** Connections to the server behind it are kept, as a front end's are. */
const behind =
  'location / { proxy_pass http://behind; proxy_http_version 1.1; proxy_set_header Connection ""; }';

/**
 * A private nginx on loopback with one worker and a page of 1 KB at `/page.html`, as any user; with
 * an upstream all else is answered by the server on that port. Debian package nginx-light.
 */
export async function startNginx({
  dir,
  upstreamPort,
}: {
  dir: string;
  upstreamPort?: number;
}): Promise<LabNginx> {
  const home = join(dir, 'nginx');
  mkdirSync(join(home, 'pages'), { recursive: true });
  writeFileSync(join(home, 'pages', 'page.html'), `${'p'.repeat(1_023)}\n`);
  const port = await freePort();
  const log = join(home, 'access');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `${kind}_temp_path ${home}/${kind};`)
    .join('\n');
  const conf = join(home, 'conf');
  // A worker of another user could not read a folder of ours. A buffered log would lose what a test
  // counts; a connection that ends after 1,000 requests, as
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
${upstreamPort === undefined ? '' : `upstream behind { server 127.0.0.1:${upstreamPort}; keepalive 32; }`}
server { listen 127.0.0.1:${port} backlog=4096; root ${home}/pages; ${upstreamPort === undefined ? '' : behind} }
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
  const lines = (): ReturnType<LabNginx['log']> => {
    try {
      return [...readFileSync(log, 'utf8').matchAll(/^([\d.]+) (\d+) (\S+)/gm)].map(
        ([, timeS, status, path = '']) => ({
          atMs: Number(timeS) * 1_000,
          status: Number(status),
          path,
        }),
      );
    } catch (thrown) {
      if (codeOf(thrown) === 'ENOENT') return [];
      throw thrown;
    }
  };
  const pageTimesMs = (): number[] =>
    lines()
      .filter(({ path }) => path.startsWith('/page.html'))
      .map(({ atMs }) => atMs);
  return {
    url,
    port,
    pid: server.pid,
    freeze: signal('SIGSTOP'),
    thaw: signal('SIGCONT'),
    log: lines,
    answered: () => pageTimesMs().length,
    longestSilenceMs() {
      const timesMs = pageTimesMs().sort((one, other) => one - other);
      return timesMs.reduce(
        (longest, timeMs, at) => Math.max(longest, timeMs - (timesMs[at - 1] ?? timeMs)),
        0,
      );
    },
    async stop() {
      signal('SIGCONT')();
      await server.stop();
    },
  };
}
