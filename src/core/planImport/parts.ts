import { canonicalJson } from '../base/canonicalJson.ts';
import { fail } from '../base/errors.ts';
import type { Plan } from '../plan/plan.ts';
import type { Profile } from '../profile/profile.ts';
import type { StudySpec } from '../study/study.ts';
import type { Connection } from '../testbed/connection.ts';
import { layoutOf } from '../testbed/provision.ts';
import type { Testbed } from '../testbed/testbed.ts';
import type { ClashKind, ImportSource } from './schema.ts';

/** Documents by kind: of a file, or what is stored. */
export interface ImportParts {
  connection: readonly Connection[];
  profile: readonly Profile[];
  testbed: readonly Testbed[];
  plan: readonly Plan[];
  study: readonly StudySpec[];
}
export type ImportDoc = ImportParts[ClashKind][number];

/**
 * What a file holds, by kind. Throws invalidInput where an id stands twice, or the plan's ids lead
 * nowhere.
 */
export function partsOf({ file, testbeds, profiles, study }: ImportSource): ImportParts {
  const parts: ImportParts = {
    connection: file.connections,
    profile: [...(file.profile ? [file.profile] : []), ...profiles],
    testbed: [file.testbed, ...testbeds],
    plan: [file.plan],
    study: study ? [study] : [],
  };
  for (const kind of ['connection', 'profile', 'testbed'] as const) {
    const seen = new Set<string>();
    for (const { id } of parts[kind]) {
      if (seen.has(id))
        throw fail(
          'invalidInput',
          `The file has two of ${kind} ${id}.`,
          'Give each an id of its own.',
        );
      seen.add(id);
    }
  }
  if (file.plan.testbedId !== file.testbed.id)
    throw fail(
      'invalidInput',
      `The plan's testbedId ${file.plan.testbedId} is not the id of the file's testbed, ${file.testbed.id}.`,
      'Give both the same id.',
    );
  return parts;
}

/**
 * What counts when two documents are held against each other: not what the store counts or made
 * itself.
 */
export function comparable(kind: ClashKind, doc: ImportDoc): Record<string, unknown> {
  const { version, ...rest } = { version: undefined, ...doc };
  if (kind === 'profile') return { ...rest, version };
  if (kind !== 'testbed') return rest;
  const { made: _made, madeFolder: _folder, ...layout } = layoutOf(doc as Testbed);
  return { ...rest, layout };
}

export const sameDocument = (kind: ClashKind, a: ImportDoc, b: ImportDoc): boolean =>
  canonicalJson(comparable(kind, a)) === canonicalJson(comparable(kind, b));
