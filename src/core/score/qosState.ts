import type { PeriodScore } from '../run/scoreTypes.ts';

/** What became of the limits: no word of it may say more than was judged. */
export type QosState = 'kept' | 'missed' | 'notJudged' | 'noLimit';

/**
 * The limits of these periods together: one missed is missed, one without a measurement is not
 * judged, none at all is no limit kept.
 */
export function qosStateOf(periods: readonly Pick<PeriodScore, 'tiles'>[]): QosState {
  const judged = periods.flatMap(({ tiles }) =>
    tiles.flatMap(({ workloads }) => workloads.flatMap(({ qos }) => qos.map((q) => q.passed))),
  );
  if (judged.includes(false)) return 'missed';
  if (judged.includes(null)) return 'notJudged';
  return judged.length === 0 ? 'noLimit' : 'kept';
}

/** As tables say it. */
export const qosStateWords: Readonly<Record<QosState, string>> = {
  kept: 'kept',
  missed: 'broken',
  notJudged: 'not judged',
  noLimit: 'no limit',
};
