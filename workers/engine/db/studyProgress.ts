import * as z from 'zod';

import type { StudyPoint } from '../../../src/core/study/study.ts';
import { axisValue, studyStates } from '../../../src/core/study/study.ts';

/** How far a study is, without its points. */
export const studyProgress = z.object({
  state: z.enum(studyStates),
  rev: z.number().int(),
  detail: z.string(),
  activeKey: z.string().nullable(),
  startedAtMs: z.number().nullable(),
  endedAtMs: z.number().nullable(),
  /** The point a re-run is about; null = the whole study. */
  only: z.string().nullable(),
  /** Value of each manual axis that a person has confirmed. */
  confirmed: z.record(z.string(), axisValue),
  /** When the last run ended: the pause counts from there. */
  lastEndMs: z.number().nullable(),
});

export type StudyProgress = z.infer<typeof studyProgress>;

export interface StoredProgress {
  progress: StudyProgress;
  points: StudyPoint[];
}
