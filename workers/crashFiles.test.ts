import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Crash } from '../src/wire/crashReport.ts';
import { keepCrash } from './crashFiles.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'tilebench-crashes-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const crash: Crash = {
  process: 'engine',
  how: 'exit code 134',
  atMs: Date.UTC(2026, 10, 23),
  ranMs: 1_000,
  lastWords: 'heap out of memory',
};

test('a report is for its owner only, in a folder that need not be there yet', () => {
  const path = keepCrash(join(dir, 'logs'), crash, '0.1.0');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readFileSync(path, 'utf8')).toMatch(/Tilebench: 0\.1\.0\nNode: [^]*heap out of memory/);
});

test('an engine that crashes for days leaves its last twenty reports, and other files alone', () => {
  writeFileSync(join(dir, 'tilebench.log'), 'kept');
  for (let n = 0; n < 25; n += 1) keepCrash(dir, { ...crash, atMs: crash.atMs + n }, '0.1.0');
  const names = readdirSync(dir);
  expect(names).toHaveLength(21);
  expect(names).toContain('tilebench.log');
  expect(names.some((name) => name.includes('00-00-00-004Z'))).toBe(false);
});

test('a folder that cannot be written is told by the system', () => {
  writeFileSync(join(dir, 'logs'), 'a file');
  expect(() => keepCrash(join(dir, 'logs'), crash, '0.1.0')).toThrow(/EEXIST|ENOTDIR/);
});
