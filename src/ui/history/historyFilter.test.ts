import fc from 'fast-check';
import { manySummaries } from '../runs/testing/records.ts';
import { historyColumns, sortRuns } from './historyColumns.tsx';
import { filterFromParams, filterRuns, newestFirst, noFilter, paramsFromFilter, type HistoryFilter } from './historyFilter.ts';

const runs = manySummaries(200);
const filters = fc.record<HistoryFilter>({
  text: fc.constantFrom('', 'run', 'run 00', 'open tile', 'zzz'), state: fc.constantFrom('all', 'passed', 'failed', 'aborted', 'active'),
  profileId: fc.constantFrom(null, 'open-tile', 'other'), origin: fc.constantFrom('all', 'real', 'simulated', 'replay'), compliance: fc.constantFrom('all', 'compliant', 'notCompliant'),
});

test('a filter survives the address', () => {
  fc.assert(fc.property(filters, (filter) => expect(filterFromParams(new URLSearchParams(paramsFromFilter(filter).toString()))).toEqual(filter)));
});
test('unknown words in an address are ignored', () => expect(filterFromParams(new URLSearchParams('state=odd&rules=x'))).toEqual(noFilter));
test('filtering keeps order, only takes away, and twice is once', () => {
  fc.assert(fc.property(filters, (filter) => {
    const kept = filterRuns(runs, filter);
    expect(runs.filter((r) => kept.includes(r))).toEqual(kept);
    expect(filterRuns(kept, filter)).toEqual(kept);
  }));
});
test('every word must match, in any order and case', () => {
  expect(filterRuns(runs, { ...noFilter, text: 'TILE 0007' }).map((r) => r.name)).toEqual(['Run 0007']);
});
test('sorting keeps every run and puts missing values last both ways', () => {
  fc.assert(fc.property(fc.constantFrom(...historyColumns.map((c) => c.id)), fc.boolean(), (columnId, descending) => {
    const sorted = sortRuns(runs, { columnId, descending });
    expect(new Set(sorted)).toEqual(new Set(runs));
    const keys = sorted.map((r) => historyColumns.find((c) => c.id === columnId)!.key(r));
    const known = keys.filter((k) => k !== null);
    expect(keys.slice(known.length).every((k) => k === null)).toBe(true);
    for (let i = 1; i < known.length; i += 1) expect(descending ? known[i - 1]! >= known[i]! : known[i - 1]! <= known[i]!).toBe(true);
  }));
});
test('a run that has not started comes before all', () => {
  const waiting = { ...runs[0]!, id: 'w', startedAtMs: null };
  expect(newestFirst([...runs, waiting])[0]!.id).toBe('w');
});
