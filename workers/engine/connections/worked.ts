import * as z from 'zod';

import { canonicalJson } from '../../../src/core/base/canonicalJson.ts';
import { targetOf } from '../../../src/core/plan/secretUse.ts';
import type { Connection } from '../../../src/core/testbed/connection.ts';
import type { PowerSource } from '../../../src/core/testbed/powerSources.ts';
import type { Database } from '../db/types.ts';

const settingName = 'connectionsWorked';
const worked = z.object({
  byId: z
    .record(
      z.string(),
      z.object({
        atMs: z.number(),
        peer: z.string(),
        updateMs: z.number().nullable().default(null),
      }),
    )
    .default({}),
});
type Worked = z.infer<typeof worked>['byId'];

/** Whom a connection reached: another address or user is another peer. */
export const peerOf = (connection: Connection): string =>
  canonicalJson(connection.kind === 'power' ? placeOf(connection.source) : targetOf(connection));

/** Where its secret lies makes no other meter of it. */
const placeOf = (source: PowerSource): Record<string, unknown> => {
  const { password: _secret, ...place } = source as PowerSource & { password?: unknown };
  return place;
};

/** When each connection last passed its test, by id. */
export const readWorked = (db: Pick<Database, 'settings'>): Worked =>
  db.settings.get(settingName, worked).byId;

/** Tests of forms that were never saved leave an entry: as many as are kept. */
const mostKept = 1_000;

/** How often this meter gave a new value when it was last tested; null = not known. */
export function measuredUpdateMs(
  db: Pick<Database, 'settings'>,
  connection: Connection,
): number | null {
  const last = readWorked(db)[connection.id];
  return last?.peer === peerOf(connection) ? last.updateMs : null;
}

/** Keeps that a connection worked. */
export function noteWorked(
  db: Pick<Database, 'settings'>,
  connection: Connection,
  atMs: number,
  updateMs: number | null,
): void {
  const { [connection.id]: _before, ...others } = readWorked(db);
  const entries = Object.entries(others).slice(1 - mostKept);
  db.settings.set(settingName, {
    byId: {
      ...Object.fromEntries(entries),
      [connection.id]: { atMs: Math.round(atMs), peer: peerOf(connection), updateMs },
    },
  });
}
