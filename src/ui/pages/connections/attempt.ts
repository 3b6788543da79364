import type { AppErrorShape } from '../../../core/base/errors.ts';
import type { Connection } from '../../../core/testbed/connection.ts';
import { withFingerprint } from '../../../core/testbed/powerSources.ts';
import type { Identity, TestReport } from '../../../wire/contract/connections.ts';

/** What came of connecting once. */
export interface Attempt {
  /** Shown where its certificate or host key is not trusted. */ identity: Identity | null;
  report: TestReport | null;
  failure: AppErrorShape | null;
  busy: boolean;
}

export const beginning: Attempt = { identity: null, report: null, failure: null, busy: true };

/** Whether a person has to compare a fingerprint before anything is sent. */
export const asksTrust = ({ identity, busy }: Attempt): boolean =>
  !busy && identity !== null && identity.trust !== 'trusted';

export const works = ({ report, busy }: Attempt): boolean => !busy && report?.ok === true;

/** The connection with what was presented as the only thing it takes from now on. */
export function trusting(connection: Connection, { identity }: Attempt): Connection {
  if (identity === null) return connection;
  if (connection.kind === 'power')
    return { ...connection, source: withFingerprint(connection.source, identity.fingerprint) };
  return connection.kind === 'vcenter'
    ? { ...connection, fingerprint256: identity.fingerprint }
    : { ...connection, hostKeySha256: identity.fingerprint };
}

/** One line on how it went; null = not tried. */
export function attemptWords(attempt: Attempt | undefined): string | null {
  if (attempt === undefined) return null;
  if (attempt.busy) return 'Connecting';
  if (attempt.failure) return attempt.failure.message;
  if (attempt.report?.ok) return 'Works';
  if (attempt.identity)
    return attempt.identity.trust === 'changed'
      ? `Changed: ${attempt.identity.fingerprint}`
      : attempt.identity.fingerprint;
  return attempt.report?.steps.find(({ ok }) => !ok)?.detail ?? null;
}
