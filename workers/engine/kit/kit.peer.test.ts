import { execFile, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { type LabNginx, startNginx } from '../../../e2e/lab/nginx.ts';
import { findKit, withGo } from './findKit.ts';
import { decodeHdr, hdrPercentile } from './hdr.ts';

const run = promisify(execFile);
const places = { sourceDir: 'kit', cacheDir: '.cache', carriedDir: 'resources/kit' };
/** Not of Node's own types: Jest's, of a child, has the environment of tests. */
const env = withGo(process.env) as NodeJS.ProcessEnv;

let dir: string;
let kit: string;
let nginx: LabNginx;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'tb-kit-'));
  kit = (await findKit(places)).path;
  nginx = await startNginx({ dir });
});
afterAll(async () => {
  await nginx.stop();
  rmSync(dir, { recursive: true, force: true });
});

interface End {
  offered: number;
  done: number;
  shed: number;
  unfinished: number;
  requests: number;
  saturatedSeconds: number;
  latency: string;
  service: string;
}
interface Second {
  t: number;
  op: string;
  backlog?: number;
}

/** Runs a job on nginx's page; `secondLine` is called when its first second is written. */
async function load(job: Record<string, unknown>, onFirstSecond = (): void => undefined) {
  const path = join(dir, 'job.json');
  const paths = [{ op: 'page', path: '/page.html', weight: 1 }];
  writeFileSync(
    path,
    JSON.stringify({
      schema: 1,
      scenario: 'web',
      seed: 1,
      users: 64,
      web: { target: nginx.url, pages: 'paths', paths },
      ...job,
    }),
  );
  const child = spawn(kit, ['run', '--job', path], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  let told = false;
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    text += part;
    if (told || !text.includes('"op":"*"')) return;
    told = true;
    onFirstSecond();
  });
  const code = await new Promise((resolve) => {
    child.on('close', resolve);
  });
  const lines = text.trim().split('\n');
  return {
    code,
    end: JSON.parse(lines.at(-1)!) as End,
    seconds: lines.slice(1, -1).map((line) => JSON.parse(line) as Second),
  };
}

const percentileMs = (histogram: string, p: number): number =>
  hdrPercentile(decodeHdr(histogram)!, p) / 1_000;

test('a server that stands for one second of ten gives a 99th percentile of 0.9 s, and no request is lost', async () => {
  const before = nginx.answered();
  const { code, end, seconds } = await load(
    {
      durationS: 10,
      arrivals: { kind: 'constant', rate: [{ atS: 0, perS: 1_000 }] },
    },
    () => {
      nginx.freeze();
      setTimeout(() => nginx.thaw(), 1_000);
    },
  );
  expect(code).toBe(0);
  expect(end.offered).toBeGreaterThanOrEqual(9_999);
  expect(end).toMatchObject({ done: end.offered, requests: end.offered, shed: 0, unfinished: 0 });
  expect(nginx.answered() - before).toBe(end.offered);
  // A second in which nothing is answered holds a tenth of the requests: the slowest hundredth of
  // all begins a tenth of it before its end. How long it stood says the server's own log.
  const wantedMs = nginx.longestSilenceMs() - 100;
  expect(wantedMs).toBeGreaterThan(850);
  const p99Ms = percentileMs(end.latency, 99);
  expect(p99Ms / wantedMs).toBeGreaterThan(0.9);
  // Where this machine had no time for the load either, it says so, and more is late.
  if (end.saturatedSeconds === 0) expect(p99Ms / wantedMs).toBeLessThan(1.1);
  // Told from sending, the same second is hidden: 64 of 10,000 requests saw it.
  expect(percentileMs(end.service, 99)).toBeLessThan(p99Ms / 2);
  expect(Math.max(...seconds.map(({ backlog = 0 }) => backlog))).toBeGreaterThan(500);
});

test('its own tests pass, its form is that of Go, and it is small', async () => {
  expect(statSync(kit).size).toBeLessThan(10_000_000);
  expect(execFileSync('gofmt', ['-l', '.'], { cwd: 'kit', env, encoding: 'utf8' })).toBe('');
  const { stdout } = await run('go', ['test', '-trimpath', './...'], { cwd: 'kit', env });
  expect(stdout).toContain('ok  \ttilekit/internal/load');
  expect(stdout).not.toContain('FAIL');
});

test('without Go and without a carried program, this computer says what it lacks', async () => {
  const path = process.env['PATH'];
  const nowhere = { ...places, cacheDir: join(dir, 'cache'), carriedDir: join(dir, 'none') };
  await expect(findKit({ ...nowhere, sourceDir: join(dir, 'none') })).rejects.toMatchObject({
    kind: 'notFound',
    hint: expect.stringContaining('golang-go'),
  });
  expect(process.env['PATH']).toBe(path);
});
