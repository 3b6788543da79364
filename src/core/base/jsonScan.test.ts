import fc from 'fast-check';

import { createJsonScan, type JsonBounds } from './jsonScan.ts';

const open: JsonBounds = { depth: 1_000, values: 1e9, textBytes: 1e9, items: 1e9 };
const scan = (text: string, bounds: Partial<JsonBounds>, piece = text.length || 1): void => {
  const bytes = new TextEncoder().encode(text);
  const { push } = createJsonScan('f.json', { ...open, ...bounds });
  for (let from = 0; from < bytes.length; from += piece) push(bytes.subarray(from, from + piece));
};

/** What `JSON.parse` finds: the measure of the scan. */
interface Size {
  depth: number;
  values: number;
  textBytes: number;
  items: number;
}
function sizeOf(value: unknown): Size {
  const bytes = (text: string): number => new TextEncoder().encode(JSON.stringify(text)).length - 2;
  if (typeof value === 'string') return { depth: 0, values: 1, textBytes: bytes(value), items: 0 };
  if (typeof value !== 'object' || value === null)
    return { depth: 0, values: 1, textBytes: 0, items: 0 };
  const keys = Array.isArray(value) ? [] : Object.keys(value);
  const inner = Object.values(value).map(sizeOf);
  const most = (of: (one: Size) => number): number => Math.max(0, ...inner.map(of));
  return {
    depth: 1 + most((one) => one.depth),
    values: 1 + inner.reduce((sum, one) => sum + one.values, 0),
    textBytes: Math.max(
      most((one) => one.textBytes),
      ...keys.map(bytes),
      0,
    ),
    items: Math.max(
      most((one) => one.items),
      inner.length,
    ),
  };
}

test('finds what a parser finds, however the text is cut and spaced: at each bound it passes, one below it is refused', () => {
  fc.assert(
    fc.property(
      fc.jsonValue({ maxDepth: 6, stringUnit: 'binary' }),
      fc.integer({ min: 1, max: 40 }),
      fc.constantFrom(undefined, 1, '\t'),
      (value, piece, space) => {
        const text = JSON.stringify(value, null, space);
        const size = sizeOf(JSON.parse(text));
        scan(text, size, piece);
        for (const bound of ['depth', 'values', 'textBytes', 'items'] as const)
          if (size[bound] > 0)
            expect(() => scan(text, { ...size, [bound]: size[bound] - 1 }, piece)).toThrow(
              /^f\.json:\d+:\d+: /,
            );
      },
    ),
    { numRuns: 500 },
  );
});

test.each<[string, string, Partial<JsonBounds>, string]>([
  [
    'a list with a bound of its own, by its path',
    '{"overview":\n {"name":"x","series":[1,\n2,3]}}',
    { lists: { 'overview.series': 2 } },
    'f.json:3:2: overview.series: more than 2 entries',
  ],
  [
    'a long text, by the path of its member',
    '{"plan":{"tiles":[{"name":"a"},{"name":"abcdef"}]}}',
    { textBytes: 5 },
    'f.json:1:47: plan.tiles.1.name: a text of more than 5 bytes',
  ],
  [
    'a long key',
    '{"abcdefgh":1}',
    { textBytes: 5 },
    'f.json:1:11: the whole: a text of more than 5 bytes',
  ],
  ['depth', '[[\n[1]]]', { depth: 2 }, 'f.json:2:1: nested deeper than 2'],
  ['values', '[1,2,3]', { values: 3 }, 'f.json:1:5: more than 3 values in one file'],
])('%s is told with its place', (_what, text, bounds, message) =>
  expect(() => scan(text, bounds)).toThrow(message),
);

test('what is no JSON passes, or is refused: it never breaks the scan', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...Array.from('[]{}",:\\x1 \n')) }), (text) => {
      expect(() => scan(text, {}, 3)).not.toThrow();
    }),
  );
});
