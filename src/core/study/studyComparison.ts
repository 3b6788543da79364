import * as z from 'zod';

import { field } from '../base/field.ts';
import { compareWord } from '../compare/types.ts';

/**
 * A curve of a study: all its points at one value of the second axis, or one value of an only axis
 * of names.
 */
const compareCurve = z.object({
  key: field.id('point'),
  studyId: field.id('study'),
  name: field.name('study'),
  origin: z.enum(['real', 'simulated']),
  points: field.count(),
});
/**
 * One measure of every curve at every place of the common axis; null where a curve did not measure
 * it. Gaps only where both did: nothing is interpolated.
 */
const curveMeasure = z.object({
  measure: field.id('measure'),
  better: z.enum(['higher', 'lower']).nullable(),
  /** One list a curve, one entry a place. */ values: field.list(
    field.list(field.figure().nullable()),
  ),
  /** How many runs each value is the mean of. */ repeats: field.list(field.list(field.count())),
  gap: field.list(field.list(field.figure().nullable())),
  gapPct: field.list(field.list(field.figure().nullable())),
  /** Where both have repeats, by Welch at 5 %, each place by itself; null elsewhere. */ words:
    field.list(field.list(compareWord.nullable())),
  /**
   * Of what each word is made: 95 % interval of the gap and the smallest gap found in 4 of 5 cases,
   * in percent of the baseline.
   */
  tests: field.list(
    field.list(
      z
        .object({
          lowPct: field.figure(),
          highPct: field.figure(),
          detectablePct: field.figure(),
          p: field.figure(),
        })
        .nullable(),
    ),
  ),
  /**
   * Of each curve: least, greatest and mean gap in percent over the places both measured; null for
   * the baseline and where there are none.
   */
  summary: field.list(
    z
      .object({
        places: field.count(),
        least: field.figure(),
        greatest: field.figure(),
        mean: field.figure(),
      })
      .nullable(),
  ),
});
export const studyComparison = z.object({
  baseline: field.id('baseline'),
  axis: z.object({
    label: field.freeText(),
    unit: field.word(),
    /** Values in order, with their words. */ places: field.list(
      z.object({ value: z.union([field.figure(), field.id('value')]), label: field.freeText() }),
    ),
    numeric: z.boolean(),
  }),
  curves: field.list(compareCurve),
  measures: field.list(curveMeasure),
  /**
   * The runs behind each place of each curve, in the order of the points, and how many kept or
   * missed their QoS limits; `detail`: which were missed.
   */
  places: field.list(
    field.list(
      z.object({
        runIds: field.list(field.id('run')),
        kept: field.count(),
        missed: field.count(),
        detail: field.freeText(),
      }),
    ),
  ),
  /**
   * Where each curve keeps its QoS limits, a sentence a curve; empty where nothing was measured.
   */ qos: field.list(field.freeText()),
  /** Words for workloads in measures, by id. */ workloads: field.record(
    field.id('workload'),
    z.object({ name: field.name('workload'), unit: field.word() }),
  ),
  /** Measures that the authors charted, with their titles and units. */ charted: field.list(
    z.object({ measure: field.id('measure'), title: field.freeText(), unit: field.word() }),
  ),
  guards: field.list(field.freeText()),
  sentence: field.freeText(),
});
export type StudyComparison = z.infer<typeof studyComparison>;
