import type { RunSummary } from '../run/run.ts';

type Named = Pick<RunSummary, 'name' | 'study'>;

/**
 * Names of runs beside each other, in their order: where all are points of one study, without its
 * name, with which each begins.
 */
export function namesBeside(runs: readonly Named[]): string[] {
  const names = runs.map((run) => run.name);
  const study = runs[0]?.study?.id;
  if (study === undefined || runs.some((run) => run.study?.id !== study)) return names;
  const shared = names.reduce((a, b) => {
    let i = 0;
    while (i < a.length && a[i] === b[i]) i += 1;
    return a.slice(0, i);
  });
  const cut = shared.lastIndexOf(': ') + 2;
  return cut < 2 || names.some((name) => name.length === cut)
    ? names
    : names.map((name) => name.slice(cut));
}

/**
 * `ESX 3.5 (4 repeats)`: a side by the name of its first run, which says of a study's point also
 * which repeat it is.
 */
export const sideName = (first: Named, name: string, runs: number): string =>
  runs === 1
    ? name
    : `${first.study === null ? name : name.replace(/, run \d+$/, '')} (${runs} repeats)`;
