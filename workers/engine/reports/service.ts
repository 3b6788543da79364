import { fail } from '../../../src/core/base/errors.ts';
import { reportForms, type ReportLength } from '../../../src/core/history/exportForms.ts';
import { demandConfirmed, type Redactor } from '../../../src/core/redact/redactor.ts';
import { runRedactor } from '../../../src/core/redact/runRedactor.ts';
import type { Report } from '../../../src/core/report/model.ts';
import { redactReport } from '../../../src/core/report/redactReport.ts';
import type { RunAgainst } from '../../../src/core/report/runFront.ts';
import { runReport } from '../../../src/core/report/runReport.ts';
import { type RunRecord, runRecord } from '../../../src/core/run/run.ts';
import type { Emit, Handlers, ParsedInput } from '../../../src/wire/contract.ts';
import type { ReportSubject } from '../../../src/wire/contract/leaving.ts';
import type { SampleStore } from '../db/types.ts';
import { safeName } from '../exports/fileName.ts';
import { previewOf } from '../redaction/runs.ts';
import { type AgainstPeers, runAgainst } from './against.ts';
import { type CompareReportPeers, makeCompareReport, type Step } from './compare.ts';
import { reportSamples } from './samples.ts';
import { makeStudiesReport, makeStudyReport, type StudyReportPeers } from './study.ts';
import { writers } from './writers.ts';

/** How long the engine works without looking up. */
const sliceMs = 12;

/** The report of a stored run; samples decimated to what a picture can show. */
export function reportOf(
  record: RunRecord,
  samples: Pick<SampleStore, 'read' | 'aggregate'>,
  runId = record.overview.id,
  against?: RunAgainst | null,
): Report {
  const { read, aggregate } = reportSamples(samples, runId);
  return runReport(record, read, { aggregate, ...(against === undefined ? {} : { against }) });
}

type Options = Pick<ParsedInput<'report.run'>, 'format' | 'length' | 'progressKey' | 'confirmed'>;
/** `keep`: words that may leave as they are. */
interface Asked {
  redact: boolean;
  keep: readonly string[];
}
interface Made {
  report: Report;
  /** null = not asked for. */ redactor: Redactor | null;
}
type Methods = Pick<
  Handlers,
  'report.run' | 'report.compare' | 'report.study' | 'report.studies' | 'report.preview'
>;

export interface ReportPeers extends CompareReportPeers, StudyReportPeers, AgainstPeers {
  /** Folder of the packages of the fonts. */
  fontsDir: string;
  emit: Emit;
}

/** Reports in every format, from stored runs and studies alone. */
export function reportMethods(peers: ReportPeers): Methods {
  const { stored, samples, emit } = peers;
  const make = async (
    of: ReportSubject,
    { redact, keep }: Asked,
    step: Step,
    signal: AbortSignal,
  ): Promise<Made> => {
    switch (of.kind) {
      case 'run': {
        const record = stored(of.id);
        await step('The run is compared', 0, 1);
        const found = await runAgainst(peers, record, signal);
        const redactor = redact
          ? runRedactor([record, ...(found === null ? [] : [found.record])], keep)
          : null;
        const leaving = redactor?.value(runRecord, record) ?? record;
        return { report: reportOf(leaving, samples, of.id, found?.against ?? null), redactor };
      }
      case 'compare': {
        const { report, runs } = await makeCompareReport(peers, of, step, signal);
        return {
          report,
          redactor: redact
            ? runRedactor(
                runs.map((r) => r.record),
                keep,
              )
            : null,
        };
      }
      case 'study':
        return makeStudyReport(peers, of.id, redact ? keep : null, step, signal);
      case 'studies':
        return makeStudiesReport(peers, of, redact ? keep : null, step, signal);
    }
  };
  /**
   * Whatever the report was made from, no text of it leaves that did not go through the redactor.
   */
  const made = async (...args: Parameters<typeof make>): Promise<Made> => {
    const { report, redactor } = await make(...args);
    return { report: redactor === null ? report : redactReport(report, redactor), redactor };
  };
  const write = async (
    of: ReportSubject,
    asked: Asked,
    options: Options,
    signal: AbortSignal,
  ): Promise<{ fileName: string; bytes: Uint8Array }> => {
    const tell = (step: string, done: number, total: number): void => {
      if (options.progressKey !== undefined)
        emit('report.progress', { key: options.progressKey, step, done, total });
    };
    const breathe = breather(signal);
    let last = '';
    const step: Step = async (words, done, total) => {
      const now = `${words} ${done}`;
      if (now !== last) tell(words, done, total);
      last = now;
      await breathe();
    };
    const { report, redactor } = await made(of, asked, step, signal);
    if (redactor !== null) demandConfirmed(redactor, options.confirmed);
    const writer = writers[options.format];
    tell(writer.step, 1, 1);
    await breathe();
    const file = await writer.write(reportOfLength(report, options.length), peers.fontsDir);
    const bytes = typeof file === 'string' ? new TextEncoder().encode(file) : file;
    if (signal.aborted) throw fail('aborted', 'The report was given up.');
    return { fileName: fileNameOf(report, options), bytes };
  };
  return {
    'report.run': ({ id, redact, keep, ...options }, signal) =>
      write({ kind: 'run', id }, { redact, keep }, options, signal),
    'report.compare': ({ baselineId, ids, referenceId, redact, keep, ...options }, signal) =>
      write({ kind: 'compare', baselineId, ids, referenceId }, { redact, keep }, options, signal),
    'report.study': ({ id, redact, keep, ...options }, signal) =>
      write({ kind: 'study', id }, { redact, keep }, options, signal),
    'report.studies': ({ ids, baseline, redact, keep, ...options }, signal) =>
      write({ kind: 'studies', ids, baseline }, { redact, keep }, options, signal),
    'report.preview': async ({ of, keep }, signal) => {
      const breathe = breather(signal);
      const { redactor } = await made(of, { redact: true, keep }, breathe, signal);
      return previewOf(redactor);
    },
  };
}

/** The whole of a report, or what of it stands on the two pages that come first. */
const reportOfLength = (report: Report, length: ReportLength): Report =>
  length === 'full'
    ? report
    : { ...report, sections: report.sections.filter(({ part }) => part === 'summary') };

/**
 * What is not measured on the real lab says so in its name, and a summary that it is one: beside the
 * whole in one folder neither takes the place of the other.
 */
const fileNameOf = (
  { title, marks }: Report,
  { format, length }: Pick<Options, 'format' | 'length'>,
): string =>
  `${safeName(title.replace(/^Run /, ''))}${marks
    .filter((m) => m.word !== 'NOT COMPLIANT')
    .map((m) => `-${m.word}`)
    .join('')}${length === 'summary' ? '-summary' : ''}.${reportForms[format].suffix}`;

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
