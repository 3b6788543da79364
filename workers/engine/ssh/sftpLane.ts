import type { SFTPWrapper } from 'ssh2';

import { fail } from '../../../src/core/base/errors.ts';
import type { SshTarget } from '../deps/ssh.ts';
import { abortable } from './deadline.ts';
import type { Lease, Pool } from './pool.ts';
import { isChannelRefusal, openChannel } from './pool.ts';

/**
 * Reads of files on a client. All jobs of a client share one channel, and nothing is started there.
 */
export interface RemoteFiles {
  /** Null where there is no such file. */
  open(path: string): Promise<Buffer | null>;
  /** Bytes read into the buffer; 0 at the end of the file. */
  read(handle: Buffer, into: Buffer, offset: number): Promise<number>;
  close(handle: Buffer): void;
  /** The last `maxBytes` of a file; null where there is none. */
  tail(path: string, maxBytes: number): Promise<Buffer | null>;
  /** Bytes of an open file. */
  size(handle: Buffer): Promise<number>;
}
export interface SftpLane {
  /**
   * The shared session, opened anew after a loss. Throws what connecting throws, notFound where
   * SFTP is switched off.
   */
  files(signal?: AbortSignal): Promise<RemoteFiles>;
}

/** SSH_FX_NO_SUCH_FILE of the SFTP protocol, draft-ietf-secsh-filexfer-02, 7. */
const noSuchFile = 2;

export function createSftpLane(target: SshTarget, pool: Pool): SftpLane {
  let current: Promise<RemoteFiles> | null = null;
  return {
    files(signal) {
      current ??= openSession(target, pool, () => {
        current = null;
      }).catch((thrown: unknown) => {
        current = null;
        throw thrown;
      });
      return abortable(current, signal, `Reading from ${target.name}`);
    },
  };
}

function openSession(target: SshTarget, pool: Pool, onEnd: () => void): Promise<RemoteFiles> {
  return openChannel(pool, undefined, (lease) => openOn(target, lease, onEnd));
}

async function openOn(target: SshTarget, lease: Lease, onEnd: () => void): Promise<RemoteFiles> {
  let opened = false;
  const requests = createRequests(target, () => {
    onEnd();
    if (opened) lease.release();
  });
  lease.link.onLost(requests.end);
  const sftp = await openSftp(target, lease, requests);
  opened = true;
  sftp.on('error', (error: Error) =>
    requests.end(fail('unreachable', `Reading from ${target.name} failed: ${error.message}.`)),
  );
  sftp.once('close', () =>
    requests.end(
      fail(
        'unreachable',
        `The connection to ${target.name} was lost: its SFTP session ended.`,
        'Check that the machine is on and reachable.',
      ),
    ),
  );
  return filesOf(target, sftp, requests);
}

async function openSftp(
  target: SshTarget,
  lease: Lease,
  { request, end }: Requests,
): Promise<SFTPWrapper> {
  try {
    return await request<SFTPWrapper>((done) => {
      lease.link.client.sftp((error, session) => done(error, session));
    });
  } catch (thrown) {
    const lost = lease.link.lost();
    if (isChannelRefusal(thrown)) throw thrown;
    end(lost ?? new Error('no session'));
    if (lost) throw lost;
    throw fail(
      'notFound',
      `SFTP is switched off on ${target.name} (${thrown instanceof Error ? thrown.message : String(thrown)}).`,
      'Add "Subsystem sftp internal-sftp" to sshd_config there and restart sshd.',
      { client: target.name },
    );
  }
}

/** What is asked on one connection and not answered yet. */
interface Requests {
  /** Settles by its answer, or by the loss of the connection. */
  request: <T>(
    start: (done: (error: Error | null | undefined, value: T) => void) => void,
  ) => Promise<T>;
  /** The connection is over: whatever waits, and whatever is asked from now on, fails so. */
  end: (error: Error) => void;
  hasEnded: () => boolean;
}

function createRequests(target: SshTarget, onEnd: () => void): Requests {
  const pending = new Set<(error: Error) => void>();
  let ended: Error | null = null;
  return {
    hasEnded: () => ended !== null,
    end(error) {
      if (ended) return;
      ended = error;
      onEnd();
      for (const reject of pending) reject(error);
      pending.clear();
    },
    request: <T>(start: (done: (error: Error | null | undefined, value: T) => void) => void) =>
      new Promise<T>((resolve, reject) => {
        if (ended) {
          reject(ended);
          return;
        }
        pending.add(reject);
        start((error, value) => {
          if (!pending.delete(reject)) return;
          // An answer with a status code is the server's; anything else is the connection's.
          if (!error) resolve(value);
          else if (isChannelRefusal(error) || ('code' in error && typeof error.code === 'number'))
            reject(error);
          else
            reject(
              ended ??
                fail(
                  'unreachable',
                  `The connection to ${target.name} was lost: ${error.message}.`,
                  'Check that the machine is on and reachable.',
                ),
            );
        });
      }),
  };
}

function filesOf(
  target: SshTarget,
  sftp: SFTPWrapper,
  { request, hasEnded }: Requests,
): RemoteFiles {
  const files: RemoteFiles = {
    open: (path) =>
      request<Buffer>((done) => {
        sftp.open(path, 'r', done);
      }).catch((error: unknown) => {
        if (error instanceof Error && 'code' in error && error.code === noSuchFile) return null;
        throw asAppError(target, path, error);
      }),
    read: (handle, into, offset) =>
      request<number>((done) => {
        sftp.read(handle, into, 0, into.length, offset, done);
      }).catch((error: unknown) => {
        throw asAppError(target, 'stdout', error);
      }),
    close: (handle) => {
      // The handle ends with the session; a refusal changes nothing for the reader.
      if (!hasEnded()) sftp.close(handle, () => undefined);
    },
    size: (handle) =>
      request<number>((done) => {
        sftp.fstat(handle, (error, stats) => done(error, error ? 0 : stats.size));
      }),
    async tail(path, maxBytes) {
      const handle = await files.open(path);
      if (!handle) return null;
      try {
        const size = await files.size(handle);
        const buffer = Buffer.alloc(Math.min(size, maxBytes));
        return buffer.subarray(
          0,
          buffer.length === 0 ? 0 : await files.read(handle, buffer, size - buffer.length),
        );
      } finally {
        files.close(handle);
      }
    },
  };
  return files;
}

function asAppError(target: SshTarget, path: string, error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error;
  return fail(
    'internal',
    `${path} cannot be read on ${target.name}: ${error.message}.`,
    'Check the owner and mode of ~/.tilebench there.',
  );
}
