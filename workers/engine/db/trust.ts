import type BetterSqlite from 'better-sqlite3';

import { type SecretTarget } from '../../../src/core/plan/secretUse.ts';
import type { Clock } from '../deps.ts';

/**
 * Which secret (`sourceKey`) may be shown to whom, and the digests of plan files that somebody
 * agreed to.
 */
export interface TrustStore {
  isGranted(source: string, target: SecretTarget): boolean;
  /** Everybody this secret may be shown to. */
  targets(source: string): SecretTarget[];
  grant(source: string, target: SecretTarget): void;
  /** Nobody but these may see this secret from now on: it was entered anew. */
  bind(source: string, targets: readonly SecretTarget[]): void;
  revoke(source: string): void;
  isTrusted(digest: string): boolean;
  trustPlan(digest: string, name: string): void;
}

export function createTrustStore(db: BetterSqlite.Database, clock: Pick<Clock, 'now'>): TrustStore {
  const one = db.prepare<[string, string, number, string, string], { found: number }>(
    'SELECT 1 AS found FROM secret_grants WHERE source = ? AND host = ? AND port = ? AND user = ? AND pin = ?',
  );
  const all = db.prepare<[string], SecretTarget>(
    'SELECT host, port, user, pin FROM secret_grants WHERE source = ?',
  );
  const put = db.prepare<[string, string, number, string, string, number]>(
    'INSERT OR IGNORE INTO secret_grants (source, host, port, user, pin, granted_at_ms) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const drop = db.prepare<[string]>('DELETE FROM secret_grants WHERE source = ?');
  const trusted = db.prepare<[string], { found: number }>(
    'SELECT 1 AS found FROM trusted_plans WHERE digest = ?',
  );
  const trust = db.prepare<[string, string, number]>(
    'INSERT OR REPLACE INTO trusted_plans (digest, name, trusted_at_ms) VALUES (?, ?, ?)',
  );
  const grant = (source: string, { host, port, user, pin }: SecretTarget): void => {
    put.run(source, host, port, user, pin, Math.round(clock.now()));
  };
  return {
    isGranted: (source, { host, port, user, pin }) =>
      one.get(source, host, port, user, pin) !== undefined,
    targets: (source) => all.all(source),
    grant,
    bind: db.transaction((source: string, targets: readonly SecretTarget[]) => {
      drop.run(source);
      for (const target of targets) grant(source, target);
    }),
    revoke: (source) => {
      drop.run(source);
    },
    isTrusted: (digest) => trusted.get(digest) !== undefined,
    trustPlan: (digest, name) => {
      trust.run(digest, name, Math.round(clock.now()));
    },
  };
}
