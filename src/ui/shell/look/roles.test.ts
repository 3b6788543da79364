import { fills, grounds, heat, inks, type Shades } from './roles.ts';

/** Relative luminance of `#rrggbb`: WCAG 2.2, https://www.w3.org/TR/WCAG22/#dfn-relative-luminance. */
function luminance(color: string): number {
  const [red, green, blue] = [1, 3, 5]
    .map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)
    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)) as [
    number,
    number,
    number,
  ];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
/** Contrast ratio of two colours, 1 to 21: WCAG 2.2, success criterion 1.4.3. */
function contrast(one: string, other: string): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [
    number,
    number,
  ];
  return (light + 0.05) / (dark + 0.05);
}
const themes: readonly (keyof Shades)[] = ['light', 'dark'];

test('black on white is 21:1', () => expect(contrast('#000000', '#ffffff')).toBeCloseTo(21));

test.each(Object.entries(inks))('%s is readable on every ground, in both themes', (_name, ink) => {
  for (const theme of themes)
    for (const ground of Object.values(grounds))
      expect(contrast(ink[theme], ground[theme])).toBeGreaterThanOrEqual(4.5);
});

test.each(Object.entries(fills))('white is readable on %s, in both themes', (_name, fill) => {
  for (const theme of themes) expect(contrast('#ffffff', fill[theme])).toBeGreaterThanOrEqual(4.5);
});

test.each(Object.entries(heat))('a cell that is %s is readable, in both themes', (_name, cell) => {
  for (const theme of themes) expect(contrast(...cell[theme])).toBeGreaterThanOrEqual(4.5);
});
