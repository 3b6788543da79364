import { fail } from '../../../src/core/base/errors.ts';
import type { StudySpec } from '../../../src/core/study/study.ts';
import { checkSpec, sweepPoints } from '../../../src/core/study/sweep.ts';
import type { Emit, Handlers } from '../../../src/wire/contract.ts';
import type { Database } from '../db/types.ts';
import type { Deps } from '../deps.ts';
import type { GalleryEntry } from '../gallery/types.ts';
import { createLiveStudy, draftProgress, isDriven, type LiveStudy } from './liveStudy.ts';
import { nextPoint, plannedPoints } from './next.ts';
import { createOverviews, summaryOf } from './overview.ts';
import { driveStudy, type StudyPeers } from './runner.ts';
import { waitsFor } from './variant.ts';

type Methods = Pick<
  Handlers,
  | 'study.list'
  | 'study.save'
  | 'study.remove'
  | 'study.overview'
  | 'study.start'
  | 'study.pause'
  | 'study.rerun'
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
/** A sweep of more runs than this is a mistake in its values. */
const maximumRuns = 1_000;

export function createStudyService(options: {
  deps: Deps;
  db: Database;
  emit: Emit;
  peers: StudyPeers;
  entry: (galleryId: string) => GalleryEntry | null;
}): StudyService {
  const { deps, db, emit, peers, entry } = options;
  const closing = new AbortController();
  const lives = new Map<string, LiveStudy>();
  let driven: { study: LiveStudy; pause: AbortController; done: Promise<void> } | null = null;
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
    demandRunnable(spec);
    const before = db.studies.get(spec.id) ? live(spec.id) : null;
    if (before && driven?.study === before)
      throw fail('conflict', `${before.spec.name} is running.`, 'Pause it before changing it.');
    const saved = db.studies.save(spec);
    // Points of another plan are other measurements: their runs stay in the history.
    if (before) {
      const points = plannedPoints(
        saved,
        before.spec.planId === saved.planId ? before.points() : [],
      );
      const left = nextPoint(saved, points, false) !== null;
      before.replan(
        saved,
        points,
        !points.some((p) => p.state !== 'pending') ? 'draft' : left ? 'paused' : 'done',
      );
    }
    emit('list.changed', { list: 'studies' });
    return saved;
  }

  function drive(study: LiveStudy): void {
    const mine: NonNullable<typeof driven> = {
      study,
      pause: new AbortController(),
      done: Promise.resolve(),
    };
    driven = mine;
    mine.done = driveStudy({
      study,
      deps,
      db,
      peers,
      closing: closing.signal,
      pauseSignal: () => mine.pause.signal,
    })
      .catch((error: unknown) => {
        deps.log.error('A study could not be stored', {
          study: study.spec.id,
          error: String(error),
        });
      })
      .finally(() => {
        driven = null;
        emit('list.changed', { list: 'studies' });
      });
    emit('list.changed', { list: 'studies' });
  }

  function demandIdle(study: LiveStudy): void {
    if (db.history.row({ kind: 'study', id: study.spec.id })?.deletedAtMs != null)
      throw fail(
        'conflict',
        `${study.spec.name} lies in Deleted.`,
        'Restore it in the history first.',
      );
    if (!driven) return;
    if (driven.study === study)
      throw fail('conflict', `${study.spec.name} is running.`, 'Pause it first.');
    throw fail(
      'conflict',
      `The study ${driven.study.spec.name} is running; one runs at a time.`,
      'Wait for its end, or pause it.',
    );
  }

  function demandRunnable(spec: StudySpec): void {
    checkSpec(spec);
    if (!spec.findLimit && sweepPoints(spec).length > maximumRuns)
      throw fail(
        'invalidInput',
        `The study has ${sweepPoints(spec).length} runs; at most ${maximumRuns} are possible.`,
        'Take fewer values or repeats.',
      );
    const lab = spec.axes.find((axis) => axis.parameter.kind === 'lab');
    if (lab && deps.lab === null)
      throw fail(
        'conflict',
        `${lab.label} is a property of the simulated lab; this workspace works on the real lab.`,
        'Open the demo lab, or make it an axis that a person changes by hand.',
      );
  }

  const methods: Methods = {
    'study.list': async () => {
      const origin = deps.lab === null ? 'real' : 'simulated';
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
          if (study)
            return summaryOf(spec, { ...study.progress(), points: study.points() }, origin);
          const stored = db.studies.findProgress(spec.id);
          return summaryOf(spec, stored && { ...stored.progress, points: stored.points }, origin);
        });
    },
    'study.save': async (spec) => save(spec),
    'study.remove': async ({ id }) => {
      const study = live(id);
      if (driven?.study === study)
        throw fail('conflict', `${study.spec.name} is running.`, 'Pause it first.');
      db.studies.remove(id);
      lives.delete(id);
      emit('list.changed', { list: 'studies' });
      return {};
    },
    'study.overview': async ({ id }) => overviewOf(live(id)),
    'study.start': async ({ id }) => {
      const study = live(id);
      const { state, only, confirmed, startedAtMs } = study.progress();
      if (driven?.study === study && state === 'pausing') {
        driven.pause = new AbortController();
        study.change({ state: 'running' });
        return {};
      }
      demandIdle(study);
      demandRunnable(study.spec);
      peers.plan(study.spec.planId);
      // What failed or was broken off is run again; its runs stay in the history.
      const again =
        state === 'waiting'
          ? []
          : study
              .points()
              .filter((p) => p.state === 'failed' || p.state === 'aborted')
              .map((p) => ({
                ...p,
                state: 'pending' as const,
                runId: null,
                earlierRunIds: p.runId === null ? p.earlierRunIds : [...p.earlierRunIds, p.runId],
                measures: {},
                detail: '',
              }));
      const next =
        only === null
          ? nextPoint(
              study.spec,
              study.points().map((p) => again.find((a) => a.key === p.key) ?? p),
              false,
            )
          : study.point(only);
      if (next === null)
        throw fail(
          'conflict',
          `Every run of ${study.spec.name} is done.`,
          'Run a single point again, or change the study.',
        );
      const wait = state === 'waiting' ? waitsFor(study.spec, next, confirmed) : null;
      study.change(
        {
          state: 'running',
          detail: '',
          endedAtMs: null,
          startedAtMs: startedAtMs ?? deps.clock.now(),
          lastEndMs: null,
          confirmed: wait ? { ...confirmed, [wait.axis]: wait.value } : confirmed,
        },
        again,
      );
      drive(study);
      return {};
    },
    'study.pause': async ({ id, now }) => {
      const study = live(id);
      const { state, activeKey } = study.progress();
      if (state === 'waiting' && driven?.study !== study) {
        study.change({ state: 'paused' });
        return {};
      }
      if (driven?.study !== study || !isDriven(state))
        throw fail('conflict', `${study.spec.name} is not running.`);
      study.change({ state: 'pausing' });
      driven.pause.abort();
      const runId = activeKey === null ? null : (study.point(activeKey)?.runId ?? null);
      if (now && runId !== null) await peers.abort(runId);
      return {};
    },
    'study.rerun': async ({ id, key }) => {
      const study = live(id);
      demandIdle(study);
      demandRunnable(study.spec);
      const point = study.point(key);
      if (!point)
        throw fail('notFound', `${study.spec.name} has no point ${key}.`, 'Refresh the study.');
      study.change(
        {
          state: 'running',
          only: key,
          detail: '',
          endedAtMs: null,
          startedAtMs: study.progress().startedAtMs ?? deps.clock.now(),
          lastEndMs: null,
          confirmed: {},
        },
        [
          {
            ...point,
            state: 'pending',
            runId: null,
            earlierRunIds:
              point.runId === null ? point.earlierRunIds : [...point.earlierRunIds, point.runId],
            detail: '',
            measures: {},
          },
        ],
      );
      drive(study);
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
      if (left) drive(live(left.id));
    },
    async close() {
      closing.abort();
      await driven?.done;
    },
  };
}
