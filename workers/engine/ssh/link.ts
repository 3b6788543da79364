import type { Duplex } from 'node:stream';

import type { NodeSSH } from 'node-ssh';
import type { Client } from 'ssh2';

import type { AppError } from '../../../src/core/base/errors.ts';
import { fail, toAppError } from '../../../src/core/base/errors.ts';
import type { SshHop, SshTarget } from '../deps/ssh.ts';
import type { Observe } from './dial.ts';
import { dialDirect, dialThrough } from './dial.ts';
import type { OpenHop } from './hop.ts';
import { droppedKey, openHop } from './hop.ts';
import type { HostKeyVerdict } from './hostKey.ts';
import type { KnownHostEntry } from './knownHosts.ts';
import { parseKnownHosts } from './knownHosts.ts';
import type { SshEnv } from './types.ts';

/** A live connection to a target, over all its hops. */
export interface Link {
  readonly ssh: NodeSSH;
  readonly client: Client;
  /** Null while it lives, else why it was lost. */
  lost(): AppError | null;
  /**
   * Calls back once when the connection is lost, at once if it is already; returns a function that
   * forgets.
   */
  onLost(callback: (error: AppError) => void): () => void;
  close(): void;
}

const quiet: Observe = () => undefined;

/**
 * Connects hop by hop and retries what a busy sshd drops. Throws untrusted, authFailed, unreachable
 * or aborted.
 */
export async function connectLink(
  env: SshEnv,
  target: SshTarget,
  signal?: AbortSignal,
  observe: Observe = quiet,
): Promise<Link> {
  return retryDropped(env, signal, async () => {
    const { hops, last } = await openChain(env, target, target.hops.length, observe, signal);
    if (!last)
      throw fail(
        'invalidInput',
        `The client ${target.name} has no address.`,
        'Enter host and port on the connection.',
      );
    return makeLink(target, hops, last);
  });
}

/** The target's host key and what is known of it; its authentication is never reached. */
export async function readHostKey(
  env: SshEnv,
  target: SshTarget,
  signal?: AbortSignal,
): Promise<HostKeyVerdict> {
  const hop = target.hops.at(-1);
  if (!hop)
    throw fail(
      'invalidInput',
      `The client ${target.name} has no address.`,
      'Enter host and port on the connection.',
    );
  return retryDropped(env, signal, async () => {
    const { hops, last, knownHosts } = await openChain(
      env,
      target,
      target.hops.length - 1,
      quiet,
      signal,
    );
    try {
      const dial = dialler(env, target, target.hops.length - 1, last, quiet, signal);
      return await env
        .gateFor(hop.host, hop.port)
        .run(() => openHop(env, hop, knownHosts, dial, quiet, true, signal), signal);
    } finally {
      closeAll(hops);
    }
  });
}

function dialler(
  env: SshEnv,
  target: SshTarget,
  index: number,
  via: OpenHop | null,
  observe: Observe,
  signal?: AbortSignal,
): () => Promise<Duplex> {
  const hop = target.hops[index] as SshHop;
  const before = target.hops[index - 1];
  return via && before
    ? () => dialThrough(env, via.client, before, hop, observe, signal)
    : () => dialDirect(env, hop, observe, signal);
}

async function openChain(
  env: SshEnv,
  target: SshTarget,
  count: number,
  observe: Observe,
  signal?: AbortSignal,
): Promise<{ hops: OpenHop[]; last: OpenHop | null; knownHosts: KnownHostEntry[] }> {
  const knownHosts = parseKnownHosts(await env.readKnownHosts());
  const hops: OpenHop[] = [];
  try {
    for (const [index, hop] of target.hops.slice(0, count).entries()) {
      const dial = dialler(env, target, index, hops.at(-1) ?? null, observe, signal);
      hops.push(
        await env
          .gateFor(hop.host, hop.port)
          .run(() => openHop(env, hop, knownHosts, dial, observe, false, signal), signal),
      );
    }
    return { hops, last: hops.at(-1) ?? null, knownHosts };
  } catch (thrown) {
    closeAll(hops);
    throw thrown;
  }
}

async function retryDropped<T>(
  env: SshEnv,
  signal: AbortSignal | undefined,
  attempt: () => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt();
    } catch (thrown) {
      const error = toAppError(thrown);
      if (signal?.aborted) throw fail('aborted', 'Connecting was cancelled.');
      if (error.details?.[droppedKey] !== true || tries >= env.limits.connectAttempts) throw error;
      // Spread, so that many clients dropped together do not come back together.
      await env.clock.sleep(100 * 2 ** (tries - 1) * (0.5 + Math.random()), signal);
    }
  }
}

function closeAll(hops: readonly OpenHop[]): void {
  for (const hop of [...hops].reverse()) {
    hop.client.end();
    // A hung peer never answers the goodbye; the socket goes once what was written is out.
    if ('destroySoon' in hop.socket && typeof hop.socket.destroySoon === 'function')
      (hop.socket.destroySoon as () => void).call(hop.socket);
    else hop.socket.destroy();
  }
}

function makeLink(target: SshTarget, hops: OpenHop[], last: OpenHop): Link {
  let lost: AppError | null = null;
  let lastError = '';
  const watchers = new Set<(error: AppError) => void>();
  const lose = (reason: string): void => {
    if (lost) return;
    lost = fail(
      'unreachable',
      `The connection to ${target.name} was lost: ${reason}.`,
      'Check that the machine is on and reachable.',
      { client: target.name },
    );
    closeAll(hops);
    for (const watcher of watchers) watcher(lost);
    watchers.clear();
  };
  for (const hop of hops) {
    hop.client.on('error', (error) => {
      lastError =
        error.message === 'Keepalive timeout' ? 'it does not answer any more' : error.message;
    });
    hop.client.once('close', () => lose(lastError || 'it was closed by the other end'));
    // After an error or an end, ssh2 may leave a half-open socket behind; that link carries nothing
    // any more.
    hop.client.once('end', () => lose(lastError || 'it was closed by the other end'));
  }
  return {
    ssh: last.ssh,
    client: last.client,
    lost: () => lost,
    onLost(callback) {
      if (lost) {
        callback(lost);
        return () => undefined;
      }
      watchers.add(callback);
      return () => {
        watchers.delete(callback);
      };
    },
    close: () => lose('it was closed here'),
  };
}
