import { createHash } from 'node:crypto';
import { join } from 'node:path';

import type { ReportFormat } from '../../../src/core/history/exportForms.ts';
import { reportHtml } from '../../../src/core/report/html.ts';
import { reportMarkdown } from '../../../src/core/report/markdown.ts';
import type { Report } from '../../../src/core/report/model.ts';

/** Where the packages of the fonts lie, beside the application's resources. */
export const fontsDirOf = (resourcesDir: string): string =>
  join(resourcesDir, '..', 'node_modules', '@fontsource-variable');

const sha256Base64 = (text: string): string => createHash('sha256').update(text).digest('base64');

interface ReportWriter {
  /** Told while it writes. */
  step: string;
  /** `fontsDir` holds the packages of the fonts. */
  write: (report: Report, fontsDir: string) => string | Promise<string | Uint8Array>;
}
/** A report as a page that needs nothing beside it, its fonts included. */
export async function writeHtml(report: Report, fontsDir: string): Promise<string> {
  const { htmlFaces } = await import('./fonts/htmlFaces.ts');
  return reportHtml(report, sha256Base64, await htmlFaces(fontsDir, report));
}

/**
 * What writes each form of `exportForms.ts`. What they need of fonts, pages and slides is loaded by
 * the first report: no start pays for it.
 */
export const writers: Readonly<Record<ReportFormat, ReportWriter>> = {
  html: { step: 'The file is written', write: writeHtml },
  pdf: {
    step: 'Pages are set',
    write: async (report, fontsDir) => (await import('./pdf.ts')).reportPdf(report, fontsDir),
  },
  pptx: {
    step: 'Slides are made',
    write: async (report, fontsDir) => (await import('./pptx.ts')).reportPptx(report, fontsDir),
  },
  markdown: { step: 'The file is written', write: reportMarkdown },
};
