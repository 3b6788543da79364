import { InvalidArgumentError } from 'commander';

import type { EarlyAbortRule } from '../../src/core/plan/earlyAbortRule.ts';

/**
 * `off`, `certain`, `forecast:3` on a command line as the rule of a plan; null = no rule. Throws
 * commander's error for anything else.
 */
export function earlyAbortOf(text: string): EarlyAbortRule | null {
  if (text === 'off') return null;
  const [, when, periods = '1', warnS = '60'] =
    /^(certain|forecast)(?::(\d{1,3}))?(?:,(\d{1,4}))?$/.exec(text) ?? [];
  if (when === undefined || Number(periods) < 1 || Number(periods) > 100 || Number(warnS) > 3_600)
    throw new InvalidArgumentError(
      'Give off, certain:N or forecast:N, with N periods in a row from 1 to 100, and if ' +
        'wanted the seconds of the warning after a comma, up to 3600.',
    );
  return {
    when: when === 'certain' ? 'certain' : 'forecast',
    periods: Number(periods),
    warnS: Number(warnS),
  };
}
