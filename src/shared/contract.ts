import * as z from 'zod';

import { diagnosisSchema } from './diagnosis.ts';
import { field } from './field.ts';
import { historyEvents, historyMethods } from './history.ts';
import { labFault, labStatus } from './lab.ts';
import { metricName, seriesDefSchema } from './metric.ts';
import { checkProgressSchema, checkReportSchema, planSchema } from './plan.ts';
import { importDecision, importPreview, importSource } from './planImport/schema.ts';
import { profileSchema } from './profile.ts';
import { provisionJobSchema, provisionOptions, provisionPlanSchema } from './provision.ts';
import { runEvent, runOverview, runRecord, runSummary } from './run.ts';
import { galleryItem, studyOverview, studySpecSchema, studySummary } from './study.ts';
import { connectionSchema, inventorySchema, testbedSchema } from './testbed.ts';

const none = z.object({});
const byId = z.object({ id: field.id('thing') });
const float64 = field.float64();
const bytes = field.bytes();
const runWindow = z.object({
  runId: field.id('run'),
  seriesIds: z.array(field.count()).max(2_000),
  fromMs: field.timeMs().optional(),
  toMs: field.timeMs().optional(),
  /** At most this many points a series, min and max kept a bucket; 0 = every sample. */ maxPoints:
    z.number().int().min(0).max(100_000).default(2_000),
});
const seriesData = z.object({ seriesId: field.figure(), tMs: float64, value: float64 });
export const exportFormat = z.enum(['csv', 'csv-wide', 'json', 'parquet']);
export const reportFormat = z.enum(['html', 'pdf', 'markdown']);
const reportFile = z.object({ fileName: field.address('file'), bytes });
const shownWord = field.freeText().min(1).max(20_000);
/** How names and addresses leave. Where `redact` is set and a doubt is not in `confirmed`, the call ends with `conflict`. */
const redaction = {
  /** By pseudonyms that are the same throughout. */ redact: z.boolean().default(false),
  /** Words of texts that a person looked at and lets leave as they are. */
  keep: field.list(shownWord).max(10_000).default([]),
  /** Doubts of the preview that a person looked at. */
  confirmed: field.list(shownWord).default([]),
};
const reportOptions = {
  ...redaction,
  /** Comes back in `report.progress`; absent = no progress is told. */ progressKey: field
    .id('progressKey')
    .max(64)
    .optional(),
};
/** What redaction does to something that leaves. */
export const redactionPreview = z.object({
  replacements: field.list(
    z.object({
      kind: field.word(),
      from: field.freeText(),
      to: field.freeText(),
      count: field.figure(),
    }),
  ),
  /** What a person must look at: words of texts that are in no list and leave as pseudonyms, and names that are plain words too and stay in texts. */
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
/** What a report is about. */
export const reportSubject = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('run'), id: field.id('run') }),
  z.object({
    kind: z.literal('compare'),
    baselineId: field.id('run'),
    ids: field.list(field.id('run')).min(1).max(8),
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

/** What `connection.test` walks through, in order; the first that fails is named. */
export const testSteps = ['name', 'port', 'tls', 'pin', 'authentication', 'permission'] as const;
export const testReport = z.object({
  ok: z.boolean(),
  steps: field.list(
    z.object({
      step: z.enum(testSteps),
      ok: z.boolean(),
      detail: field.freeText(),
      fix: field.freeText().optional(),
    }),
  ),
});
export type TestReport = z.infer<typeof testReport>;

/** What the other end presents before anything is trusted. */
export const identitySchema = z.object({
  kind: z.enum(['certificate', 'hostKey']),
  fingerprint: field.address('fingerprint'),
  subject: field.name('subject'),
  issuer: field.name('issuer').nullable(),
  validToMs: field.timeMs().nullable(),
  /** Against CAs, known_hosts and the app's own trust store. */
  trust: z.enum(['trusted', 'unknown', 'changed']),
  /** The fingerprint trusted until now, where it changed. */
  expected: field.address('fingerprint').nullable(),
});
export type Identity = z.infer<typeof identitySchema>;

export const driverInfo = z.object({
  id: field.id('driver'),
  title: field.freeText(),
  role: field.word(),
  params: field.list(
    z.object({
      name: field.word(),
      type: z.enum(['string', 'number', 'boolean']),
      default: z.union([field.freeText(), field.figure(), z.boolean()]).nullable(),
      description: field.freeText(),
    }),
  ),
});
export type DriverInfo = z.infer<typeof driverInfo>;

/** One saved state of a testbed, in short. `savedAtMs` null = saved before times were kept. */
export const testbedVersion = z.object({
  version: field.count(),
  savedAtMs: field.timeMs().nullable(),
  by: z.enum(['person', 'provisioning']),
  name: field.name('testbed'),
  tiles: field.count(),
  assignedVms: field.count(),
  current: z.boolean(),
});
export type TestbedVersion = z.infer<typeof testbedVersion>;

/** What is said of one metric of one side against the baseline. `higher` and `lower`: beyond noise, where neither way is good. */
export const compareWord = z.enum([
  'better',
  'worse',
  'higher',
  'lower',
  'withinNoise',
  'cannotTell',
  'notComparable',
]);
export const compareTest = z.object({
  word: compareWord,
  /** `welch`: repeats of both sides; `noiseBand`: scatter learnt from repeats of the same plans; `bootstrap`: scatter within each run, blind to what differs between runs. */
  method: z.enum(['welch', 'noiseBand', 'bootstrap', 'none']),
  /** Difference of the means and its 95 % interval, in percent of the baseline's mean. */
  differencePct: field.figure().nullable(),
  lowPct: field.figure().nullable(),
  highPct: field.figure().nullable(),
  /** Two-sided; `pAdjusted` after Holm among the metrics tested together. */
  p: field.figure().nullable(),
  pAdjusted: field.figure().nullable(),
  df: field.figure().nullable(),
  /** The smallest true difference such a comparison finds in four of five cases, in percent of the baseline's mean. */
  detectablePct: field.figure().nullable(),
  /** Of what the word is made, or why it cannot be said. */
  basis: field.freeText(),
});
export type CompareTest = z.infer<typeof compareTest>;
export const compareRow = z.object({
  key: field.id('point'),
  label: field.freeText(),
  unit: field.word(),
  /** Which way is good; null = neither. */ better: z.enum(['higher', 'lower']).nullable(),
  values: field.list(field.figure().nullable()),
  /** Against the baseline, in percent. */ deltaPct: field.list(field.figure().nullable()),
  /** One a side, in the order of `sides`; null for the baseline's own. */
  tests: field.list(compareTest.nullable()),
});
/** One metric of every workload of every tile, as means over the steady state in the order of `runs`. */
export const compareMatrix = z.object({
  metric: metricName,
  better: z.enum(['higher', 'lower']),
  cells: field.list(
    z.object({
      tile: field.integer(),
      workloadId: field.id('workload'),
      workload: field.name('workload'),
      unit: field.word(),
      values: field.list(field.figure().nullable()),
      deltaPct: field.list(field.figure().nullable()),
      /** By the means of the measurement periods of each run, not adjusted; null for the baseline and where it cannot be told. */
      words: field.list(compareWord.nullable()),
    }),
  ),
});
export type CompareMatrix = z.infer<typeof compareMatrix>;
export const comparison = z.object({
  baselineId: field.id('run'),
  runs: field.list(runSummary),
  rows: field.list(compareRow),
  /** Repeats of one plan are one side; the baseline's comes first. `runs` are places in `runs`. */
  sides: field.list(z.object({ name: field.name('run'), runs: field.list(field.count()) })),
  /** How many metrics were tested a side, and what was done about their number. */
  testing: z.object({ tests: field.count(), adjustment: field.freeText() }),
  matrix: field.list(compareMatrix),
  /** Only what differs, the strongest likely effect first. */
  setup: field.list(
    z.object({
      group: field.freeText(),
      label: field.freeText(),
      values: field.list(field.freeText()),
      /** On results, in this app's judgement, and why. */ effect: z.enum([
        'strong',
        'moderate',
        'slight',
        'none',
      ]),
      why: field.freeText(),
      /** The things that all runs had and that differ, one by one. */ subjects: field.list(
        z.object({ name: field.name('thing'), values: field.list(field.freeText()) }),
      ),
    }),
  ),
  /** Reasons why these runs must not be compared; shown as a red banner and in exports. */
  guards: field.list(field.freeText()),
  sentence: field.freeText(),
});
const box = z.object({
  count: field.count(),
  min: field.figure(),
  whiskerLow: field.figure(),
  q1: field.figure(),
  median: field.figure(),
  q3: field.figure(),
  whiskerHigh: field.figure(),
  max: field.figure(),
  mean: field.figure(),
  outliers: field.count(),
});
/** How the samples of one metric are distributed over the steady state of each run. */
export const distributions = z.object({
  key: field.id('point'),
  label: field.freeText(),
  unit: field.word(),
  /** Which metrics can be asked for. */ keys: field.list(
    z.object({ key: field.id('point'), label: field.freeText() }),
  ),
  /** Common to all runs; one more than bins. */ edges: field.list(field.figure()),
  runs: field.list(
    z.object({
      runId: field.id('run'),
      samples: field.count(),
      counts: field.list(field.count()),
      ecdf: z.object({ x: field.list(field.figure()), p: field.list(field.figure()) }),
      box: box.nullable(),
      /** By measurement period. */ periods: field.list(box.nullable()),
    }),
  ),
});
export type Distributions = z.infer<typeof distributions>;

/** A curve of a study: all its points at one value of the second axis, or one value of an only axis of names. */
export const compareCurve = z.object({
  key: field.id('point'),
  studyId: field.id('study'),
  name: field.name('study'),
  origin: z.enum(['real', 'simulated']),
  points: field.count(),
});
/** One measure of every curve at every place of the common axis; null where a curve did not measure it. Gaps only where both did: nothing is interpolated. */
export const curveMeasure = z.object({
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
  /** Of what each word is made: 95 % interval of the gap and the smallest gap found in 4 of 5 cases, in percent of the baseline. */
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
  /** Of each curve: least, greatest and mean gap in percent over the places both measured; null for the baseline and where there are none. */
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
  /** The runs behind each place of each curve, in the order of the points, and how many kept or missed their QoS limits; `detail`: which were missed. */
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
  /** Where each curve keeps its QoS limits, a sentence a curve; empty where nothing was measured. */ qos: field.list(
    field.freeText(),
  ),
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
export type Comparison = z.infer<typeof comparison>;

/** Every method, once: input and output. Names are `noun.verb` and grep to every hop. */
export const methods = {
  'app.info': {
    input: none,
    output: z.object({
      version: field.word(),
      host: z.enum(['electron', 'browser', 'cli', 'test']),
      secrets: z.enum(['keychain', 'session']),
      dataDir: field.address('path'),
      node: field.word(),
      /** Everything in a simulated workspace is simulated, with a database of its own. */ workspace:
        z.enum(['real', 'simulated']),
      /** Engine's clock now. */ nowMs: field.timeMs(),
      /** Of the data folder. `readOnly`: so full at the start that nothing can be stored until the next. */
      disk: z.object({ state: z.enum(['ok', 'full', 'readOnly']), freeBytes: field.figure() }),
    }),
  },
  'connection.list': { input: none, output: field.list(connectionSchema) },
  'connection.save': {
    input: z.object({
      connection: connectionSchema,
      /** Kept in the keychain or for the session, never in the database. */ secret: field
        .secret()
        .optional(),
      /** A person agreed that the file or variable it names is sent to this host. */
      allowSecret: z.boolean().default(false),
    }),
    output: connectionSchema,
  },
  'connection.remove': { input: byId, output: none },
  /** Reads the certificate or host key without trusting it. */
  'connection.identify': {
    input: z.object({ connection: connectionSchema }),
    output: identitySchema,
  },
  'connection.test': {
    input: z.object({ connection: connectionSchema, secret: field.secret().optional() }),
    output: testReport,
  },
  'inventory.discover': {
    input: z.object({ vcenterId: field.id('vcenter') }),
    output: inventorySchema,
  },
  /** The last discovered inventory, or null. */
  'inventory.get': {
    input: z.object({ vcenterId: field.id('vcenter') }),
    output: inventorySchema.nullable(),
  },
  'profile.list': {
    input: none,
    output: field.list(
      profileSchema.extend({
        /** true: comes with Tilebench and cannot be changed. */ shipped: z.boolean().optional(),
      }),
    ),
  },
  'driver.list': { input: none, output: field.list(driverInfo) },
  'testbed.list': { input: none, output: field.list(testbedSchema) },
  'testbed.save': { input: testbedSchema, output: testbedSchema },
  'testbed.remove': { input: byId, output: none },
  /** Saved states, newest first. `by` = what saved it: a person, or a provisioning job. */
  'testbed.versions': { input: byId, output: field.list(testbedVersion) },
  'testbed.version': { input: byId.extend({ version: field.count() }), output: testbedSchema },
  /** Saves an earlier state as the newest. What this app made since then stays known to it. */
  'testbed.restore': { input: byId.extend({ version: field.count() }), output: testbedSchema },
  'testbed.duplicate': {
    input: byId.extend({ name: field.name('testbed').trim().min(1).max(120).optional() }),
    output: testbedSchema,
  },
  /** As a file for another lab: names of all it refers to, no address and no secret. */
  'testbed.export': {
    input: byId,
    output: z.object({ fileName: field.address('file'), text: field.document() }),
  },
  /** Takes a testbed that was mapped to this lab as a new one; what another lab made is not this app's to delete. */
  'testbed.import': {
    input: z.object({
      testbed: testbedSchema,
      /** A person agreed to the shell commands that it brings. Without it such a testbed is `untrusted`. */
      allowCommands: z.boolean().default(false),
    }),
    output: testbedSchema,
  },
  /** What would be made, against the inventory of now. */
  'provision.plan': {
    input: z.object({ testbedId: field.id('testbed'), powerOn: z.boolean().default(true) }),
    output: provisionPlanSchema,
  },
  /** Makes the VMs of the plan that can be made; the rest is left alone. */
  'provision.start': {
    input: z.object({ testbedId: field.id('testbed'), options: provisionOptions.prefault({}) }),
    output: provisionJobSchema,
  },
  /** Ends clones under way; what was made before stays until `provision.cleanUp`. */
  'provision.cancel': {
    input: z.object({ testbedId: field.id('testbed') }),
    output: provisionJobSchema,
  },
  /** What failed or was cancelled, once more. */
  'provision.retry': {
    input: z.object({ testbedId: field.id('testbed') }),
    output: provisionJobSchema,
  },
  /** Removes what this app made for the testbed, and nothing else. */
  'provision.cleanUp': {
    input: z.object({ testbedId: field.id('testbed') }),
    output: provisionJobSchema,
  },
  /** The testbed's last job, or null. */
  'provision.status': {
    input: z.object({ testbedId: field.id('testbed') }),
    output: provisionJobSchema.nullable(),
  },
  'plan.list': { input: none, output: field.list(planSchema) },
  'plan.save': { input: planSchema, output: planSchema },
  'plan.remove': { input: byId, output: none },
  /** What a plan or study file would reach, run, change and replace here. Nothing is stored and nobody is asked. */
  'plan.previewImport': { input: importSource, output: importPreview },
  /**
   * Takes a whole plan or study file in, all or nothing. Throws untrusted where nobody agreed to what it holds (`trust` is
   * the digest of the preview that was shown), conflict where something stored differs and nothing was decided.
   */
  'plan.import': {
    input: importSource.extend({
      trust: field.hash().max(64).nullable().default(null),
      /** By the key of the clash. */ decisions: field
        .record(field.id('clash').max(100), importDecision)
        .default({}),
    }),
    output: z.object({ plan: planSchema, studyId: field.id('study').nullable() }),
  },
  /** Reads everything a run would use and tells what would waste it. Progress by `check.changed`; the call's signal cancels it. */
  'plan.check': { input: byId, output: checkReportSchema },
  /** Makes one check again and puts its findings into the last report. `conflict` where that report is of another state of the plan. */
  'plan.checkOne': {
    input: z.object({ id: field.id('plan'), checkId: field.id('check') }),
    output: checkReportSchema,
  },
  /** The last report of this engine, or null. */
  'plan.report': { input: byId, output: checkReportSchema.nullable() },
  /** Keeps a waiver in the plan, or takes it back (null), and judges the last report again without reading anything. */
  'plan.waive': {
    input: z.object({
      id: field.id('plan'),
      /** `findingKey` of each; all get the same reason. */ keys: z
        .array(field.freeText().min(1).max(300))
        .min(1)
        .max(1_000),
      reason: field.freeText().trim().min(3).max(500).nullable(),
    }),
    output: z.object({ plan: planSchema, report: checkReportSchema.nullable() }),
  },
  /** Checks and starts a short run of the first tile, marked as a smoke run. */
  'plan.smoke': { input: byId, output: z.object({ runId: field.id('run') }) },
  'run.start': {
    input: z.object({
      planId: field.id('plan'),
      /** Hash of the plan that was checked. */ checkedHash: field.hash(),
      name: field.name('run').optional(),
    }),
    output: z.object({ runId: field.id('run') }),
  },
  'run.list': { input: none, output: field.list(runSummary) },
  'run.overview': { input: byId, output: runOverview },
  'run.record': { input: byId, output: runRecord },
  'run.samples': { input: runWindow, output: field.list(seriesData) },
  'run.annotate': {
    input: z.object({
      id: field.id('run'),
      text: field.freeText().trim().min(1).max(500),
      tMs: field.timeMs().optional(),
    }),
    output: runEvent,
  },
  'run.abort': {
    input: z.object({ id: field.id('run'), hard: z.boolean().default(false) }),
    output: none,
  },
  /** Lets a run go on that its plan's rule is about to end. Throws conflict where no end is announced. */
  'run.letRun': { input: byId, output: none },
  /** Tries once more what the ended run could not put back, and gives its findings as they are then. Throws conflict where nothing is left, or another run is at work there. */
  'run.tidy': { input: byId, output: runOverview },
  'run.remove': { input: byId, output: none },
  'run.log': {
    input: byId,
    output: field.list(z.object({ name: field.name('run'), text: field.document() })),
  },
  'run.compare': {
    input: z.object({ baselineId: field.id('run'), ids: z.array(field.id('run')).min(1).max(8) }),
    output: comparison,
  },
  /** Histogram, distribution and boxes of one metric (`key` of a row; absent = the first that has samples). */
  'run.distributions': {
    input: z.object({
      baselineId: field.id('run'),
      ids: z.array(field.id('run')).max(8),
      key: field.id('point').optional(),
    }),
    output: distributions,
  },
  /** Pages of an export: call with `cursor` until it comes back null. A Parquet file's pages come once, in order. */
  'run.export': {
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
    input: z.object({ id: field.id('run'), format: reportFormat, ...reportOptions }),
    output: reportFile,
  },
  /** A whole report of a comparison of runs; `ids` are those beside the baseline. */
  'report.compare': {
    input: z.object({
      baselineId: field.id('run'),
      ids: z.array(field.id('run')).min(1).max(8),
      format: reportFormat,
      ...reportOptions,
    }),
    output: reportFile,
  },
  /** A whole report of a study: curves, knees, points, diagnosis, and the file that makes it again. */
  'report.study': {
    input: z.object({ id: field.id('study'), format: reportFormat, ...reportOptions }),
    output: reportFile,
  },
  /** A whole report of curves of studies over each other. `baseline` is the key of a curve; absent = the first. */
  'report.studies': {
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
    input: z.object({ of: reportSubject, keep: redaction.keep }),
    output: redactionPreview,
  },
  /** What a bundle of this run would hold, and what redaction would replace in it. */
  'bundle.preview': {
    input: z.object({ id: field.id('run'), redact: z.boolean(), keep: redaction.keep }),
    output: bundlePreview,
  },
  /** Pages of a bundle: call with `cursor` until it comes back null. The first page comes when the whole is made. */
  'bundle.export': {
    input: z.object({
      id: field.id('run'),
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
  /** Pages of a bundle that comes in; with `last` it is checked and opened. Nothing of a refused one is kept. */
  'bundle.import': {
    input: z.object({
      fileName: field.address('file').min(1).max(255),
      uploadId: field.id('upload').nullable(),
      bytes,
      last: z.boolean(),
    }),
    output: z.object({ uploadId: field.id('upload'), runId: field.id('run').nullable() }),
  },
  /** Pages of a file of another tool (Iometer, esxtop, fio, DVD Store, sysbench); with `last` it is a run. Nothing of a refused one is kept. */
  'file.import': {
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
    output: z.object({ uploadId: field.id('upload'), runId: field.id('run').nullable() }),
  },
  /** Ends an import that is not wanted any more, and drops what it had stored. */
  'file.importStop': { input: z.object({ uploadId: field.id('upload') }), output: none },
  'profile.save': { input: profileSchema, output: profileSchema },
  'profile.remove': { input: byId, output: none },
  'study.list': { input: none, output: field.list(studySummary) },
  'study.save': { input: studySpecSchema, output: studySpecSchema },
  'study.remove': { input: byId, output: none },
  'study.overview': { input: byId, output: studyOverview },
  /** Starts, or goes on where it stopped. In state `waiting`: the person has done what was asked. */
  'study.start': { input: byId, output: none },
  /** Ends after the run in progress; `now` aborts that run too. */
  'study.pause': {
    input: z.object({ id: field.id('study'), now: z.boolean().default(false) }),
    output: none,
  },
  /** Runs one point again; its earlier run is kept in the history. */
  'study.rerun': {
    input: z.object({ id: field.id('study'), key: field.id('point') }),
    output: none,
  },
  /** Curves of studies over each other. `baseline` is the key of a curve; absent = the first. */
  'study.compare': {
    input: z.object({
      ids: z.array(field.id('study')).min(1).max(8),
      baseline: field.id('baseline').optional(),
    }),
    output: studyComparison,
  },
  /** Why a run fell short of another: of the one that passed; null = of the beginning of its own ramp-up. */
  'run.diagnose': {
    input: z.object({ failId: field.id('run'), passId: field.id('run').nullable().default(null) }),
    output: diagnosisSchema,
  },
  /** Why a study stopped scaling: its last good point against its first that is not, or two points by their keys. */
  'study.diagnose': {
    input: z.object({
      id: field.id('study'),
      curve: field.id('curve').optional(),
      beforeKey: field.id('point').optional(),
      afterKey: field.id('point').optional(),
    }),
    output: z.object({
      curves: field.list(z.object({ key: field.id('point'), label: field.freeText() })),
      curve: field.id('curve').nullable(),
      beforeKey: field.id('point').nullable(),
      afterKey: field.id('point').nullable(),
      why: field.freeText(),
      diagnosis: diagnosisSchema.nullable(),
    }),
  },
  ...historyMethods,
  'gallery.list': { input: none, output: field.list(galleryItem) },
  /** Makes the entry's lab, connections, testbeds, profile, plan and study, where they are not there yet. Simulated lab only. */
  'gallery.install': {
    input: byId,
    output: z.object({ studyId: field.id('study'), planId: field.id('plan') }),
  },
  'lab.status': { input: none, output: labStatus },
  'lab.pace': {
    input: z.object({ speed: z.number().min(1).max(3_600).nullable(), paused: z.boolean() }),
    output: labStatus,
  },
  'lab.fault': { input: z.object({ labId: field.id('lab'), fault: labFault }), output: labStatus },
  'lab.clearFault': {
    input: z.object({ labId: field.id('lab'), id: field.id('lab') }),
    output: labStatus,
  },
} as const;

/** What the engine sends unasked. A lower `rev` is ignored by the receiver. */
export const events = {
  'run.changed': runOverview,
  /** One batch a second of an active run: triples (seriesId, tMs, value). */
  'run.samples': z.object({ runId: field.id('run'), batch: float64 }),
  /** New series appeared (a host discovered late). The overview has them too. */
  'run.series': z.object({ runId: field.id('run'), series: field.list(seriesDefSchema) }),
  'study.changed': studyOverview,
  'provision.changed': provisionJobSchema,
  /** How far a report that was asked for with this key is. */
  'report.progress': z.object({
    key: field.id('point'),
    step: field.word(),
    done: field.count(),
    total: field.count(),
  }),
  'check.changed': checkProgressSchema,
  /** Pace of the simulated lab's clock changed. */
  'lab.changed': labStatus,
  /** Lists changed: ask again. */
  'list.changed': z.object({
    list: z.enum(['connections', 'testbeds', 'plans', 'runs', 'inventory', 'profiles', 'studies']),
  }),
  ...historyEvents,
  notice: z.object({
    level: z.enum(['info', 'warn', 'error']),
    text: field.freeText(),
    runId: field.id('run').optional(),
  }),
} as const;

export type MethodName = keyof typeof methods;
export type EventName = keyof typeof events;
/** As the caller writes it: defaults may be left out. */
export type Input<M extends MethodName> = z.input<(typeof methods)[M]['input']>;
export type ParsedInput<M extends MethodName> = z.output<(typeof methods)[M]['input']>;
export type Output<M extends MethodName> = z.output<(typeof methods)[M]['output']>;
export type EventPayload<E extends EventName> = z.output<(typeof events)[E]>;

/** What the engine implements. Forget a method and it does not compile. */
export type Handlers = {
  [M in MethodName]: (input: ParsedInput<M>, signal: AbortSignal) => Promise<Output<M>>;
};
export type Emit = <E extends EventName>(event: E, payload: EventPayload<E>) => void;

/** What the UI and the command line hold. */
export interface Client {
  call<M extends MethodName>(method: M, input: Input<M>, signal?: AbortSignal): Promise<Output<M>>;
  on<E extends EventName>(event: E, listener: (payload: EventPayload<E>) => void): () => void;
  /** Asks the engine for the samples of this run, until the function it gives is called. Counted: two who follow a run share it; kept over a new port. */
  follow(runId: string): () => void;
  /** Called when samples of a followed run were left out because this end was slow: what is missing can be read with `run.samples`. */
  onGap(listener: (runId: string) => void): () => void;
  /** Called when the port closes or comes back; a closed port rejects pending calls with `unreachable`. */
  onState(listener: (state: 'open' | 'closed') => void): () => void;
  close(): void;
}
