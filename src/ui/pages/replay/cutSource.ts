import { lowerBound } from '../../../core/base/decimate.ts';
import { gapLimitMs } from '../../../core/metric/gap.ts';
import type { SeriesData } from '../../../core/metric/metric.ts';
import { cutPart, type SeriesSource, storedStepMs, type WindowPart } from '../../engine/series.ts';

/** What a replay has read of one series over [fromMs, toMs]. */
interface Block {
  t: Float64Array;
  v: Float64Array;
  gapMs: number;
  fromMs: number;
  toMs: number;
}
export interface CutSource extends SeriesSource {
  /** The whole run, thinned or not: what is drawn where no detail is held. */
  readonly setWhole: (data: Pick<SeriesData, 'tMs' | 'value'>) => void;
  /** A finer stretch; replaces the one before. */
  readonly setDetail: (
    data: Pick<SeriesData, 'tMs' | 'value'>,
    fromMs: number,
    toMs: number,
  ) => void;
  /** Wall time of the last read by a chart: series nobody looks at need no detail. */
  readonly readAtMs: () => number;
}
/** How far samples may be seen, and a number that grows whenever the cut moved back. */
export interface Cut {
  atMs: number;
  moves: number;
}

const nothing: Block = {
  t: new Float64Array(0),
  v: new Float64Array(0),
  gapMs: Infinity,
  fromMs: Infinity,
  toMs: -Infinity,
};
/** Index after the last sample at or before `ms`. */
const endAt = (block: Block, ms: number): number => {
  const index = lowerBound(block.t, 0, block.t.length, ms);
  return index < block.t.length && block.t[index] === ms ? index + 1 : index;
};

/**
 * A stored series of which only what lies before the cut can be seen, so that it looks live. The
 * detail is used where it reaches up to the cut or the window's end; else the whole run's thinner
 * samples serve and nothing waits.
 */
export function createCutSource(periodMs: number, cut: Cut, wallMs: () => number): CutSource {
  let whole = nothing;
  let detail = nothing;
  let revision = 0;
  let readAt = -Infinity;
  const put = (
    part: WindowPart,
    block: Block,
    startIndex: number,
    endIndex: number,
    fromMs: number,
    toMs: number,
  ): void => cutPart(part, block.t, block.v, startIndex, endIndex, fromMs, toMs, block.gapMs);
  const fits = (fromMs: number, toMs: number): boolean =>
    detail.toMs >= toMs && detail.fromMs <= toMs && fromMs <= detail.toMs;
  const newest = (): { block: Block; end: number } => {
    const end = fits(cut.atMs, cut.atMs) ? endAt(detail, cut.atMs) : 0;
    return end > 0 ? { block: detail, end } : { block: whole, end: endAt(whole, cut.atMs) };
  };
  return {
    setWhole: ({ tMs, value }) => {
      whole = {
        t: tMs,
        v: value,
        gapMs: gapLimitMs(storedStepMs(tMs, periodMs)),
        fromMs: -Infinity,
        toMs: Infinity,
      };
      revision++;
    },
    setDetail: ({ tMs, value }, fromMs, toMs) => {
      detail = { t: tMs, v: value, gapMs: gapLimitMs(storedStepMs(tMs, periodMs)), fromMs, toMs };
      revision++;
    },
    readAtMs: () => readAt,
    read: (fromMs, toMs, into) => {
      readAt = wallMs();
      into.count = 0;
      const until = Math.min(toMs, cut.atMs);
      if (!fits(fromMs, until)) {
        const end = endAt(whole, cut.atMs);
        if (end > 0) put(into.parts[into.count++]!, whole, 0, end, fromMs, until);
        return;
      }
      const before =
        fromMs < detail.fromMs
          ? Math.min(endAt(whole, cut.atMs), lowerBound(whole.t, 0, whole.t.length, detail.fromMs))
          : 0;
      if (before > 0) put(into.parts[into.count++]!, whole, 0, before, fromMs, until);
      const end = endAt(detail, cut.atMs);
      if (end > 0) put(into.parts[into.count++]!, detail, 0, end, fromMs, until);
    },
    firstMs: () => (endAt(whole, cut.atMs) > 0 ? whole.t[0]! : NaN),
    lastMs: () => {
      const { block, end } = newest();
      if (end === 0) return NaN;
      const last = block.t[end - 1]!;
      const next = block.t[end];
      // Between two samples of a thinned stretch without a gap there were more: the series is not
      // stale there.
      return next !== undefined && next - last > periodMs * 1.5 && next - last <= block.gapMs
        ? last + Math.floor((cut.atMs - last) / periodMs) * periodMs
        : last;
    },
    lastValue: () => {
      const { block, end } = newest();
      return end > 0 ? block.v[end - 1]! : NaN;
    },
    revision: () => revision + cut.moves,
  };
}
