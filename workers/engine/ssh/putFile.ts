import type { SFTPWrapper } from 'ssh2';

import { fail } from '../../../src/core/base/errors.ts';
import type { SentFile } from '../deps/ssh.ts';
import { execOn } from './exec.ts';
import { openChannel } from './pool.ts';
import type { JobHost } from './remoteJob.ts';

/** Where a client keeps files that were sent to it, for as long as they are needed. */
const folder = '"${TILEBENCH_ROOT:-$HOME}/.tilebench-files"';

/** As `putFile` of `SshHost`. */
export async function putFile(
  host: JobHost,
  { path, sha256, bytes }: SentFile,
  signal?: AbortSignal,
): Promise<string> {
  const { target } = host;
  const say = (command: string): Promise<string[]> => answerOf(host, command, signal);
  const isThere = `[ "$(sha256sum <${sha256} 2>/dev/null | cut -c 1-64)" = ${sha256} ]`;
  const [state = '', dir = ''] = await say(
    `umask 077; mkdir -p ${folder} && cd ${folder} || exit 1; ` +
      `if ${isThere}; then echo there; else df -Pk . | awk 'NR == 2 { print $4 }'; fi; pwd -P`,
  );
  if (state === 'there') return `${dir}/${sha256}`;
  if (Number(state) * 1_024 < bytes)
    throw fail(
      'conflict',
      `Too little room in ${dir} of ${target.name}: ${Math.floor(Number(state) / 1_024)} MB ` +
        `are free, ${Math.ceil(bytes / 2 ** 20)} MB are needed.`,
      'Make room there, and retry.',
    );
  const partial = `${sha256.slice(0, 16)}.${Date.now().toString(36)}`;
  try {
    await upload(host, path, `${dir}/${partial}`, signal);
    const [said] = await say(
      `cd ${folder} && mv ${partial} ${sha256} && if ${isThere}; then echo there; ` +
        `else rm -f ${sha256}; echo other; fi`,
    );
    if (said !== 'there')
      throw fail(
        'conflict',
        `What arrived on ${target.name} is not what was sent.`,
        'Retry; where it happens again, look at its disk and network.',
      );
  } catch (thrown) {
    // A full disk is not left full of half a file.
    await say(`rm -f ${folder}/${partial}; echo`).catch(() => []);
    throw thrown;
  }
  return `${dir}/${sha256}`;
}

/** As `dropFiles` of `SshHost`. */
export async function dropFiles(host: JobHost, signal?: AbortSignal): Promise<void> {
  await answerOf(host, `rm -rf ${folder}; echo`, signal);
}

/** The last two lines that a command says; throws conflict where it fails. */
async function answerOf(
  { env, target, pool }: JobHost,
  command: string,
  signal?: AbortSignal,
): Promise<string[]> {
  const { code, stdout, stderr } = await execOn(env, target, pool, command, {
    timeoutMs: 600_000,
    ...(signal ? { signal } : {}),
  });
  if (code === 0) return stdout.trim().split('\n').slice(-2);
  throw fail(
    'conflict',
    `A file cannot be put on ${target.name}: ${stderr.trim().slice(-300)}`,
    'Check free space and write permission of the home directory there.',
  );
}

/** Sends a file over SFTP. */
export function upload(
  host: JobHost,
  from: string,
  to: string,
  signal?: AbortSignal,
): Promise<void> {
  return openChannel(host.pool, signal, async (lease) => {
    try {
      await new Promise<void>((resolve, reject) => {
        lease.link.onLost(reject);
        lease.link.client.sftp((refused, sftp: SFTPWrapper) => {
          if (refused) {
            reject(refused);
            return;
          }
          sftp.fastPut(from, to, { mode: 0o600 }, (error) => {
            sftp.end();
            if (error) reject(new Error(`${to} cannot be written: ${error.message}`));
            else resolve();
          });
        });
      });
    } finally {
      lease.release();
    }
  });
}
