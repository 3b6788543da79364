import { fail, toAppError } from '../../../src/core/base/errors.ts';
import type { Identity, TestReport } from '../../../src/wire/contract/connections.ts';
import { testSteps } from '../../../src/wire/contract/connections.ts';
import type { SshTarget } from '../deps/ssh.ts';
import { permissionScript } from './jobScripts.ts';
import { readHostKey } from './link.ts';
import type { JobHost } from './remoteJob.ts';
import { ask } from './remoteJob.ts';
import type { SftpLane } from './sftpLane.ts';
import type { SshEnv } from './types.ts';

/** The target's host key as it shows it, and whether it is trusted; no authentication there. */
export async function identify(
  env: SshEnv,
  target: SshTarget,
  signal?: AbortSignal,
): Promise<Identity> {
  const verdict = await readHostKey(env, target, signal);
  const hop = target.hops.at(-1);
  return {
    kind: 'hostKey',
    fingerprint: verdict.actual,
    subject: `${verdict.keyType} of ${hop?.host}:${hop?.port}`,
    issuer: null,
    validToMs: null,
    trust: verdict.trust === 'revoked' ? 'changed' : verdict.trust,
    expected: verdict.trust === 'trusted' ? null : verdict.expected,
  };
}

export type Notes = Map<string, string[]>;

/** After the connection: may jobs be run there. Throws AppErrors with the step `permission`. */
export async function checkPermission(
  host: JobHost,
  lane: SftpLane,
  signal?: AbortSignal,
): Promise<string> {
  const [answer = ''] = await ask(host, permissionScript, signal ? { signal } : {});
  if (!answer.startsWith('ok '))
    throw fail(
      'authFailed',
      `Jobs cannot run on ${host.target.name}: ${answer.replace(/^fail /, '')}.`,
      'Give the user a writable home directory and install what is missing.',
      { step: 'permission' },
    );
  await lane.files(signal);
  return `writes and runs in ${answer.slice(3)}`;
}

/**
 * The steps in order up to the first that fails, each with what was seen and, for the failed one,
 * what to do.
 */
export function reportOf(notes: Notes, thrown: unknown): TestReport {
  const error = thrown === null ? null : toAppError(thrown);
  const stated = error?.details?.['step'];
  const failed = error
    ? (testSteps.find((step) => step === stated) ??
      testSteps.find((step) => !notes.has(step)) ??
      'permission')
    : null;
  const steps: TestReport['steps'] = [];
  for (const step of testSteps) {
    if (step === failed && error) {
      steps.push({
        step,
        ok: false,
        detail: error.message,
        ...(error.hint ? { fix: error.hint } : {}),
      });
      return { ok: false, steps };
    }
    const seen = notes.get(step);
    if (seen) steps.push({ step, ok: true, detail: seen.join('; ') });
  }
  return { ok: error === null, steps };
}
