import { fail, toAppError } from '../../../src/core/base/errors.ts';
import { labPicture } from '../../../src/core/lab/labPicture.ts';
import type { GalleryItem, StudySpec } from '../../../src/core/study/study.ts';
import type { Emit, Handlers } from '../../../src/wire/contract.ts';
import type { Database } from '../db/types.ts';
import type { Deps, LabControl } from '../deps.ts';
import type { ProfileBook } from '../profiles/book.ts';
import type { GalleryEntry } from './types.ts';

type Methods = Pick<Handlers, 'gallery.list' | 'gallery.install'>;
export interface GalleryOptions {
  deps: Pick<Deps, 'lab' | 'log'>;
  db: Database;
  profiles: Pick<ProfileBook, 'put'>;
  emit: Emit;
  /** Asked when a method is called. */
  entries: () => readonly GalleryEntry[];
  saveStudy: (spec: StudySpec) => Promise<StudySpec>;
}

/** The ready-made studies, and what installing one makes. */
export function galleryMethods({
  deps,
  db,
  profiles,
  emit,
  entries,
  saveStudy,
}: GalleryOptions): Methods {
  return {
    'gallery.list': async () =>
      entries().map((entry) => ({
        ...entry.item,
        studyId: entry.study.id,
        state:
          db.studies.get(entry.study.id) === null
            ? null
            : (db.studies.findProgress(entry.study.id)?.progress.state ?? 'draft'),
        testbed: testbedOf(entry),
        basis: [...entry.basis],
      })),
    'gallery.install': async ({ id }) => {
      const entry = entries().find((one) => one.item.id === id);
      if (!entry)
        throw fail(
          'notFound',
          `The gallery has no study ${id}.`,
          entries().length > 0
            ? `Studies are ${entries()
                .map((one) => one.item.id)
                .join(', ')}.`
            : undefined,
        );
      if (deps.lab === null)
        throw fail(
          'conflict',
          `${entry.item.title} runs on a simulated lab; this workspace works on the real lab.`,
          'Open the demo lab first.',
        );
      loadLabs(entry, deps.lab);
      for (const connection of entry.connections)
        if (db.connections.get(connection.id) === null) db.connections.save(connection);
      for (const profile of entry.profiles) profiles.put(profile);
      for (const testbed of entry.testbeds)
        if (db.testbeds.get(testbed.id) === null) db.testbeds.save(testbed);
      for (const plan of [entry.plan, ...(entry.actPlans ?? [])])
        if (db.plans.get(plan.id) === null) db.plans.save(plan);
      if (db.studies.get(entry.study.id) === null) await saveStudy(entry.study);
      for (const list of ['connections', 'profiles', 'testbeds', 'plans', 'studies'] as const)
        emit('list.changed', { list });
      return { studyId: entry.study.id, planId: entry.plan.id };
    },
  };
}

/**
 * Labs of installed studies, as this version ships them: at every start, before runs are picked up.
 * A lab that is in use stays as it is.
 */
export function loadInstalledLabs({
  deps,
  db,
  entries,
}: Pick<GalleryOptions, 'deps' | 'db'> & { entries: readonly GalleryEntry[] }): void {
  if (deps.lab === null) return;
  for (const entry of entries) {
    if (db.studies.get(entry.study.id) === null) continue;
    for (const lab of entry.labs) {
      try {
        deps.lab.load(lab);
      } catch (error) {
        const { kind, message } = toAppError(error);
        if (kind !== 'conflict') throw error;
        deps.log.info('A lab in use was left as it is', { lab: lab.id, reason: message });
      }
    }
  }
}

function loadLabs(entry: GalleryEntry, control: LabControl): void {
  const loaded = new Set(control.status().labs.map((lab) => lab.id));
  for (const lab of entry.labs) if (!loaded.has(lab.id)) control.load(lab);
}

/** The picture of an entry's hardware. */
function testbedOf({ labs }: GalleryEntry): GalleryItem['testbed'] {
  const { hosts, arrays, clients, vms } = labPicture(labs);
  return {
    hosts: hosts.map(({ name, text }) => ({ name, text })),
    arrays: arrays.map(({ name, text, luns }) => ({ name, text, luns })),
    clients,
    vms,
  };
}
