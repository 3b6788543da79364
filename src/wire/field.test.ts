import * as z from 'zod';

import { field, fieldLengths, fieldMeanings } from '../core/base/field.ts';
import { stringFields } from '../core/base/fieldWalk.ts';
import { diagnosisSchema } from '../core/diagnosis/diagnosis.ts';
import { bundleManifest } from '../core/history/bundle.ts';
import { labSpecSchema } from '../core/lab/lab.ts';
import { tileClipboard } from '../core/layout/layoutClipboard.ts';
import { checkReportSchema, planFileSchema } from '../core/plan/plan.ts';
import { runRecord, runSummary } from '../core/run/run.ts';
import { resultsFileSchema } from '../core/score/resultsFile.ts';
import { snapshotSchema } from '../core/snapshot/snapshot.ts';
import { galleryItem, studyOverview, studySummary } from '../core/study/study.ts';
import { studyFileSchema } from '../core/study/studyFile.ts';
import { connectionSchema } from '../core/testbed/connection.ts';
import { testbedFileSchema } from '../core/testbed/testbedFileTypes.ts';

/** Everything that is written into a file or a report. */
const leaving: Readonly<Record<string, z.ZodType>> = {
  bundleManifest,
  runRecord,
  runSummary,
  checkReportSchema,
  diagnosisSchema,
  labSpecSchema,
  tileClipboard,
  planFileSchema,
  resultsFileSchema,
  snapshotSchema,
  galleryItem,
  studyOverview,
  studySummary,
  studyFileSchema,
  connectionSchema,
  testbedFileSchema,
};

test.each(Object.entries(leaving))('every string of %s says what it is', (_name, schema) => {
  const fields = stringFields(schema);
  expect(fields.length).toBeGreaterThan(0);
  expect(fields.filter((one) => one.meaning === undefined).map((one) => one.path)).toEqual([]);
});

test('a string that does not say is found wherever it stands', () => {
  const hidden = z.object({
    list: z.array(z.object({ silent: z.string().optional() })),
    table: z.record(z.string(), field.name('vm')),
    choice: z.union([z.number(), z.string().nullable()]),
    anything: z.unknown(),
  });
  expect(
    stringFields(hidden)
      .filter((one) => one.meaning === undefined)
      .map((one) => one.path),
  ).toEqual(['list[].silent', 'table{key}', 'choice', 'anything']);
});

test('the meaning stays with a string that gets checks and wrappers, and two fields share none', () => {
  const name = field.name('vm').trim().min(1).max(20).regex(/x/);
  expect(fieldMeanings.get(name)).toEqual({ is: 'name', of: 'vm' });
  expect(stringFields(z.object({ a: name.nullable().optional(), b: field.freeText() }))).toEqual([
    { path: 'a', meaning: { is: 'name', of: 'vm' } },
    { path: 'b', meaning: { is: 'text' } },
  ]);
});

test('a string is bounded by its meaning', () => {
  expect(field.name('vm').safeParse('x'.repeat(fieldLengths.name)).success).toBe(true);
  expect(field.name('vm').safeParse('x'.repeat(fieldLengths.name + 1)).success).toBe(false);
});

test('data that the walk does not know fails loudly', () => {
  expect(() => stringFields(z.object({ a: z.map(z.number(), z.number()) }))).toThrow('map');
});
