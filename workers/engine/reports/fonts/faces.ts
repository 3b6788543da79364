import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { create } from 'fontkit';

/** One file of a font: what a family has for a part of its characters. */
export interface Face {
  /** What it is called in a document; unique. */
  name: string;
  /** Path of its WOFF2, weights 100 to 900. */
  path: string;
  /** Where its package says that it has characters, which is not true of each. */
  ranges: readonly (readonly [from: number, to: number])[];
}
type Family = 'inter' | 'noto-sans-hebrew' | 'noto-sans-arabic' | Han;
type Han = 'noto-sans-sc' | 'noto-sans-jp' | 'noto-sans-kr';

/** The face of the application; every other stands in where it has no glyph. */
export const mainFace = 'Inter';

const facesOfFamily = (dir: string, family: Family): Face[] => {
  const ranges = JSON.parse(readFileSync(join(dir, family, 'unicode.json'), 'utf8')) as Readonly<
    Record<string, string>
  >;
  return Object.entries(ranges).map(([key, list]) => {
    // Slices of the large families are numbered: `[58]`.
    const slice = key.replace(/^\[|\]$/g, '');
    return {
      name: family === 'inter' && slice === 'latin' ? mainFace : `${family} ${slice}`,
      path: join(dir, family, 'files', `${family}-${slice}-wght-normal.woff2`),
      ranges: list.split(',').map((range): [number, number] => {
        const [from = '', to = from] = range.replace('U+', '').split('-');
        return [parseInt(from, 16), parseInt(to, 16)];
      }),
    };
  });
};

/** The latin face comes first: all others claim its letters too. */
const inOrder = (faces: readonly Face[]): Face[] =>
  [...faces].sort((a, b) => Number(b.name === mainFace) - Number(a.name === mainFace));

/**
 * Chinese, Japanese and Korean share characters that each draws in its own way: kana tell of
 * Japanese, hangul of Korean.
 */
function hanOrder(text: string): Han[] {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text))
    return ['noto-sans-jp', 'noto-sans-sc', 'noto-sans-kr'];
  return /\p{Script=Hangul}/u.test(text)
    ? ['noto-sans-kr', 'noto-sans-sc', 'noto-sans-jp']
    : ['noto-sans-sc', 'noto-sans-jp', 'noto-sans-kr'];
}

/** What the fonts of a document are chosen from. `dir` holds the packages of the fonts. */
export interface FaceBook {
  /** The face of a character; null = none has it. */
  of: (char: string) => Face | null;
}

/** The faces for a text, Inter before all others. */
export function openFaces(dir: string, text: string): FaceBook {
  const families: Family[] = ['inter', 'noto-sans-hebrew', 'noto-sans-arabic', ...hanOrder(text)];
  const faces = families.flatMap((family) => inOrder(facesOfFamily(dir, family)));
  const known = new Map<string, Face | null>();
  const fonts = new Map<Face, ReturnType<typeof create>>();
  const has = (face: Face, code: number): boolean => {
    if (!face.ranges.some(([from, to]) => from <= code && code <= to)) return false;
    const font = fonts.get(face) ?? create(readFileSync(face.path));
    fonts.set(face, font);
    return font.hasGlyphForCodePoint(code);
  };
  return {
    of: (char) => {
      const found = known.get(char);
      if (found !== undefined) return found;
      const code = char.codePointAt(0)!;
      const face = faces.find((one) => has(one, code)) ?? null;
      known.set(char, face);
      return face;
    },
  };
}

/** Which characters of a text each face is used for, in the order of the text. */
export function charsByFace(book: FaceBook, chars: Iterable<string>): Map<Face, string> {
  const used = new Map<Face, string>();
  for (const char of chars) {
    const face = book.of(char);
    if (face !== null) used.set(face, (used.get(face) ?? '') + char);
  }
  return used;
}

/** A face with these characters alone, as TrueType of one weight or as WOFF2 of all of them. */
export async function cutFace(
  { path }: Face,
  chars: string,
  weight: number | 'all',
): Promise<Uint8Array> {
  // Loaded with the first report: 1 MB of WebAssembly.
  const { default: subsetFont } = await import('subset-font');
  return subsetFont(await readFile(path), chars, {
    targetFormat: weight === 'all' ? 'woff2' : 'truetype',
    variationAxes: { wght: weight === 'all' ? { min: 400, max: 700 } : weight },
  });
}
