import { resolve } from 'node:path';

import { runCli } from '../program.ts';
import type { Interrupts } from '../run.ts';

/** What a command of the command line said, a line end behind each word to the terminal. */
export interface Said {
  code: number;
  out: string;
  err: string;
}

/** Runs a command in this process, on no terminal; nothing interrupts it. */
export const runHere = (...args: readonly string[]): Promise<Said> =>
  runInterrupted({ on: () => () => undefined }, ...args);

/** The same, with interrupts by the caller. */
export async function runInterrupted(
  interrupts: Interrupts,
  ...args: readonly string[]
): Promise<Said> {
  let out = '';
  let err = '';
  const code = await runCli(args, {
    rootDir: resolve('.'),
    version: '1.2.3',
    openBrowser: () => undefined,
    interrupts,
    terminal: {
      out: (text) => {
        out += `${text}\n`;
      },
      err: (text) => {
        err += `${text}\n`;
      },
      isTty: false,
    },
  });
  return { code, out, err };
}
