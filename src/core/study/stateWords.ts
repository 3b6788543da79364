import type { StudyOverview, StudyPoint } from './study.ts';

/** States of a study in words: one spelling on every screen. */
export const studyStateWords: Readonly<Record<StudyOverview['state'], string>> = {
  draft: 'Not started',
  running: 'Running',
  pausing: 'Pausing after this run',
  paused: 'Paused',
  waiting: 'Waiting for a person',
  done: 'Done',
  failed: 'Failed',
};

/** Words of studies: one spelling on every screen and in every report. */
export const pointStateWords: Readonly<Record<StudyPoint['state'], string>> = {
  pending: 'Not run yet',
  running: 'Running',
  passed: 'Passed',
  qosFailed: 'QoS failed',
  failed: 'Run failed',
  aborted: 'Aborted',
  skipped: 'Skipped',
};
