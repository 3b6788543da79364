import { createHash } from 'node:crypto';

import type { ReportFormat } from '../../../src/core/history/exportForms.ts';
import { reportHtml } from '../../../src/core/report/html.ts';
import { reportMarkdown } from '../../../src/core/report/markdown.ts';
import type { Report } from '../../../src/core/report/model.ts';
import { htmlFaces } from './fonts/htmlFaces.ts';
import { reportPdf } from './pdf.ts';
import { reportPptx } from './pptx.ts';

export const sha256Base64 = (text: string): string =>
  createHash('sha256').update(text).digest('base64');

interface ReportWriter {
  /** Told while it writes. */
  step: string;
  /** `fontsDir` holds the packages of the fonts. */
  write: (report: Report, fontsDir: string) => string | Promise<string | Uint8Array>;
}
/** What writes each form of `exportForms.ts`. */
export const writers: Readonly<Record<ReportFormat, ReportWriter>> = {
  html: {
    step: 'The file is written',
    write: async (report, fontsDir) =>
      reportHtml(report, sha256Base64, await htmlFaces(fontsDir, report)),
  },
  pdf: { step: 'Pages are set', write: reportPdf },
  pptx: { step: 'Slides are made', write: reportPptx },
  markdown: { step: 'The file is written', write: reportMarkdown },
};
