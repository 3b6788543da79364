import { groupBy } from '../base/groupBy.ts';
import type { NamedRef } from './testbed.ts';

/** Host name without its domain, small letters. */
export function shortName(name: string): string {
  const dot = name.indexOf('.');
  return (dot > 0 && /[a-z]/i.test(name.slice(0, dot)) ? name.slice(0, dot) : name).toLowerCase();
}

/** `lun-07-a` is `lun-`, 7, `-a`; null where there is no number. The last one counts. */
export function numbered(name: string): { around: string; number: number } | null {
  let end = name.length;
  while (end > 0 && !isDigit(name.charCodeAt(end - 1))) end -= 1;
  let start = end;
  while (start > 0 && isDigit(name.charCodeAt(start - 1))) start -= 1;
  return start === end || end - start > 9
    ? null
    : {
        around: `${name.slice(0, start)}\n${name.slice(end)}`.toLowerCase(),
        number: Number(name.slice(start, end)),
      };
}
const isDigit = (code: number): boolean => code >= 48 && code <= 57;

/**
 * Rows of names that differ only by a number are taken for each other, number by number: `esx1,
 * esx2` for `node-01, node-02`. Only where one row here, and no other, has every number of the row
 * there.
 */
export function numberSuggestions(
  things: readonly NamedRef[],
  candidates: readonly NamedRef[],
): Map<string, NamedRef[]> {
  const rows = (list: readonly NamedRef[]): Map<string, { one: NamedRef; number: number }[]> =>
    groupBy(
      list.flatMap((one) => {
        const at = numbered(one.name);
        return at ? [{ one, ...at }] : [];
      }),
      ({ around }) => around,
    );
  const here = [...rows(candidates).values()].map(
    (row) => new Map(row.map(({ one, number }) => [number, one])),
  );
  const found = new Map<string, NamedRef[]>();
  for (const row of rows(things).values()) {
    if (row.length < 2) continue;
    const fitting = here.filter((numbers) => row.every(({ number }) => numbers.has(number)));
    if (fitting.length === 1)
      for (const { one, number } of row) found.set(one.ref, [fitting[0]!.get(number)!]);
  }
  return found;
}
