import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import type { LabSshd } from '../../../../e2e/lab/sshd.ts';
import { startSshd } from '../../../../e2e/lab/sshd.ts';
import type { SshdOptions } from '../../../../e2e/lab/sshdFiles.ts';
import { fail } from '../../../../src/core/base/errors.ts';
import { type Clock, silentLog } from '../../deps.ts';
import {
  type JobEnd,
  type JobHandle,
  type SshEdge,
  type SshHop,
  type SshHost,
  type SshTarget,
} from '../../deps/ssh.ts';
import { createSshEdge } from '../edge.ts';
import type { SshLimits, TrustStore } from '../types.ts';

export const realClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    delay(ms, undefined, signal ? { signal } : {}).catch(() => {
      throw fail('aborted', 'The wait was cancelled.');
    }),
};

/**
 * Quick looks, so that tests do not wait for the product's patience. Not so for who does not
 * answer: on a busy machine nobody answers for seconds, and no connection is lost by that.
 */
const quickLimits: Partial<SshLimits> = {
  pollMs: 40,
  exitPollMs: 80,
  livenessMs: 400,
  maxBackoffMs: 400,
  keepaliveIntervalMs: 5_000,
  keepaliveCount: 24,
  connectTimeoutMs: 120_000,
};
/** For tests of silence itself: it is found soon, and again where a busy machine was silent too. */
export const quickToDoubt: Partial<SshLimits> = {
  keepaliveIntervalMs: 500,
  keepaliveCount: 3,
  connectTimeoutMs: 3_000,
};

export function memoryTrust(known: Record<string, string> = {}): TrustStore {
  return {
    get: (host, port) => known[`${host}:${port}`] ?? null,
    save: (host, port, sha256) => {
      known[`${host}:${port}`] = sha256;
    },
  };
}

export function edgeWith(
  options: { trust?: TrustStore; knownHosts?: string; limits?: Partial<SshLimits> } = {},
): SshEdge {
  return createSshEdge({
    clock: realClock,
    log: silentLog,
    trust: options.trust ?? memoryTrust(),
    readKnownHosts: () => Promise.resolve(options.knownHosts ?? ''),
    limits: { ...quickLimits, ...options.limits },
  });
}

export function hopOf(sshd: LabSshd, change: Partial<SshHop> = {}): SshHop {
  return {
    host: sshd.host,
    port: sshd.port,
    user: sshd.user,
    auth: { method: 'key', privateKey: readFileSync(sshd.privateKeyPath, 'utf8') },
    hostKeySha256: sshd.hostKeySha256,
    ...change,
  };
}
export const targetOf = (...hops: SshHop[]): SshTarget => ({ id: 'client', name: 'client', hops });

/** Starts sshds below one temporary folder and takes everything away again. */
export function createBench(): {
  sshd(options?: Partial<SshdOptions>): Promise<LabSshd>;
  host(target: SshTarget, edge?: SshEdge): SshHost;
  later(act: () => void | Promise<void>): void;
  cleanUp(): Promise<void>;
} {
  const dir = mkdtempSync(join(tmpdir(), 'tilebench-ssh-'));
  const acts: (() => void | Promise<void>)[] = [];
  let count = 0;
  return {
    async sshd(options = {}) {
      count += 1;
      const name = options.name ?? `client${count}`;
      const started = await startSshd({ name, dir: join(dir, name), ...options });
      acts.push(() => started.stop());
      return started;
    },
    host(target, edge = edgeWith()) {
      const host = edge.host(target);
      acts.push(() => host.close());
      return host;
    },
    later: (act) => {
      acts.push(act);
    },
    async cleanUp() {
      for (const act of acts.splice(0).reverse()) await act();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

export interface Followed {
  end: Promise<JobEnd>;
  bytes(): Buffer;
  links: { up: boolean; detail: string }[];
  stop(): void;
}

/** Follows and keeps what comes; throws inside the follower on a gap or a repetition. */
export function follow(host: SshHost, job: JobHandle, fromOffset = 0): Followed {
  const chunks: Uint8Array[] = [];
  const links: Followed['links'] = [];
  const stop = new AbortController();
  let next = fromOffset;
  const end = host.followJob(
    job,
    fromOffset,
    (chunk, offset) => {
      if (offset !== next) throw new Error(`Bytes from ${offset}, expected ${next}`);
      next = offset + chunk.length;
      chunks.push(chunk);
    },
    (up, detail) => links.push({ up, detail }),
    stop.signal,
  );
  // Looked at by the test when it awaits the end; until then a rejection is not unhandled.
  end.catch(() => undefined);
  return { end, bytes: () => Buffer.concat(chunks), links, stop: () => stop.abort() };
}
