import type { Font } from 'fontkit';

import type { FaceBook } from './faces.ts';
import { piecesOf } from './pieces.ts';

/** The font of a face in one of its weights. */
export type FontOf = (face: string, bold: boolean) => Font;

const attribute = (head: string, name: string): string | undefined =>
  new RegExp(` ${name}="([^"]*)"`).exec(head)?.[1];
/** Where a text says nothing of its size: what the pictures of reports have. */
const usualSize = 11;

/**
 * A text of a picture as the outlines of its letters, in place of `<text …>`: what draws SVG for a
 * PDF sets letters one by one, which breaks writing whose letters join or run from right to left.
 * `head` is the start tag, of a text of ours.
 */
export function outlined(head: string, text: string, book: FaceBook, fontOf: FontOf): string {
  const size = Number(attribute(head, 'font-size') ?? usualSize);
  const bold = attribute(head, 'font-weight') !== undefined;
  const paths: string[] = [];
  let width = 0;
  for (const piece of piecesOf(text, book)) {
    const font = fontOf(piece.face, bold);
    const scale = size / font.unitsPerEm;
    const { glyphs, positions } = font.layout(piece.text);
    glyphs.forEach(({ path }, i) => {
      const { xAdvance, xOffset, yOffset } = positions[i]!;
      const d = path.toSVG();
      const x = width + xOffset * scale;
      if (d !== '')
        paths.push(
          `<path transform="translate(${x.toFixed(2)} ${(-yOffset * scale).toFixed(2)}) ` +
            `scale(${scale.toFixed(5)} ${(-scale).toFixed(5)})" d="${d}"/>`,
        );
      width += xAdvance * scale;
    });
  }
  const anchor = attribute(head, 'text-anchor');
  const shift = anchor === 'end' ? width : anchor === 'middle' ? width / 2 : 0;
  const x = Number(attribute(head, 'x') ?? 0) - shift;
  const y = Number(attribute(head, 'y') ?? 0);
  return (
    `<g fill="${attribute(head, 'fill') ?? '#000'}" transform="translate(${x.toFixed(2)} ${y})">` +
    `${paths.join('')}</g>`
  );
}

/** A picture of ours in which words are outlines: all of them, or those that `isPlain` denies. */
export const outlinedSvg = (
  svg: string,
  book: FaceBook,
  fontOf: FontOf,
  isPlain: (text: string) => boolean = () => false,
): string =>
  svg.replace(/(<text [^>]*>)([^<]*)<\/text>/g, (whole, head: string, escaped: string) => {
    const text = escaped.replace(/&#(\d+);/g, (_, code: string) =>
      String.fromCharCode(Number(code)),
    );
    return isPlain(text) ? whole : outlined(head, text, book, fontOf);
  });
