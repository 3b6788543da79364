import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { windowOf } from '../e2e/fixtures/installed.ts';
import { median } from '../src/core/stats/summary.ts';
import type { BenchResult, BenchRow } from './row.ts';

const rootDir = resolve(import.meta.dirname, '..');
const rounds = 5;
const program = 'lib/tilebench/tilebench-console';
const consoleDir = 'lib/tilebench/resources/console';

/** The tar.gz, made as for users and unpacked; with the Electron of the tests where that is set. */
function unpackPackage(dir: string): string {
  const standIn = process.env['ELECTRON_OVERRIDE_DIST_PATH'] === undefined ? [] : ['--stand-in'];
  execFileSync(
    process.execPath,
    ['scripts/package.mjs', 'tar', '--fast', ...standIn, '--out', join(dir, 'out')],
    { cwd: rootDir, stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const into = join(dir, 'ours');
  mkdirSync(into);
  const [archive = ''] = readdirSync(join(dir, 'out'));
  execFileSync('tar', ['-xzf', join(dir, 'out', archive), '-C', into, '--strip-components=1']);
  return into;
}

/** An archive as Electron reads it: two sizes, a header in JSON, the files one after the other. */
function archiveOf(files: Readonly<Record<string, string>>): Buffer {
  let offset = 0;
  const listed = Object.entries(files).map(([name, text]) => {
    const size = Buffer.byteLength(text);
    const entry = { size, offset: String(offset) };
    offset += size;
    return [name, entry] as const;
  });
  const json = Buffer.from(JSON.stringify({ files: Object.fromEntries(listed) }));
  const padded = Math.ceil(json.length / 4) * 4;
  const head = Buffer.alloc(16 + padded);
  [4, padded + 8, padded + 4, json.length].forEach((value, i) => head.writeUInt32LE(value, i * 4));
  json.copy(head, 16);
  return Buffer.concat([head, Buffer.from(Object.values(files).join(''))]);
}

/** The same Electron with the same fuses, around a program that does nothing but open a window. */
function packEmpty(ours: string, dir: string): string {
  const into = join(dir, 'empty');
  cpSync(join(ours, 'lib/tilebench'), join(into, 'lib/tilebench'), {
    recursive: true,
    filter: (path) => !path.startsWith(join(ours, consoleDir)),
  });
  const archive = archiveOf({
    'package.json': '{"name":"empty","version":"1.0.0","main":"main.js"}',
    'index.html': '<!doctype html><title>Empty</title><h1>Empty</h1>',
    'main.js':
      "const { app, BrowserWindow } = require('electron'); app.whenReady().then(() => " +
      'new BrowserWindow({ width: 1440, height: 900 }).loadFile(__dirname + "/index.html"));',
  });
  writeFileSync(join(into, 'lib/tilebench/resources/app.asar'), archive);
  return into;
}

/** Starts what was unpacked, with a home of its own. */
function start(unpacked: string, home: string): ChildProcess {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const foreign = /^(TILEBENCH_|ELECTRON_|NODE_|XDG_)/;
  const kept = Object.entries(process.env).filter(([name]) => !foreign.test(name));
  return spawn(
    join(unpacked, program),
    ['--no-sandbox', '--disable-gpu', '--remote-debugging-port=0'],
    { env: { ...Object.fromEntries(kept), HOME: home }, stdio: ['ignore', 'ignore', 'pipe'] },
  );
}

/** From the start until this text is on the page, in ms; `rest` sees the program running. */
async function untilShown<T>(
  unpacked: string,
  home: string,
  text: string,
  rest: (pid: number) => T,
): Promise<{ tookMs: number; rest: T }> {
  const startMs = performance.now();
  const started = start(unpacked, home);
  const { page, end } = await windowOf(started);
  await page.getByText(text).first().waitFor();
  const tookMs = performance.now() - startMs;
  const result = { tookMs, rest: rest(started.pid!) };
  await end();
  if (started.exitCode === null && started.signalCode === null) await once(started, 'exit');
  return result;
}

const kinds: readonly [RegExp, string][] = [
  [/engineProcess/, 'engine'],
  [/--type=renderer/, 'page'],
  [/--type=gpu-process/, 'helper for drawing'],
  [/--type=utility/, 'helper for the network'],
  [/--type=zygote/, 'helpers that start others'],
  [/./, 'window process'],
];

/** Of a program and all below it: MB by kind of process, pages that several share parted among them. */
function memoryBelow(pid: number): Map<string, number> {
  const sums = new Map<string, number>();
  const visit = (at: number): void => {
    const line = readFileSync(`/proc/${at}/cmdline`, 'utf8').replaceAll('\0', ' ');
    const kind = kinds.find(([pattern]) => pattern.test(line))?.[1] ?? 'other';
    const pss = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${at}/smaps_rollup`, 'utf8'))?.[1];
    sums.set(kind, (sums.get(kind) ?? 0) + (Number(pss ?? 0) * 1_024) / 1e6);
    for (const thread of readdirSync(`/proc/${at}/task`))
      for (const child of readFileSync(`/proc/${at}/task/${thread}/children`, 'utf8').split(' '))
        if (child.trim() !== '') visit(Number(child));
  };
  visit(pid);
  return sums;
}

/** What lies below a folder, in MiB, by the first part that names it. */
function sizesOf(unpacked: string): BenchRow[] {
  const parts: readonly [string, RegExp][] = [
    ['Node 24', /^lib\/tilebench\/resources\/console\/bin\//],
    ['our bundles and pages', /^lib\/tilebench\/resources\/(console\/dist\/|app\.asar)/],
    ['fonts of reports', /^lib\/tilebench\/resources\/console\/node_modules\/@fontsource/],
    ['packages beside the bundles', /^lib\/tilebench\/resources\/console\/node_modules\//],
    ['load generator, profiles, lab', /^lib\/tilebench\/resources\/console\//],
    ['Electron', /^lib\/tilebench\//],
    ['launchers, icons, manual, licences', /./],
  ];
  const sums = new Map(parts.map(([label]) => [label, 0]));
  let total = 0;
  for (const entry of readdirSync(unpacked, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const mib = readFileSync(path).length / 2 ** 20;
    const label = parts.find(([, of]) => of.test(path.slice(unpacked.length + 1)))?.[0] ?? '';
    sums.set(label, (sums.get(label) ?? 0) + mib);
    total += mib;
  }
  return [
    {
      label: 'installed, with one load generator of three',
      value: total,
      unit: 'MiB',
      budget: 450,
    },
    ...[...sums].map(([label, value]) => ({ label, value, unit: 'MiB' })),
  ];
}

/**
 * The package as a user has it: its size by parts, its start to the home page with what the engine
 * told it, beside an empty application in the same package, and the memory of each process.
 */
export async function run(): Promise<BenchResult[]> {
  const dir = mkdtempSync(join(tmpdir(), 'tilebench-bench-packaged-'));
  try {
    const ours = unpackPackage(dir);
    const empty = packEmpty(ours, dir);
    const emptyMs: number[] = [];
    const oursMs: number[] = [];
    let memory = new Map<string, number>();
    let emptyMb = 0;
    const sum = (of: Map<string, number>): number => [...of.values()].reduce((a, b) => a + b, 0);
    for (let round = 0; round <= rounds; round += 1) {
      const bare = await untilShown(empty, join(dir, 'home-empty'), 'Empty', memoryBelow);
      const own = await untilShown(ours, join(dir, 'home'), 'Open the demo lab', memoryBelow);
      emptyMs.push(bare.tookMs);
      oursMs.push(own.tookMs);
      memory = own.rest;
      emptyMb = sum(bare.rest);
    }
    const anchorMs = median(emptyMs.slice(1));
    const tookMs = median(oursMs.slice(1));
    return [
      { name: 'packaged: what is installed', rows: sizesOf(ours) },
      {
        name: 'packaged: the first window',
        rows: [
          { label: 'an empty application packaged the same (anchor)', value: anchorMs, unit: 'ms' },
          {
            label: 'home page with what the engine told it',
            value: tookMs,
            unit: 'ms',
            ratio: tookMs / anchorMs,
            budget: 1.5,
          },
          { label: 'the very first start, nothing compiled yet', value: oursMs[0]!, unit: 'ms' },
        ],
      },
      {
        name: 'packaged: memory when the home page is shown',
        rows: [
          { label: 'an empty application packaged the same (anchor)', value: emptyMb, unit: 'MB' },
          {
            label: 'all processes',
            value: sum(memory),
            unit: 'MB',
            ratio: sum(memory) / emptyMb,
          },
          ...[...memory].map(([label, value]) => ({ label, value, unit: 'MB' })),
        ],
      },
    ];
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
