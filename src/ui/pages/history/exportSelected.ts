import { toAppError } from '../../../core/base/errors.ts';
import { isReportFormat } from '../../../core/history/exportForms.ts';
import type { HistoryEntry } from '../../../core/history/history.ts';
import type { Doubt } from '../../../core/redact/redactor.ts';
import type { Reader } from '../../../wire/contract.ts';
import type { DesktopApi } from '../../../wire/desktop.ts';
import {
  type Confirmed,
  type ExportKind,
  type ExportProgress,
  exportRun,
  nothingConfirmed,
} from '../../engine/exportRun.ts';
import { stateOf } from './entryWords.ts';

export type ExportChoice = 'list' | Extract<ExportKind, 'bundle' | 'csv' | 'csv-wide' | 'html'>;
export const exportChoices: readonly { choice: ExportChoice; label: string; runsOnly: boolean }[] =
  [
    { choice: 'list', label: 'These rows as CSV', runsOnly: false },
    { choice: 'bundle', label: 'A bundle a run', runsOnly: true },
    { choice: 'csv', label: 'CSV a run, every sample', runsOnly: true },
    { choice: 'csv-wide', label: 'CSV a run, a row a second', runsOnly: true },
    { choice: 'html', label: 'A report a run, HTML', runsOnly: true },
  ];

/**
 * One CSV cell by RFC 4180; a text that a spreadsheet would take for a formula begins with an
 * apostrophe.
 */
const cell = (value: string | number | boolean | null): string => {
  if (value === null) return '';
  if (typeof value !== 'string') return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};
const at = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

/** Rows of the history as CSV, in the order given. Times in UTC, missing figures empty. */
export function listCsv(entries: readonly HistoryEntry[]): string {
  const head = [
    'kind',
    'id',
    'name',
    'state',
    'origin',
    'score',
    'compliant',
    'tiles',
    'started',
    'duration_s',
    'mean_power_w',
    'profile',
    'testbed',
    'study',
    'tags',
    'folder',
    'favourite',
    'findings',
    'hosts',
    'samples',
    'storage_bytes',
  ];
  const rows = entries.map((e) => [
    e.kind,
    e.id,
    e.name,
    stateOf(e),
    e.origin,
    ...(e.kind === 'run' ? [e.score, e.compliant, e.tiles] : [null, null, null]),
    at(e.startedAtMs),
    ...(e.kind === 'run'
      ? [e.durationS, e.meanPowerW, e.profileName, e.testbedName, e.study?.id ?? null]
      : [null, null, null, null, null]),
    e.tags.join('; '),
    e.folder,
    e.favourite,
    e.findings,
    e.hosts.join('; '),
    e.kind === 'run' ? e.sampleCount : null,
    e.storageBytes,
  ]);
  return [head, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

export interface ManyProgress {
  at: number;
  of: number;
  name: string;
  progress: ExportProgress | null;
}

/** How an export of many ended. */
export interface ManyWritten {
  /** Files. */ written: number;
  of: number;
  failed: { name: string; reason: string }[];
  /** Cancelled, or a dialog was. */ stopped: boolean;
}

/**
 * Words that a person must look at before any of it leaves redacted, of all that is asked for
 * together.
 */
export async function doubtsOf(
  client: Reader,
  entries: readonly HistoryEntry[],
  choice: ExportChoice,
  signal: AbortSignal,
): Promise<Doubt[]> {
  if (choice === 'list') {
    const { redactEntries } = await import('./redactEntries.ts');
    return redactEntries(entries).doubts;
  }
  const all = new Map<string, Doubt>();
  for (const { id } of entries.filter((one) => one.kind === 'run')) {
    const { doubts } = isReportFormat(choice)
      ? await client.call('report.preview', { of: { kind: 'run', id } }, signal)
      : await client.call('bundle.preview', { id, redact: true }, signal);
    for (const one of doubts) {
      const key = `${one.why} ${one.text.toLowerCase()}`;
      const before = all.get(key);
      // Each run has its own pseudonyms: where two differ, none is the right one to show.
      all.set(key, {
        ...one,
        count: one.count + (before?.count ?? 0),
        to: before !== undefined && before.to !== one.to ? 'a pseudonym of each run' : one.to,
      });
    }
  }
  return [...all.values()];
}

/**
 * Writes one file a run, one after the other, or the rows as one file. Ends at a dialog that is
 * cancelled. With `redacted` names and addresses are replaced, as was decided about the doubts.
 * Returns how many files were written and what failed, by name; `aborted` of the signal ends it
 * without failing.
 */
export async function exportSelected(
  { client, desktop }: { client: Reader; desktop: DesktopApi },
  entries: readonly HistoryEntry[],
  choice: ExportChoice,
  redacted: Confirmed | null,
  onProgress: (progress: ManyProgress) => void,
  signal: AbortSignal,
): Promise<ManyWritten> {
  if (choice === 'list') {
    const rows =
      redacted === null
        ? entries
        : (await import('./redactEntries.ts')).redactEntries(entries, redacted.keep).entries;
    async function* text(): AsyncGenerator<string> {
      yield listCsv(rows);
    }
    const file = await desktop.saveFile('history.csv', text());
    return { written: file === null ? 0 : 1, of: 1, failed: [], stopped: file === null };
  }
  const runs = entries.filter((one) => one.kind === 'run');
  const failed: { name: string; reason: string }[] = [];
  let written = 0;
  for (const [index, run] of runs.entries()) {
    try {
      onProgress({ at: index + 1, of: runs.length, name: run.name, progress: null });
      const file = await exportRun(
        client,
        desktop,
        run.id,
        choice,
        (progress) => onProgress({ at: index + 1, of: runs.length, name: run.name, progress }),
        signal,
        redacted ?? nothingConfirmed,
        redacted !== null,
      );
      if (file === null) return { written, of: runs.length, failed, stopped: true };
      written += 1;
    } catch (thrown) {
      const error = toAppError(thrown);
      if (error.kind === 'aborted') return { written, of: runs.length, failed, stopped: true };
      failed.push({ name: run.name, reason: error.message });
    }
  }
  return { written, of: runs.length, failed, stopped: false };
}
