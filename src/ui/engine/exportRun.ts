import {
  isSampleFormat,
  type ReportFormat,
  reportFormats,
  reportForms,
  type ReportLength,
  type SampleFormat,
  sampleForms,
} from '../../core/history/exportForms.ts';
import type { Reader } from '../../wire/contract.ts';
import type { DesktopApi } from '../../wire/desktop.ts';

/** A report by its format alone is the full one. */
type SummaryKind = `summary-${ReportFormat}`;
export type ExportKind = SampleFormat | ReportFormat | SummaryKind | 'bundle' | 'redacted';

/** The form of a report that leaves, and how much of it. */
function reportOf(kind: ReportFormat | SummaryKind): {
  format: ReportFormat;
  length: ReportLength;
} {
  const format = reportFormats.find((one) => kind === `summary-${one}`);
  return format === undefined
    ? { format: kind as ReportFormat, length: 'full' }
    : { format, length: 'summary' };
}

/** An export by its name in menus. */
export function exportWords(kind: ExportKind): string {
  if (kind === 'bundle') return 'Bundle';
  if (kind === 'redacted') return 'Redacted bundle';
  if (isSampleFormat(kind)) return sampleForms[kind].label;
  const { format, length } = reportOf(kind);
  return `${length === 'summary' ? 'Summary' : 'Report'}, ${reportForms[format].label}`;
}
/** `done` of `total`, counted in `unit`. */
export interface ExportProgress {
  done: number;
  total: number;
  unit: (typeof sampleForms)[SampleFormat]['unit'] | 'bytes';
}
/** What a person decided about the doubts of what leaves redacted. */
export interface Confirmed {
  keep: readonly string[];
  confirmed: readonly string[];
}
export const nothingConfirmed: Confirmed = { keep: [], confirmed: [] };
type Page = ExportProgress & { fileName: string; bytes: Uint8Array; cursor: string | null };

/** Next page of an export; the whole of a report is one page. */
async function nextPage(
  client: Reader,
  id: string,
  kind: ExportKind,
  cursor: string | null,
  signal: AbortSignal,
  { keep, confirmed }: Confirmed,
  redact: boolean,
): Promise<Page> {
  const leaving = redact ? { redact, keep: [...keep], confirmed: [...confirmed] } : {};
  if (kind === 'bundle' || kind === 'redacted')
    return {
      ...(await client.call(
        'bundle.export',
        {
          id,
          redact,
          cursor,
          // The file is made by the first page.
          ...(cursor === null ? leaving : {}),
        },
        signal,
      )),
      unit: 'bytes',
    };
  if (isSampleFormat(kind))
    return {
      ...(await client.call('run.export', { id, format: kind, cursor, ...leaving }, signal)),
      unit: sampleForms[kind].unit,
    };
  const { fileName, bytes } = await client.call(
    'report.run',
    { id, ...reportOf(kind), ...leaving },
    signal,
  );
  return { fileName, bytes, cursor: null, done: bytes.length, total: bytes.length, unit: 'bytes' };
}

/**
 * Writes an export page by page, so that memory stays flat whatever the run's length. Returns the
 * name of the file, null when the user cancelled the save dialog. Rejects with `aborted` when the
 * signal fires.
 */
export async function exportRun(
  client: Reader,
  desktop: DesktopApi,
  id: string,
  kind: ExportKind,
  onProgress: (progress: ExportProgress) => void,
  signal: AbortSignal,
  decided: Confirmed = nothingConfirmed,
  redact = kind === 'redacted',
): Promise<string | null> {
  return writePages(
    desktop,
    (cursor) => nextPage(client, id, kind, cursor, signal, decided, redact),
    onProgress,
    signal,
  );
}

/** The same for a story with its runs, in one file. */
export const exportStory = (
  client: Reader,
  desktop: DesktopApi,
  id: string,
  { redact, keep, confirmed }: Confirmed & { redact: boolean },
  onProgress: (progress: ExportProgress) => void,
  signal: AbortSignal,
): Promise<string | null> =>
  writePages(
    desktop,
    async (cursor) => ({
      ...(await client.call(
        'story.export',
        { id, redact, cursor, keep: [...keep], confirmed: [...confirmed] },
        signal,
      )),
      unit: 'bytes',
    }),
    onProgress,
    signal,
  );

async function writePages(
  desktop: DesktopApi,
  next: (cursor: string | null) => Promise<Page>,
  onProgress: (progress: ExportProgress) => void,
  signal: AbortSignal,
): Promise<string | null> {
  const first = await next(null);
  async function* pages(): AsyncGenerator<Uint8Array> {
    for (let page = first; ; page = await next(page.cursor)) {
      onProgress(page);
      yield page.bytes;
      if (page.cursor === null) return;
      signal.throwIfAborted();
    }
  }
  return desktop.saveFile(first.fileName, pages());
}
