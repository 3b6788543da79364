import type { AppError } from '../../../src/core/base/errors.ts';
import { fail, toAppError } from '../../../src/core/base/errors.ts';
import type { SshTarget } from '../deps/ssh.ts';
import { abortedError } from './deadline.ts';
import type { Link } from './link.ts';
import { connectLink } from './link.ts';
import type { SshEnv } from './types.ts';

/** ssh2's words for a channel the server refused. */
export const isChannelRefusal = (thrown: unknown): boolean =>
  thrown instanceof Error && /Channel open failure/.test(thrown.message);

/**
 * Opens a channel with `open` on a place of the pool; where the server refuses one more channel,
 * waits for another place. The caller releases the lease.
 */
export async function openChannel<T>(
  pool: Pool,
  signal: AbortSignal | undefined,
  open: (lease: Lease) => Promise<T>,
): Promise<T> {
  for (;;) {
    const lease = await pool.lease(signal);
    try {
      return await open(lease);
    } catch (thrown) {
      if (!isChannelRefusal(thrown)) {
        lease.release();
        throw thrown;
      }
      lease.full();
    }
  }
}

/** One channel's place on a connection. */
export interface Lease {
  readonly link: Link;
  release(): void;
  /** The server refused another channel: this connection carries fewer. */ full(): void;
}
export interface Pool {
  /** Waits for a free place; connects when there is none. Throws what connecting throws. */
  lease(signal?: AbortSignal): Promise<Lease>;
  close(): void;
}
interface Entry {
  link: Link;
  used: number;
  capacity: number;
}
interface Waiter {
  grant(lease: Lease): void;
  reject(error: AppError): void;
}

/**
 * At most `connectionsPerHost` connections with `channelsPerConnection` channels each; opened
 * lazily, one at a time.
 */
export function createPool(env: SshEnv, target: SshTarget): Pool {
  const entries = new Set<Entry>();
  const waiting: Waiter[] = [];
  const closing = new AbortController();
  let connecting = false;

  const grant = (entry: Entry, waiter: Waiter): void => {
    entry.used += 1;
    let released = false;
    const release = (): void => {
      if (released) return;
      released = true;
      entry.used -= 1;
      // sshd frees a session a moment after it closed it, so a refusal may be a passing one: grow
      // back slowly.
      entry.capacity = Math.min(env.limits.channelsPerConnection, entry.capacity + 0.1);
      pump();
    };
    waiter.grant({
      link: entry.link,
      release,
      full: () => {
        entry.capacity = Math.max(1, Math.min(entry.capacity, entry.used - 1));
        release();
      },
    });
  };
  const pump = (): void => {
    while (waiting.length > 0) {
      const free = [...entries].find((entry) => entry.used < entry.capacity);
      if (!free) break;
      grant(free, waiting.shift() as Waiter);
    }
    if (waiting.length > 0 && !connecting && entries.size < env.limits.connectionsPerHost) open();
  };
  const open = (): void => {
    connecting = true;
    connectLink(env, target, closing.signal).then(
      (link) => {
        connecting = false;
        if (closing.signal.aborted) {
          link.close();
          return;
        }
        const entry: Entry = { link, used: 0, capacity: env.limits.channelsPerConnection };
        entries.add(entry);
        link.onLost((error) => {
          entries.delete(entry);
          if (!closing.signal.aborted)
            env.log.info('SSH connection lost', { client: target.name, error: error.message });
          pump();
        });
        pump();
      },
      (thrown: unknown) => {
        connecting = false;
        // While another connection lives, its places will serve those who wait.
        if (entries.size > 0) return;
        for (const waiter of waiting.splice(0)) waiter.reject(toAppError(thrown));
      },
    );
  };

  return {
    lease(signal) {
      if (closing.signal.aborted)
        return Promise.reject(fail('aborted', `The connection to ${target.name} is closed.`));
      if (signal?.aborted) return Promise.reject(abortedError(`Work on ${target.name}`));
      return new Promise((resolve, reject) => {
        const onAbort = (): void => {
          waiting.splice(waiting.indexOf(waiter), 1);
          reject(abortedError(`Work on ${target.name}`));
        };
        const waiter: Waiter = {
          grant: (lease) => {
            signal?.removeEventListener('abort', onAbort);
            resolve(lease);
          },
          reject: (error) => {
            signal?.removeEventListener('abort', onAbort);
            reject(error);
          },
        };
        signal?.addEventListener('abort', onAbort, { once: true });
        waiting.push(waiter);
        pump();
      });
    },
    close() {
      closing.abort();
      for (const waiter of waiting.splice(0))
        waiter.reject(fail('aborted', `The connection to ${target.name} is closed.`));
      for (const entry of entries) entry.link.close();
    },
  };
}
