import * as z from 'zod';

import { field } from '../../core/base/field.ts';
import { studyDiagnosis } from '../../core/diagnosis/diagnosis.ts';
import { labSpecSchema } from '../../core/lab/lab.ts';
import { labEdit } from '../../core/lab/labEdit.ts';
import {
  axisValue,
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
  /**
   * The simulated lab that a study runs on, as it stands at `base` of the second axis (absent = the
   * reference): what a what-if changes.
   */
  'study.lab': {
    changes: false,
    input: z.object({ id: field.id('study'), base: axisValue.optional() }),
    output: z.object({
      lab: labSpecSchema,
      base: axisValue.nullable(),
      bases: field.list(z.object({ value: axisValue, label: field.freeText() })),
      /** Tiles that the testbed has. */ tiles: field.count(),
      /** Disks that can be put under LUNs. */
      disks: field.list(
        z.object({
          name: field.word(),
          rpm: field.figure(),
          seekMs: field.figure(),
          diskMbps: field.figure(),
        }),
      ),
    }),
  },
  /**
   * Makes a study of the same plan with two curves: the lab as it stands at `base`, and that lab
   * with changes. `values` are those of the first axis that are run.
   */
  'study.whatIf': {
    changes: true,
    input: z.object({
      id: field.id('study'),
      base: axisValue.optional(),
      values: z.array(axisValue).min(1).max(200),
      edits: field.list(labEdit, 500).min(1),
    }),
    output: z.object({ id: field.id('study') }),
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
