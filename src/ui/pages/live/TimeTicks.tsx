import { ticksBetween, timeStep } from '../../../core/chart/scale.ts';
import type { Span } from './timeView.ts';

interface Props {
  span: Span;
  timeText: (ms: number) => string;
  /** A tick past this share of the time is written to its left. */
  endShare: number;
}

/** Times along the foot of a picture of the run. */
export function TimeTicks({ span: [x0, x1], timeText, endShare }: Props) {
  return ticksBetween(x0, x1, timeStep(x1 - x0, 10)).map((ms) => {
    const share = (ms - x0) / (x1 - x0);
    return (
      <span
        key={ms}
        style={{ left: `${share * 100}%` }}
        data-edge={share < 0.02 ? 'start' : share > endShare ? 'end' : undefined}
      >
        {timeText(ms)}
      </span>
    );
  });
}
