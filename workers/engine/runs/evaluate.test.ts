import fc from 'fast-check';

import { droppedFindings, referencesFrom } from './evaluate.ts';

test('a reference is the mean over the tiles of all they did, however the periods share their samples', () => {
  const level = fc.integer({ min: 1, max: 999 });
  const part = fc.array(level, { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 4 }).chain((periods) =>
        fc.array(fc.array(part, { minLength: periods, maxLength: periods }), {
          minLength: 1,
          maxLength: 4,
        }),
      ),
      (tiles) => {
        const mean = (values: readonly number[]): number =>
          values.reduce((a, b) => a + b, 0) / values.length;
        const measured = tiles[0]!.map((_, index) => ({
          index,
          workloads: tiles.map((periods, tile) => ({
            tile,
            workloadId: 'db',
            samples: periods[index]!.length,
            values: { throughput: mean(periods[index]!) },
          })),
        }));
        expect(referencesFrom(measured)['db']).toBeCloseTo(
          mean(tiles.map((periods) => mean(periods.flat()))),
          9,
        );
      },
    ),
  );
});

describe('what the store left out', () => {
  test('nothing left out says nothing', () =>
    expect(droppedFindings({ repeated: 0, unusable: 0 })).toEqual([]));
  test('a sample without a number is a warning that counts it', () => {
    expect(droppedFindings({ repeated: 0, unusable: 1 })).toMatchObject([
      {
        id: 'dropped.unusable',
        severity: 'warn',
        text: '1 sample without a finite time or value was left out.',
      },
    ]);
  });
  test('repeats after a restart are told as stored once', () => {
    expect(droppedFindings({ repeated: 12, unusable: 0 })).toMatchObject([
      {
        id: 'dropped.repeated',
        severity: 'info',
        text: '12 samples arrived again or out of order and were stored once.',
      },
    ]);
  });
});
