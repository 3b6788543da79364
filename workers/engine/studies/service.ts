import { fail } from '../../../src/core/base/errors.ts';
import type { StudyPoint, StudySpec, StudySummary } from '../../../src/core/study/study.ts';
import type { Emit, Handlers } from '../../../src/wire/contract.ts';
import type { Database } from '../db/types.ts';
import type { Deps } from '../deps.ts';
import type { GalleryEntry } from '../gallery/types.ts';
import { demandRunnable, pauseStudy, rerunPoint, startStudy } from './commands.ts';
import { createDrivenStudy } from './drivenStudy.ts';
import { createLiveStudy, draftProgress, isDriven, type LiveStudy } from './liveStudy.ts';
import { nextPoint, plannedPoints } from './next.ts';
import { createOverviews, summaryOf } from './overview.ts';
import type { StudyPeers } from './runner.ts';
import { whatIfMethods } from './whatIf.ts';

type Methods = Pick<
  Handlers,
  | 'study.list'
  | 'study.save'
  | 'study.remove'
  | 'study.overview'
  | 'study.start'
  | 'study.pause'
  | 'study.rerun'
  | 'study.lab'
  | 'study.whatIf'
>;
export interface StudyService {
  methods: Methods;
  /** `study.save`, for who saves more than a study in one transaction. */
  save(spec: StudySpec): StudySpec;
  /** Goes on with the study that an earlier engine was driving. Runs must have been recovered. */
  recover(): void;
  /** Leaves runs alone; the next engine goes on. */
  close(): Promise<void>;
}

export function createStudyService(options: {
  deps: Deps;
  db: Database;
  emit: Emit;
  peers: StudyPeers;
  entry: (galleryId: string) => GalleryEntry | null;
}): StudyService {
  const { deps, db, emit, peers, entry } = options;
  const lives = new Map<string, LiveStudy>();
  const driven = createDrivenStudy(options);
  const scope = { deps, peers, driven };
  const overviewOf = createOverviews({ deps, db, entry, profileOf: peers.profileOf });

  function live(id: string): LiveStudy {
    const known = lives.get(id);
    if (known) return known;
    const spec = db.studies.get(id);
    if (!spec)
      throw fail('notFound', 'There is no study of that id.', 'Refresh the list of studies.');
    const stored = db.studies.progress(id);
    const study: LiveStudy = createLiveStudy(
      {
        spec,
        progress: stored?.progress ?? draftProgress,
        points: stored?.points ?? plannedPoints(spec, []),
        stored: stored !== null,
      },
      db.studies,
      () => emit('study.changed', overviewOf(study)),
    );
    lives.set(id, study);
    return study;
  }

  function save(spec: StudySpec): StudySpec {
    demandRunnable(spec, deps.lab !== null);
    const before = db.studies.get(spec.id) ? live(spec.id) : null;
    if (before && driven.is(before))
      throw fail('conflict', `${before.spec.name} is running.`, 'Pause it before changing it.');
    const saved = db.studies.save(spec);
    if (before) replan(before, saved);
    emit('list.changed', { list: 'studies' });
    return saved;
  }

  /** A new study some of whose points another one has measured. */
  function saveKnown(spec: StudySpec, known: readonly StudyPoint[]): StudySpec {
    const saved = save(spec);
    const study = live(saved.id);
    const there = known.filter(({ runId }) => runId !== null && db.runs.find(runId) !== null);
    if (there.length > 0) study.replan(saved, plannedPoints(saved, there), 'draft');
    return saved;
  }

  const methods: Methods = {
    ...whatIfMethods({ db, peers, points: (id) => live(id).points(), save: saveKnown }),
    'study.list': async () => listStudies(db, lives, deps.lab === null ? 'real' : 'simulated'),
    'study.save': async (spec) => save(spec),
    'study.remove': async ({ id }) => {
      const study = live(id);
      if (driven.is(study))
        throw fail('conflict', `${study.spec.name} is running.`, 'Pause it first.');
      db.studies.remove(id);
      lives.delete(id);
      emit('list.changed', { list: 'studies' });
      return {};
    },
    'study.overview': async ({ id }) => overviewOf(live(id)),
    'study.start': async ({ id }) => {
      startStudy(scope, live(id));
      return {};
    },
    'study.pause': async ({ id, now }) => {
      await pauseStudy(scope, live(id), now);
      return {};
    },
    'study.rerun': async ({ id, key }) => {
      rerunPoint(scope, live(id), key);
      return {};
    },
  };

  return {
    methods,
    save,
    recover() {
      const left = db.studies.list().find((spec) => {
        const stored = db.studies.findProgress(spec.id);
        return stored !== null && isDriven(stored.progress.state);
      });
      if (left) driven.drive(live(left.id));
    },
    close: () => driven.close(),
  };
}

/** Points of another plan are other measurements: their runs stay in the history. */
function replan(study: LiveStudy, saved: StudySpec): void {
  const points = plannedPoints(saved, study.spec.planId === saved.planId ? study.points() : []);
  const left = nextPoint(saved, points, false) !== null;
  study.replan(
    saved,
    points,
    !points.some((p) => p.state !== 'pending') ? 'draft' : left ? 'paused' : 'done',
  );
}

/** All studies that do not lie in Deleted; one that is open as it stands now. */
function listStudies(
  db: Database,
  lives: ReadonlyMap<string, LiveStudy>,
  origin: 'real' | 'simulated',
): StudySummary[] {
  const deleted = new Set(
    db.history
      .rows('deleted')
      .filter((row) => row.kind === 'study')
      .map((row) => row.id),
  );
  return db.studies
    .list()
    .filter((spec) => !deleted.has(spec.id))
    .map((spec) => {
      const study = lives.get(spec.id);
      if (study) return summaryOf(spec, { ...study.progress(), points: study.points() }, origin);
      const stored = db.studies.findProgress(spec.id);
      return summaryOf(spec, stored && { ...stored.progress, points: stored.points }, origin);
    });
}
