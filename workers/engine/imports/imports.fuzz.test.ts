import fc from 'fast-check';

import { createHarness, type Harness } from '../testing/engineHarness.ts';
import { cuts, damagedBytes, piecesOf } from '../testing/fuzz/bytes.ts';
import { fuzz } from '../testing/fuzz/fuzz.ts';
import { importFiles } from './testing/files.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

for (const [format, files] of Object.entries(importFiles))
  fuzz({
    name: `imports of ${format}`,
    cases: 180,
    inputs: fc.tuple(damagedBytes(files), cuts),
    print: ([bytes]) => Buffer.from(bytes.subarray(0, 400)).toString('latin1'),
    async take([bytes, where]) {
      const pieces = piecesOf(bytes, where);
      let uploadId: string | null = null;
      let runId: string | null = null;
      for (const [i, piece] of pieces.entries()) {
        const answer: { uploadId: string; runId: string | null } = await harness.call(
          'file.import',
          { fileName: 'x.csv', uploadId, bytes: piece, last: i === pieces.length - 1 },
        );
        ({ uploadId, runId } = answer);
      }
      // What was taken can be shown, sent and drawn, or it must not have been taken.
      const { overview } = await harness.call('run.record', { id: runId! });
      await harness.call('run.samples', {
        runId: runId!,
        seriesIds: overview.series.slice(0, 20).map((one) => one.id),
        maxPoints: 500,
      });
      await harness.call('run.remove', { id: runId! });
    },
  });
