import { setImmediate as afterOthers } from 'node:timers/promises';

import { toAppError } from '../../../src/core/base/errors.ts';
import {
  type HistoryEntry,
  type HistoryItem,
  type HistoryOutcome,
  type RetentionPreview,
  type RetentionRule,
  retentionRule,
} from '../../../src/core/history/history.ts';
import { isEnd } from '../../../src/core/run/run.ts';
import type { Emit, Handlers } from '../../../src/wire/contract.ts';
import type { HistoryRow } from '../db/history.ts';
import type { Database } from '../db/types.ts';
import type { Deps } from '../deps.ts';
import { thinnedShare, thinRun } from './thinRun.ts';

const settingName = 'retention';
const dayMs = 86_400_000;

export interface Retention {
  methods: Pick<
    Handlers,
    'history.retention.get' | 'history.retention.set' | 'history.retention.preview'
  >;
  /** Applies the rule now where it is switched on, and daily. */
  start(): void;
  idle(): Promise<void>;
}

/**
 * What is removed by itself, and nothing is until the rule is switched on. Favourites, running runs
 * and opened files are left alone.
 */
export function createRetention(options: {
  deps: Pick<Deps, 'clock' | 'log' | 'lab'>;
  db: Database;
  emit: Emit;
  read: (row: HistoryRow) => HistoryEntry | null;
  purge: (items: readonly HistoryItem[]) => Promise<HistoryOutcome>;
  tell: (items: HistoryItem[]) => void;
  closing: AbortSignal;
}): Retention {
  const { deps, db, emit, read, purge, tell, closing } = options;
  let working: Promise<void> | null = null;
  let ticking = false;
  const rule = (): RetentionRule => db.settings.get(settingName, retentionRule);

  /** What the rule would take now, oldest first. */
  function preview({ deletedDays, sampleDays }: RetentionRule): RetentionPreview {
    const now = deps.clock.now();
    const line = (
      entry: HistoryEntry,
      sinceMs: number,
      bytes: number | null,
    ): RetentionPreview['purge'][number] => ({
      kind: entry.kind,
      id: entry.id,
      name: entry.name,
      sinceMs,
      bytes,
    });
    const entries = db.history
      .rows('all')
      .filter((row) => !row.favourite)
      .flatMap((row) => {
        const entry = read(row);
        return entry ? [entry] : [];
      });
    const old = entries.filter(
      (entry) =>
        deletedDays !== null &&
        entry.deletedAtMs !== null &&
        now - entry.deletedAtMs >= deletedDays * dayMs,
    );
    const going = new Set(old.filter((entry) => entry.kind === 'study').map((entry) => entry.id));
    const needs = old.length === 0 ? null : db.purges.needs();
    const free = (entry: HistoryEntry): boolean =>
      entry.kind === 'study' ||
      (needs?.get(entry.id) ?? []).every((need) => need.kind === 'study' && going.has(need.id));
    const gone = old
      .filter(free)
      .map((entry) => line(entry, entry.deletedAtMs!, entry.storageBytes));
    const thin =
      sampleDays === null
        ? []
        : entries.flatMap((entry) => {
            if (
              entry.kind !== 'run' ||
              entry.deletedAtMs !== null ||
              entry.importedFrom !== undefined ||
              entry.thinnedAtMs !== null ||
              entry.sampleCount === 0 ||
              !isEnd(entry.state)
            )
              return [];
            const endedMs =
              (entry.startedAtMs ?? entry.createdAtMs ?? now) + (entry.durationS ?? 0) * 1_000;
            if (now - endedMs < sampleDays * dayMs) return [];
            const share = thinnedShare(db, entry.id);
            return share === 0
              ? []
              : [
                  line(
                    entry,
                    endedMs,
                    entry.storageBytes === null ? null : Math.round(entry.storageBytes * share),
                  ),
                ];
          });
    const byAge = (a: { sinceMs: number }, b: { sinceMs: number }): number => a.sinceMs - b.sinceMs;
    return {
      purge: gone.sort(byAge),
      thin: thin.sort(byAge),
      bytes: [...gone, ...thin].reduce((sum, { bytes }) => sum + (bytes ?? 0), 0),
    };
  }

  async function apply(): Promise<void> {
    const current = rule();
    if (!current.enabled) return;
    const plan = preview(current);
    const purged =
      plan.purge.length === 0
        ? []
        : (await purge(plan.purge.map(({ kind, id }) => ({ kind, id })))).done;
    const thinned: HistoryItem[] = [];
    for (const { kind, id } of plan.thin) {
      if (closing.aborted) break;
      for (const _part of thinRun(db, id, deps.clock.now())) {
        await afterOthers();
        if (closing.aborted) break;
      }
      if (!closing.aborted) thinned.push({ kind, id });
    }
    if (closing.aborted) return;
    tell(thinned);
    const words = [
      ...(purged.length > 0
        ? [`${countOf(purged.length, 'entry', 'entries')} of Deleted purged`]
        : []),
      ...(thinned.length > 0
        ? [`samples of ${countOf(thinned.length, 'run', 'runs')} thinned to one in 20 s`]
        : []),
    ];
    if (words.length > 0)
      emit('notice', { level: 'info', text: `Retention rule: ${words.join(', ')}.` });
  }

  const applyNow = (): Promise<void> =>
    (working ??= apply()
      .catch((thrown: unknown) => {
        deps.log.error('The retention rule could not be applied', {
          error: toAppError(thrown).message,
        });
      })
      .finally(() => {
        working = null;
      }));

  /**
   * A virtual clock has no days of its own to wait for, and would hurry through them: there the
   * rule is applied at start only.
   */
  async function daily(): Promise<void> {
    if (ticking || deps.lab !== null) return;
    ticking = true;
    try {
      while (!closing.aborted && rule().enabled) {
        await deps.clock.sleep(dayMs, closing);
        await applyNow();
      }
    } catch (thrown) {
      if (!closing.aborted)
        deps.log.error('The retention rule stopped', { error: toAppError(thrown).message });
    } finally {
      ticking = false;
    }
  }
  const start = (): void => {
    if (rule().enabled) void applyNow().then(daily);
  };

  return {
    methods: {
      'history.retention.get': async () => rule(),
      'history.retention.set': async (next) => {
        db.settings.set(settingName, next);
        emit('history.changed', { items: [] });
        start();
        return next;
      },
      'history.retention.preview': async ({ rule: other }) => preview(other ?? rule()),
    },
    start,
    async idle() {
      await working;
    },
  };
}

const countOf = (count: number, one: string, many: string): string =>
  `${count} ${count === 1 ? one : many}`;
