import { tickText, type XyBand, type XyMark } from '../chart/xyModel.ts';
import type { StudyOverview } from './study.ts';
import { curveLabel } from './studyWords.ts';
import { curveOf, curveOrder } from './sweep.ts';

/** The unit of the axis as it stands behind a number: with its space, or nothing. */
const unitAfter = ({ spec }: StudyOverview): string =>
  spec.axes[0]!.unit === '' ? '' : ` ${spec.axes[0]!.unit}`;
const isSaturation = (method: string): boolean => method.startsWith('saturation');
/** Regions of a response-time curve stand beside its knee; they are no methods to choose among. */
const isRegion = (method: string): boolean =>
  method.endsWith('plateau') || method.endsWith('region');
const kneeOf = (
  overview: StudyOverview,
  measure: string,
  curve: string,
): StudyOverview['knees'][number] | undefined =>
  overview.knees.find((k) => k.measure === measure && k.series === curve);
/** Curves of a measure that knees were looked for in, in the order of the second axis. */
export const kneeCurves = (overview: StudyOverview, measure: string): string[] =>
  curveOrder(overview.spec).filter((curve) => kneeOf(overview, measure, curve) !== undefined);
/** The curve that is looked at first: the one most was published of, else the last. */
export function mainCurve(overview: StudyOverview, measure: string): string {
  const curves = kneeCurves(overview, measure);
  const published = (curve: string): number =>
    overview.published.filter(
      (p) => p.measure === measure && curveOf(overview.spec, p.values) === curve,
    ).length;
  return curves.reduce(
    (best, curve) =>
      published(curve) > published(best) ||
      (published(curve) === published(best) && published(curve) === 0)
        ? curve
        : best,
    curves[0] ?? '',
  );
}
/** Methods that found a knee of a curve, the one with an interval of its own first. */
export function kneeMethods(overview: StudyOverview, measure: string, curve: string): string[] {
  const found = (kneeOf(overview, measure, curve)?.results ?? [])
    .filter(
      (r) => r.low !== null && r.high !== null && !isSaturation(r.method) && !isRegion(r.method),
    )
    .map((r) => r.method);
  return [...new Set(found)].sort(
    (a, b) => Number(b.includes('segment')) - Number(a.includes('segment')),
  );
}

/**
 * The knee of a curve by one method, and the regions around it, found inside the measured points:
 * each an interval with its name.
 */
export function kneeBands(
  overview: StudyOverview,
  measure: string,
  curve: string,
  method: string | undefined,
): XyBand[] {
  const after = unitAfter(overview);
  return (kneeOf(overview, measure, curve)?.results ?? [])
    .filter((r) => r.method === method || isRegion(r.method))
    .flatMap((r): XyBand[] => {
      if (r.low === null || r.high === null) return [];
      const span = r.low === r.high ? kneeText(r.low) : `${kneeText(r.low)} to ${kneeText(r.high)}`;
      if (isRegion(r.method))
        return [
          {
            key: r.method,
            from: r.low,
            to: r.high,
            faint: true,
            label: `${r.method.slice(0, 1).toUpperCase()}${r.method.slice(1)} ${span}${after}`,
          },
        ];
      return [
        {
          key: 'knee',
          from: r.low,
          to: r.high,
          label:
            `Knee ${span}${after}, ` +
            `${r.method}${curve === '' ? '' : `, ${curveLabel(overview, curve)}`}`,
        },
      ];
    });
}

/** In a few words how far a curve scales: the value of the axis, and what it is. */
export interface CurveVerdict {
  /** `17 tiles`, or the interval of the knee. */
  figure: string;
  said: string;
}

/**
 * How far a curve scales: where it stopped growing, and between which values it bends by the first
 * method that found a knee. null = neither was found inside what was measured.
 */
export function curveVerdict(
  overview: StudyOverview,
  measure: string,
  curve: string,
): CurveVerdict | null {
  const after = unitAfter(overview);
  const results = kneeOf(overview, measure, curve)?.results ?? [];
  const saturated = results.find((r) => isSaturation(r.method) && r.estimate !== null)?.estimate;
  const [method] = kneeMethods(overview, measure, curve);
  const knee = results.find((r) => r.method === method && r.low !== null && r.high !== null);
  const span =
    knee === undefined
      ? null
      : knee.low === knee.high
        ? kneeText(knee.low!)
        : `${kneeText(knee.low!)} to ${kneeText(knee.high!)}`;
  if (saturated != null)
    return {
      figure: `${tickText(saturated)}${after}`,
      said: `saturated from here${span === null ? '' : `, knee ${span}`}`,
    };
  return span === null ? null : { figure: `${span}${after}`, said: 'knee, still growing after it' };
}

/** A bound that was computed, not chosen: three figures. */
export const kneeText = (value: number): string => String(Number(value.toPrecision(3)));

/** Where a curve stopped growing, by the saturation rule. */
export function saturationMarks(overview: StudyOverview, measure: string, curve: string): XyMark[] {
  const after = unitAfter(overview);
  const whose = curve === '' ? '' : `, ${curveLabel(overview, curve)}`;
  return (kneeOf(overview, measure, curve)?.results ?? []).flatMap((r): XyMark[] =>
    r.estimate === null || !isSaturation(r.method)
      ? []
      : [
          {
            key: 'saturation',
            at: r.estimate,
            label: `Saturated from ${tickText(r.estimate)}${after}${whose}`,
          },
        ],
  );
}

/** The limit that was searched and found: between the last pass and the first fail. */
export function limitMarks(overview: StudyOverview): XyMark[] {
  const { limit } = overview;
  if (limit === null) return [];
  const after = unitAfter(overview);
  const mark = (key: string, word: string, at: number | null): XyMark[] =>
    at === null ? [] : [{ key, at, label: `${word} ${tickText(at)}${after}` }];
  return [
    ...mark('limit pass', 'Last pass', limit.lastPass),
    ...mark('limit fail', 'First fail', limit.firstFail),
  ];
}
