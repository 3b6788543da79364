import type { ClientChannel } from 'ssh2';

import { fail, toAppError } from '../../../src/core/base/errors.ts';
import type { SshTarget } from '../deps/ssh.ts';
import { abortedError } from './deadline.ts';
import { endGroup, pidLine, withPid } from './exec.ts';
import { type Lease, openChannel, type Pool } from './pool.ts';
import type { SshEnv } from './types.ts';

const mostStderr = 4_096;

export interface StreamEnd {
  code: number | null;
  stderrTail: string;
}

/**
 * Runs one command and hands on what it prints as it comes, until it ends or `signal` fires. Rejects
 * aborted, with its process group ended, and unreachable when the connection is lost: then the next
 * thing it prints ends it, so it has to be one that goes on printing, and ends by itself some day.
 */
export function streamOn(
  env: SshEnv,
  target: SshTarget,
  pool: Pool,
  command: string,
  onBytes: (chunk: Uint8Array) => void,
  signal: AbortSignal,
): Promise<StreamEnd> {
  return openChannel(pool, signal, async (lease) => {
    let pid: string | null = null;
    try {
      return await runOn(lease, target, command, onBytes, signal, (found) => {
        pid = found;
      });
    } catch (thrown) {
      if (pid !== null && toAppError(thrown).kind !== 'unreachable')
        await endGroup(env, target, pool, pid);
      throw thrown;
    } finally {
      lease.release();
    }
  });
}

function runOn(
  { link }: Lease,
  target: SshTarget,
  command: string,
  onBytes: (chunk: Uint8Array) => void,
  signal: AbortSignal,
  onPid: (pid: string) => void,
): Promise<StreamEnd> {
  return new Promise((resolve, reject) => {
    let channel: ClientChannel | null = null;
    let stderr = '';
    const settle = (act: () => void): void => {
      signal.removeEventListener('abort', onAbort);
      forget();
      act();
      // What is closed here gets no further byte of the program, which ends it.
      channel?.close();
    };
    const onAbort = (): void => settle(() => reject(abortedError(`A command on ${target.name}`)));
    const forget = link.onLost((error) => settle(() => reject(error)));
    signal.addEventListener('abort', onAbort, { once: true });
    link.client.exec(withPid(command), (refused, opened) => {
      if (refused) {
        settle(() => reject(refused));
        return;
      }
      channel = opened;
      if (signal.aborted) {
        opened.close();
        return;
      }
      let code: number | null = null;
      opened.on('error', () => undefined);
      opened.on('data', (chunk: Buffer) => {
        try {
          onBytes(chunk);
        } catch (thrown) {
          settle(() => reject(toAppError(thrown)));
        }
      });
      opened.stderr.on('data', (chunk: Buffer) => {
        stderr = (stderr + chunk.toString('utf8')).slice(-mostStderr);
        const pid = pidLine.exec(stderr)?.[1];
        if (pid !== undefined) onPid(pid);
      });
      opened.on('exit', (exitCode: number | null) => {
        code = exitCode;
      });
      opened.on('close', () => {
        const lost = link.lost();
        settle(() =>
          lost || (code === null && stderr === '')
            ? reject(
                lost ??
                  fail(
                    'unreachable',
                    `The connection to ${target.name} was lost during a command.`,
                    'Check that the machine is on and reachable.',
                  ),
              )
            : resolve({ code, stderrTail: stderr.replace(pidLine, '') }),
        );
      });
    });
  });
}
