import { headroomState, neutralColor, seriesColors, tileStyle } from './palette.ts';

/** Backgrounds a chart lies on: paper and page of both themes, in Mantine's greys. */
const backgrounds = [
  '#ffffff',
  '#f8f9fa',
  '#f1f3f5',
  '#1a1b1e',
  '#242424',
  '#1f1f1f',
  '#141517',
  '#2e2e2e',
];

type Rgb = [number, number, number];
const rgb = (hex: string): Rgb =>
  [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16) / 255) as Rgb;
const linear = (c: number): number => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
/** WCAG 2.2 relative luminance. */
const luminance = (hex: string): number => {
  const [r, g, b] = rgb(hex).map(linear) as Rgb;
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const contrast = (a: string, b: string): number => {
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (high + 0.05) / (low + 0.05);
};

/** Machado, Oliveira, Fernandes 2009, severity 1.0, on linear RGB. */
const eyes: Record<string, readonly number[]> = {
  typical: [1, 0, 0, 0, 1, 0, 0, 0, 1],
  protan: [
    0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998,
  ],
  deutan: [
    0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881,
  ],
};
/** OKLab (Ottosson 2020) as those eyes see the colour. */
function seen(hex: string, matrix: readonly number[]): Rgb {
  const source = rgb(hex).map(linear);
  const [r, g, b] = [0, 3, 6].map((row) =>
    Math.min(
      1,
      Math.max(
        0,
        source.reduce((sum, c, i) => sum + c * matrix[row + i]!, 0),
      ),
    ),
  ) as Rgb;
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}
const distance = (a: Rgb, b: Rgb): number => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

test.each([...seriesColors, neutralColor])(
  '%s has 3:1 against every background of both themes',
  (color) => {
    for (const background of backgrounds)
      expect({ background, enough: contrast(color, background) >= 3 }).toEqual({
        background,
        enough: true,
      });
  },
);

test.each(Object.keys(eyes))('two series with the same dash differ for %s eyes', (name) => {
  const styles = Array.from({ length: 8 }, (_, i) => tileStyle(i));
  for (const [i, a] of styles.entries())
    for (const b of styles.slice(i + 1)) {
      if (a.dash !== b.dash) continue;
      expect({
        pair: `${a.color} ${b.color}`,
        apart: distance(seen(a.color, eyes[name]!), seen(b.color, eyes[name]!)) > 0.07,
      }).toEqual({ pair: `${a.color} ${b.color}`, apart: true });
    }
});

test('a tile keeps its style, and the first eight colours are all different', () => {
  expect(tileStyle(3)).toEqual(tileStyle(3));
  expect(new Set(Array.from({ length: 8 }, (_, i) => tileStyle(i).color)).size).toBe(8);
  expect(tileStyle(8)).not.toEqual(tileStyle(0));
});

test.each([
  [null, 'none'],
  [NaN, 'none'],
  [-1, 'over'],
  [0, 'near'],
  [19.9, 'near'],
  [20, 'ok'],
])('headroom %p is %s', (pct, state) => expect(headroomState(pct)).toBe(state));
