import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

import { toAppError } from '../../../../src/core/base/errors.ts';
import { openBundle } from '../read.ts';

/**
 * What opening one bundle cost: processor time, and how far the memory of this process ever went.
 */
export interface Opened {
  file: string;
  kind: string;
  message: string;
  cpuMs: number;
  peakMb: number;
}

/**
 * Of this program alone: what the system counts for the process began with the one that started it.
 */
const peakMb = (): number =>
  Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1_024;

/**
 * Opens each bundle of its arguments, reads all of its samples, and prints a line of JSON for each.
 */
async function openOne(path: string): Promise<{ kind: string; message: string }> {
  try {
    const bundle = await openBundle(path, basename(path));
    try {
      const samples = bundle.samples(new AbortController().signal);
      while ((await samples.next()).done !== true);
    } finally {
      bundle.close();
    }
    return { kind: 'opened', message: '' };
  } catch (thrown) {
    return toAppError(thrown);
  }
}

for (const path of process.argv.slice(2)) {
  const before = process.cpuUsage();
  const { kind, message } = await openOne(path);
  const { user, system } = process.cpuUsage(before);
  const opened: Opened = {
    file: basename(path),
    kind,
    message,
    cpuMs: (user + system) / 1_000,
    peakMb: peakMb(),
  };
  process.stdout.write(`${JSON.stringify(opened)}\n`);
}
