import type BetterSqlite from 'better-sqlite3';

import { secretUseOf, secretVariable, sourceKey } from '../../../../src/core/plan/secretUse.ts';
import { connectionSchema } from '../../../../src/core/testbed/connection.ts';

/**
 * Which secret may be shown to which peer, and what of plan files was agreed to. Secrets that
 * connections use today are allowed where they stand.
 */
export function trust(db: BetterSqlite.Database): void {
  db.exec(`
    CREATE TABLE secret_grants (
      source TEXT NOT NULL, host TEXT NOT NULL, port INTEGER NOT NULL, user TEXT NOT NULL, pin TEXT NOT NULL,
      granted_at_ms INTEGER,
      PRIMARY KEY (source, host, port, user, pin)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE trusted_plans (digest TEXT PRIMARY KEY, name TEXT NOT NULL, trusted_at_ms INTEGER NOT NULL) STRICT;
  `);
  const grant = db.prepare<[string, string, number, string, string]>(
    'INSERT OR IGNORE INTO secret_grants (source, host, port, user, pin, granted_at_ms) VALUES (?, ?, ?, ?, ?, NULL)',
  );
  for (const { json } of db.prepare<[], { json: string }>('SELECT json FROM connections').all()) {
    const stored = connectionSchema.safeParse(jsonOf(json));
    const use = stored.success ? secretUseOf(stored.data) : null;
    // A row that cannot be read is told when it is asked for; its secret is entered again with it.
    if (use === null) continue;
    const { host, port, user, pin } = use.target;
    const sources = [
      sourceKey(use.ref),
      ...('keychain' in use.ref ? [sourceKey({ env: secretVariable(use.ref.keychain) })] : []),
    ];
    for (const source of sources) grant.run(source, host, port, user, pin);
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
