import { resolve } from 'node:path';
import { inflateSync } from 'node:zlib';

import type { Report, ReportTable } from '../../../src/core/report/model.ts';
import { table } from '../../../src/core/report/tables.ts';
import { documentOf, reportPdf } from './pdf.ts';
import { columnWidths, tableOf } from './pdfTable.ts';
import { printable } from './pdfText.ts';
import { fontsDirOf } from './writers.ts';

const report = (change: Partial<Report> = {}): Report => ({
  title: 'New against Old',
  marks: [{ word: 'SIMULATED', reason: 'From the model.' }],
  sentence: 'Not comparable, for 2 reasons.',
  facts: [['Made', 'now']],
  sections: [],
  footer: 'Tilebench',
  ...change,
});
const text = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : Array.isArray(value)
      ? value.map(text).join(' ')
      : value !== null && typeof value === 'object'
        ? Object.values(value).map(text).join(' ')
        : '';
const headerOf = (of: Report): string => {
  const { header } = documentOf(of);
  return typeof header === 'function'
    ? text(header(3, 9, { width: 595, height: 842, orientation: 'portrait' }))
    : '';
};

test('every page says what is simulated, and why runs must not be compared', () => {
  const guarded = report({
    banner: {
      title: 'These runs must not be compared',
      reasons: ['Different phase lengths: 10 s against 20 s.', 'Different origin.'],
    },
  });
  expect(headerOf(guarded)).toContain('New against Old, NOT COMPARABLE, SIMULATED');
  expect(headerOf(guarded)).toContain(
    'Not comparable: Different phase lengths: 10 s against 20 s. And 1 more.',
  );
  expect(headerOf(guarded)).toContain('3 of 9');
  const { content } = documentOf(guarded);
  expect(text(content).indexOf('Different origin.')).toBeLessThan(
    text(content).indexOf('Not comparable, for 2 reasons.'),
  );
  expect(headerOf(report())).not.toContain('Not comparable');
});

test('control characters and turned reading directions are not printed; long names may break; glyphs the font lacks are said otherwise', () => {
  expect(printable('a\u0000b\u202ec\u009bd')).toBe('a b c d');
  expect(printable('old → new')).toBe('old -> new');
  expect(printable('x'.repeat(60))).toBe(
    `${'x'.repeat(28)}\u200b${'x'.repeat(28)}\u200b${'x'.repeat(4)}`,
  );
  expect(printable('1\u202f234')).toBe('1\u00a0234');
});

const wide = (columns: number): ReportTable =>
  table(
    'Wide',
    ['Metric', ...Array.from({ length: columns }, (_, i) => `Run ${i}`)],
    [
      [
        'Database, 95th percentile latency, mean of the tiles',
        ...Array.from({ length: columns }, () => '−1 234.5678'),
      ],
    ],
    '',
    Array.from({ length: columns }, (_, i) => i + 1),
  );

test.each([1, 4, 8, 16])('a table of %i columns of figures stays on the page', (columns) => {
  const { widths, fontSize } = columnWidths(wide(columns), 515);
  const taken = widths.reduce((a, b) => a + b, 0) + widths.length * 6;
  expect(taken).toBeLessThanOrEqual(515.01);
  expect(fontSize).toBeLessThanOrEqual(8);
  expect(fontSize).toBeGreaterThanOrEqual(5.5);
});

test('a table that goes over pages repeats its title and its head', () => {
  const rows = Array.from({ length: 80 }, (_, i) => [String(i), 'x']);
  const [made] = tableOf(table('Long', ['', 'What'], rows, ''), {
    titled: true,
    width: 515,
    height: 730,
  });
  expect(made).toMatchObject({
    unbreakable: false,
    table: { headerRows: 2, keepWithHeaderRows: 2 },
  });
  expect(
    tableOf(table('Short', ['', 'What'], rows.slice(0, 5), ''), {
      titled: false,
      width: 515,
      height: 730,
    })[0],
  ).toMatchObject({ unbreakable: true, table: { headerRows: 1 } });
});

test('a heading near the end of a page moves on with its table: the first rows would not fit below it', () => {
  const { pageBreakBefore } = documentOf(report());
  type Node = Parameters<NonNullable<typeof pageBreakBefore>>[0];
  const breaks = (
    verticalRatio: number,
    following: readonly Partial<Node>[],
    heading = true,
  ): boolean =>
    pageBreakBefore!(
      { ...(heading ? { headlineLevel: 1 } : {}), startPosition: { verticalRatio } } as Node,
      { getFollowingNodesOnPage: () => following } as unknown as Parameters<
        NonNullable<typeof pageBreakBefore>
      >[1],
    );
  expect([
    breaks(0.95, [{}]),
    breaks(0.5, [{}]),
    breaks(0.5, []),
    breaks(0.5, [{ style: 'sectionNote' }]),
  ]).toEqual([true, false, true, true]);
  expect(breaks(0.95, [], false)).toBe(false);
});

/** How many pieces of text each page of a PDF shows. */
function textsByPage(pdf: Uint8Array): number[] {
  const file = Buffer.from(pdf);
  const counts: number[] = [];
  for (let at = file.indexOf('stream\n'); at >= 0; at = file.indexOf('stream\n', at + 7)) {
    if (file.toString('latin1', at - 3, at) === 'end') continue;
    const end = file.indexOf('endstream', at);
    try {
      const content = inflateSync(file.subarray(at + 7, end)).toString('latin1');
      // A page, not a font.
      if (/\bBT\b/.test(content)) counts.push(content.match(/\bTJ?\b|\bTj\b/g)?.length ?? 0);
    } catch {
      continue;
    }
  }
  return counts;
}

test.each([0, 1, 2, 3, 4, 5])(
  'below %i charts every table is on a page, and no page is empty: a heading that moved with its table broke the page inside of it',
  async (charts) => {
    const rows = (letter: string, count: number): string[][] =>
      Array.from({ length: count }, (_, i) => [`${letter}${i}`, 'x', 'y']);
    const section = (title: string, count: number, notes: string[] = []) => ({
      title,
      notes,
      charts: [],
      tables: [table(title, ['A', 'B', 'C'], rows(title, count), '')],
    });
    const chart = (i: number) => ({
      title: `Chart ${i}`,
      unit: '%',
      tall: true as const,
      lines: [
        {
          label: 'Tile 1',
          color: '#000000',
          dash: [],
          tMs: new Float64Array([0, 1_000]),
          value: new Float64Array([1, 2]),
          gapMs: 5_000,
          decimals: 0,
        },
      ],
      limits: [],
      phases: [],
      summary: '',
    });
    const made = await reportPdf(
      report({
        sections: [
          {
            title: 'Curves',
            notes: [],
            tables: [],
            charts: Array.from({ length: charts }, (_, i) => chart(i)),
          },
          section('Knee', 8),
          section('Points', 6),
          section('Why', 6, ['The last two are compared.']),
        ],
      }),
      fontsDirOf(resolve('resources')),
    );
    const pages = textsByPage(made);
    expect(pages.length).toBeGreaterThan(0);
    // Title, mark, number and foot stand on an empty one too.
    for (const texts of pages) expect(texts).toBeGreaterThan(8);
  },
);
