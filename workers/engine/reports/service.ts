import { createHash } from 'node:crypto';
import type { Handlers } from '../../../src/shared/contract.ts';
import { reportHtml } from '../../../src/shared/report/html.ts';
import { reportMarkdown } from '../../../src/shared/report/markdown.ts';
import type { Report } from '../../../src/shared/report/model.ts';
import { reportPoints, runReport } from '../../../src/shared/report/runReport.ts';
import type { RunRecord } from '../../../src/shared/run.ts';
import type { SampleStore } from '../db/types.ts';
import { exportName } from '../exports/page.ts';
import { reportPdf } from './pdf.ts';

const suffixes = { html: 'html', pdf: 'pdf', markdown: 'md' } as const;
export const sha256Base64 = (text: string): string => createHash('sha256').update(text).digest('base64');

/** The report of a stored run; samples decimated to what a picture can show. */
export function reportOf(record: RunRecord, samples: Pick<SampleStore, 'read'>, runId = record.overview.id): Report {
  return runReport(record, (seriesId) => samples.read(runId, [seriesId], { maxPoints: reportPoints })[0] ?? { tMs: new Float64Array(), value: new Float64Array() });
}

export function reportMethods(options: { stored: (id: string) => RunRecord; samples: Pick<SampleStore, 'read'> }): Pick<Handlers, 'report.run'> {
  return {
    'report.run': async ({ id, format }) => {
      const record = options.stored(id);
      const report = reportOf(record, options.samples);
      return { fileName: exportName(record, suffixes[format]), bytes: format === 'pdf' ? await reportPdf(report) : new TextEncoder().encode(format === 'html' ? reportHtml(report, sha256Base64) : reportMarkdown(report)) };
    },
  };
}
