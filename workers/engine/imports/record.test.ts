import fc from 'fast-check';

import { periodAt, steadyWindow } from '../../../src/core/run/windows.ts';
import { importedRecord } from './record.ts';

test('every sample of a file counts: the first and the last lie in the steady state and in its period', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 4e12 }),
      fc.integer({ min: 0, max: 1e8 }),
      (fromMs, lengthMs) => {
        const { overview } = importedRecord({
          id: 'run-1',
          fileName: 'a.csv',
          title: 'test',
          formatId: 'test',
          sha256: '0'.repeat(64),
          atMs: 4e12 + 2e8,
          complete: true,
          appVersion: '1',
          series: [],
          notes: [],
          leftOut: [],
          span: { fromMs, toMs: fromMs + lengthMs },
        });
        const steady = steadyWindow(overview)!;
        for (const atMs of [fromMs, fromMs + lengthMs]) {
          expect(periodAt(overview.periods, atMs)).toBeDefined();
          expect(atMs >= steady.startMs && atMs < steady.endMs).toBe(true);
        }
      },
    ),
  );
});
