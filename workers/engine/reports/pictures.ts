import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import type * as Resvg from '@resvg/resvg-wasm';
import { create, type Font } from 'fontkit';

import type { Report } from '../../../src/core/report/model.ts';
import { charsOf } from './fonts/charsOf.ts';
import { charsByFace, cutFace, openFaces } from './fonts/faces.ts';
import { outlinedSvg } from './fonts/outlines.ts';

let ready: Promise<typeof Resvg> | null = null;

/** Loaded with the first picture, and once: 2.5 MB of WebAssembly. */
function rasteriser(fontsDir: string): Promise<typeof Resvg> {
  ready ??= (async () => {
    const resvg = await import('@resvg/resvg-wasm');
    const wasm = join(fontsDir, '..', '@resvg', 'resvg-wasm', 'index_bg.wasm');
    await resvg.initWasm(await readFile(wasm));
    return resvg;
  })();
  return ready;
}

/** Draws SVG of a report as PNG, `width` pixels wide; its words are outlines of our own fonts. */
export type DrawPng = (svg: string, width: number) => Uint8Array;

/** What draws the pictures of a report, with the fonts that it needs. */
export async function pngsOf(report: Report, fontsDir: string): Promise<DrawPng> {
  const { Resvg: Drawing } = await rasteriser(fontsDir);
  const chars = charsOf(report);
  const book = openFaces(fontsDir, [...chars].join(''));
  const fonts = new Map<string, Font>();
  for (const [face, own] of charsByFace(book, chars))
    for (const weight of [400, 600])
      fonts.set(`${face.name} ${weight}`, create(await cutFace(face, own, weight)));
  return (svg, width) => {
    const picture = new Drawing(
      outlinedSvg(svg, book, (face, bold) => fonts.get(`${face} ${bold ? 600 : 400}`)!),
      { fitTo: { mode: 'width', value: width } },
    );
    const drawn = picture.render();
    const bytes = Uint8Array.from(drawn.asPng());
    drawn.free();
    picture.free();
    return bytes;
  };
}
