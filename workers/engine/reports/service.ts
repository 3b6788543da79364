import { createHash } from 'node:crypto';

import type { Emit, Handlers, ParsedInput } from '../../../src/shared/contract.ts';
import { fail } from '../../../src/shared/errors.ts';
import { createRedactor, type Redactor } from '../../../src/shared/redact.ts';
import { reportHtml } from '../../../src/shared/report/html.ts';
import { reportMarkdown } from '../../../src/shared/report/markdown.ts';
import type { Report } from '../../../src/shared/report/model.ts';
import { redactReport, reportWords } from '../../../src/shared/report/redactReport.ts';
import { reportPoints, runReport } from '../../../src/shared/report/runReport.ts';
import type { RunRecord } from '../../../src/shared/run.ts';
import type { SampleStore } from '../db/types.ts';
import { safeName } from '../exports/fileName.ts';
import { type CompareReportPeers, makeCompareReport, type Step } from './compare.ts';
import { reportPdf } from './pdf.ts';
import { makeStudiesReport, makeStudyReport, type StudyReportPeers } from './study.ts';

const suffixes = { html: 'html', pdf: 'pdf', markdown: 'md' } as const;
/** How long the engine works without looking up. */
const sliceMs = 12;
export const sha256Base64 = (text: string): string =>
  createHash('sha256').update(text).digest('base64');

/** The report of a stored run; samples decimated to what a picture can show. */
export function reportOf(
  record: RunRecord,
  samples: Pick<SampleStore, 'read'>,
  runId = record.overview.id,
): Report {
  return runReport(
    record,
    (seriesId) =>
      samples.read(runId, [seriesId], { maxPoints: reportPoints })[0] ?? {
        tMs: new Float64Array(),
        value: new Float64Array(),
      },
  );
}

type Options = Pick<ParsedInput<'report.run'>, 'format' | 'redact' | 'progressKey'>;
interface Made {
  report: Report;
  /** null = not asked for. */ redactor: Redactor | null;
}
type Methods = Pick<Handlers, 'report.run' | 'report.compare' | 'report.study' | 'report.studies'>;

export interface ReportPeers extends CompareReportPeers, StudyReportPeers {
  stored: (id: string) => RunRecord;
  emit: Emit;
}

/** Reports in every format, from stored runs and studies alone. */
export function reportMethods(peers: ReportPeers): Methods {
  const { stored, samples, emit } = peers;
  const write = async (
    options: Options,
    signal: AbortSignal,
    make: (step: Step) => Promise<Made>,
  ): Promise<{ fileName: string; bytes: Uint8Array }> => {
    const tell = (step: string, done: number, total: number): void => {
      if (options.progressKey !== undefined)
        emit('report.progress', { key: options.progressKey, step, done, total });
    };
    const breathe = breather(signal);
    let last = '';
    const made = await make(async (words, done, total) => {
      const now = `${words} ${done}`;
      if (now !== last) tell(words, done, total);
      last = now;
      await breathe();
    });
    const report = made.redactor === null ? made.report : redactReport(made.report, made.redactor);
    tell(`${options.format === 'pdf' ? 'Pages are set' : 'The file is written'}`, 1, 1);
    await breathe();
    const bytes =
      options.format === 'pdf'
        ? await reportPdf(report)
        : new TextEncoder().encode(
            options.format === 'html' ? reportHtml(report, sha256Base64) : reportMarkdown(report),
          );
    if (signal.aborted) throw fail('aborted', 'The report was given up.');
    return { fileName: fileNameOf(report, suffixes[options.format]), bytes };
  };
  const redactorFor = (redact: boolean, records: readonly RunRecord[]): Redactor | null =>
    redact ? createRedactor(records, { keep: reportWords }) : null;
  return {
    'report.run': ({ id, ...options }, signal) =>
      write(options, signal, async () => {
        const record = stored(id);
        return {
          report: reportOf(record, samples),
          redactor: redactorFor(options.redact, [record]),
        };
      }),
    'report.compare': ({ baselineId, ids, ...options }, signal) =>
      write(options, signal, async (step) => {
        const { report, runs } = await makeCompareReport(peers, baselineId, ids, step, signal);
        return {
          report,
          redactor: redactorFor(
            options.redact,
            runs.map((r) => r.record),
          ),
        };
      }),
    'report.study': ({ id, ...options }, signal) =>
      write(options, signal, (step) => makeStudyReport(peers, id, options.redact, step, signal)),
    'report.studies': ({ ids, baseline, ...options }, signal) =>
      write(options, signal, (step) =>
        makeStudiesReport(peers, { ids, baseline }, options.redact, step, signal),
      ),
  };
}

/** What is not measured on the real lab says so in its name. */
const fileNameOf = ({ title, marks }: Report, suffix: string): string =>
  `${safeName(title.replace(/^Run /, ''))}${marks
    .filter((m) => m.word !== 'NOT COMPLIANT')
    .map((m) => `-${m.word}`)
    .join('')}.${suffix}`;

/** Gives way to other work once a slice is used up; throws `aborted` when nobody waits any more. */
function breather(signal: AbortSignal): () => Promise<void> {
  let sliceEnd = performance.now() + sliceMs;
  return async () => {
    if (performance.now() >= sliceEnd) {
      await new Promise<void>((resolve) => {
        setImmediate(resolve);
      });
      sliceEnd = performance.now() + sliceMs;
    }
    if (signal.aborted) throw fail('aborted', 'The report was given up.');
  };
}
