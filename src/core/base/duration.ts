import { formatElapsed } from './format.ts';

/** What a duration may be written as, for the hint of a field. */
export const durationHint = 'Write h:mm:ss, m:ss, 90m, 2h or seconds.';

const unitSeconds = { h: 3_600, m: 60, s: 1 } as const;
type Unit = keyof typeof unitSeconds;
const part = /^(\d+(?:\.\d+)?)\s*(hours?|hrs?|h|minutes?|mins?|m|seconds?|secs?|s)?\s*/i;

/**
 * Seconds of what a person writes: `4:00:00`, `5:00` (minutes and seconds), `90m`, `2h`, `1h 30m`,
 * `1h30`, `20 s`, or a bare number of seconds. null where it is none of these.
 */
export function parseDuration(text: string): number | null {
  const trimmed = text.trim();
  const clock = /^(?:(\d+):)?(\d+):([0-5]?\d)$/.exec(trimmed);
  if (clock) {
    const [hours, minutes, seconds] = [clock[1] ?? '0', clock[2], clock[3]].map(Number);
    if (clock[1] !== undefined && minutes! > 59) return null;
    return hours! * 3_600 + minutes! * 60 + seconds!;
  }
  return sumOfParts(trimmed);
}

/** `1h 30m 10s`: each unit once, in this order; a last number without one counts in the next. */
function sumOfParts(text: string): number | null {
  const order: readonly Unit[] = ['h', 'm', 's'];
  let rest = text;
  let next = 0;
  let seconds = 0;
  while (rest !== '') {
    const found = part.exec(rest);
    if (!found) return null;
    const written = found[2]?.[0]?.toLowerCase() as Unit | undefined;
    const unit = written ?? (rest === text ? 's' : order[next]);
    if (unit === undefined || (written === undefined && found[0].length < rest.length)) return null;
    if (order.indexOf(unit) < next) return null;
    seconds += Number(found[1]) * unitSeconds[unit];
    next = order.indexOf(unit) + 1;
    rest = rest.slice(found[0].length);
  }
  // To the millisecond: 1.1 h are 3960.0000000000005 s in binary.
  const exact = Math.round(seconds * 1_000) / 1_000;
  return text === '' || !Number.isFinite(exact) ? null : exact;
}

/** As a field shows it: `20 s` below a minute, then `5:00` and `4:00:00`; nothing is lost. */
export function formatDuration(seconds: number): string {
  if (!Number.isFinite(seconds)) return '';
  return seconds < 60 || !Number.isInteger(seconds)
    ? `${seconds} s`
    : formatElapsed(seconds * 1_000);
}
