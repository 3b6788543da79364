import type { Clock, Log } from '../deps.ts';
import type { Gate } from './gate.ts';
import type { Pace } from './pace.ts';

/** The app's own memory of host keys: `SHA256:<base64>` by host and port. */
export interface TrustStore {
  get(host: string, port: number): string | null;
  save(host: string, port: number, sha256: string): void;
}

/**
 * Times in ms. The channel and connect limits stay below those of a default sshd (10 sessions, 10
 * unauthenticated connections).
 */
export interface SshLimits {
  keepaliveIntervalMs: number;
  keepaliveCount: number;
  connectTimeoutMs: number;
  connectAttempts: number;
  connectsAtOnce: number;
  channelsPerConnection: number;
  connectionsPerHost: number;
  /** How often a followed job is looked at where there are few of them. */
  pollMs: number;
  /** How often its exit file is looked for while it is silent. */
  exitPollMs: number;
  /** How often a silent job is asked whether it still runs. */
  livenessMs: number;
  /** Longest pause between two attempts to reach a lost client. */
  maxBackoffMs: number;
}
export const defaultLimits: SshLimits = {
  keepaliveIntervalMs: 2_000,
  keepaliveCount: 3,
  connectTimeoutMs: 15_000,
  connectAttempts: 7,
  connectsAtOnce: 8,
  channelsPerConnection: 8,
  connectionsPerHost: 2,
  pollMs: 400,
  exitPollMs: 1_000,
  livenessMs: 5_000,
  maxBackoffMs: 5_000,
};

/** What every part of the SSH edge needs; made once in edge.ts. */
export interface SshEnv {
  clock: Clock;
  log: Log;
  trust: TrustStore;
  limits: SshLimits;
  readKnownHosts: () => Promise<string>;
  /** One gate a host and port, shared by all targets. */
  gateFor(host: string, port: number): Gate;
  /** Shared by all followed jobs of this engine. */
  pace: Pace;
}
