import { execFile } from 'node:child_process';

import { fail } from '../../../../src/core/base/errors.ts';
import type { SshHost } from '../../deps/ssh.ts';

/**
 * Runs a driver's short commands with this machine's /bin/sh, for tests of drivers without SSH.
 * Jobs are the SSH edge's.
 */
export function localHost(): SshHost {
  const jobsNeedSsh = async (): Promise<never> => {
    throw fail('conflict', 'Jobs need the SSH edge.');
  };
  return {
    exec: (command, options = {}) =>
      new Promise((resolve) => {
        execFile(
          '/bin/sh',
          ['-c', command],
          { timeout: options.timeoutMs ?? 60_000, maxBuffer: options.maxBytes ?? 1024 * 1024 },
          (error, stdout, stderr) => {
            resolve({
              code: error ? (typeof error.code === 'number' ? error.code : null) : 0,
              stdout,
              stderr,
            });
          },
        );
      }),
    clockOffset: async () => ({ offsetMs: 0, errorMs: 0 }),
    stream: jobsNeedSsh,
    startJob: jobsNeedSsh,
    followJob: jobsNeedSsh,
    jobStatus: jobsNeedSsh,
    endJob: jobsNeedSsh,
    readJobFile: jobsNeedSsh,
    putKit: jobsNeedSsh,
    putFile: jobsNeedSsh,
    dropFiles: jobsNeedSsh,
    cleanRun: jobsNeedSsh,
    close: () => undefined,
  };
}
