import type { AppError } from '../../src/core/base/errors.ts';
import type { RunOverview } from '../../src/core/run/run.ts';

export const exitCodes = {
  passed: 0,
  badInput: 2,
  preflight: 3,
  failed: 4,
  aborted: 5,
  notCompliant: 6,
} as const;

export const exitCodeHelp = `
Exit codes:
  0  passed, or done
  2  bad input: an argument or the plan file
  3  pre-flight: a check forbids the launch
  4  failed
  5  aborted
  6  ended by itself, but not compliant with the rules of the profile`;

/** Of a run that ended. A run without a verdict has failed. */
export function exitCodeOf(overview: Pick<RunOverview, 'state' | 'verdict'>): number {
  if (overview.state === 'aborted') return exitCodes.aborted;
  if (overview.state !== 'passed') return exitCodes.failed;
  return overview.verdict?.compliant === false ? exitCodes.notCompliant : exitCodes.passed;
}

export function exitCodeOfError(error: Pick<AppError, 'kind'>): number {
  switch (error.kind) {
    case 'invalidInput':
    case 'notFound':
      return exitCodes.badInput;
    case 'aborted':
      return exitCodes.aborted;
    case 'conflict':
    case 'unreachable':
    case 'authFailed':
    case 'untrusted':
    case 'timedOut':
    case 'internal':
      return exitCodes.failed;
  }
}
