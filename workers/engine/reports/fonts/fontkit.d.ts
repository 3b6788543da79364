/** What is used of the package, which has no types of its own. */
declare module 'fontkit' {
  export interface Font {
    unitsPerEm: number;
    hasGlyphForCodePoint: (code: number) => boolean;
    /** Glyphs from left to right, and how far each leads, in units of the font. */
    layout: (text: string) => {
      glyphs: readonly { path: { toSVG: () => string } }[];
      positions: readonly { xAdvance: number; xOffset: number; yOffset: number }[];
    };
  }
  export function create(font: Uint8Array): Font;
}
