import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { release } from 'node:os';
import { join } from 'node:path';

import { type Crash, crashFile, surplusReports } from '../src/wire/crashReport.ts';

/**
 * Writes the report of a crash to `folder` and drops the oldest; gives its path. Throws the system's
 * error where it cannot be written.
 */
export function keepCrash(folder: string, crash: Crash, version: string): string {
  const { name, text } = crashFile(crash, {
    Tilebench: version,
    Node: process.versions.node,
    System: `${process.platform} ${process.arch} ${release()}`,
  });
  const path = join(folder, name);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(path, text, { mode: 0o600 });
  for (const old of surplusReports(readdirSync(folder))) rmSync(join(folder, old));
  return path;
}
