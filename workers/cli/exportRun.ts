import { fail } from '../../src/core/base/errors.ts';
import {
  isReportFormat,
  type ReportFormat,
  reportFormats,
  type ReportLength,
  type SampleFormat,
  sampleFormats,
  sampleForms,
} from '../../src/core/history/exportForms.ts';
import type { Client } from '../../src/wire/contract.ts';
import type { RedactionPreview } from '../../src/wire/contract/leaving.ts';
import { errorCode } from '../errorCode.ts';
import type { Terminal } from './output.ts';
import { decide, type Decided, nothingDecided } from './redaction.ts';
import type { Interrupts } from './run.ts';
import { writeWhole } from './wholeFile.ts';

const bundles = ['bundle', 'redacted-bundle'] as const;
export type CliFormat = SampleFormat | ReportFormat | (typeof bundles)[number];
export const cliFormats: readonly CliFormat[] = [...sampleFormats, ...reportFormats, ...bundles];
interface Page {
  fileName: string;
  bytes: Uint8Array;
  cursor: string | null;
  progress: { done: number; total: number; unit: string } | null;
}

async function nextPage(
  client: Client,
  id: string,
  { format, length = 'full', redact = false }: Pick<ExportOptions, 'format' | 'length' | 'redact'>,
  { keep, confirmed }: Decided,
  cursor: string | null,
  signal: AbortSignal,
): Promise<Page> {
  if (format === 'bundle' || format === 'redacted-bundle') {
    const { done, total, ...page } = await client.call(
      'bundle.export',
      { id, redact: format === 'redacted-bundle', cursor, keep, confirmed },
      signal,
    );
    return { ...page, progress: { done, total, unit: 'bytes' } };
  }
  if (isReportFormat(format))
    return {
      ...(await client.call('report.run', { id, format, length, redact, keep, confirmed }, signal)),
      cursor: null,
      progress: null,
    };
  const { done, total, ...page } = await client.call(
    'run.export',
    { id, format, cursor, redact, keep, confirmed },
    signal,
  );
  return { ...page, progress: { done, total, unit: sampleForms[format].unit } };
}

const previewOf = (
  client: Client,
  id: string,
  { format, keep = [] }: ExportOptions,
  signal: AbortSignal,
): Promise<RedactionPreview> =>
  isReportFormat(format)
    ? client.call('report.preview', { of: { kind: 'run', id }, keep }, signal)
    : client.call('bundle.preview', { id, redact: true, keep }, signal);

export interface ExportOptions {
  format: CliFormat;
  /** Of a report; absent = the full one. */ length?: ReportLength;
  /** File to write, `-` for stdout; absent: the name of the run in this folder. */ output?:
    string | undefined;
  json?: boolean;
  /** Names and addresses by pseudonyms. */ redact?: boolean;
  /** The words that may name somebody were looked at, and may leave as printed. */ confirm?: boolean;
  /** Words that name nobody and leave as they are. */ keep?: string[];
}

/**
 * Writes an export to a file or stdout, page by page, each tenth told on stderr. The file has its
 * name only when it is whole: an interrupt, a full disk or a killed process leaves none. Throws
 * `aborted` after an interrupt.
 */
export async function exportRun(
  client: Client,
  id: string,
  options: ExportOptions,
  terminal: Terminal,
  interrupts: Interrupts,
): Promise<void> {
  const { format, output, json = false } = options;
  const stop = new AbortController();
  const quiet = interrupts.on(() =>
    stop.abort(
      fail(
        'aborted',
        'The export was interrupted.',
        output === '-' ? undefined : 'No file was kept.',
      ),
    ),
  );
  try {
    const redacts = options.redact === true || format === 'redacted-bundle';
    const decided = redacts
      ? decide(await previewOf(client, id, options, stop.signal), options, terminal)
      : nothingDecided;
    const first = await nextPage(client, id, options, decided, null, stop.signal);
    async function* pieces(): AsyncGenerator<Uint8Array> {
      let tenths = 0;
      for (
        let page = first;
        ;
        page = await nextPage(client, id, options, decided, page.cursor, stop.signal)
      ) {
        stop.signal.throwIfAborted();
        yield page.bytes;
        if (page.cursor === null) return;
        const { progress } = page;
        if (progress !== null && Math.floor((progress.done / progress.total) * 10) > tenths) {
          tenths = Math.floor((progress.done / progress.total) * 10);
          terminal.err(`${tenths}0 %: ${progress.done} of ${progress.total} ${progress.unit}`);
        }
        // An interrupt is heard between two pages, however fast they come.
        await new Promise((turn) => {
          setImmediate(turn);
        });
      }
    }
    if (output === '-') {
      await toStdout(pieces());
      return;
    }
    const path = output ?? first.fileName;
    const bytes = await writeWhole(path, pieces());
    if (json) terminal.out(JSON.stringify({ path, format, bytes }));
    terminal.err(`Wrote ${path}.`);
  } catch (thrown) {
    throw stop.signal.aborted ? stop.signal.reason : thrown;
  } finally {
    quiet();
  }
}

/**
 * Waits for a slow reader instead of holding the rest in memory; ends in silence when the reader
 * has enough (`… | head`).
 */
async function toStdout(pieces: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const piece of pieces) {
    const code = await new Promise<string | null>((done) => {
      process.stdout.write(piece, (thrown) =>
        done(thrown ? (errorCode(thrown) ?? String(thrown)) : null),
      );
    });
    if (code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED') return;
    if (code !== null)
      throw fail(
        'internal',
        `The export was not written whole: stdout cannot be written (${code}).`,
      );
  }
}
