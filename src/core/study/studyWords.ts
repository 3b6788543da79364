import type { StudyPoint, StudySpec, SweepParameter } from './study.ts';

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
export const parameterWords: Readonly<Record<SweepParameter['kind'], string>> = {
  tiles: 'Tiles of the plan',
  option: 'A driver parameter of a workload',
  testbed: 'Testbed',
  profile: 'Benchmark profile',
  lab: 'A property of the simulated lab',
  manual: 'Something a person changes',
};
export const orderWords: Readonly<Record<StudySpec['order'], string>> = {
  asGiven: 'As given',
  ascending: 'Ascending',
  descending: 'Descending',
  shuffled: 'Shuffled, the same each time',
};
export const stopWords: Readonly<Record<StudySpec['stopRule'], string>> = {
  never: 'Never, run every point',
  firstQosFailure: 'At the first QoS failure',
  firstFailedRun: 'At the first failed run',
};
