import type { PeriodScore } from '../run/scoreTypes.ts';
import { qosStateOf } from './qosState.ts';

const period = (passed: readonly (boolean | null)[]): Pick<PeriodScore, 'tiles'> => ({
  tiles: [
    {
      tile: 0,
      score: null,
      workloads: passed.map((one) => ({
        workloadId: 'a',
        name: 'a',
        unit: 'tps',
        scored: true,
        throughput: 1,
        samples: 1,
        reference: null,
        ratio: null,
        qos: [
          {
            metric: 'latencyMeanMs',
            unit: 'ms',
            limit: 1,
            kind: 'max',
            measured: one === null ? null : 1,
            passed: one,
            source: 'test',
          },
        ],
      })),
    },
  ],
});

test.each([
  ['no limit is none kept', [[]], 'noLimit'],
  ['no period neither', [], 'noLimit'],
  ['all kept', [[true, true], [true]], 'kept'],
  ['one missed in one period', [[true], [true, false]], 'missed'],
  ['one that was not measured is not missed', [[true, null], [true]], 'notJudged'],
  ['one missed and one not measured', [[null], [false]], 'missed'],
] as const)('%s', (_words, periods, state) => {
  expect(qosStateOf(periods.map(period))).toBe(state);
});
