import type { RunState } from '../../core/run/run.ts';
import { stateWords } from './runWords.ts';
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

/** State of a run: a dot and its word. A passed run that is not compliant says so. */
export function RunStateBadge({
  state,
  compliant = null,
  short = false,
}: {
  state: RunState;
  compliant?: boolean | null;
  /** For table cells. */ short?: boolean;
}) {
  if (state === 'passed' && compliant === false)
    return (
      <StateMark
        tone="warn"
        word={short ? 'Not compliant' : 'Passed, not compliant'}
        title="Passed, not compliant"
      />
    );
  return <StateMark tone={tones[state]} word={stateWords[state]} />;
}
