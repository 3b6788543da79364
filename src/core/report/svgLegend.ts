/**
 * Width of a text set at `size` pixels, near enough to place it: letters of a sans face are about
 * half as wide as high.
 */
export const textWidth = (text: string, size: number): number =>
  [...text].reduce(
    (sum, c) =>
      sum +
      (/[ilj.,:;|' ]/.test(c)
        ? 0.3
        : /[mwMW@%]/.test(c)
          ? 0.9
          : /[A-Z0-9_−+×–]/.test(c)
            ? 0.65
            : /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff00-\uff60]/u.test(
                  c,
                )
              ? 1
              : 0.56),
    0,
  ) * size;

/** The text cut to `width` pixels at `size`, with an ellipsis where something is left out. */
export function clipText(text: string, width: number, size: number): string {
  if (textWidth(text, size) <= width) return text;
  let kept = text;
  while (kept.length > 1 && textWidth(`${kept}…`, size) > width) kept = kept.slice(0, -1);
  return `${kept.trimEnd()}…`;
}

export interface LegendPlace {
  x: number;
  row: number;
  text: string;
}
/**
 * Where legend entries stand, row by row, so that none lies over another; each has `keyPx` for its
 * line before the text.
 */
export function flowLegend(
  labels: readonly string[],
  left: number,
  right: number,
  size: number,
  keyPx: number,
): { places: LegendPlace[]; rows: number } {
  let x = left,
    row = 0;
  const places = labels.map((label): LegendPlace => {
    const text = clipText(label, Math.min(340, right - left - keyPx), size);
    const width = keyPx + textWidth(text, size) + 16;
    if (x > left && x + width - 16 > right) {
      x = left;
      row += 1;
    }
    const place = { x, row, text };
    x += width;
    return place;
  });
  return { places, rows: labels.length === 0 ? 0 : row + 1 };
}

/** A label in at most two lines of `width` pixels, broken between words where it can be. */
export function twoLines(text: string, width: number, size: number): string[] {
  if (textWidth(text, size) <= width) return [text];
  const words = text.split(/(?<=[ ,/_-])/);
  let first = '';
  while (words.length > 1 && textWidth(first + words[0]!, size) <= width) first += words.shift()!;
  return first === ''
    ? [clipText(text, width, size)]
    : [first.trim(), clipText(words.join('').trim(), width, size)];
}
