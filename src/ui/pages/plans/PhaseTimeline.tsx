import { Text } from '@mantine/core';

import { formatElapsed } from '../../../core/base/format.ts';
import type { Phases } from '../../../core/profile/profile.ts';
import classes from './timeline.module.css';

/** The phases drawn to scale, measurement periods marked, with their lengths in words. */
export function PhaseTimeline({ phases }: { phases: Phases }) {
  const { rampUpS, steadyS, rampDownS, periods } = phases;
  const total = rampUpS + steadyS + rampDownS;
  const length = (seconds: number): string => formatElapsed(seconds * 1_000);
  const share = (seconds: number): string => `${(100 * seconds) / Math.max(1, total)}%`;
  return (
    <figure className={classes.figure} aria-label="Phases of the run">
      <div className={classes.bar} aria-hidden>
        <div className={classes.ramp} style={{ width: share(rampUpS) }} title="Ramp-up" />
        {Array.from({ length: Math.max(1, periods) }, (_, i) => (
          <div
            key={i}
            className={classes.period}
            style={{ width: share(steadyS / Math.max(1, periods)) }}
          >
            {periods <= 12 ? i + 1 : ''}
          </div>
        ))}
        <div className={classes.ramp} style={{ width: share(rampDownS) }} title="Ramp-down" />
      </div>
      <Text component="figcaption" size="sm">
        {`Ramp-up ${length(rampUpS)}, steady state ${length(steadyS)} in ${periods} periods of ` +
          `${length(steadyS / Math.max(1, periods))}, ramp-down ${length(rampDownS)}: ` +
          `${length(total)} in all.`}
      </Text>
    </figure>
  );
}
