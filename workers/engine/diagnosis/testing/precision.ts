import { type Cause, causes } from '../../../../src/core/diagnosis/diagnosis.ts';
import type { Verdict } from './inject.ts';

type Judged = Pick<Verdict, 'planted' | 'named'>;
/** The first hypothesis is one of what was planted; where nothing was, there is none. */
export const firstRight = ({ planted, named }: Judged): boolean =>
  planted.length === 0 ? named.length === 0 : named[0] !== undefined && planted.includes(named[0]);
/** All that was planted is among the first three; where nothing was, there is none. */
export const inFirstThree = ({ planted, named }: Judged): boolean =>
  planted.length === 0
    ? named.length === 0
    : planted.every((cause) => named.slice(0, 3).includes(cause));
/** A full processor, and nothing else, blamed on storage first. */
const cpuBlamedOnStorage = ({ planted, named }: Judged): boolean =>
  planted.length === 1 &&
  planted[0] === 'cpuSaturated' &&
  named.some((cause) => cause === 'spindles' || cause === 'lunQueue' || cause === 'deviceLatency');

const share = (list: readonly Judged[], right: (one: Judged) => boolean): number =>
  list.length === 0 ? 0 : list.filter(right).length / list.length;
export interface Precision {
  cases: number;
  top1: number;
  top3: number;
  single: { cases: number; top1: number; top3: number };
  two: { cases: number; top1: number; top3: number };
  none: { cases: number; top1: number };
  cpuOnStorage: number;
}
export function precisionOf(list: readonly Judged[]): Precision {
  const single = list.filter((one) => one.planted.length === 1),
    two = list.filter((one) => one.planted.length === 2),
    none = list.filter((one) => one.planted.length === 0);
  const of = (some: readonly Judged[]): { cases: number; top1: number; top3: number } => ({
    cases: some.length,
    top1: share(some, firstRight),
    top3: share(some, inFirstThree),
  });
  return {
    ...of(list),
    single: of(single),
    two: of(two),
    none: { cases: none.length, top1: share(none, firstRight) },
    cpuOnStorage: list.filter(cpuBlamedOnStorage).length,
  };
}

/**
 * Rows: planted (a case of two counts in both rows); columns: named first. Of two, naming the other
 * one first counts as named.
 */
export function confusion(list: readonly Judged[]): string {
  const names: readonly (Cause | 'none')[] = [...causes, 'none'];
  const counts = new Map<string, number>();
  for (const { planted, named } of list)
    for (const row of planted.length === 0 ? ['none'] : planted) {
      const first = named[0] ?? 'none',
        column = planted.includes(first as Cause) ? row : first;
      counts.set(`${row} ${column}`, (counts.get(`${row} ${column}`) ?? 0) + 1);
    }
  const wide = 17,
    narrow = 8;
  const head = `${'planted'.padEnd(wide)}${names.map((name) => name.slice(0, narrow - 1).padStart(narrow)).join('')}`;
  return [
    head,
    ...names.map(
      (row) =>
        `${row.padEnd(wide)}${names.map((column) => String(counts.get(`${row} ${column}`) ?? '·').padStart(narrow)).join('')}`,
    ),
  ].join('\n');
}
