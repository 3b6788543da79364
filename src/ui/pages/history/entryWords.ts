import { counted } from '../../../core/base/counted.ts';
import type { HistoryEntry, HistoryField } from '../../../core/history/history.ts';
import { runStateWord } from '../../../core/run/runWords.ts';
import { studyStateWords } from '../../../core/study/stateWords.ts';

/** State of an entry in words. */
export const stateOf = (entry: HistoryEntry): string =>
  entry.kind === 'run' ? runStateWord(entry.state, entry.compliant) : studyStateWords[entry.state];
/** Where the page of an entry is. */
export const pathOf = (entry: Pick<HistoryEntry, 'kind' | 'id'>): string =>
  entry.kind === 'run' ? `/runs/${entry.id}` : `/studies/${entry.id}`;
export const kindWords: Readonly<Record<HistoryEntry['kind'], string>> = {
  run: 'Run',
  study: 'Study',
};
export const fieldWords: Readonly<Record<HistoryField, string>> = {
  name: 'Name',
  notes: 'Notes',
  tags: 'Tags',
  hosts: 'Host',
  findings: 'Finding',
  testbed: 'Testbed',
  profile: 'Profile',
  marks: 'Marks',
};

/** `12.4 MB` in steps of 1,000, as disks are sold. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1_000;
    unit += 1;
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toPrecision(3)} ${units[unit]!}`;
}

/** `3 runs`, `1 study`, `3 runs and 1 study`; nothing at all is `nothing`. */
export function countedKinds(items: readonly Pick<HistoryEntry, 'kind'>[]): string {
  const runs = items.filter((i) => i.kind === 'run').length;
  const studies = items.length - runs;
  const parts = [
    runs > 0 ? counted(runs, 'run') : '',
    studies > 0 ? counted(studies, 'study', 'studies') : '',
  ].filter(Boolean);
  return parts.length === 0 ? 'nothing' : parts.join(' and ');
}
