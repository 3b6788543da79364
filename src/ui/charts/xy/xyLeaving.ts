import type { XyInput } from '../../../core/chart/xyModel.ts';

/**
 * A copy of what a chart shows whose every text went through `change`. What is not drawn or listed
 * stays.
 */
export const leavingInput = (input: XyInput, change: (text: string) => string): XyInput => ({
  ...input,
  series: input.series.map((series) => ({
    ...series,
    label: change(series.label),
    points: series.points.map((point) => ({
      ...point,
      flaw: point.flaw === null ? null : { ...point.flaw, word: change(point.flaw.word) },
    })),
  })),
  bands: input.bands.map((band) => ({ ...band, label: change(band.label) })),
  marks: input.marks.map((mark) => ({ ...mark, label: change(mark.label) })),
  ...(input.right !== undefined && {
    right: { ...input.right, label: change(input.right.label) },
  }),
  categories: input.categories?.map((one) => ({ ...one, label: change(one.label) })) ?? null,
});

/** Every text of it that a picture or a table shows, once each. */
export function inputTexts(input: XyInput): string[] {
  const texts = new Set<string>();
  leavingInput(input, (text) => {
    texts.add(text);
    return text;
  });
  return [...texts];
}
