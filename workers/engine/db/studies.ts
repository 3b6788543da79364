import type BetterSqlite from 'better-sqlite3';

import {
  type StudyPoint,
  studyPoint,
  type StudySpec,
  studySpecSchema,
} from '../../../src/core/study/study.ts';
import type { Log } from '../deps.ts';
import { documentStore } from './documents.ts';
import type { HistoryStore } from './history.ts';
import { planNamesIn } from './historyIndex.ts';
import { pointDetailsSql, textOfStudy } from './historyText.ts';
import { readShown, readStored, type Stored } from './readStored.ts';
import type { StorageStore } from './storage.ts';
import { type StoredProgress, type StudyProgress, studyProgress } from './studyProgress.ts';
import type { StudyStore } from './types.ts';
import { unreadableError, type UnreadableStore } from './unreadable.ts';

/** Studies with their progress and points; what is searched of them follows in one transaction. */
export function studyStore(
  db: BetterSqlite.Database,
  history: HistoryStore,
  storage: Pick<StorageStore, 'measure'>,
  unreadable: UnreadableStore,
  log: Log,
): StudyStore {
  const sql = prepare(db);
  const specs = documentStore(db, log, 'studies', studySpecSchema);
  const planNames = planNamesIn(db);
  const index = (id: string): void => {
    const spec = readStored(studySpecSchema, sql.specJson.get(id)?.json ?? '');
    if (spec.ok)
      history.index(
        { kind: 'study', id },
        textOfStudy(
          spec.data,
          sql.details.all(id).map(({ detail }) => detail),
          planNames(spec.data.planId),
        ),
      );
    storage.measure({ kind: 'study', id });
  };
  const read = (id: string): Stored<StudyProgress> | null => {
    const row = sql.one.get(id);
    if (!row) return null;
    const stored = readShown(studyProgress, row.json);
    if (stored.ok) unreadable.clear({ kind: 'study', id });
    else unreadable.note({ kind: 'study', id }, stored.issue);
    return stored;
  };
  const withPoints = (id: string, progress: StudyProgress): StoredProgress => ({
    progress,
    points: sql.points.all(id).flatMap(({ place, json }) => {
      const point = readShown(studyPoint, json);
      if (point.ok) return [point.data];
      log.error('A stored point of a study is not readable and left out', {
        study: id,
        place,
        issue: point.issue,
      });
      return [];
    }),
  });
  return {
    ...specs,
    remove: (id) => {
      unreadable.clear({ kind: 'study', id });
      specs.remove(id);
    },
    save: db.transaction((spec: StudySpec) => {
      const saved = specs.save(spec);
      index(spec.id);
      return saved;
    }),
    progress(id) {
      const stored = read(id);
      if (stored?.ok === false) throw unreadableError({ kind: 'study', id }, stored.issue);
      return stored && withPoints(id, stored.data);
    },
    findProgress(id) {
      const stored = read(id);
      return stored?.ok === true ? withPoints(id, stored.data) : null;
    },
    raw: (id) => {
      const spec = sql.specJson.get(id)?.json;
      return spec === undefined ? null : [spec, ...[sql.one.get(id)?.json ?? []].flat()].join('\n');
    },
    saveProgress: db.transaction(
      (
        id: string,
        progress: StudyProgress,
        changed: readonly { place: number; point: StudyPoint }[],
        length: number,
      ) => {
        sql.put.run(id, JSON.stringify(progress));
        for (const { place, point } of changed) sql.putPoint.run(id, place, JSON.stringify(point));
        sql.cut.run(id, length);
        index(id);
      },
    ),
  };
}

function prepare(db: BetterSqlite.Database) {
  return {
    one: db.prepare<[string], { json: string }>(
      'SELECT json FROM study_progress WHERE study_id = ?',
    ),
    put: db.prepare<[string, string]>(
      'INSERT INTO study_progress (study_id, json) VALUES (?, ?) ON CONFLICT (study_id) DO ' +
        'UPDATE SET json = excluded.json',
    ),
    points: db.prepare<[string], { place: number; json: string }>(
      'SELECT place, json FROM study_points WHERE study_id = ? ORDER BY place',
    ),
    putPoint: db.prepare<[string, number, string]>(
      'INSERT INTO study_points (study_id, place, json) VALUES (?, ?, ?) ON CONFLICT ' +
        '(study_id, place) DO UPDATE SET json = excluded.json',
    ),
    details: db.prepare<[string], { detail: string }>(pointDetailsSql),
    specJson: db.prepare<[string], { json: string }>('SELECT json FROM studies WHERE id = ?'),
    cut: db.prepare<[string, number]>('DELETE FROM study_points WHERE study_id = ? AND place >= ?'),
  };
}
