import fc from 'fast-check';

import { formatDelta, rowDecimals } from '../../../core/compare/index.ts';
import { nextCurve, studyCompareAddress } from '../../../core/study/studyCurves.ts';
import {
  choiceFromParams,
  compareAddress,
  maxCompared,
  nextBaseline,
} from '../../addresses/compareAddress.ts';
import { demoRun } from '../runs/testing/records.ts';
import { overlayCharts, sharedSpanMs } from './overlays.ts';

const ids = fc.uniqueArray(
  fc.string({ minLength: 1, maxLength: 6 }).filter((s) => !s.includes(',')),
  { minLength: 2, maxLength: maxCompared + 1 },
);

test('a choice survives the address', () => {
  fc.assert(
    fc.property(ids, ([baselineId, ...others]) => {
      const address = compareAddress(baselineId!, others);
      expect(choiceFromParams(new URLSearchParams(address.slice(address.indexOf('?'))))).toEqual({
        baselineId,
        ids: others,
      });
    }),
  );
});
test('as many presses as runs bring the first baseline back, each run once', () => {
  fc.assert(
    fc.property(ids, ([baselineId, ...others]) => {
      let choice = { baselineId: baselineId as string | null, ids: others };
      const seen: (string | null)[] = [];
      for (let i = 0; i <= others.length; i += 1) {
        seen.push(choice.baselineId);
        choice = nextBaseline(choice);
      }
      expect(choice).toEqual({ baselineId, ids: others });
      expect(new Set(seen).size).toBe(others.length + 1);
    }),
  );
});
test('an address without base takes the first run; more than the contract takes are cut', () => {
  expect(choiceFromParams(new URLSearchParams('ids=a,b,a'))).toEqual({
    baselineId: 'a',
    ids: ['b'],
  });
  expect(choiceFromParams(new URLSearchParams('base=x&ids=1,2,3,4,5,6,7,8,9,10')).ids).toHaveLength(
    maxCompared,
  );
  expect(compareAddress(null, [])).toBe('/compare');
});
test.each([
  [3.2, '+3.20 %'],
  [-0.512, '−0.512 %'],
  [0, '0 %'],
  [99.9, '+99.9 %'],
  [100, '2.00×'],
  [123.4, '2.23×'],
  [2_717, '28.2×'],
])('%d is written %s', (delta, text) => expect(formatDelta(delta)).toBe(text));
test.each([
  [[812.4, 869.6], 1],
  [[0.9999, 1.07], 4],
  [[15430, 16000], 0],
  [[null, null], 0],
  [[0], 0],
])('%j has %d decimals', (values, decimals) => expect(rowDecimals(values)).toBe(decimals));

test('overlays match by entity, metric and unit, and name the run that lacks one', () => {
  const charts = overlayCharts([
    demoRun({ name: 'two' }).record.overview,
    demoRun({ name: 'three', tiles: 3 }).record.overview,
  ]);
  const shared = charts.find((c) => c.key === 'throughput/t0.database/tps')!;
  expect(shared.lines.map((l) => l.runIndex)).toEqual([0, 1]);
  expect(shared.missing).toEqual([]);
  expect(charts.find((c) => c.key === 'throughput/t2.database/tps')).toMatchObject({
    missing: ['two'],
    lines: [{ runIndex: 1 }],
  });
  expect(
    sharedSpanMs([demoRun().record.overview, demoRun({ state: 'aborted' }).record.overview]),
  ).toBe(260_000);
});

test('pressing b comes round every curve once', () => {
  let keys = ['s/b', 's/a', 's/c'];
  const seen: string[] = [];
  for (let i = 0; i < 3; i += 1) {
    const next = nextCurve(keys);
    seen.push(next);
    keys = [next, ...keys.filter((k) => k !== next)];
  }
  expect(seen).toEqual(['s/c', 's/a', 's/b']);
  expect(studyCompareAddress(['a b', 'c'], 's/array=new')).toBe(
    '/compare/studies?ids=a%20b,c&base=s%2Farray%3Dnew',
  );
});
