import { fail } from '../base/errors.ts';

export const runStates = [
  'draft',
  'checking',
  'ready',
  'starting',
  'rampUp',
  'steady',
  'rampDown',
  'collecting',
  'passed',
  'failed',
  'aborted',
] as const;
export type RunState = (typeof runStates)[number];

/** Every legal move. Ends have none: they are sticky. */
export const transitions: Readonly<Record<RunState, readonly RunState[]>> = {
  draft: ['checking', 'aborted'],
  checking: ['ready', 'failed', 'aborted'],
  ready: ['starting', 'failed', 'aborted'],
  starting: ['rampUp', 'failed', 'aborted'],
  rampUp: ['steady', 'collecting', 'failed', 'aborted'],
  steady: ['rampDown', 'collecting', 'failed', 'aborted'],
  rampDown: ['collecting', 'failed', 'aborted'],
  collecting: ['passed', 'failed', 'aborted'],
  passed: [],
  failed: [],
  aborted: [],
};
export const isEnd = (state: RunState): boolean => transitions[state].length === 0;

/** The next state, or `conflict` where the table has no such move. */
export function move(from: RunState, to: RunState): RunState {
  if (!transitions[from].includes(to))
    throw fail('conflict', `A run cannot go from ${from} to ${to}.`);
  return to;
}

/** The phases of a run under load, in their order. */
export const phaseNames = ['rampUp', 'steady', 'rampDown'] as const;
export type PhaseName = (typeof phaseNames)[number];
