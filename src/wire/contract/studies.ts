import * as z from 'zod';

import { field } from '../../core/base/field.ts';
import { studyDiagnosis } from '../../core/diagnosis/diagnosis.ts';
import {
  galleryItem,
  studyOverview,
  studySpecSchema,
  studySummary,
} from '../../core/study/study.ts';
import { byId, none } from './common.ts';

/** Studies and the gallery of shipped ones. */
export const studyMethods = {
  'study.list': { changes: false, input: none, output: field.list(studySummary) },
  'study.save': { changes: true, input: studySpecSchema, output: studySpecSchema },
  'study.remove': { changes: true, input: byId, output: none },
  'study.overview': { changes: false, input: byId, output: studyOverview },
  /**
   * Starts, or goes on where it stopped. In state `waiting`: the person has done what was asked.
   */
  'study.start': { changes: true, input: byId, output: none },
  /** Ends after the run in progress; `now` aborts that run too. */
  'study.pause': {
    changes: true,
    input: z.object({ id: field.id('study'), now: z.boolean().default(false) }),
    output: none,
  },
  /** Runs one point again; its earlier run is kept in the history. */
  'study.rerun': {
    changes: true,
    input: z.object({ id: field.id('study'), key: field.id('point') }),
    output: none,
  },
  /**
   * Why a study stopped scaling: its last good point against its first that is not, or two points
   * by their keys.
   */
  'study.diagnose': {
    changes: false,
    input: z.object({
      id: field.id('study'),
      curve: field.id('curve').optional(),
      beforeKey: field.id('point').optional(),
      afterKey: field.id('point').optional(),
    }),
    output: studyDiagnosis,
  },
  'gallery.list': { changes: false, input: none, output: field.list(galleryItem) },
  /**
   * Makes the entry's lab, connections, testbeds, profile, plan and study, where they are not there
   * yet. Simulated lab only.
   */
  'gallery.install': {
    changes: true,
    input: byId,
    output: z.object({ studyId: field.id('study'), planId: field.id('plan') }),
  },
} as const;
