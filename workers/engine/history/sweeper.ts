import { setImmediate as afterOthers } from 'node:timers/promises';

import { toAppError } from '../../../src/core/base/errors.ts';
import type { HistoryItem } from '../../../src/core/history/history.ts';
import { pause } from '../clock/jumps.ts';
import type { Database } from '../db/types.ts';
import type { Clock, Log } from '../deps.ts';

/**
 * Long work on the database in small steps: between two of them the engine does whatever else there
 * is.
 */
export interface Sweeper {
  /** Finishes all purges that were begun. */
  sweep(): Promise<void>;
  /** Measures entries that have no figure of their storage. */
  measure(): Promise<void>;
  /** Parts records that an earlier version stored whole, slowly: nobody waits for it. */
  part(): Promise<void>;
  idle(): Promise<void>;
}

/**
 * Between two records that are parted. A large one (1.3 MB) takes the engine some 50 ms: beside a
 * run that is a twentieth of its thread.
 */
const betweenPartsMs = 1_000;

export function createSweeper({
  db,
  clock,
  log,
  closing,
  tell,
}: {
  db: Pick<Database, 'purges' | 'storage' | 'parts'>;
  clock: Clock;
  log: Log;
  closing: AbortSignal;
  tell: (items: HistoryItem[]) => void;
}): Sweeper {
  let sweeping: Promise<void> | null = null;
  let measuring: Promise<void> | null = null;
  let parting: Promise<void> | null = null;

  async function sweepAll(): Promise<void> {
    for (
      let left = db.purges.pending();
      left.length > 0 && !closing.aborted;
      left = db.purges.pending()
    ) {
      for (const item of left) {
        while (!closing.aborted && !db.purges.step(item)) await afterOthers();
        await afterOthers();
        if (closing.aborted) return;
      }
    }
  }
  async function measureAll(): Promise<void> {
    const measured: HistoryItem[] = [];
    for (
      let left = db.storage.unmeasured(100);
      left.length > 0 && !closing.aborted;
      left = db.storage.unmeasured(100)
    ) {
      for (const item of left) {
        if (closing.aborted) return;
        db.storage.measure(item);
        measured.push(item);
        await afterOthers();
      }
    }
    if (!closing.aborted) tell(measured);
  }
  async function partAll(): Promise<void> {
    const whole = db.parts.whole();
    let parted = 0;
    for (const id of whole) {
      await pause(clock, betweenPartsMs, closing);
      if (closing.aborted) return;
      if (db.parts.part(id)) parted += 1;
    }
    if (parted > 0) log.info('Records of an earlier version were parted', { records: parted });
  }
  const logged = (work: Promise<void>, what: string): Promise<void> =>
    work.catch((thrown: unknown) => {
      log.error(what, { error: toAppError(thrown).message });
    });

  return {
    sweep: () =>
      (sweeping ??= logged(sweepAll(), 'A purge stopped; it goes on at the next start').finally(
        () => {
          sweeping = null;
        },
      )),
    measure: () =>
      (measuring ??= logged(measureAll(), 'The storage of runs could not be measured').finally(
        () => {
          measuring = null;
        },
      )),
    part: () =>
      (parting ??= logged(partAll(), 'Old records are not parted; that goes on at the next start')),
    async idle() {
      await sweeping;
      await measuring;
      await parting;
    },
  };
}
