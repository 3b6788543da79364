import { overviewStateWord, runStateWord } from './runWords.ts';
import { runStates } from './states.ts';

test.each(runStates)(
  '%s has one word, and none that is not compliant is called passed',
  (state) => {
    const verdict = { outcome: 'passed' as const, compliant: false, sentence: '' };
    expect(runStateWord(state, false)).not.toMatch(/passed/i);
    expect(overviewStateWord({ state, verdict })).toBe(runStateWord(state, false));
    expect(runStateWord(state, null)).toBe(overviewStateWord({ state, verdict: null }));
  },
);
