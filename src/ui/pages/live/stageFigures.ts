import type { StageFigure, StageFigures } from '../../../core/chart/stage/scene.ts';
import { isPowerOf, type SeriesDef } from '../../../core/metric/metric.ts';
import { staleAgeMs } from '../../charts/view.ts';
import { nearest, type SeriesSource } from '../../engine/series.ts';

/** How the figures of a stage are read. */
export interface FigureReader {
  series: readonly SeriesDef[];
  sourceOf: (seriesId: number, periodMs: number) => SeriesSource;
  /** Live: the newest sample, and how old it is. Stored: the sample of that time. */
  live: boolean;
  /** How late a fresh sample may be under a fast clock. */
  slackMs: number;
}

/** CPU and watts of each host, and of all meters together, at `atMs` (epoch). */
export function stageFigures(reader: FigureReader, atMs: number): StageFigures {
  const cpus = new Map(
    reader.series
      .filter(({ metric, entity }) => metric === 'cpuPct' && entity.kind === 'host')
      .map((def) => [def.entity.id, def]),
  );
  const meters = reader.series.filter(({ metric }) => metric === 'powerW');
  const read = (def: SeriesDef | undefined): StageFigure => readFigure(reader, def, atMs);
  const fresh = meters
    .map(read)
    .flatMap(({ value, staleMs }) => (value === null || staleMs > 0 ? [] : [value]));
  return {
    of: (host) => ({
      cpuPct: read(cpus.get(host.ref)),
      watts: read(meters.find(({ entity }) => isPowerOf(entity, host))),
    }),
    power: {
      watts: fresh.length === 0 ? null : fresh.reduce((sum, value) => sum + value, 0),
      known: fresh.length,
      meters: meters.length,
    },
  };
}

function readFigure(
  { sourceOf, live, slackMs }: FigureReader,
  def: SeriesDef | undefined,
  atMs: number,
): StageFigure {
  if (def === undefined) return { value: null, staleMs: 0 };
  const source = sourceOf(def.id, def.periodMs);
  if (!live) return { value: nearest(source, atMs)?.value ?? null, staleMs: 0 };
  const value = source.lastValue();
  if (!Number.isFinite(value)) return { value: null, staleMs: 0 };
  const { periodMs, lagMs } = def;
  return { value, staleMs: staleAgeMs({ source, periodMs, lagMs: lagMs + slackMs }, atMs) };
}
