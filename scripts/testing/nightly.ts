import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import {
  browserPackages,
  desktopPackages,
  guestPackages,
  installMissing,
  peerPackages,
  systemPackages,
} from './packages.ts';
import { endAll, runProgram } from './program.ts';
import { tool } from './stages.ts';

interface NightlyCheck {
  what: string;
  command: (node: string) => readonly string[];
}
const peer = (path: string) => (node: string) => [
  node,
  tool.jest,
  '--selectProjects',
  'peers',
  '--runInBand',
  '--',
  path,
];
const story = (name: string) => (node: string) => [
  node,
  tool.playwright,
  'test',
  '-c',
  'e2e/playwright.config.ts',
  '--project=chromium',
  `specs/${name}.spec.ts`,
];
const bench = (name: string) => (node: string) => [node, join('bench', 'main.ts'), name];

/**
 * In the order in which they run, one after the other: budgets of time hold on an idle machine
 * only.
 */
const nightlyChecks = {
  fuzz: {
    what: 'hostile input at every boundary: five times the cases, by a seed of the day',
    command: (node) => [node, tool.jest, '--selectProjects', 'fuzz', '--runInBand'],
  },
  kills: {
    what: '200 kills of the database: 120 in a run, 50 in a migration, 30 in an export',
    command: peer('workers/engine/db/kill'),
  },
  scale: {
    what: 'the check of 64 hosts, 100 LUNs and 40 clients in 30 s',
    command: peer('workers/engine/testbeds/preflight/scale'),
  },
  clock: {
    what: 'runs over a clock that steps, an engine that stands still and one that is killed',
    command: peer('workers/engine/runs/ownClock'),
  },
  tools: {
    what: 'each load program twenty times against its own report at the end',
    command: peer('workers/engine/workloads/'),
  },
  guests: {
    what: 'machines prepared over SSH and by cloud-init, and put back to what was there',
    command: peer('workers/engine/guests/guests'),
  },
  bigLab: {
    what: '64 hosts, 1,000 VMs, 20 tiles: five minutes of load with three operations',
    command: story('bigLab'),
  },
  tile: {
    what: 'a tile in the style of VMmark 2 by commands: two runs of five minutes, scored and compared',
    command: peer('workers/cli/styleTile'),
  },
  tileScreens: {
    what: 'the same tile by screens: two runs of five minutes, and nothing left behind',
    command: story('styleTile'),
  },
  pictures: {
    what: 'every screen at four sizes in both themes: nothing wider than its window, nothing without a name',
    command: story('pictures'),
  },
  looks: {
    what: 'every component and its states in both themes, beside its pictures of before',
    command: story('looks'),
  },
  keyWalks: {
    what: 'the peers of two tiles connected by keys alone, its steps counted',
    command: story('keyWalks'),
  },
  studies: {
    what: 'the published studies over 20 seeds',
    command: (node) => [node, 'scripts/studies.mjs', '--report', '--seeds', '20'],
  },
  realStudies: {
    what: 'the fifteen studies at small scale on real peers, each to its end',
    command: (node) => [node, 'scripts/studies.mjs', '--real'],
  },
  diagnose: {
    what: 'planted bottlenecks named by the likely reasons',
    command: (node) => [node, 'scripts/diagnose.mjs', '--report'],
  },
  packages: {
    what: 'the packages twice, byte by byte the same; the tar.gz runs for who is not root; the installer for Windows compiles',
    command: (node) => [node, 'scripts/packaging/twice.ts'],
  },
  release: {
    what: 'a release in a clone of this commit: packages, sums, notes, a signed feed that takes its packages and no others',
    command: (node) => [node, 'scripts/packaging/released.ts'],
  },
  bareDebian: {
    what: 'the package on a Debian with nothing but apt: installed, run, upgraded, removed, without a network',
    command: (node) => [node, 'scripts/packaging/bareDebian.ts'],
  },
  store: { what: 'the store over four hours, 13.8 M samples', command: bench('store') },
  soak: { what: 'the window on a live run of four hours', command: bench('soak') },
  kit: {
    what: 'the load generator for every kind of client: it compiles',
    command: (node) => [node, 'scripts/kit.mjs', join('.cache', 'kit')],
  },
  history: {
    what: 'a history of thousands of runs, within its budgets',
    command: bench('history'),
  },
} satisfies Record<string, NightlyCheck>;

/** Runs the asked checks, or all; the whole output of each is kept in `.cache/nightly`. */
export async function runNightly(
  asked: readonly string[],
  { root, node, build }: { root: string; node: string; build: () => Promise<boolean> },
): Promise<number> {
  const names = Object.keys(nightlyChecks) as (keyof typeof nightlyChecks)[];
  const unknown = asked.filter((name) => !(names as string[]).includes(name));
  if (unknown.length > 0) {
    process.stderr.write(`No such check: ${unknown.join(', ')}. Checks: ${names.join(', ')}.\n`);
    return 2;
  }
  const packages = { ...peerPackages, ...browserPackages, ...desktopPackages, ...systemPackages };
  if (!installMissing({ ...packages, ...guestPackages })) return 2;
  await build();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => {
      endAll('SIGKILL');
      process.exit(130);
    });
  const folder = join(root, '.cache', 'nightly');
  mkdirSync(folder, { recursive: true });
  let failed = 0;
  for (const name of names.filter((one) => asked.length === 0 || asked.includes(one))) {
    const { what, command }: NightlyCheck = nightlyChecks[name];
    const startedMs = Date.now();
    const { code, text } = await runProgram({
      name,
      command: command(node),
      cwd: root,
      env: { TILEBENCH_NIGHTLY: '1', BENCH_HOURS: '4' },
      silentMs: 3_600_000,
      print: () => undefined,
    });
    const path = join(folder, `${name}.txt`);
    writeFileSync(path, `${text}\n`);
    if (code !== 0) failed += 1;
    const seconds = Math.round((Date.now() - startedMs) / 1_000);
    process.stdout.write(
      `${name.padEnd(10)} ${code === 0 ? 'ok    ' : 'FAILED'} ${String(seconds).padStart(5)} s  ${what}${code === 0 ? '' : `: ${path}`}\n`,
    );
  }
  return failed === 0 ? 0 : 1;
}
