import type { ReplaySpan } from '../../../core/run/replay.ts';
import { type ReplayClockState, type Speed, speedOf } from './replayClock.ts';

/**
 * Where an address wants a replay to begin: `at` in seconds since the start, `speed`, `paused`.
 * What cannot be read is left to the default.
 */
export function fromParams(
  params: URLSearchParams,
  span: ReplaySpan,
): { atMs: number; speed: Speed; playing: boolean } {
  const atS = Number(params.get('at') ?? 0);
  const speed = params.get('speed');
  return {
    atMs: span.startMs + (Number.isFinite(atS) ? atS : 0) * 1_000,
    speed: speed === null ? 60 : speedOf(Number(speed)),
    playing: !params.has('paused'),
  };
}

/** The address's part for a position, whole seconds. */
export function toParams(
  { span, speed, playing }: Pick<ReplayClockState, 'span' | 'speed' | 'playing'>,
  atMs: number,
): Record<string, string> {
  return {
    at: String(Math.round((atMs - span.startMs) / 1_000)),
    speed: String(speed),
    ...(playing ? {} : { paused: '1' }),
  };
}
