import fc from 'fast-check';

import { AppError } from '../base/errors.ts';
import { isEnd, move, type RunState, runStates, transitions } from './states.ts';

const ends: RunState[] = ['passed', 'failed', 'aborted'];

test('exactly the three outcomes are ends', () => expect(runStates.filter(isEnd)).toEqual(ends));

test('the happy path is legal', () => {
  const path: RunState[] = [
    'draft',
    'checking',
    'ready',
    'starting',
    'rampUp',
    'steady',
    'rampDown',
    'collecting',
    'passed',
  ];
  expect(path.slice(1).reduce(move, path[0]!)).toBe('passed');
});

test('every state that is no end can be aborted', () => {
  for (const state of runStates.filter((s) => !isEnd(s)))
    expect(move(state, 'aborted')).toBe('aborted');
});

test('passed is reached only through collecting', () => {
  expect(runStates.filter((s) => transitions[s].includes('passed'))).toEqual(['collecting']);
});

test('ends are sticky: no move leaves them, and the refusal is a conflict that names both states', () => {
  fc.assert(
    fc.property(fc.constantFrom(...ends), fc.constantFrom(...runStates), (from, to) => {
      expect(() => move(from, to)).toThrow(
        new AppError({ kind: 'conflict', message: `A run cannot go from ${from} to ${to}.` }),
      );
    }),
  );
});

test('no walk returns to a state it left, and each walk ends', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(), { minLength: 12, maxLength: 12 }), (choices) => {
      const seen: RunState[] = ['draft'];
      for (const choice of choices) {
        const at = seen.at(-1)!;
        if (isEnd(at)) break;
        const next = transitions[at][choice % transitions[at].length]!;
        expect(seen).not.toContain(next);
        seen.push(move(at, next));
      }
      expect(isEnd(seen.at(-1)!)).toBe(true);
    }),
  );
});
