import { spawn } from 'node:child_process';
import { dirname } from 'node:path';

import { appVersion } from '../src/wire/contract/version.ts';
import { endureStream } from '../src/wire/standardStreams.ts';
import { exitCodes } from './cli/exitCodes.ts';
import { runCli } from './cli/program.ts';
import type { Interrupts } from './cli/run.ts';

/**
 * The command line as a program of its own: `workers/cli.ts` from sources, `dist/workers/cli.mjs`
 * in a package.
 */
const bundled = import.meta.filename.endsWith('.mjs');
const rootDir = bundled ? dirname(dirname(import.meta.dirname)) : dirname(import.meta.dirname);

let count = 0;
const listeners = new Set<(count: number) => void>();
const interrupts: Interrupts = {
  on(listener) {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  },
};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    count += 1;
    if (listeners.size === 0) process.exit(5);
    for (const listener of [...listeners]) listener(count);
  });
}

function openBrowser(url: string): void {
  const [program, ...args] =
    process.platform === 'darwin'
      ? ['open']
      : process.platform === 'win32'
        ? ['cmd', '/c', 'start', '']
        : ['xdg-open'];
  const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true });
  child.on('error', () => {
    process.stderr.write(`No browser can be opened here: open the address by hand.\n`);
  });
  child.unref();
}

/** Results that reached nobody are no success. */
let lost = false;
endureStream(process.stderr);
endureStream(process.stdout, (code) => {
  lost = true;
  process.stderr.write(`What was printed is not whole: stdout cannot be written (${code}).\n`);
  if (process.exitCode === exitCodes.passed) process.exitCode = exitCodes.failed;
});

const code = await runCli(process.argv.slice(2), {
  rootDir,
  bundled,
  version: appVersion,
  interrupts,
  openBrowser,
  terminal: {
    out: (text) => {
      process.stdout.write(`${text}\n`);
    },
    err: (text) => {
      process.stderr.write(`${text}\n`);
    },
    isTty: process.stderr.isTTY,
  },
});
// The stream tells of its fault later than the command ends, or before.
process.exitCode = lost && code === exitCodes.passed ? exitCodes.failed : code;
