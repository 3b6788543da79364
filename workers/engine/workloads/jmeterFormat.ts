import { num } from './tools.ts';
import type { LoggedWork } from './windowSum.ts';

/** Columns that are read; a plan may log more. */
const wanted = ['timeStamp', 'elapsed', 'success'] as const;

/** One sample of JMeter. */
export interface JmeterSample {
  /** Its label; empty where none is logged. */
  label: string;
  /** As logged; empty where it is not. */
  thread: string;
  elapsed: string;
  work: LoggedWork;
}

/** Cuts a row of CSV; a cell may be quoted, and hold commas, line ends and doubled quotes. */
export function csvCells(text: string): string[] {
  const cells: string[] = [];
  let cell = '';
  let quoted = false;
  for (let i = 0; i < text.length; i += 1) {
    const letter = text[i]!;
    if (quoted && letter === '"' && text[i + 1] === '"') {
      cell += '"';
      i += 1;
    } else if (letter === '"') quoted = !quoted;
    else if (letter === ',' && !quoted) {
      cells.push(cell);
      cell = '';
    } else cell += letter;
  }
  return [...cells, cell];
}

/** Names of the columns, of which there may be so many. */
export const jmeterHead = (text: string): string[] =>
  csvCells(text)
    .slice(0, 40)
    .map((name) => name.slice(0, 60));
export const isWholeHead = (head: readonly string[]): boolean =>
  wanted.every((name) => head.includes(name));

/** A sample by its start (epoch ms), its length in ms and whether it succeeded; null where damaged. */
export function jmeterWork(start: string, elapsed: string, success: string): LoggedWork | null {
  if (!/^\d{13}$/.test(start) || !/^\d{1,9}$/.test(elapsed)) return null;
  const tookMs = num(elapsed);
  const endMs = num(start) + tookMs;
  if (success === 'true') return { endMs, done: 1, tookMs };
  return success === 'false' ? { endMs, failed: 1 } : null;
}

/** A row below its head, whole: a torn one is none. */
export function jmeterRow(head: readonly string[], text: string): JmeterSample | null {
  const cells = csvCells(text);
  if (cells.length < head.length) return null;
  const of = (name: string): string => cells[head.indexOf(name)] ?? '';
  const work = jmeterWork(of('timeStamp'), of('elapsed'), of('success'));
  return work && { label: of('label'), thread: of('threadName'), elapsed: of('elapsed'), work };
}
