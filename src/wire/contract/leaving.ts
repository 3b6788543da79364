import * as z from 'zod';

import { field } from '../../core/base/field.ts';
import { reportFormats, reportLengthNames, sampleFormats } from '../../core/history/exportForms.ts';
import { bytes, none } from './common.ts';

const exportFormat = z.enum(sampleFormats);
const reportFormat = z.enum(reportFormats);
const reportFile = z.object({ fileName: field.address('file'), bytes });
const shownWord = field.freeText().min(1).max(20_000);
/**
 * How names and addresses leave. Where `redact` is set and a doubt is not in `confirmed`, the call
 * ends with `conflict`.
 */
const redaction = {
  /** By pseudonyms that are the same throughout. */ redact: z.boolean().default(false),
  /** Words of texts that a person looked at and lets leave as they are. */
  keep: field.list(shownWord).max(10_000).default([]),
  /** Doubts of the preview that a person looked at. */
  confirmed: field.list(shownWord).default([]),
};
const reportOptions = {
  ...redaction,
  /** Two pages, or the whole. */ length: z.enum(reportLengthNames).default('full'),
  /** Comes back in `report.progress`; absent = no progress is told. */ progressKey: field
    .id('progressKey')
    .max(64)
    .optional(),
};
/** What redaction does to something that leaves. */
const redactionPreview = z.object({
  replacements: field.list(
    z.object({
      kind: field.word(),
      from: field.freeText(),
      to: field.freeText(),
      count: field.figure(),
    }),
  ),
  /**
   * What a person must look at: words of texts that are in no list and leave as pseudonyms, and
   * names that are plain words too and stay in texts.
   */
  doubts: field.list(
    z.object({
      text: field.freeText(),
      to: field.freeText(),
      count: field.figure(),
      why: z.enum(['unknown', 'plainWord']),
    }),
  ),
});
export type RedactionPreview = z.infer<typeof redactionPreview>;
export const bundlePreview = redactionPreview.extend({
  parts: field.list(
    z.object({
      name: field.name('view'),
      holds: field.freeText(),
      bytes: field.figure().nullable(),
    }),
  ),
});
const bundlePage = z.object({
  fileName: field.address('file'),
  bytes,
  cursor: field.id('cursor').nullable(),
  done: field.figure(),
  total: field.figure(),
});
/** What a report is about. */
const reportSubject = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('run'), id: field.id('run') }),
  z.object({
    kind: z.literal('compare'),
    baselineId: field.id('run'),
    ids: field.list(field.id('run')).min(1).max(8),
    referenceId: field.id('run').optional(),
  }),
  z.object({ kind: z.literal('study'), id: field.id('study') }),
  z.object({
    kind: z.literal('studies'),
    ids: field.list(field.id('study')).min(1).max(8),
    baseline: field.id('curve').optional(),
  }),
]);
export type ReportSubject = z.infer<typeof reportSubject>;
export type BundlePreview = z.infer<typeof bundlePreview>;

/** What leaves as a file, and files that come in. */
export const leavingMethods = {
  /**
   * Pages of an export: call with `cursor` until it comes back null. A Parquet file's pages come
   * once, in order.
   */
  'run.export': {
    changes: false,
    input: z.object({
      id: field.id('run'),
      format: exportFormat,
      cursor: field.id('cursor').nullable(),
      ...redaction,
    }),
    output: z.object({
      fileName: field.address('file'),
      bytes,
      cursor: field.id('cursor').nullable(),
      done: field.figure(),
      total: field.figure(),
    }),
  },
  /** A whole report of a run in one file. */
  'report.run': {
    changes: false,
    input: z.object({ id: field.id('run'), format: reportFormat, ...reportOptions }),
    output: reportFile,
  },
  /** A whole report of a comparison of runs; `ids` are those beside the baseline. */
  'report.compare': {
    changes: false,
    input: z.object({
      baselineId: field.id('run'),
      ids: z.array(field.id('run')).min(1).max(8),
      /** Scores all of them against this run; absent = as each was scored. */
      referenceId: field.id('run').optional(),
      format: reportFormat,
      ...reportOptions,
    }),
    output: reportFile,
  },
  /**
   * A whole report of a study: curves, knees, points, diagnosis, and the file that makes it again.
   */
  'report.study': {
    changes: false,
    input: z.object({ id: field.id('study'), format: reportFormat, ...reportOptions }),
    output: reportFile,
  },
  /**
   * A whole report of curves of studies over each other. `baseline` is the key of a curve; absent =
   * the first.
   */
  'report.studies': {
    changes: false,
    input: z.object({
      ids: z.array(field.id('study')).min(1).max(8),
      baseline: field.id('baseline').optional(),
      format: reportFormat,
      ...reportOptions,
    }),
    output: reportFile,
  },
  /** What redaction would replace in a report. */
  'report.preview': {
    changes: false,
    input: z.object({ of: reportSubject, keep: redaction.keep }),
    output: redactionPreview,
  },
  /** What a bundle of this run would hold, and what redaction would replace in it. */
  'bundle.preview': {
    changes: false,
    input: z.object({ id: field.id('run'), redact: z.boolean(), keep: redaction.keep }),
    output: bundlePreview,
  },
  /**
   * Pages of a bundle: call with `cursor` until it comes back null. The first page comes when the
   * whole is made.
   */
  'bundle.export': {
    changes: false,
    input: z.object({
      id: field.id('run'),
      cursor: field.id('cursor').nullable(),
      ...redaction,
    }),
    output: bundlePage,
  },
  /** What a story with its runs would hold in one file, and what redaction would replace in it. */
  'story.preview': {
    changes: false,
    input: z.object({ id: field.id('story'), redact: z.boolean(), keep: redaction.keep }),
    output: bundlePreview,
  },
  /** Pages of a story with its runs in one file, as those of a bundle. */
  'story.export': {
    changes: false,
    input: z.object({
      id: field.id('story'),
      cursor: field.id('cursor').nullable(),
      ...redaction,
    }),
    output: bundlePage,
  },
  /**
   * Pages of a bundle that comes in, of a run or of a story with its runs; with `last` it is checked
   * and opened. Nothing of a refused one is kept.
   */
  'bundle.import': {
    changes: true,
    input: z.object({
      fileName: field.address('file').min(1).max(255),
      uploadId: field.id('upload').nullable(),
      bytes,
      last: z.boolean(),
    }),
    output: z.object({
      uploadId: field.id('upload'),
      /** Of the bundle of a run. */ runId: field.id('run').nullable(),
      /** Of a story with its runs. */ storyId: field.id('story').nullable(),
    }),
  },
  /**
   * Pages of a file of another tool (`importForms`); with `last` it is a run. Nothing of a refused
   * one is kept.
   */
  'file.import': {
    changes: true,
    input: z.object({
      fileName: field.address('file').min(1).max(255),
      uploadId: field.id('upload').nullable(),
      bytes,
      last: z.boolean(),
      /** Devices by name; empty = all. */ filter: z
        .array(field.name('device').min(1).max(200))
        .max(50)
        .default([]),
    }),
    output: z.object({
      uploadId: field.id('upload'),
      runId: field.id('run').nullable(),
      /** What was damaged and left out of the file, in words; empty = it was read whole. */
      leftOut: field.list(field.freeText()),
    }),
  },
  /** Ends an import that is not wanted any more, and drops what it had stored. */
  'file.importStop': {
    changes: true,
    input: z.object({ uploadId: field.id('upload') }),
    output: none,
  },
} as const;
