import type { Report } from '../../../../src/core/report/model.ts';
import { charsOf } from './charsOf.ts';
import { charsByFace, cutFace, openFaces } from './faces.ts';

const rangeOf = (chars: string): string =>
  [...chars].map((char) => `U+${char.codePointAt(0)!.toString(16)}`).join(',');

/** The fonts of an HTML report as rules of its style, each with the letters it is used for. */
export async function htmlFaces(dir: string, report: Report): Promise<string> {
  const chars = charsOf(report);
  const used = charsByFace(openFaces(dir, [...chars].join('')), chars);
  const rules: string[] = [];
  for (const [face, own] of used) {
    const bytes = await cutFace(face, own, 'all');
    const data = Buffer.from(bytes).toString('base64');
    rules.push(
      `@font-face{font-family:Report;font-weight:400 700;unicode-range:${rangeOf(own)};` +
        `src:url(data:font/woff2;base64,${data}) format("woff2")}`,
    );
  }
  return rules.join('\n');
}
