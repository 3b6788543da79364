import { threeFigures } from '../base/format.ts';
import { formatComputed } from '../base/format.ts';
import { runStyle } from '../chart/palette.ts';
import { shapes, type XyInput, type XyPoint } from '../chart/xyModel.ts';
import { formatDelta } from '../compare/index.ts';
import { measureGroups, measureWords } from '../metric/measureWords.ts';
import type { StudyComparison } from './studyComparison.ts';

type Measure = StudyComparison['measures'][number];
export interface MeasureChoice {
  measure: string;
  title: string;
  unit: string;
  decimals: number;
  of: Measure;
}

/** The address of a comparison of studies. */
export function studyCompareAddress(ids: readonly string[], base?: string): string {
  const against = base === undefined ? '' : `&base=${encodeURIComponent(base)}`;
  return `/compare/studies?ids=${ids.map(encodeURIComponent).join(',')}${against}`;
}

/**
 * The curve that becomes the baseline next: keys in the order they stand, the present baseline
 * first. By name, so that presses come round.
 */
export function nextCurve(keys: readonly string[]): string {
  const order = [...keys].sort();
  return order[(order.indexOf(keys[0]!) + 1) % order.length]!;
}

/** Every measure with its words: what the authors charted first, then by group. */
export function measureChoices(data: StudyComparison): MeasureChoice[] {
  const workloads = new Map(Object.entries(data.workloads));
  const rank = (measure: string): number => {
    const at = data.charted.findIndex((c) => c.measure === measure);
    return at >= 0 ? at - 100 : measureGroups.indexOf(measureWords(measure, workloads).group);
  };
  return data.measures
    .map((of) => {
      const words = measureWords(of.measure, workloads);
      const own = data.charted.find((c) => c.measure === of.measure);
      return {
        measure: of.measure,
        title: own?.title ?? words.label,
        unit: own?.unit ?? words.unit,
        decimals: words.decimals,
        of,
      };
    })
    .sort((a, b) => rank(a.measure) - rank(b.measure));
}

const placeAt = (data: StudyComparison, place: number): number =>
  data.axis.numeric ? Number(data.axis.places[place]!.value) : place;
const categories = ({ axis }: StudyComparison): XyInput['categories'] =>
  axis.numeric
    ? null
    : axis.places.map((p, at) => ({ at, label: axis.places.length === 1 ? '' : p.label }));
const placeText = ({ axis }: StudyComparison, place: number): string =>
  axis.places.length === 1
    ? ''
    : `${axis.numeric ? `${axis.label} ` : ''}${axis.places[place]!.label}, `;

const flawOf = (data: StudyComparison, curve: number, place: number): XyPoint['flaw'] =>
  data.places[curve]![place]!.missed > 0 ? { word: 'QoS failed' } : null;
const missedText = (data: StudyComparison, curve: number, place: number): string[] => {
  const { missed, detail } = data.places[curve]![place]!;
  return missed > 0 ? [`QoS failed${detail === '' ? '' : `: ${detail}`}`] : [];
};

function chart(
  data: StudyComparison,
  lists: readonly (readonly (number | null)[])[],
  skipBaseline: boolean,
  lines: (curve: number, place: number, value: number) => string[],
): XyInput {
  return {
    series: data.curves.flatMap((c, i) =>
      skipBaseline && i === 0
        ? []
        : [
            {
              key: c.key,
              label: i === 0 ? `${c.name} (baseline)` : c.name,
              ...runStyle(i),
              shape: shapes[i % shapes.length]!,
              published: false,
              points: lists[i]!.flatMap((value, p): XyPoint[] =>
                value === null
                  ? []
                  : [
                      {
                        key: `${c.key} ${p}`,
                        x: placeAt(data, p),
                        y: value,
                        low: null,
                        high: null,
                        flaw: flawOf(data, i, p),
                        open: null,
                        lines: [...lines(i, p, value), ...missedText(data, i, p)],
                      },
                    ],
              ),
            },
          ],
    ),
    bands: [],
    marks: [],
    categories: categories(data),
    fromZero: true,
    planned: data.axis.numeric ? data.axis.places.map((p) => Number(p.value)) : [],
  };
}

/** The curves over each other, the baseline neutral. */
export function curveChart(data: StudyComparison, { of, unit, decimals }: MeasureChoice): XyInput {
  return chart(data, of.values, false, (i, p, value) => {
    const gap = of.gapPct[i]![p];
    return [
      `${placeText(data, p)}${data.curves[i]!.name}: ${formatComputed(value, decimals)}${unit === '' ? '' : ` ${unit}`}`,
      ...(gap === null || gap === undefined
        ? []
        : [`${formatDelta(gap)} against ${data.curves[0]!.name}`]),
      ...(of.repeats[i]![p]! > 1 ? [`Mean of ${of.repeats[i]![p]} repeats`] : []),
    ];
  });
}

/** The gap of each curve to the baseline in percent, where both measured. */
export function gapChart(data: StudyComparison, { of }: MeasureChoice): XyInput {
  return chart(data, of.gapPct, true, (i, p, value) => [
    `${placeText(data, p)}${data.curves[i]!.name}: ${formatDelta(value)} against ${data.curves[0]!.name}`,
  ]);
}

/**
 * `+4.60 % to +5.20 %; 0.31 % would be found`: the 95 % interval of a gap between repeats, and the
 * smallest one found in 4 of 5 cases. Empty without repeats of both.
 */
export function gapInterval(of: Measure, curve: number, place: number): string {
  const test = of.tests[curve]![place];
  return test == null
    ? ''
    : `${formatDelta(test.lowPct)} to ${formatDelta(test.highPct)}; ` +
        `${threeFigures(test.detectablePct)} % would be found`;
}

/** Direction of a gap in words where no test can be made. */
export function gapWord(of: Measure, curve: number, place: number): string {
  const gap = of.gapPct[curve]![place];
  if (gap === null || gap === undefined || gap === 0 || of.better === null) return '';
  return gap > 0 === (of.better === 'higher') ? 'ahead' : 'behind';
}

/** `+4.20 %, from +1.00 % to +8.10 % over 4 values`. */
export function summaryText(of: Measure['summary'][number]): string {
  if (of === null) return '–';
  return of.places === 1
    ? formatDelta(of.mean)
    : `${formatDelta(of.mean)}, from ${formatDelta(of.least)} to ${formatDelta(of.greatest)} over ${of.places} values`;
}

/** All measures at all places as tab-separated text, guards included. */
export function studyComparisonText(data: StudyComparison): string {
  const cell = (value: number | null): string => (value === null ? '' : String(value));
  const lines: string[][] = [
    [data.sentence],
    ...data.guards.map((g) => [`Not comparable: ${g}`]),
    [],
    [
      'Measure',
      'Unit',
      data.axis.label,
      ...data.curves.flatMap((c, i) =>
        i === 0 ? [`${c.name} (baseline)`] : [c.name, `${c.name} gap`, `${c.name} gap %`],
      ),
    ],
    ...measureChoices(data).flatMap(({ title, unit, of }) =>
      data.axis.places.map((place, p) => [
        title,
        unit,
        place.label,
        ...data.curves.flatMap((_, i) =>
          i === 0
            ? [cell(of.values[0]![p]!)]
            : [cell(of.values[i]![p]!), cell(of.gap[i]![p]!), cell(of.gapPct[i]![p]!)],
        ),
      ]),
    ),
  ];
  return lines
    .map((line) => line.map((text) => text.replace(/[\t\r\n]+/g, ' ')).join('\t'))
    .join('\n');
}
