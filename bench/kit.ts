import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startNginx } from '../e2e/lab/nginx.ts';
import { findKit } from '../workers/engine/kit/findKit.ts';
import type { BenchResult, BenchRow } from './row.ts';

const places = { sourceDir: 'kit', cacheDir: '.cache', carriedDir: 'resources/kit' };
/** An open loop far below what either can; the closed one is as fast as it goes. */
const perS = 2_000;
const seconds = 10;
const users = 10;
/** Turn by turn, so that a busy machine slows both. */
const rounds = 3;

interface Load {
  requests: number;
  cpuS: number;
  tookS: number;
}
const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
const msPer1000 = ({ cpuS, requests }: Load): number => (cpuS / requests) * 1e6;

/** A program to its end, with the processor time of it and its children, by the shell's own `times`. */
function timed(command: string, args: readonly string[]): Promise<{ text: string; cpuS: number }> {
  const child = spawn(
    'bash',
    ['-c', 'TIMEFORMAT="%U %S"; time "$@" 2>/dev/null', 'x', command, ...args],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let text = '';
  let times = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    times += part;
  });
  return new Promise((resolve, reject) => {
    child.on('close', (code) => {
      if (code === 0)
        resolve({
          text,
          cpuS: times
            .trim()
            .split(' ')
            .reduce((sum, one) => sum + Number(one), 0),
        });
      else reject(new Error(`${command} ended with ${code}: ${text.slice(-300)}${times}`));
    });
  });
}

async function tilekit(kit: string, dir: string, url: string, load: object): Promise<Load> {
  const path = join(dir, 'job.json');
  const web = {
    target: url,
    pages: 'paths',
    paths: [{ op: 'page', path: '/page.html', weight: 1 }],
  };
  writeFileSync(
    path,
    JSON.stringify({
      schema: 1,
      scenario: 'web',
      seed: 1,
      users,
      durationS: seconds,
      ...load,
      web,
    }),
  );
  const { text, cpuS } = await timed(kit, ['run', '--job', path]);
  const end = JSON.parse(text.trim().split('\n').at(-1)!) as { requests: number; seconds: number };
  return { requests: end.requests, cpuS, tookS: end.seconds };
}

/** The anchor, where it is installed: a tool in C that takes no percentile from the intended time. */
async function h2load(url: string, args: readonly string[]): Promise<Load> {
  const { text, cpuS } = await timed('h2load', [
    '--h1',
    ...['-c', String(users), '-t', '1', '-D', String(seconds)],
    ...args,
    `${url}/page.html`,
  ]);
  const [, requests = '0'] = /requests: \d+ total, \d+ started, (\d+) done/.exec(text) ?? [];
  return { requests: Number(requests), cpuS, tookS: seconds };
}

function hasH2load(): boolean {
  try {
    execFileSync('h2load', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** What tilekit costs its client: processor time beside h2load's, requests a core, bytes to put there. */
export async function run(): Promise<BenchResult[]> {
  const dir = mkdtempSync(join(tmpdir(), 'tb-kit-bench-'));
  const nginx = await startNginx({ dir });
  try {
    const { path } = await findKit(places);
    const rate = { mode: 'open', arrivals: { kind: 'constant', rate: [{ atS: 0, perS }] } };
    const offered: Load[] = [];
    const flatOut: Load[] = [];
    const anchors: Load[] = [];
    const anchorsFlatOut: Load[] = [];
    const compare = hasH2load();
    for (let round = 0; round < rounds; round += 1) {
      if (compare) anchors.push(await h2load(nginx.url, ['--rps', String(perS / users)]));
      offered.push(await tilekit(path, dir, nginx.url, rate));
      if (compare) anchorsFlatOut.push(await h2load(nginx.url, []));
      flatOut.push(await tilekit(path, dir, nginx.url, { mode: 'closed' }));
    }
    const cost = (loads: readonly Load[]): number => median(loads.map(msPer1000));
    const perCore = (loads: readonly Load[]): number =>
      median(loads.map(({ requests, cpuS }) => requests / cpuS));
    const anchored = (label: string, own: number, anchor: number, rest: Partial<BenchRow>) => [
      ...(compare
        ? [{ label: `h2load (anchor): ${label}`, value: anchor, unit: rest.unit ?? '' }]
        : []),
      { label: `tilekit: ${label}`, value: own, unit: '', ...rest },
    ];
    return [
      {
        name: `Load generator: pages of 1 KB, ${users} connections`,
        rows: [
          ...anchored(`processor for 1,000 requests at ${perS}/s`, cost(offered), cost(anchors), {
            unit: 'ms',
            ...(compare ? { ratio: cost(offered) / cost(anchors), budget: 6 } : {}),
          }),
          ...anchored('requests a second of one core', perCore(flatOut), perCore(anchorsFlatOut), {
            unit: '1/s',
            ...(compare ? { ratio: perCore(anchorsFlatOut) / perCore(flatOut), budget: 3 } : {}),
          }),
          {
            label: 'program to put on a client',
            value: statSync(path).size / 1e6,
            unit: 'MB',
            budget: 10,
          },
        ],
      },
    ];
  } finally {
    await nginx.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}
