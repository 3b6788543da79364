import { groupBy } from '../base/groupBy.ts';
import { maxColoredSeries, neutralColor, tileStyle } from '../chart/palette.ts';
import { shapes, type XyPoint, type XySeries } from '../chart/xyModel.ts';
import { exactly, mean, placeOf, type Plot, pointsOf } from './figurePlot.ts';
import type { StudyOverview, StudyPoint } from './study.ts';
import { curveLabel, namedValue } from './studyWords.ts';
import { curveOf, referenceValues } from './sweep.ts';

const flawWords: Partial<Record<StudyPoint['state'], string>> = {
  qosFailed: 'QoS failed',
  failed: 'Run failed',
};
const worst: readonly StudyPoint['state'][] = ['failed', 'qosFailed'];

/** A line before it has a colour. */
interface Measured {
  curve: string;
  series: Omit<XySeries, 'color' | 'dash' | 'shape'>;
}

/**
 * Each line in its colour. Where there are more than colours, one is: that of the curve that is
 * looked at, else the last.
 */
export function coloured(list: readonly Measured[], looked: string): XySeries[] {
  const isGrey = list.length > maxColoredSeries;
  const found = list.findIndex(({ curve }) => curve === looked);
  const shown = found < 0 ? list.length - 1 : found;
  return list.map(({ series }, i) => ({
    ...series,
    ...(isGrey ? (i === shown ? tileStyle(0) : { color: neutralColor, dash: [] }) : tileStyle(i)),
    shape: shapes[i % shapes.length]!,
  }));
}

const seriesKey = ({ prefix }: Plot, curve: string): string => `${prefix}curve ${curve}`;

/** Which axis a line is read against, where there are two. */
const sideOf = ({ right }: Plot): string => (right ? ' (right)' : '');

/** A line a curve, of the means of its repeats. */
export function measuredSeries(plot: Plot): Measured[] {
  const { overview, curves, base } = plot;
  const word = overview.origin === 'simulated' ? 'Modelled' : 'Measured';
  return curves
    .filter((curve) => curve !== base)
    .map((curve) => {
      const name = curves.length === 1 ? '' : curveLabel(overview, curve);
      const label = [plot.label, name].filter(Boolean).join(', ');
      return {
        curve,
        series: {
          key: seriesKey(plot, curve),
          label:
            (plot.label !== '' ? label : label === '' ? word : `${word}, ${label}`) + sideOf(plot),
          published: false,
          ...(plot.right && { right: true }),
          points: [...groupBy(pointsOf(plot, curve), (p) => placeOf(plot, p.values)!)].flatMap(
            ([x, list]) => measuredPoint(plot, list, x, label) ?? [],
          ),
        },
      };
    });
}

function measuredPoint(
  plot: Plot,
  list: readonly StudyPoint[],
  x: number,
  curve: string,
): XyPoint | null {
  const ys = list.map((p) => p.measures[plot.measure]! * plot.factor);
  const own = mean(ys);
  const y = plot.relate === null ? own : plot.relate(own, x);
  if (y === null) return null;
  const bad = worst.find((state) => list.some((p) => p.state === state));
  const exact = (value: number): string => exactly(plot, value);
  const first = list[0]!;
  const name = namedValue(plot.axis, first.values[plot.axis.name]);
  const hasSpread = ys.length > 1 && plot.relate === null;
  return {
    key: `${plot.prefix}${first.key}`,
    x,
    y,
    low: hasSpread ? Math.min(...ys) : null,
    high: hasSpread ? Math.max(...ys) : null,
    flaw: bad === undefined ? null : { word: flawWords[bad]! },
    open: list.find((p) => p.runId !== null)?.runId ?? null,
    lines: [
      `${name}${curve === '' ? '' : `, ${curve}`}: ${exact(y)}`,
      ...(hasSpread
        ? [`Mean of ${ys.length} repeats, ${exact(Math.min(...ys))} to ${exact(Math.max(...ys))}`]
        : []),
      ...(plot.base === null
        ? []
        : [`Against ${curveLabel(plot.overview, plot.base)} at the same place`]),
      ...(bad === undefined
        ? []
        : [`${flawWords[bad]!}${first.detail === '' ? '' : `: ${first.detail}`}`]),
    ],
  };
}

/**
 * Published figures of the measure, curve by curve in the colours of the measured ones, and why some
 * of them are not drawn.
 */
export function publishedSeries(
  plot: Plot,
  measured: readonly XySeries[],
): { series: XySeries[]; notes: string[] } {
  const { overview, measure, curves, prefix } = plot;
  const notes: string[] = [];
  const here = overview.published.filter((p) => p.measure === measure);
  const series = [...groupBy(here, (p) => curveOf(overview.spec, p.values))].flatMap(
    ([curve, list]): XySeries[] => {
      const points = list.flatMap((p, n): XyPoint[] => {
        const y = publishedValue(plot, p);
        if (y === null) {
          notes.push(
            `Published figures are in ${p.unit || 'another unit'} and are not drawn here; the ` +
              'table below has them.',
          );
          return [];
        }
        const x = placeOf(plot, p.values);
        return x === null
          ? []
          : [publishedPoint(plot, p, `published ${prefix}${curve} ${n}`, x, y)];
      });
      if (points.length === 0) return [];
      const i = Math.max(
        0,
        measured.findIndex(({ key }) => key === seriesKey(plot, curve)),
      );
      return [
        {
          key: `published ${prefix}${curve}`,
          label: [
            'Published',
            plot.label,
            curves.length === 1 || curve === '' ? '' : curveLabel(overview, curve),
          ]
            .filter(Boolean)
            .join(', ')
            .concat(sideOf(plot)),
          color: measured[i]?.color ?? tileStyle(i).color,
          dash: [],
          shape: shapes[(i + 3) % shapes.length]!,
          published: true,
          ...(plot.right && { right: true }),
          points,
        },
      ];
    },
  );
  return { series, notes: notes.slice(0, 1) };
}

type Published = StudyOverview['published'][number];
const publishedPoint = (
  plot: Plot,
  { values, label, source }: Published,
  key: string,
  x: number,
  y: number,
): XyPoint => ({
  key,
  x,
  y,
  low: null,
  high: null,
  flaw: null,
  open: null,
  lines: [
    `Published, ${namedValue(plot.axis, values[plot.axis.name])}: ${exactly(plot, y)}`,
    ...(label === '' ? [] : [label]),
    `Source: ${source}`,
  ],
});

/**
 * A published figure on the drawn scale; null where its unit is another and it cannot be brought
 * there by its own reference.
 */
function publishedValue({ whole, normalised, unit }: Plot, point: Published): number | null {
  const ratio = point.unit === '' || /^×|reference|normalised/i.test(point.unit);
  if (!normalised) return point.unit === unit ? point.value : null;
  if (ratio || point.unit === unit) return point.value;
  const reference = referenceValues(whole.spec);
  const base = whole.published.find(
    (p) =>
      p.measure === point.measure &&
      p.unit === point.unit &&
      Object.entries(reference).every(([name, v]) => String(p.values[name]) === String(v)),
  );
  return base === undefined || base.value === 0 ? null : point.value / base.value;
}
