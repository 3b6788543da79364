import * as z from 'zod';

import { field } from '../../core/base/field.ts';
import { historyEvents } from '../../core/history/history.ts';
import { labStatus } from '../../core/lab/lab.ts';
import { seriesDefSchema } from '../../core/metric/metric.ts';
import { checkProgressSchema } from '../../core/plan/plan.ts';
import { guestJobSchema } from '../../core/roles/job.ts';
import { runOverview } from '../../core/run/run.ts';
import { studyOverview } from '../../core/study/study.ts';
import { provisionJobSchema } from '../../core/testbed/provision.ts';
import { updateState } from './app.ts';

/** What the engine sends unasked. A lower `rev` is ignored by the receiver. */
export const events = {
  'run.changed': runOverview,
  /** One batch a second of an active run: triples (seriesId, tMs, value). */
  'run.samples': z.object({ runId: field.id('run'), batch: field.float64() }),
  /** New series appeared (a host discovered late). The overview has them too. */
  'run.series': z.object({ runId: field.id('run'), series: field.list(seriesDefSchema) }),
  'study.changed': studyOverview,
  'provision.changed': provisionJobSchema,
  'guest.changed': guestJobSchema,
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
  /** It was looked for a newer version. */
  'update.changed': updateState,
  /** Lists changed: ask again. */
  'list.changed': z.object({
    list: z.enum([
      'connections',
      'testbeds',
      'plans',
      'runs',
      'inventory',
      'profiles',
      'studies',
      'stories',
      'guestBundles',
    ]),
  }),
  ...historyEvents,
  notice: z.object({
    level: z.enum(['info', 'warn', 'error']),
    text: field.freeText(),
    runId: field.id('run').optional(),
  }),
} as const;
