import { create } from 'fontkit';

import type { Report } from '../../../../src/core/report/model.ts';
import { pdfText } from '../../redaction/testing/pdfText.ts';
import { reportPdf } from '../pdf.ts';
import { fontsDirOf } from '../writers.ts';
import { charsByFace, cutFace, openFaces } from './faces.ts';
import { htmlFaces } from './htmlFaces.ts';
import { outlined } from './outlines.ts';
import { piecesOf } from './pieces.ts';

const dir = fontsDirOf('resources');
const names = {
  Chinese: '上海-计算节点',
  Japanese: '東京サーバー',
  Korean: '서울호스트',
  Cyrillic: 'Сервер-Ґ',
  Greek: 'Διακομιστής',
  Arabic: 'خادم القاهرة',
  Hebrew: 'שרת תל אביב',
  Polish: 'Łódź',
};
const report: Report = {
  title: 'Names',
  marks: [],
  sentence: Object.values(names).join(', '),
  facts: Object.entries(names),
  sections: [],
  footer: 'Tilebench',
};

test.each(Object.entries(names))('%s has a glyph for each of its letters', async (_, name) => {
  const book = openFaces(dir, name);
  for (const [face, chars] of charsByFace(book, name)) {
    const font = create(await cutFace(face, chars, 400));
    for (const char of chars) expect(font.hasGlyphForCodePoint(char.codePointAt(0)!)).toBe(true);
  }
  expect([...name].filter((char) => book.of(char) === null)).toEqual([]);
});

test('the same character is of the font of its language', () => {
  const faceOf = (text: string): string => openFaces(dir, text).of('東')!.name;
  expect(faceOf('東京サーバー')).toMatch(/^noto-sans-jp /);
  expect(faceOf('東서울')).toMatch(/^noto-sans-kr /);
  expect(faceOf('東方')).toMatch(/^noto-sans-sc /);
});

test('writing from right to left stands in the order it is read, numbers and brackets in theirs', () => {
  const seen = (text: string): string[] =>
    piecesOf(text, openFaces(dir, text)).map((piece) => piece.text.trim());
  const shown = seen('Host שרת (ראשי) 12 up').filter((text) => text !== '');
  expect(shown.join(' ')).toBe('Host 12 ( ראשי ) שרת up');
  // Nothing is an empty box.
  expect(seen('ok \u{1f600}').join('')).toContain('?');
});

test('a PDF has the letters of every name, from embedded fonts, and is the same each time', async () => {
  const bytes = await reportPdf(report, dir);
  const text = pdfText(bytes).replaceAll(/[\s\u200b]/g, '');
  // Words from right to left stand in the order in which they are seen.
  for (const word of Object.values(names).flatMap((name) => name.split(/[\s-]+/)))
    expect([word, [...word].reverse().join('')].some((one) => text.includes(one))).toBe(true);
  expect(Buffer.from(bytes).toString('latin1')).not.toContain('Roboto');
  expect(bytes.length).toBeLessThan(200_000);
});

test('an HTML report brings the letters it shows and no others', async () => {
  const css = await htmlFaces(dir, report);
  expect(css).toBe(await htmlFaces(dir, report));
  expect(css).toContain('U+4e0a');
  expect(css).not.toContain('U+4e0b,');
  expect(css).not.toMatch(/url\((?!data:font\/woff2;base64,)/);
  expect(css.length).toBeLessThan(200_000);
});

test('words in a picture become outlines, set from their anchor', async () => {
  const book = openFaces(dir, 'אב');
  const font = create(await cutFace(book.of('א')!, 'אב', 400));
  const drawn = outlined(
    '<text x="100" y="20" text-anchor="end" font-size="10">',
    'אב',
    book,
    () => font,
  );
  expect(drawn.match(/<path /g)).toHaveLength(2);
  const at = Number(/^<g fill="#000" transform="translate\(([\d.]+) 20\)"/.exec(drawn)![1]);
  expect(at).toBeGreaterThan(80);
  expect(at).toBeLessThan(95);
});
