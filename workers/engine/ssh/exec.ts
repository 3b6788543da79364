import type { ClientChannel } from 'ssh2';

import type { AppError } from '../../../src/core/base/errors.ts';
import { fail, toAppError } from '../../../src/core/base/errors.ts';
import type { SshTarget } from '../deps/ssh.ts';
import { within } from './deadline.ts';
import type { Link } from './link.ts';
import type { Pool } from './pool.ts';
import { isChannelRefusal, openChannel } from './pool.ts';
import { shellQuote } from './quote.ts';
import type { SshEnv } from './types.ts';

export interface ExecOptions {
  signal?: AbortSignal;
  timeoutMs?: number;
  stdin?: string;
  maxBytes?: number;
}
export interface ExecResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** How long a command that was given up may take to tell its process id. */
const pidPatienceMs = 5_000;
/** A login shell may print before it. */
export const pidLine = /^tbpid:(\d+)\n/m;
/**
 * sshd starts a command as the leader of its own session, so its process id is the group to end.
 */
export const withPid = (command: string): string =>
  `exec /bin/sh -c ${shellQuote(`echo "tbpid:$$" >&2\n${command}`)}`;

/**
 * Runs one short command under /bin/sh. Never rejects for an exit code. Rejects unreachable when
 * the connection is lost, timedOut or aborted after ending the remote process group, invalidInput
 * when it prints more than `maxBytes`.
 */
export async function execOn(
  env: SshEnv,
  target: SshTarget,
  pool: Pool,
  command: string,
  options: ExecOptions = {},
): Promise<ExecResult> {
  const { timeoutMs = 60_000, signal } = options;
  let pid: string | null = null;
  let tellPid = (): void => undefined;
  const pidKnown = new Promise<void>((resolve) => {
    tellPid = resolve;
  });
  let channel: ClientChannel | null = null;
  const late = (): AppError =>
    fail(
      'timedOut',
      `A command on ${target.name} did not end within ${timeoutMs / 1000} s: ${command.slice(0, 80)}`,
      'Check the load of that machine.',
    );
  try {
    return await within(
      env.clock,
      timeoutMs,
      signal,
      `A command on ${target.name}`,
      late,
      async (ends) => {
        return openChannel(pool, ends, async (lease) => {
          const result = await runOn(
            lease.link,
            target,
            withPid(command),
            options,
            (opened) => {
              channel = opened;
            },
            (found) => {
              pid = found;
              tellPid();
            },
          );
          lease.release();
          return result;
        });
      },
    );
  } catch (thrown) {
    const opened = channel as ClientChannel | null;
    if (opened) {
      // Closing a channel ends nothing: a command that was given up before it told its process id
      // would go on.
      if (pid === null && toAppError(thrown).kind !== 'unreachable')
        await Promise.race([pidKnown, env.clock.sleep(pidPatienceMs)]);
      opened.close();
      if (pid !== null) await endGroup(env, target, pool, pid);
    }
    throw thrown;
  }
}

function runOn(
  link: Link,
  target: SshTarget,
  command: string,
  options: ExecOptions,
  onChannel: (channel: ClientChannel) => void,
  onPid: (pid: string) => void,
): Promise<ExecResult> {
  const { maxBytes = 1_048_576, stdin } = options;
  return new Promise((resolve, reject) => {
    const forget = link.onLost(reject);
    let bytes = 0;
    let head = '';
    let pidSeen = false;
    const count = (chunk: Buffer): void => {
      bytes += chunk.length;
      if (bytes > maxBytes + 64)
        reject(
          fail(
            'invalidInput',
            `A command on ${target.name} printed more than ${maxBytes} bytes.`,
            'Print less, or start it as a job and follow its output.',
          ),
        );
    };
    link.ssh
      .execCommand(command, {
        // node-ssh decodes each chunk by itself, which tears characters; latin1 keeps the bytes.
        encoding: 'latin1',
        noTrim: true,
        ...(stdin === undefined ? {} : { stdin }),
        onChannel: (channel) => {
          // An end of the remote command before it read its stdin is no error of ours.
          channel.on('error', () => undefined);
          onChannel(channel);
        },
        onStdout: count,
        onStderr: (chunk) => {
          count(chunk);
          if (pidSeen) return;
          head += chunk.toString('latin1');
          const pid = pidLine.exec(head)?.[1];
          if (pid !== undefined) {
            pidSeen = true;
            onPid(pid);
          }
        },
      })
      .then(
        (result) => {
          forget();
          const lost = link.lost();
          if (result.code === null && result.signal === null) {
            reject(
              lost ??
                fail(
                  'unreachable',
                  `The connection to ${target.name} was lost during a command.`,
                  'Check that the machine is on and reachable.',
                ),
            );
            return;
          }
          resolve({
            code: result.code,
            stdout: utf8(result.stdout),
            stderr: utf8(result.stderr.replace(pidLine, '')),
          });
        },
        (thrown: unknown) => {
          forget();
          reject(link.lost() ?? asConnectionError(thrown, target));
        },
      );
  });
}

function asConnectionError(thrown: unknown, target: SshTarget): Error {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  if (isChannelRefusal(error)) return error;
  return fail(
    'unreachable',
    `The connection to ${target.name} was lost: ${error.message}.`,
    'Check that the machine is on and reachable.',
  );
}

const utf8 = (latin1: string): string => Buffer.from(latin1, 'latin1').toString('utf8');

/** Closing a channel does not end what runs behind it. */
export async function endGroup(
  env: SshEnv,
  target: SshTarget,
  pool: Pool,
  pid: string,
): Promise<void> {
  const script =
    `kill -s TERM -- -${pid} 2>/dev/null || exit 0\nfor i in 1 2 3 4 5 6 7 8 9 10; do kill -s ` +
    `0 -- -${pid} 2>/dev/null || exit 0; sleep 0.1 2>/dev/null || sleep 1; done\nkill -s KILL ` +
    `-- -${pid} 2>/dev/null`;
  const late = (): AppError =>
    fail('timedOut', `A cancelled command on ${target.name} could not be ended.`);
  try {
    await within(env.clock, 5_000, undefined, 'Ending a command', late, async (ends) => {
      await openChannel(pool, ends, async (lease) => {
        await runOn(
          lease.link,
          target,
          withPid(script),
          {},
          () => undefined,
          () => undefined,
        );
        lease.release();
      });
    });
  } catch (thrown) {
    env.log.warn('A cancelled command may still run', {
      client: target.name,
      pid,
      error: thrown instanceof Error ? thrown.message : String(thrown),
    });
  }
}
