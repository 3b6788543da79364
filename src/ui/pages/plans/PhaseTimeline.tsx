import { Text } from '@mantine/core';

import { formatElapsed, formatExact } from '../../../core/base/format.ts';
import type { Phases } from '../../../core/profile/profile.ts';
import classes from './timeline.module.css';

/** As many as a plan may have; more can be typed. */
const mostMarks = 48;

/** The phases drawn to scale, measurement periods marked, with their lengths in words. */
export function PhaseTimeline({ phases }: { phases: Phases }) {
  const { rampUpS, steadyS, rampDownS, periods } = phases;
  const total = rampUpS + steadyS + rampDownS;
  const length = (seconds: number): string => formatElapsed(seconds * 1_000);
  // What is typed may be no number yet: it has no length, and no share of the bar.
  const share = (seconds: number): string =>
    Number.isFinite(seconds / total) ? `${(100 * seconds) / Math.max(1, total)}%` : '0%';
  const marks = Number.isFinite(periods) ? Math.min(Math.max(1, periods), mostMarks) : 1;
  return (
    <figure className={classes.figure} aria-label="Phases of the run">
      <div className={classes.bar} aria-hidden>
        <div className={classes.ramp} style={{ width: share(rampUpS) }} title="Ramp-up" />
        {Array.from({ length: marks }, (_, i) => (
          <div key={i} className={classes.period} style={{ width: share(steadyS / marks) }}>
            {marks <= 12 ? i + 1 : ''}
          </div>
        ))}
        <div className={classes.ramp} style={{ width: share(rampDownS) }} title="Ramp-down" />
      </div>
      <Text component="figcaption" size="sm">
        {`Ramp-up ${length(rampUpS)}, steady state ${length(steadyS)} in ${formatExact(periods, 0)} periods of ` +
          `${length(steadyS / Math.max(1, periods))}, ramp-down ${length(rampDownS)}: ` +
          `${length(total)} in all.`}
      </Text>
    </figure>
  );
}
