import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { create, type Font } from 'fontkit';
import type { Content, TDocumentDefinitions, TFontFamilyTypes } from 'pdfmake/interfaces';

import { charsByFace, cutFace, type FaceBook, mainFace } from './faces.ts';
import { type FontOf, outlinedSvg } from './outlines.ts';
import { piecesOf } from './pieces.ts';

/** Weights of the two styles of a report. */
const weights = { normal: 400, bold: 600 } as const;
/** What the main face has for certain: most texts need no second look. */
const plain = /^[\u0020-\u007e\u00a0-\u00ff\n\u200b–—…−]*$/;

const isPlain = (text: string): boolean => plain.test(text);

type Node = Readonly<Record<string, unknown>>;
const isNode = (value: unknown): value is Node =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** A text as a node's `text`: as it is, or as pieces with a font each. */
const textInFaces = (text: string, book: FaceBook, style: Node = {}): Node[] | string =>
  plain.test(text)
    ? text
    : piecesOf(text, book).map((piece) => ({ ...style, text: piece.text, font: piece.face }));

function partsInFaces(parts: readonly unknown[], book: FaceBook): unknown[] {
  return parts.flatMap((part): unknown[] => {
    const { text, ...style } = isNode(part) ? part : { text: part };
    if (typeof text !== 'string') return [part];
    const said = textInFaces(text, book, style);
    return typeof said === 'string' ? [part] : said;
  });
}

/** A part of a document in which every text has a font for each of its letters. */
function inFaces(node: unknown, book: FaceBook, fontOf: FontOf): unknown {
  if (typeof node === 'string') {
    const text = textInFaces(node, book);
    return typeof text === 'string' ? text : { text };
  }
  if (Array.isArray(node)) return node.map((one: unknown) => inFaces(one, book, fontOf));
  if (!isNode(node)) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]): [string, unknown] => {
      switch (key) {
        case 'text':
          return [
            key,
            typeof value === 'string'
              ? textInFaces(value, book)
              : Array.isArray(value)
                ? partsInFaces(value, book)
                : value,
          ];
        case 'svg':
          return [
            key,
            typeof value === 'string' ? outlinedSvg(value, book, fontOf, isPlain) : value,
          ];
        case 'stack':
        case 'columns':
        case 'ul':
        case 'body':
        case 'table':
          return [key, inFaces(value, book, fontOf)];
        default:
          return [key, value];
      }
    }),
  );
}

/** The document in which every text has a font for each of its letters. */
export function documentInFaces(
  document: TDocumentDefinitions,
  book: FaceBook,
  fontOf: FontOf,
): TDocumentDefinitions {
  const { header, footer, content } = document;
  const done = (part: unknown): Content => inFaces(part, book, fontOf) as Content;
  return {
    ...document,
    content: done(content),
    ...(typeof header === 'function'
      ? { header: (...page: Parameters<typeof header>) => done(header(...page)) }
      : {}),
    ...(footer === undefined || typeof footer === 'function' ? {} : { footer: done(footer) }),
  };
}

/** Fonts of a document: their files by name, the folder of those, and the fonts themselves. */
interface LentFonts {
  files: Record<string, TFontFamilyTypes>;
  dir: string;
  fontOf: FontOf;
}

/**
 * Lends the fonts that some characters need, as files that hold no others, while `work` goes on: a
 * library that sets pages reads fonts by their path.
 */
export async function withFontFiles<T>(
  book: FaceBook,
  chars: Iterable<string>,
  work: (lent: LentFonts) => Promise<T>,
): Promise<T> {
  const dir = await mkdtemp(join(tmpdir(), 'tilebench-fonts-'));
  try {
    const files: Record<string, TFontFamilyTypes> = {};
    const opened = new Map<string, Font>();
    const used = charsByFace(book, chars);
    for (const [face, own] of used) {
      const paths: TFontFamilyTypes = {};
      for (const style of ['normal', 'bold'] as const) {
        const path = join(dir, `${face.name.replaceAll(' ', '-')}-${style}.ttf`);
        const bytes = await cutFace(face, own, weights[style]);
        await writeFile(path, bytes);
        opened.set(`${face.name} ${style}`, create(bytes));
        paths[style] = path;
      }
      files[face.name] = paths;
    }
    return await work({
      // What pdfmake measures by where nothing is said.
      files: { ...files, Roboto: files[mainFace]! },
      dir,
      fontOf: (face, bold) => opened.get(`${face} ${bold ? 'bold' : 'normal'}`)!,
    });
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
