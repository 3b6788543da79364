import type { RunRecord, RunSummary } from '../../../src/core/run/run.ts';
import { runsOfPlan } from './runsOfPlan.ts';

const summary = (id: string, importedFrom?: string): RunSummary =>
  ({ id, ...(importedFrom === undefined ? {} : { importedFrom }) }) as RunSummary;
const record = (id: string, imported = false): RunRecord =>
  ({
    overview: { id },
    plan: { id: 'plan' },
    ...(imported ? { imported: { fileName: 'x' } } : {}),
  }) as RunRecord;
/** `kept`: newest first, as the store gives them. */
const told = (kept: readonly RunSummary[], ids: readonly string[], asked: RunRecord): string[] =>
  runsOfPlan(
    {
      list: () => [...kept],
      idsOfPlan: () => new Set(ids),
      summary: (id) => summary(id),
    },
    asked,
  ).map(({ id }) => id);

test('the eight that began last up to the run, oldest first; not those of other plans or from files', () => {
  const ids = Array.from({ length: 12 }, (_, i) => `r${12 - i}`);
  const kept = [...ids.map((id) => summary(id)), summary('other'), summary('filed', 'a.tilebench')];
  expect(told(kept, [...ids, 'filed'], record('r12'))).toEqual([
    'r5',
    'r6',
    'r7',
    'r8',
    'r9',
    'r10',
    'r11',
    'r12',
  ]);
  expect(told(kept, [...ids, 'filed'], record('r2'))).toEqual(['r1', 'r2']);
});

test('one in Deleted, and one that came in a file, stand alone', () => {
  expect(told([summary('r1')], ['r1', 'gone'], record('gone'))).toEqual(['gone']);
  expect(told([summary('r1'), summary('in', 'f')], ['r1', 'in'], record('in', true))).toEqual([
    'in',
  ]);
});
