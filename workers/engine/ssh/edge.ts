import { toAppError } from '../../../src/core/base/errors.ts';
import type { Clock, Log } from '../deps.ts';
import type { SshEdge, SshHost, SshTarget } from '../deps/ssh.ts';
import { measureClock } from './clockOffset.ts';
import { execOn } from './exec.ts';
import { followJob } from './follow.ts';
import type { Gate } from './gate.ts';
import { createGate } from './gate.ts';
import { connectLink } from './link.ts';
import { createLiveness } from './liveness.ts';
import { createPace } from './pace.ts';
import { createPool } from './pool.ts';
import { dropFiles, putFile } from './putFile.ts';
import { type FindKit, putKit } from './putKit.ts';
import type { JobHost } from './remoteJob.ts';
import { cleanRun, endJob, jobStatus, readJobFile, startJob } from './remoteJob.ts';
import { createSftpLane } from './sftpLane.ts';
import { streamOn } from './stream.ts';
import type { Notes } from './testConnection.ts';
import { checkPermission, identify, reportOf } from './testConnection.ts';
import type { SshEnv, SshLimits, TrustStore } from './types.ts';
import { defaultLimits } from './types.ts';

export interface SshEdgeOptions {
  clock: Clock;
  log: Log;
  trust: TrustStore;
  /** The text of the user's known_hosts; '' where there is none. Read anew for each connection. */
  readKnownHosts: () => Promise<string>;
  limits?: Partial<SshLimits>;
  /** The load generator for a kind of client; absent = there is none. */
  findKit?: FindKit;
}

/**
 * The real SSH edge. Errors: untrusted (with both fingerprints in details), authFailed, unreachable
 * (with the step), timedOut, aborted, notFound.
 */
export function createSshEdge(options: SshEdgeOptions): SshEdge {
  const limits = { ...defaultLimits, ...options.limits };
  const gates = new Map<string, Gate>();
  const env: SshEnv = {
    clock: options.clock,
    log: options.log,
    trust: options.trust,
    readKnownHosts: options.readKnownHosts,
    limits,
    pace: createPace(limits.pollMs),
    gateFor(host, port) {
      const name = `${host.toLowerCase()}:${port}`;
      const gate = gates.get(name) ?? createGate(limits.connectsAtOnce);
      gates.set(name, gate);
      return gate;
    },
  };
  return {
    identify: (target, signal) => identify(env, target, signal),
    host: (target) => createHost(env, target, options.findKit),
    async test(target, signal) {
      const notes: Notes = new Map();
      const { host, lane, pool } = parts(env, target);
      try {
        const link = await connectLink(env, target, signal, (step, hop, detail) => {
          const where = target.hops.length > 1 ? `${hop.host}: ` : '';
          const seen = notes.get(step) ?? [];
          if (!seen.includes(where + detail)) notes.set(step, [...seen, where + detail]);
        });
        link.close();
        notes.set('permission', [await checkPermission(host, lane, signal)]);
        return reportOf(notes, null);
      } catch (thrown) {
        if (toAppError(thrown).kind === 'aborted') throw thrown;
        return reportOf(notes, thrown);
      } finally {
        pool.close();
      }
    },
  };
}

function parts(env: SshEnv, target: SshTarget) {
  const pool = createPool(env, target);
  const host: JobHost = { env, target, pool };
  return { pool, host, lane: createSftpLane(target, pool), liveness: createLiveness(host) };
}

function createHost(env: SshEnv, target: SshTarget, findKit?: FindKit): SshHost {
  const { pool, host, lane, liveness } = parts(env, target);
  return {
    exec: (command, options) => execOn(env, target, pool, command, options),
    stream: (command, onBytes, signal) => streamOn(env, target, pool, command, onBytes, signal),
    clockOffset: (signal) => measureClock(host, signal),
    startJob: (spec, signal) => startJob(host, spec, signal),
    followJob: (job, fromOffset, onBytes, onLink, signal) =>
      followJob(host, lane, liveness, job, fromOffset, onBytes, onLink, signal),
    jobStatus: (job, signal) => jobStatus(host, job, signal),
    endJob: (job, graceMs, signal) => endJob(host, job, graceMs, signal),
    readJobFile: (job, name, maxBytes, signal) => readJobFile(host, job, name, maxBytes, signal),
    putKit: (signal) => putKit(host, findKit, signal),
    putFile: (file, signal) => putFile(host, file, signal),
    dropFiles: (signal) => dropFiles(host, signal),
    cleanRun: (runId, signal) => cleanRun(host, runId, signal),
    close: () => pool.close(),
  };
}
