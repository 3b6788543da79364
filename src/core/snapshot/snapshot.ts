import * as z from 'zod';

import { field } from '../base/field.ts';
import { sha256 } from '../base/sha256.ts';
import {
  type FieldMeaning,
  meaningOf,
  type PartKind,
  partKinds,
  type ThingKind,
  thingKinds,
  type Values,
} from './snapshotFields.ts';

const value = z.union([field.word(), field.figure(), z.boolean(), field.list(field.word())]);
const values = field.record(field.word(), value);
const thingSchema = z.object({
  kind: z.enum(thingKinds),
  /**
   * Identity that outlives names and references (hardware UUID, instance UUID, NAA, machine id),
   * else `ref:` and the reference.
   */
  id: field.id('entity'),
  ref: field.id('ref'),
  name: field.name('thing'),
  /** What was told of it. A figure that was not told is absent. */
  values,
  /**
   * Parts by kind and local name. A kind that was not read is absent; one that is empty was read
   * and has none.
   */
  parts: field.partialRecord(z.enum(partKinds), field.record(field.name('thing'), values)),
});
/**
 * A testbed as it stood, restricted to what a run depends on, in one form whatever order it was
 * read in.
 */
export const snapshotSchema = z.object({
  tilebenchSnapshot: z.literal(1),
  takenAtMs: field.timeMs(),
  /** What was read; what was not has no things, and nothing can be said of them. */
  read: z.object({ inventory: z.boolean(), clients: z.boolean() }),
  things: field.list(thingSchema),
  /** Names of things that are referred to and are not part of it, by id. */
  names: field.record(field.id('entity'), field.name('thing')),
});
export type Snapshot = z.infer<typeof snapshotSchema>;
export type Thing = z.infer<typeof thingSchema>;

/** JSON with sorted keys: equal meaning, equal text. */
export function canonicalText(given: unknown): string {
  return JSON.stringify(given, (_key, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : inner,
  );
}

const steady = (kind: ThingKind | PartKind, all: Values): Values => {
  const meaning = new Map<string, FieldMeaning>(meaningOf(kind).map((f) => [f.key, f]));
  return Object.fromEntries(
    Object.entries(all).filter(([key]) => meaning.get(key)?.same === undefined),
  );
};

/**
 * SHA-256 of what a snapshot means: names, the time it was taken and volatile figures (free space,
 * clock offsets) are left out.
 */
export function snapshotHash(snapshot: Snapshot): string {
  return sha256(
    canonicalText(
      snapshot.things.map(({ kind, id, values: own, parts }) => ({
        kind,
        id,
        values: steady(kind, own),
        parts: Object.fromEntries(
          partKinds.flatMap((part) =>
            parts[part]
              ? [
                  [
                    part,
                    Object.fromEntries(
                      Object.entries(parts[part]).map(([name, of]) => [name, steady(part, of)]),
                    ),
                  ],
                ]
              : [],
          ),
        ),
      })),
    ),
  );
}
