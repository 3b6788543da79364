import type { AbortReason, PhaseSpan, RunState, WorkloadStatus } from '../../core/run/run.ts';

/** Words for states, phases and reasons: one spelling on every screen. */
export const stateWords: Readonly<Record<RunState, string>> = {
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
export const phaseWords: Readonly<Record<PhaseSpan['name'], string>> = {
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
