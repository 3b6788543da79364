import { constants, inflateSync } from 'node:zlib';

interface PdfObject {
  head: string;
  stream: string;
}
/** Objects of a PDF as pdfkit writes it: none is inside another, streams are deflated. */
function objectsOf(bytes: Uint8Array): Map<string, PdfObject> {
  const raw = Buffer.from(bytes).toString('latin1');
  const objects = new Map<string, PdfObject>();
  for (const [, id, body] of raw.matchAll(/\n(\d+) 0 obj\s([\s\S]*?)\nendobj/g)) {
    const [head = '', stream] = body!.split(/stream\r?\n([\s\S]*?)\r?\nendstream/);
    const packed = Buffer.from(stream ?? '', 'latin1');
    objects.set(id!, {
      head,
      stream: /FlateDecode/.test(head)
        ? // A stream whose last byte is a line's end is cut by it.
          inflateSync(packed, { finishFlush: constants.Z_SYNC_FLUSH }).toString('latin1')
        : packed.toString('latin1'),
    });
  }
  return objects;
}

/** What each glyph of a font stands for, by its ToUnicode map. */
function glyphsOf(map: string): Map<number, string> {
  const glyphs = new Map<number, string>();
  for (const [, from, , list] of map.matchAll(/<([0-9a-f]+)> <([0-9a-f]+)> \[([^\]]*)\]/gi))
    [...list!.matchAll(/<([0-9a-f ]*)>/gi)].forEach(([, codes], i) => {
      const units = (codes!.replaceAll(' ', '').match(/.{4}/g) ?? []).map((unit) =>
        parseInt(unit, 16),
      );
      glyphs.set(parseInt(from!, 16) + i, String.fromCharCode(...units));
    });
  return glyphs;
}

/**
 * The text of a PDF's pages, as somebody who searches in it finds it: pieces of a line joined
 * without and with a blank.
 */
export function pdfText(bytes: Uint8Array): string {
  const objects = objectsOf(bytes);
  const fonts = new Map<string, Map<number, string>>();
  for (const { head } of objects.values())
    for (const [, name, id] of head.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
      const [, map] = /\/ToUnicode (\d+) 0 R/.exec(objects.get(id!)?.head ?? '') ?? [];
      fonts.set(name!, glyphsOf(objects.get(map ?? '')?.stream ?? ''));
    }
  const pieces: string[] = [];
  for (const { stream } of objects.values()) {
    let glyphs: Map<number, string> | undefined;
    for (const [, font, array, single] of stream.matchAll(
      /\/(F\d+) [\d.]+ Tf|\[([^\]]*)\] TJ|<([0-9a-f]+)> Tj/gi,
    )) {
      if (font !== undefined) {
        glyphs = fonts.get(font);
        continue;
      }
      const codes = (
        single ?? [...array!.matchAll(/<([0-9a-f]+)>/gi)].map((m) => m[1]).join('')
      ).match(/.{4}/g);
      pieces.push((codes ?? []).map((code) => glyphs?.get(parseInt(code, 16)) ?? '?').join(''));
    }
  }
  // Long words may break at blanks of no width.
  return `${pieces.join('')}\n${pieces.join(' ')}`.replaceAll('\u200b', '');
}
