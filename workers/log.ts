import { appendFileSync, existsSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';

import type { Log } from './engine/deps.ts';

export const logLevels = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof logLevels)[number];

export interface LogOptions {
  /** The file is `<dir>/<name>.log`; older parts are `.1` and `.2`. One process a file. */
  dir: string;
  /** Default: tilebench. */
  name?: string;
  /** Least level that goes to the file. */
  level: LogLevel;
  /** Least level that goes to `stderr` too. */
  stderrLevel: LogLevel;
  /** A part is closed when it has grown to this. */
  maxBytes?: number;
  now?: () => number;
  stderr?: (line: string) => void;
}

/**
 * A log of one JSON object a line, in a file that rotates, and in words on stderr. A disk that is
 * full, or a folder that cannot be made, silences the file, never the program.
 */
export function createLog(options: LogOptions): Log {
  const {
    now = Date.now,
    maxBytes = 5_000_000,
    stderr = (line: string) => {
      process.stderr.write(`${line}\n`);
    },
  } = options;
  const path = join(options.dir, `${options.name ?? 'tilebench'}.log`);
  try {
    mkdirSync(options.dir, { recursive: true, mode: 0o700 });
  } catch {
    // The first line tells it.
  }
  let size = existsSync(path) ? statSync(path).size : 0;
  let fileFailed = false;

  const rotate = (): void => {
    // Somebody may have removed a part meanwhile.
    for (const [from, to] of [
      [`${path}.1`, `${path}.2`],
      [path, `${path}.1`],
    ] as const)
      if (existsSync(from)) renameSync(from, to);
    size = 0;
  };
  const toFile = (line: string): void => {
    try {
      if (size + line.length > maxBytes && size > 0) rotate();
      appendFileSync(path, line, { mode: 0o600 });
      size += Buffer.byteLength(line);
      fileFailed = false;
    } catch (thrown) {
      if (!fileFailed) stderr(`log: ${path} cannot be written: ${String(thrown)}`);
      fileFailed = true;
    }
  };
  const write =
    (level: LogLevel) =>
    (text: string, facts?: Record<string, unknown>): void => {
      const rank = logLevels.indexOf(level);
      if (rank >= logLevels.indexOf(options.level))
        toFile(
          `${JSON.stringify({ at: new Date(now()).toISOString(), level, text, ...(facts ? { facts: plain(facts) } : {}) })}\n`,
        );
      if (rank >= logLevels.indexOf(options.stderrLevel))
        stderr(`${level}: ${text}${facts ? ` ${JSON.stringify(plain(facts))}` : ''}`);
    };
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}

/** Errors with their stack and cause, everything else as JSON sees it. */
function plain(facts: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(facts).map(([name, value]) => [
      name,
      value instanceof Error
        ? {
            message: value.message,
            stack: value.stack,
            ...(value.cause === undefined
              ? {}
              : {
                  cause:
                    value.cause instanceof Error
                      ? value.cause.message
                      : JSON.stringify(value.cause),
                }),
          }
        : value,
    ]),
  );
}
