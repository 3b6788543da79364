import { inSentence } from '../base/counted.ts';
import type { XyInput } from '../chart/xyModel.ts';
import type { ReportFigure } from './model.ts';

interface Words {
  title: string;
  unit: string;
  xLabel: string;
  xUnit: string;
}

/** A curve chart of the screens as a figure of a report: the same points, bands and marks. */
export function xyFigure({ title, unit, xLabel, xUnit }: Words, input: XyInput): ReportFigure {
  const measured = input.series.filter((s) => s.points.length > 0);
  const said = measured.map((s) => {
    const ends = [s.points[0]!, s.points.at(-1)!];
    return (
      `${s.label}: ${s.points.length} ${s.points.length === 1 ? 'point' : 'points'}, ` +
      [...new Set(ends.map((p) => p.lines[0] ?? ''))].join(' to ')
    );
  });
  return {
    title,
    unit,
    xLabel,
    xUnit,
    percent: false,
    fromZero: input.fromZero,
    ...(input.right !== undefined && {
      right: { label: input.right.label, unit: input.right.unit },
    }),
    places: input.categories?.map((c) => c.label) ?? null,
    ticks:
      input.categories !== null
        ? []
        : [
            ...new Set([
              ...(input.planned ?? []),
              ...input.series.flatMap((s) => s.points.map((p) => p.x)),
            ]),
          ].sort((a, b) => a - b),
    series: measured.map((s) => ({
      label: s.label,
      color: s.color,
      dash: s.dash,
      shape: s.shape,
      hollow: s.published,
      fill: false,
      ...(s.right === true && { right: true }),
      line: s.published || input.categories !== null ? ('none' as const) : ('straight' as const),
      points: [...s.points]
        .sort((a, b) => a.x - b.x)
        .map((p) => ({
          x: p.x,
          y: p.y,
          low: p.low,
          high: p.high,
          flaw: p.flaw?.word ?? null,
          text: `${wordOf(s.label)}${p.lines.join('. ')}`,
        })),
    })),
    bands: input.bands.map(({ from, to, label, faint }) => ({
      from,
      to,
      label,
      faint: faint === true,
    })),
    marks: input.marks.map(({ at, label }) => ({ at, label })),
    summary:
      `${title}${unit === '' ? '' : ` in ${unit}`} against ${inSentence(xLabel)}. ` +
      (said.length === 0 ? 'Nothing measured.' : `${said.join('; ')}.`) +
      [...input.bands, ...input.marks].map((b) => ` ${b.label}.`).join(''),
  };
}

/** `Modelled, ` or `Measured, ` of a curve's label; the lines of its points name the rest. */
const wordOf = (label: string): string => {
  const word = /^(Modelled|Measured)/.exec(label)?.[0];
  return word === undefined ? '' : `${word}, `;
};
