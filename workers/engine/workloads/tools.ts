import { type AppError, fail } from '../../../src/core/base/errors.ts';
import type { SshHost } from '../deps/ssh.ts';
import type { DriverCheck } from './driver.ts';
import { quote } from './shell.ts';

/** Is `program` on the client's path, and which version does it print. */
export async function checkProgram(
  host: SshHost,
  program: string,
  versionCommand: string,
  packageName: string,
  signal?: AbortSignal,
): Promise<DriverCheck> {
  const result = await host.exec(
    `command -v ${quote(program)} >/dev/null 2>&1 || exit 127; ${versionCommand} 2>&1 | head -1`,
    { timeoutMs: 20_000, ...(signal ? { signal } : {}) },
  );
  if (result.code === 127)
    return {
      ok: false,
      version: null,
      problem: `${program} is not installed`,
      fix:
        `On the client: apt-get install ${packageName} (Debian, Ubuntu) or dnf install ` +
        `${packageName} (Fedora, RHEL).`,
      command: `sudo apt-get install -y ${packageName}`,
    };
  return { ok: true, version: result.stdout.trim() || program };
}

/**
 * The error of a tool that answered and refused: never `unreachable`, which says that the client is
 * gone. `output` is kept for the run's log.
 */
export const toolRefused = (message: string, output: string, hint?: string): AppError =>
  fail('conflict', message, hint, { output: output.slice(-20_000) });

/** A number a tool printed; NaN for anything else. */
export const num = (text: string | undefined): number =>
  text === undefined || text === '' ? NaN : Number(text);
