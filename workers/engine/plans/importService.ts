import { fail } from '../../../src/core/base/errors.ts';
import { decide } from '../../../src/core/planImport/decide.ts';
import { type ImportParts, partsOf, sameDocument } from '../../../src/core/planImport/parts.ts';
import { previewImport } from '../../../src/core/planImport/preview.ts';
import type {
  ClashKind,
  ImportPreview,
  ImportSource,
} from '../../../src/core/planImport/schema.ts';
import { demandProfile } from '../../../src/core/profile/profileCheck.ts';
import type { StudySpec } from '../../../src/core/study/study.ts';
import type { Emit, Handlers } from '../../../src/wire/contract.ts';
import type { Peers } from '../connections/peers.ts';
import type { SecretGate } from '../connections/secretGate.ts';
import type { Database } from '../db/types.ts';
import type { Deps } from '../deps.ts';
import type { ProfileBook } from '../profiles/book.ts';
import { withMadeOf } from '../testbeds/life.ts';

type Methods = Pick<Handlers, 'plan.previewImport' | 'plan.import'>;

interface Options {
  deps: Pick<Deps, 'lab'>;
  db: Database;
  peers: Peers;
  secrets: Pick<SecretGate, 'allow'>;
  profiles: ProfileBook;
  saveStudy: (study: StudySpec) => StudySpec;
  emit: Emit;
}

/**
 * Plan and study files: shown before anything of them is stored, then stored as a whole or not at
 * all.
 */
export function planImportMethods(options: Options): Methods {
  const { deps, db, peers, secrets, profiles, saveStudy, emit } = options;
  const stored = (): ImportParts => ({
    connection: db.connections.list(),
    profile: profiles.list(),
    testbed: db.testbeds.list(),
    plan: db.plans.list(),
    study: db.studies.list(),
  });
  const preview = (source: ImportSource, mine: ImportParts): ImportPreview => {
    demandUsable(source, options);
    return previewImport(source, {
      parts: mine,
      profileOf: (id) => profiles.get(id),
      isShipped: (id) => profiles.isShipped(id),
      isGranted: (key, target) => deps.lab !== null || db.trust.isGranted(key, target),
      isTrusted: (digest) => deps.lab !== null || db.trust.isTrusted(digest),
    });
  };
  return {
    'plan.previewImport': async (source) => preview(source, stored()),
    'plan.import': async ({ trust, decisions, ...source }) => {
      const mine = stored();
      const shown = preview(source, mine);
      if (!shown.trusted && trust !== shown.digest)
        throw fail(
          'untrusted',
          trust === null
            ? `Nobody agreed to what plan ${shown.plan.name} reaches and runs.`
            : `What plan ${shown.plan.name} reaches or runs has changed since it was shown.`,
          'Look at what it holds first (--trust on the command line).',
        );
      const { parts, planId, studyId } = decide(partsOf(source), mine, shown, decisions);
      const changed = <K extends ClashKind>(kind: K): ImportParts[K][number][] =>
        parts[kind].filter(
          (doc) =>
            !mine[kind].some((other) => other.id === doc.id && sameDocument(kind, other, doc)),
        );
      for (const lab of source.file.labs ?? []) deps.lab?.load(lab);
      try {
        db.transaction(() => {
          for (const profile of changed('profile')) db.profiles.save(profile);
          profiles.refresh();
          for (const connection of changed('connection')) db.connections.save(connection);
          for (const connection of parts.connection) secrets.allow(connection);
          for (const testbed of changed('testbed'))
            db.testbeds.save(
              withMadeOf(testbed, mine.testbed.find((one) => one.id === testbed.id) ?? null),
            );
          for (const plan of changed('plan')) db.plans.save(plan);
          if (deps.lab === null) db.trust.trustPlan(shown.digest, shown.plan.name);
          // Last: it also changes what this process knows of a study.
          for (const study of changed('study')) saveStudy(study);
        });
      } finally {
        profiles.refresh();
      }
      for (const { id } of parts.connection) peers.forget(id);
      for (const list of ['connections', 'testbeds', 'plans', 'profiles', 'studies'] as const)
        emit('list.changed', { list });
      const plan = db.plans.get(planId);
      if (!plan) throw fail('internal', `Plan ${planId} is gone.`);
      return { plan, studyId };
    },
  };
}

/** What no decision can mend. */
function demandUsable(
  { file, profiles: more }: ImportSource,
  { deps, profiles }: Pick<Options, 'deps' | 'profiles'>,
): void {
  const { plan, labs = [] } = file;
  if (labs.length > 0 && deps.lab === null)
    throw fail(
      'invalidInput',
      `The plan file is for simulated labs: ${labs.map((lab) => lab.name).join(', ')}.`,
      'Open it in the demo lab, or run it with --demo.',
    );
  const brought = [...(file.profile ? [file.profile] : []), ...more];
  if (!brought.some(({ id }) => id === plan.profileId) && !profiles.has(plan.profileId))
    throw fail(
      'invalidInput',
      `Profile ${plan.profileId} is neither in the file nor installed.`,
      'Put the profile into the file under "profile".',
    );
  for (const profile of brought)
    demandProfile(profile, [...profiles.list(), ...brought], 'profile');
}
