import type { AbortReason, RunFinding, RunOverview, WorkloadStatus } from './run.ts';
import type { PhaseName, RunState } from './states.ts';

/** Words for states, phases and reasons: one spelling on every screen, in every report and line. */
const stateWords: Readonly<Record<RunState, string>> = {
  draft: 'Draft',
  checking: 'Checking',
  ready: 'Ready',
  starting: 'Starting',
  rampUp: 'Ramp-up',
  steady: 'Steady state',
  rampDown: 'Ramp-down',
  collecting: 'Collecting',
  passed: 'Passed',
  failed: 'Failed',
  aborted: 'Aborted',
};

/** A run that broke a limit or a rule ended by itself, and is never called passed. */
const flawedWord = 'Not compliant';
export const isFlawed = (state: RunState, compliant: boolean | null | undefined): boolean =>
  state === 'passed' && compliant === false;

/** State of a run in a word or two; `compliant` of its verdict, null = none yet. */
export const runStateWord = (state: RunState, compliant: boolean | null | undefined): string =>
  isFlawed(state, compliant) ? flawedWord : stateWords[state];

/** `runStateWord` of a run as a whole. */
export const overviewStateWord = ({
  state,
  verdict,
}: Pick<RunOverview, 'state' | 'verdict'>): string => runStateWord(state, verdict?.compliant);

export const phaseWords: Readonly<Record<PhaseName, string>> = {
  rampUp: 'Ramp-up',
  steady: 'Steady state',
  rampDown: 'Ramp-down',
};
export const abortWords: Readonly<Record<AbortReason, string>> = {
  user: 'by the user',
  qos: 'a QoS limit broke',
  hostUnreachable: 'a machine could not be reached any more',
  workloadFailed: 'a workload failed',
  timedOut: 'a step took longer than its limit',
  engineLost: 'the engine stopped',
  storeFailed: 'samples could not be stored',
  actFailed: 'an act failed that the plan needs',
};
/** Severity of a finding of a run in a word. */
export const severityWords: Readonly<Record<RunFinding['severity'], string>> = {
  block: 'Blocks',
  warn: 'Warning',
  info: 'Note',
};
export const workloadStateWords: Readonly<Record<WorkloadStatus['state'], string>> = {
  waiting: 'Waiting',
  preparing: 'Preparing',
  running: 'Running',
  lost: 'Connection lost',
  stopping: 'Stopping',
  ended: 'Ended',
  failed: 'Failed',
};
