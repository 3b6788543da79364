import type { ActEffect } from '../acts/act.ts';
import { actInRun, actSummaries, recoveryText, workUnit } from './actSummary.ts';

const effect = (entityId: string, of: Partial<ActEffect> = {}): ActEffect => ({
  entityId,
  throughputBefore: 100,
  throughputAfter: 90,
  latencyBeforeMs: 4,
  latencyAfterMs: 6,
  outcome: 'recovered',
  recoveryS: 60,
  workLost: 500,
  violatedS: null,
  missingS: 0,
  ...of,
});
const workloads = [0, 1].flatMap((tile) =>
  ['db', 'web'].map((workloadId) => ({ entityId: `t${tile}.${workloadId}`, workloadId, tile })),
);

test('sums over tiles, the worst of recoveries, and what is not known left out', () => {
  const [db, web] = actSummaries(
    {
      effects: [
        effect('t0.db'),
        effect('t1.db', { recoveryS: 90, violatedS: 30 }),
        effect('t0.web', { outcome: 'lost', recoveryS: null }),
        effect('t1.web', {
          outcome: 'unknown',
          recoveryS: null,
          workLost: null,
          throughputBefore: null,
        }),
      ],
    },
    workloads,
  );
  expect(db).toMatchObject({
    tiles: 2,
    recoveryS: 90,
    worstTile: 1,
    workLost: 1_000,
    violatedS: 30,
    throughputBefore: 200,
    latencyAfterMs: 6,
  });
  expect(web).toMatchObject({ lost: 1, unknown: 1, workLost: 500, throughputBefore: 100 });
  expect(recoveryText(web!)).toBe('not recovered on 1 of 2 tiles');
  expect(actSummaries({}, workloads)).toEqual([]);
});

test.each([
  [{ tiles: 1, even: 0, lost: 0, unknown: 0, uneven: 0, recoveryS: 80 }, '1:20'],
  [{ tiles: 3, even: 1, lost: 0, unknown: 0, uneven: 0, recoveryS: 80 }, '1:20 on 2 of 3 tiles'],
  [{ tiles: 2, even: 2, lost: 0, unknown: 0, uneven: 0, recoveryS: null }, 'not disturbed'],
  [{ tiles: 1, even: 0, lost: 1, unknown: 0, uneven: 0, recoveryS: null }, 'not recovered'],
  [{ tiles: 2, even: 0, lost: 0, unknown: 1, uneven: 1, recoveryS: null }, 'too uneven to tell'],
  [{ tiles: 2, even: 0, lost: 0, unknown: 2, uneven: 0, recoveryS: null }, 'not measured'],
])('%j: %s', (summary, text) => {
  expect(recoveryText(summary)).toBe(text);
});

test('an act and what it cost in words', () => {
  expect(['MB/s', 'tps', 'pages/min', 'IOPS', 'x'].map(workUnit)).toEqual([
    'MB',
    'transactions',
    'pages',
    'I/Os',
    'x',
  ]);
  expect(actInRun({ label: 'Host a fails', startedMs: 721_000, plannedMs: 720_000 }, 1_000)).toBe(
    'Host a fails at 12:00',
  );
});
