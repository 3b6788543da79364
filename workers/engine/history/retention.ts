import { setImmediate as afterOthers } from 'node:timers/promises';

import { toAppError } from '../../../src/core/base/errors.ts';
import {
  type HistoryEntry,
  type HistoryItem,
  type HistoryOutcome,
  type RetentionRule,
  retentionRule,
} from '../../../src/core/history/history.ts';
import type { Emit, Handlers } from '../../../src/wire/contract.ts';
import type { HistoryRow } from '../db/history.ts';
import type { Database } from '../db/types.ts';
import type { Deps } from '../deps.ts';
import { previewOf } from './retentionPreview.ts';
import { thinRun } from './thinRun.ts';

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

interface Options {
  deps: Pick<Deps, 'clock' | 'log' | 'lab'>;
  db: Database;
  emit: Emit;
  read: (row: HistoryRow) => HistoryEntry | null;
  purge: (items: readonly HistoryItem[]) => Promise<HistoryOutcome>;
  tell: (items: HistoryItem[]) => void;
  closing: AbortSignal;
}

/**
 * What is removed by itself, and nothing is until the rule is switched on. Favourites, running runs
 * and opened files are left alone.
 */
export function createRetention(options: Options): Retention {
  const { deps, db, emit, closing } = options;
  let working: Promise<void> | null = null;
  let ticking = false;
  const rule = (): RetentionRule => ruleOf(db);

  const applyNow = (): Promise<void> =>
    (working ??= applyRule(options)
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
      'history.retention.preview': async ({ rule: other }) =>
        previewOf({ ...options, now: deps.clock.now() }, other ?? rule()),
    },
    start,
    async idle() {
      await working;
    },
  };
}

const ruleOf = (db: Pick<Database, 'settings'>): RetentionRule =>
  db.settings.get(settingName, retentionRule);

/** Purges and thins what the rule takes, where it is switched on, and says what was done. */
async function applyRule(options: Options): Promise<void> {
  const { db, deps, emit, purge, tell, closing } = options;
  const rule = ruleOf(db);
  if (!rule.enabled) return;
  const plan = previewOf({ ...options, now: deps.clock.now() }, rule);
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
  const words = wordsOf(purged.length, thinned.length);
  if (words.length > 0)
    emit('notice', { level: 'info', text: `Retention rule: ${words.join(', ')}.` });
}

/** What the rule did, in words: nothing where it took nothing. */
function wordsOf(purged: number, thinned: number): string[] {
  return [
    ...(purged > 0 ? [`${countOf(purged, 'entry', 'entries')} of Deleted purged`] : []),
    ...(thinned > 0
      ? [`samples of ${countOf(thinned, 'run', 'runs')} thinned to one in 20 s`]
      : []),
  ];
}

const countOf = (count: number, one: string, many: string): string =>
  `${count} ${count === 1 ? one : many}`;
