/** What a tool's output says of its checks. */
export interface Counts {
  passed: number;
  failed: number;
}
export type Counter = (text: string, code: number) => Counts;

/**
 * The exit code is the truth: a suite that does not even load has no failed tests. Nothing that
 * passed is a failure too.
 */
function judged(passed: number, failed: number, code: number): Counts {
  const seen = Math.max(failed, code === 0 ? 0 : 1);
  return { passed, failed: passed === 0 ? Math.max(seen, 1) : seen };
}

/** A tool without counts of its own: one check. */
export const countExit: Counter = (_text, code) =>
  code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };

/** A summary line such as `Tests: 2 failed, 40 passed, 42 total`; the last one counts. */
const summary =
  (start: string): Counter =>
  (text, code) => {
    const line =
      text
        .split('\n')
        .filter((one) => one.trim().startsWith(start))
        .at(-1) ?? '';
    const figure = (word: string): number =>
      Number(new RegExp(`(\\d+) ${word}`).exec(line)?.[1] ?? 0);
    return judged(figure('passed'), figure('failed'), code);
  };
export const countJest = summary('Tests:');
export const countStudies = summary('studies:');

/**
 * Playwright's list, indented: `3 passed (1.2m)`, `1 failed`. What was flaky or did not run has not
 * passed.
 */
export const countPlaywright: Counter = (text, code) => {
  const sum = (word: string): number =>
    [...text.matchAll(new RegExp(`^\\s+(\\d+) ${word}(?: \\(|$)`, 'gm'))].reduce(
      (total, [, n]) => total + Number(n),
      0,
    );
  return judged(
    sum('passed'),
    sum('failed') + sum('flaky') + sum('did not run') + sum('interrupted'),
    code,
  );
};

/** Test files that failed, by the tool's own words; null when it did not come to its end. */
export type FailedFiles = (text: string) => readonly string[] | null;

const unique = (text: string, pattern: RegExp): string[] => [
  ...new Set([...text.matchAll(pattern)].map(([, path = '']) => path)),
];
export const filesOfJest: FailedFiles = (text) =>
  text.includes('Ran all test suites') ? unique(text, /^FAIL \S+ (\S+\.tsx?)/gm) : null;
export const filesOfPlaywright: FailedFiles = (text) =>
  /^\s+\d+ (?:did not run|interrupted)/m.test(text) || !/^\s+\d+ (?:passed|failed)/m.test(text)
    ? null
    : unique(text, /^\s+✘ .* › (\S+\.spec\.ts):\d+/gm);
