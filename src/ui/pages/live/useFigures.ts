import { useCallback, useMemo, useState } from 'react';

import { formatSi } from '../../../core/base/format.ts';
import { workloadName } from '../../../core/chart/boardCharts.ts';
import { thresholds } from '../../../core/diagnosis/diagnosisThresholds.ts';
import type { RunOverview } from '../../../core/run/run.ts';
import {
  type BoardFigure,
  busiestHost,
  createSpark,
  headroomFigure,
  meanReader,
  quantityFigure,
  throughputRatio,
  throughputSeries,
  wattsBetween,
  workloadThroughput,
} from './boardFigures.ts';
import type { ReadFigure } from './FigureRow.tsx';
import { boardHeadroom } from './headroom.ts';
import type { Board } from './useBoard.ts';

/** A figure is a mean over this long, or over three periods of a slower source. */
const recentMs = 20_000;

/** Headroom, work done, watts and the busiest host of a run that goes on. */
export function useFigures(board: Board, overview: RunOverview): readonly ReadFigure[] {
  const headroom = useHeadroomFigure(board, overview);
  const throughput = useThroughputFigure(board, overview);
  const power = usePowerFigure(board, overview);
  const cpu = useCpuFigure(board, overview);
  return useMemo(() => [headroom, throughput, power, cpu], [headroom, throughput, power, cpu]);
}

/** The last minutes of a value. */
function useSpark(
  { nowMs, lines: { originMs, slackMs } }: Board,
  leastMs: number,
  valueOf: (fromMs: number, toMs: number) => number,
): () => number[] {
  const [spark] = useState(createSpark);
  return useCallback(
    () => spark(valueOf, { nowMs: nowMs(), sinceMs: originMs, leastMs, isFast: slackMs > 0 }),
    [spark, valueOf, nowMs, originMs, leastMs, slackMs],
  );
}

const longest = (series: readonly { periodMs: number }[]): number =>
  Math.max(1_000, ...series.map((s) => s.periodMs));

function useFigure(
  board: Board,
  leastMs: number,
  {
    label,
    valueOf,
    figureOf,
  }: {
    label: string;
    valueOf: (fromMs: number, toMs: number) => number;
    figureOf: (fromMs: number, toMs: number) => BoardFigure;
  },
): ReadFigure {
  const { nowMs, lines } = board;
  const { slackMs } = lines;
  const points = useSpark(board, leastMs, valueOf);
  const read = useCallback(() => {
    const to = nowMs();
    const late = Number.isFinite(slackMs) ? slackMs : 0;
    return figureOf(to - Math.max(recentMs, 3 * leastMs) - late, to + 5_000);
  }, [nowMs, slackMs, figureOf, leastMs]);
  return useMemo(() => ({ label, read, points }), [label, read, points]);
}

function useHeadroomFigure(board: Board, overview: RunOverview): ReadFigure {
  const { profile, headroom } = board;
  const { sourceOf } = board.lines;
  const isUnlimited = profile?.workloads.every(({ qos }) => qos.length === 0) ?? false;
  const valueOf = useCallback(
    (_: number, toMs: number) =>
      boardHeadroom(overview, profile, sourceOf, toMs).find(({ lost }) => lost !== true)
        ?.headroom ?? NaN,
    [overview, profile, sourceOf],
  );
  const figureOf = useCallback(
    () => headroomFigure(headroom(), isUnlimited),
    [headroom, isUnlimited],
  );
  return useFigure(board, 1_000, { label: 'Worst headroom', valueOf, figureOf });
}

function useThroughputFigure(board: Board, overview: RunOverview): ReadFigure {
  const { profile } = board;
  const { sourceOf } = board.lines;
  const { series, workloads, score } = overview;
  const list = useMemo(
    () => throughputSeries({ series, workloads, score }, profile),
    [series, workloads, score, profile],
  );
  const mean = useMemo(() => meanReader(sourceOf), [sourceOf]);
  const hasReference = list.some(({ reference }) => reference !== null);
  const first = list[0];
  const valueOf = useCallback(
    (fromMs: number, toMs: number) =>
      hasReference
        ? throughputRatio(list, mean, fromMs, toMs)
        : workloadThroughput(list, first?.workloadId ?? '', mean, fromMs, toMs),
    [hasReference, list, mean, first],
  );
  const figureOf = useCallback(
    (fromMs: number, toMs: number) => {
      const value = valueOf(fromMs, toMs);
      const so =
        score?.total == null || score.reference === 'none'
          ? ''
          : `, score so far ${formatSi(score.total)}`;
      if (hasReference) return quantityFigure(value * 100, '%', `of the reference${so}`);
      const name = first === undefined ? '' : workloadName(profile, first.workloadId);
      return quantityFigure(value, first?.def.unit ?? '', name === '' ? '' : `${name}, all tiles`);
    },
    [valueOf, hasReference, first, profile, score],
  );
  return useFigure(board, longest(list.map(({ def }) => def)), {
    label: 'Throughput',
    valueOf,
    figureOf,
  });
}

function usePowerFigure(board: Board, { series }: RunOverview): ReadFigure {
  const { sourceOf } = board.lines;
  const meters = useMemo(() => series.filter(({ metric }) => metric === 'powerW'), [series]);
  const mean = useMemo(() => meanReader(sourceOf), [sourceOf]);
  const valueOf = useCallback(
    (fromMs: number, toMs: number) => wattsBetween(meters, mean, fromMs, toMs),
    [meters, mean],
  );
  const figureOf = useCallback(
    (fromMs: number, toMs: number) => {
      const known = meters.filter((def) => Number.isFinite(mean(def, fromMs, toMs))).length;
      const of = meters.length === 0 ? 'no meter' : `${known} of ${meters.length} meters`;
      return quantityFigure(
        valueOf(fromMs, toMs),
        'W',
        known > 0 && known === meters.length ? (known === 1 ? 'one meter' : `${known} meters`) : of,
      );
    },
    [meters, mean, valueOf],
  );
  return useFigure(board, longest(meters), { label: 'Power', valueOf, figureOf });
}

function useCpuFigure(board: Board, { series }: RunOverview): ReadFigure {
  const { sourceOf } = board.lines;
  const hosts = useMemo(
    () => series.filter(({ metric, entity }) => metric === 'cpuPct' && entity.kind === 'host'),
    [series],
  );
  const mean = useMemo(() => meanReader(sourceOf), [sourceOf]);
  const valueOf = useCallback(
    (fromMs: number, toMs: number) => busiestHost(hosts, mean, fromMs, toMs)?.pct ?? NaN,
    [hosts, mean],
  );
  const figureOf = useCallback(
    (fromMs: number, toMs: number) => {
      const found = busiestHost(hosts, mean, fromMs, toMs);
      return quantityFigure(
        found?.pct ?? NaN,
        '%',
        found?.name ?? 'not measured',
        (found?.pct ?? 0) >= thresholds.cpuFull.full,
      );
    },
    [hosts, mean],
  );
  return useFigure(board, longest(hosts), { label: 'Busiest host CPU', valueOf, figureOf });
}
