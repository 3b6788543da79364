import { decide } from './redaction.ts';

const collect = () => {
  const lines: string[] = [];
  return {
    lines,
    terminal: {
      isTty: false,
      out: () => undefined,
      err: (line: string) => {
        lines.push(line);
      },
    },
  };
};
const doubts = [
  { text: 'zebra', to: 'redacted-word-1', count: 2, why: 'unknown' as const },
  { text: 'database', to: 'database', count: 1, why: 'plainWord' as const },
];

test('words that may name somebody are printed with what they leave as, and nothing leaves unconfirmed', () => {
  const { lines, terminal } = collect();
  expect(() => decide({ doubts, replacements: [] }, {}, terminal)).toThrow(
    '2 words must be looked at before this leaves; nothing was written.',
  );
  expect(lines.slice(-2)).toEqual([
    '  "zebra"  redacted-word-1  (2)',
    '  "database"  stays: a plain word  (1)',
  ]);
});

test('confirmed words are handed on; without doubts nothing is asked', () => {
  const { terminal } = collect();
  expect(
    decide({ doubts, replacements: [] }, { confirm: true, keep: ['Sybase'] }, terminal),
  ).toEqual({ keep: ['Sybase'], confirmed: ['zebra', 'database'] });
  expect(decide({ doubts: [], replacements: [] }, {}, terminal)).toEqual({
    keep: [],
    confirmed: [],
  });
});
