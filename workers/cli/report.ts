import { extname } from 'node:path';

import { fail } from '../../src/core/base/errors.ts';
import {
  type ReportFormat,
  reportFormatOfSuffix,
  reportFormats,
  reportForms,
  type ReportLength,
} from '../../src/core/history/exportForms.ts';
import type { Client } from '../../src/wire/contract.ts';
import type { ReportSubject } from '../../src/wire/contract/leaving.ts';
import type { Terminal } from './output.ts';
import { decide, nothingDecided } from './redaction.ts';
import { writeWhole } from './wholeFile.ts';

export interface ReportOptions {
  /** File to write, its ending is the format. */ path: string;
  length: ReportLength;
  redact: boolean;
  confirm?: boolean;
  keep?: string[];
  json: boolean;
}
const subjectOf = (what: What): ReportSubject =>
  what.kind === 'runs'
    ? { ...what, kind: 'compare' }
    : what.kind === 'study'
      ? what
      : {
          kind: 'studies',
          ids: what.ids,
          ...(what.baseline === undefined ? {} : { baseline: what.baseline }),
        };
type What =
  | { kind: 'runs'; baselineId: string; ids: string[]; referenceId?: string }
  | { kind: 'study'; id: string }
  | { kind: 'studies'; ids: string[]; baseline: string | undefined };

const suffixes = reportFormats.map((format) => `.${reportForms[format].suffix}`);
/** `.html, .pdf or .md`. */
export const endings = `${suffixes.slice(0, -1).join(', ')} or ${suffixes.at(-1)}`;

/** The format that a file's ending asks for. Throws invalidInput for any other. */
export function reportFormatOf(path: string): ReportFormat {
  const format = reportFormatOfSuffix(extname(path).slice(1));
  if (format === null)
    throw fail(
      'invalidInput',
      `${path}: the ending of a report is ${endings}.`,
      'Give the file such an ending.',
    );
  return format;
}

/**
 * Writes a report of runs or studies. The file appears under its name when it is whole; where the
 * report fails there is none.
 */
export async function writeReport(
  client: Client,
  what: What,
  { path, length, redact, json, ...words }: ReportOptions,
  terminal: Terminal,
): Promise<void> {
  const format = reportFormatOf(path);
  const decided = redact
    ? decide(
        await client.call('report.preview', { of: subjectOf(what), keep: words.keep ?? [] }),
        words,
        terminal,
      )
    : nothingDecided;
  const options = { format, length, redact, ...decided };
  const { bytes } =
    what.kind === 'runs'
      ? await client.call('report.compare', {
          baselineId: what.baselineId,
          ids: what.ids,
          ...(what.referenceId === undefined ? {} : { referenceId: what.referenceId }),
          ...options,
        })
      : what.kind === 'study'
        ? await client.call('report.study', { id: what.id, ...options })
        : await client.call('report.studies', {
            ids: what.ids,
            ...(what.baseline === undefined ? {} : { baseline: what.baseline }),
            ...options,
          });
  async function* whole(): AsyncGenerator<Uint8Array> {
    yield bytes;
  }
  await writeWhole(path, whole());
  terminal.err(`Wrote ${path}.`);
  if (json) terminal.out(JSON.stringify({ report: path, bytes: bytes.length }));
}
