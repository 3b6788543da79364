import { isFlawed, runStateWord } from '../../core/run/runWords.ts';
import type { RunState } from '../../core/run/states.ts';
import { StateMark, type StateTone } from './StateMark.tsx';

const tones: Readonly<Record<RunState, StateTone>> = {
  draft: 'idle',
  checking: 'idle',
  ready: 'idle',
  starting: 'run',
  rampUp: 'run',
  steady: 'run',
  rampDown: 'run',
  collecting: 'run',
  passed: 'ok',
  failed: 'bad',
  aborted: 'warn',
};

/** State of a run: a dot and its word. One that is not compliant says so, and is not called passed. */
export function RunStateBadge({
  state,
  compliant = null,
  large = false,
}: {
  state: RunState;
  compliant?: boolean | null;
  large?: boolean;
}) {
  const tone = isFlawed(state, compliant) ? 'warn' : tones[state];
  return <StateMark large={large} tone={tone} word={runStateWord(state, compliant)} />;
}
