import * as z from 'zod';

import { field } from '../../core/base/field.ts';
import { diagnosisSchema } from '../../core/diagnosis/diagnosis.ts';
import { esxtopLook } from '../../core/run/esxtopLook.ts';
import { runEvent, runOverview, runRecord, runSummary } from '../../core/run/run.ts';
import { byId, none } from './common.ts';

const float64 = field.float64();
const runWindow = z.object({
  runId: field.id('run'),
  seriesIds: z.array(field.count()).max(2_000),
  fromMs: field.timeMs().optional(),
  toMs: field.timeMs().optional(),
  /** At most this many points a series, min and max kept a bucket; 0 = every sample. */ maxPoints:
    z.number().int().min(0).max(100_000).default(2_000),
});
const seriesData = z.object({ seriesId: field.figure(), tMs: float64, value: float64 });

/** So many runs of a plan stand beside each other. */
const runsOfPlan = 8;

/** Runs: start, watch, read, end. */
export const runMethods = {
  'run.start': {
    changes: true,
    input: z.object({
      planId: field.id('plan'),
      /** Hash of the plan that was checked. */ checkedHash: field.hash(),
      name: field.name('run').optional(),
    }),
    output: z.object({ runId: field.id('run') }),
  },
  'run.list': { changes: false, input: none, output: field.list(runSummary) },
  /**
   * The last runs of the plan of a run, up to and with it, oldest first; none but itself where it came
   * in a file.
   */
  'run.ofPlan': { changes: false, input: byId, output: z.array(runSummary).max(runsOfPlan) },
  'run.overview': { changes: false, input: byId, output: runOverview },
  'run.record': { changes: false, input: byId, output: runRecord },
  'run.samples': { changes: false, input: runWindow, output: field.list(seriesData) },
  'run.annotate': {
    changes: true,
    input: z.object({
      id: field.id('run'),
      text: field.freeText().trim().min(1).max(500),
      tMs: field.timeMs().optional(),
    }),
    output: runEvent,
  },
  'run.abort': {
    changes: true,
    input: z.object({ id: field.id('run'), hard: z.boolean().default(false) }),
    output: none,
  },
  /**
   * Lets a run go on that its plan's rule is about to end. Throws conflict where no end is
   * announced.
   */
  'run.letRun': { changes: true, input: byId, output: none },
  /**
   * What an act of the plan asks to be done by hand has been done. Throws conflict where nothing is
   * asked.
   */
  'run.actDone': {
    changes: true,
    input: z.object({ id: field.id('run'), actId: field.id('act') }),
    output: none,
  },
  /**
   * Runs esxtop for a minute on a host of a run under load; what it shows stays with the run. Throws
   * conflict where there is no load or one is under way, notFound where there is no login.
   */
  'run.esxtop': {
    changes: true,
    input: z.object({ id: field.id('run'), hostRef: field.id('ref') }),
    output: esxtopLook,
  },
  /**
   * Tries once more what the ended run could not put back, and gives its findings as they are then.
   * Throws conflict where nothing is left, or another run is at work there.
   */
  'run.tidy': { changes: true, input: byId, output: runOverview },
  'run.remove': { changes: true, input: byId, output: none },
  'run.log': {
    changes: false,
    input: byId,
    output: field.list(z.object({ name: field.name('run'), text: field.document() })),
  },
  /**
   * Why a run fell short of another: of the one that passed; null = of the beginning of its own
   * ramp-up.
   */
  'run.diagnose': {
    changes: false,
    input: z.object({ failId: field.id('run'), passId: field.id('run').nullable().default(null) }),
    output: diagnosisSchema,
  },
} as const;
