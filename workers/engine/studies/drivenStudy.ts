import { fail } from '../../../src/core/base/errors.ts';
import type { Emit } from '../../../src/wire/contract.ts';
import type { Database } from '../db/types.ts';
import type { Deps } from '../deps.ts';
import type { LiveStudy } from './liveStudy.ts';
import { driveStudy, type StudyPeers } from './runner.ts';

/** The study that is walked through now: one at a time. */
export interface DrivenStudy {
  is(study: LiveStudy): boolean;
  /** Throws conflict while a study is driven, and for one that lies in Deleted. */
  demandIdle(study: LiveStudy): void;
  /** Begins to walk through a study; nothing is driven before. */
  drive(study: LiveStudy): void;
  /** Wakes the driven study from the wait between two runs: it is to pause. */
  pause(): void;
  /** Takes a pause back. */
  resume(): void;
  /** Leaves runs alone; resolves when the driven study has been left. */
  close(): Promise<void>;
}

export function createDrivenStudy({
  deps,
  db,
  emit,
  peers,
}: {
  deps: Deps;
  db: Database;
  emit: Emit;
  peers: StudyPeers;
}): DrivenStudy {
  const closing = new AbortController();
  let driven: { study: LiveStudy; pause: AbortController; done: Promise<void> } | null = null;

  return {
    is: (study) => driven?.study === study,
    demandIdle(study) {
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
    },
    drive(study) {
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
    },
    pause() {
      driven?.pause.abort();
    },
    resume() {
      if (driven) driven.pause = new AbortController();
    },
    async close() {
      closing.abort();
      await driven?.done;
    },
  };
}
