import { threeFigures } from '../base/format.ts';
import { compareWords, deltaPct, setupGuards, usefulPct } from '../compare/index.ts';
import type { RunRecord } from '../run/run.ts';
import { mean } from '../stats/summary.ts';
import { welch } from '../stats/welch.ts';
import { placeRuns, qosSentence } from './compareStudyQos.ts';
import type { AxisValue, StudyAxis, StudyOverview, StudyPoint } from './study.ts';
import type { StudyComparison } from './studyComparison.ts';
import { curveOf } from './sweep.ts';

/**
 * A study and what its curves need beside: a record of a run of each point, and the words of its
 * workloads.
 */
export interface ComparedStudy {
  overview: StudyOverview;
  recordOf: (runId: string) => RunRecord | null;
  workloads: Readonly<Record<string, { name: string; unit: string }>>;
}
interface Curve {
  key: string;
  name: string;
  study: ComparedStudy;
  axis: StudyAxis | null;
  points: readonly StudyPoint[];
}
type Measure = StudyComparison['measures'][number];
type Better = Measure['better'];

const higher = /^(score|throughput|opsPerHour|scorePerKw)(\.|$)/;
const lower =
  /^(latency\w*|errorRate|dropped\w*|deviceLatencyMs|kernelLatencyMs|powerW|wattsPerVm)(\.|$)/;
const betterOf = (measure: string): Better =>
  higher.test(measure) ? 'higher' : lower.test(measure) ? 'lower' : null;
const isNumeric = (axis: StudyAxis): boolean =>
  axis.values.every((v) => typeof v === 'number' && axis.valueLabels[String(v)] === undefined);
const labelOf = (axis: StudyAxis, value: AxisValue): string =>
  axis.valueLabels[String(value)] ?? String(value);
/** Names that stand at one place: each value of an only axis of names is a curve. */
const onePlace = 'all';

/**
 * Curves of one study: its second axis, or the names of its only one when no other study is
 * compared.
 */
function curvesOf(study: ComparedStudy, alone: boolean): Curve[] {
  const { spec, points } = study.overview;
  const [first, second] = spec.axes;
  const title = (label: string): string => (alone ? label : `${spec.name}, ${label}`);
  if (second !== undefined)
    return second.values.map((value) => {
      const curve = curveOf(spec, { [second.name]: value });
      return {
        key: `${spec.id}/${curve}`,
        name: title(
          typeof value === 'number' && second.valueLabels[String(value)] === undefined
            ? `${second.label} ${value}`
            : labelOf(second, value),
        ),
        study,
        axis: first!,
        points: points.filter((p) => curveOf(spec, p.values) === curve),
      };
    });
  if (alone && !isNumeric(first!))
    return first!.values.map((value) => ({
      key: `${spec.id}/${first!.name}=${value}`,
      name: labelOf(first!, value),
      study,
      axis: null,
      points: points.filter((p) => String(p.values[first!.name]) === String(value)),
    }));
  return [{ key: `${spec.id}/`, name: spec.name, study, axis: first!, points }];
}

const placeOf = (curve: Curve, point: StudyPoint): string =>
  curve.axis === null ? onePlace : String(point.values[curve.axis.name]);

/** The common axis of curves: its places, and what they are called in sentences. */
interface CommonAxis {
  label: string;
  unit: string;
  places: StudyComparison['axis']['places'];
  numeric: boolean;
  words: string[];
}
function commonAxis(curves: readonly Curve[]): CommonAxis {
  const axes = curves.flatMap((c) => (c.axis === null ? [] : [c.axis]));
  const numeric = axes.length > 0 && axes.every(isNumeric);
  const values = [
    ...new Map(
      axes.flatMap((axis) =>
        axis.values.map((v) => [String(v), { value: v, label: labelOf(axis, v) }] as const),
      ),
    ).values(),
  ];
  // A search for a limit runs values that no list names.
  const searched = curves
    .flatMap((c) => c.points.flatMap((p) => (c.axis === null ? [] : [p.values[c.axis.name]!])))
    .filter((v) => !values.some((known) => String(known.value) === String(v)));
  const alone = curves[0]!.study.overview.spec.axes[0]!.label;
  const places =
    axes.length === 0
      ? [{ value: onePlace, label: alone }]
      : [...values, ...[...new Set(searched)].map((value) => ({ value, label: String(value) }))];
  if (numeric) places.sort((a, b) => Number(a.value) - Number(b.value));
  const { label, unit } = axes[0] ?? { label: '', unit: '' };
  return {
    label: axes[0]?.label ?? alone,
    unit,
    places,
    numeric,
    words: places.map((p) =>
      !numeric
        ? p.label
        : unit === ''
          ? `${label} ${p.label}`
          : `${p.label} ${p.value === 1 ? unit.replace(/^(\p{L}{3,})s$/u, '$1') : unit}`,
    ),
  };
}

/** What the authors of the studies charted, each measure once, as its last chart has it. */
const chartedOf = (studies: readonly ComparedStudy[]): StudyComparison['charted'] => [
  ...new Map(
    studies.flatMap(({ overview }) =>
      overview.spec.charts.map(
        (c) =>
          [
            c.measure,
            {
              measure: c.measure,
              title: c.title,
              unit: c.normalise && c.measure.startsWith('score') ? '× reference' : c.unit,
            },
          ] as const,
      ),
    ),
  ).values(),
];

/** Measures that any curve has a value of: the charted ones first. */
function measuresIn(curves: readonly Curve[], charted: StudyComparison['charted']): string[] {
  const names = new Set(
    curves.flatMap((c) =>
      c.points.flatMap((p) => Object.keys(p.measures).filter((m) => p.measures[m] != null)),
    ),
  );
  const first = charted.map((c) => c.measure).filter((m) => names.has(m));
  return [...new Set([...first, ...names])];
}

/**
 * Curves of one or several studies over their common axis, with the gap to the baseline curve at
 * each place that both measured. Repeats of a place are averaged. Nothing is interpolated: a place
 * that one of them did not measure has no gap. Throws RangeError when the baseline is not among the
 * curves, or there is none.
 */
export function compareStudies(
  studies: readonly ComparedStudy[],
  baseline?: string,
): StudyComparison {
  const found = studies.flatMap((study) => curvesOf(study, studies.length === 1));
  const first = baseline === undefined ? found[0] : found.find((c) => c.key === baseline);
  if (first === undefined)
    throw new RangeError(
      baseline === undefined
        ? 'These studies have no curves.'
        : `The baseline ${baseline} is not among the curves.`,
    );
  const curves = [first, ...found.filter((c) => c !== first)];
  const { words, ...axis } = commonAxis(curves);
  const charted = chartedOf(studies);
  const order = measuresIn(curves, charted);
  const places = axis.places.map((p) => String(p.value));
  const measures = order.map((measure) => measureOf(measure, curves, places));
  const guards = curveGuards(curves);
  const runs = curves.map((curve) =>
    places.map((place) => placeRuns(curve.points.filter((p) => placeOf(curve, p) === place))),
  );
  const title = charted.find((c) => c.measure === order[0])?.title;
  return {
    baseline: first.key,
    axis,
    curves: curves.map((c) => ({
      key: c.key,
      studyId: c.study.overview.spec.id,
      name: c.name,
      origin: c.study.overview.origin,
      points: c.points.filter((p) => Object.values(p.measures).some((v) => v !== null)).length,
    })),
    measures,
    charted,
    places: runs,
    qos: curves.map((c, i) => qosSentence(c.name, runs[i]!, words, axis.numeric)),
    workloads: Object.assign(
      {},
      ...studies.map((s) => s.workloads),
    ) as StudyComparison['workloads'],
    guards,
    sentence: sentenceOf(curves, measures[0], title, words, guards),
  };
}

function measureOf(measure: string, curves: readonly Curve[], places: readonly string[]): Measure {
  const at = curves.map((curve) =>
    places.map((place) =>
      curve.points
        .filter((p) => placeOf(curve, p) === place)
        .map((p) => p.measures[measure])
        .filter((v): v is number => v != null),
    ),
  );
  const values = at.map((list) => list.map((v) => (v.length === 0 ? null : mean(v))));
  const base = values[0]!;
  const each = <T>(of: (curve: number, place: number) => T): T[][] =>
    curves.map((_, c) => places.map((__, p) => of(c, p)));
  const gapPct = each((c, p) => (c === 0 ? null : deltaPct(values[c]![p]!, base[p]!)));
  const better = betterOf(measure);
  const tests = each((c, p) => {
    const of = c === 0 || gapPct[c]![p] === null ? null : welch(at[0]![p]!, at[c]![p]!);
    const pct = 100 / Math.abs(base[p] ?? 1);
    return of === null
      ? null
      : {
          lowPct: of.low * pct,
          highPct: of.high * pct,
          detectablePct: of.detectable * pct,
          p: of.p,
        };
  });
  return {
    measure,
    better,
    values,
    gapPct,
    repeats: at.map((list) => list.map((v) => v.length)),
    gap: each((c, p) =>
      c === 0 || values[c]![p] === null || base[p] === null ? null : values[c]![p]! - base[p]!,
    ),
    words: each((c, p) => {
      const test = tests[c]![p];
      return test == null ? null : wordOf(test, gapPct[c]![p]!, better);
    }),
    tests,
    summary: gapPct.map((list, c) => {
      const known = list.filter((v): v is number => v !== null);
      return c === 0 || known.length === 0
        ? null
        : {
            places: known.length,
            least: Math.min(...known),
            greatest: Math.max(...known),
            mean: mean(known),
          };
    }),
  };
}

/** As for runs: what could have been found and was not is noise, else it cannot be told. */
function wordOf(
  { p, detectablePct }: NonNullable<Measure['tests'][number][number]>,
  gapPct: number,
  better: Better,
): NonNullable<Measure['words'][number][number]> {
  if (p >= 0.05) return detectablePct <= usefulPct ? 'withinNoise' : 'cannotTell';
  return better === null
    ? gapPct > 0
      ? 'higher'
      : 'lower'
    : gapPct > 0 === (better === 'higher')
      ? 'better'
      : 'worse';
}

/** By one run of each curve, at a place they share where there is one. */
function curveGuards(curves: readonly Curve[]): string[] {
  const guards: string[] = [];
  const axes = [
    ...new Set(
      curves.flatMap(({ axis }) => {
        if (axis === null) return [];
        const said = axis.unit === '' || axis.unit === axis.label.toLowerCase();
        return [`${axis.label}${said ? '' : ` in ${axis.unit}`}`];
      }),
    ),
  ];
  if (axes.length > 1) guards.push(`Different swept parameter: ${axes.join(' against ')}.`);
  const run = (curve: Curve, place: string | null): RunRecord | null =>
    curve.points
      .filter((p) => p.runId !== null && (place === null || placeOf(curve, p) === place))
      .map((p) => curve.study.recordOf(p.runId!))
      .find((r) => r !== null) ?? null;
  const shared =
    curves[0]!.points
      .map((p) => placeOf(curves[0]!, p))
      .find((place) =>
        curves.every((c) => c.points.some((p) => p.runId !== null && placeOf(c, p) === place)),
      ) ?? null;
  return [...guards, ...setupGuards(curves.flatMap((c) => run(c, shared) ?? []))];
}

const percent = (value: number): string =>
  `${value > 0 ? '+' : value < 0 ? '−' : ''}${threeFigures(Math.abs(value))} %`;

/**
 * `: better` where repeats tell, with their number where there are several places; empty without
 * repeats.
 */
function toldOf(measure: Measure, curve: number): string {
  const words = measure.words[curve]!.flatMap((word) => word ?? []);
  if (words.length === 0) return '';
  if (measure.summary[curve]!.places === 1) return `: ${compareWords[words[0]!]}`;
  const each = [...new Set(words)].map((word) => {
    const times = words.filter((one) => one === word).length;
    return `${compareWords[word]} at ${times} of ${words.length} values with repeats`;
  });
  return `: ${each.join(', ')}`;
}

function sentenceOf(
  curves: readonly Curve[],
  measure: Measure | undefined,
  title: string | undefined,
  places: readonly string[],
  guards: readonly string[],
): string {
  if (curves.length < 2) return 'One curve: nothing to compare with.';
  if (guards.length > 0)
    return `Not comparable, for ${guards.length} ${guards.length === 1 ? 'reason' : 'reasons'}.`;
  if (measure === undefined) return 'Nothing measured yet.';
  const said = curves.slice(1).flatMap((curve, i) => {
    const of = measure.summary[i + 1] ?? null;
    if (of === null) return [];
    const at = (gap: number): string => places[measure.gapPct[i + 1]!.indexOf(gap)]!;
    if (of.places === 1) {
      const where = places.length > 1 ? ` at ${at(of.mean)}, the one value both measured` : '';
      return [`${curve.name} ${percent(of.mean)}${where}${toldOf(measure, i + 1)}`];
    }
    return [
      `${curve.name} from ${percent(of.least)} at ${at(of.least)} to ${percent(of.greatest)} ` +
        `at ${at(of.greatest)}${toldOf(measure, i + 1)}`,
    ];
  });
  return said.length === 0
    ? `No value was measured on ${curves[0]!.name} and another curve.`
    : `${title ?? measure.measure} against ${curves[0]!.name}: ${said.join('; ')}.`;
}
