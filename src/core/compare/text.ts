import { formatExact, threeFigures } from '../base/format.ts';
import type { RunSummary } from '../run/run.ts';
import type { CompareTest, Comparison } from './types.ts';

type Named = Pick<RunSummary, 'name' | 'study'>;

/** Words on every screen and in every export. */
export const compareWords: Readonly<Record<CompareTest['word'], string>> = {
  better: 'better',
  worse: 'worse',
  higher: 'higher',
  lower: 'lower',
  withinNoise: 'within noise',
  cannotTell: "can't tell",
  notComparable: 'not comparable',
};

/**
 * Names of runs beside each other, in their order: where all are points of one study, by that in
 * which the points differ, without what all of them say. Runs of one name are told by `differing`,
 * one text a run, else numbered.
 */
export function namesBeside(
  runs: readonly Named[],
  differing: readonly string[] | null = null,
): string[] {
  const study = runs[0]?.study?.id;
  const names = runs.map((run) => run.name);
  return toldApart(
    study === undefined || runs.some((run) => run.study?.id !== study)
      ? names
      : withoutShared(withoutStudy(names)),
    differing,
  );
}

/** Points without the name of their study, with which each begins. */
function withoutStudy(names: readonly string[]): readonly string[] {
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

/** `20 tiles, DRS` and `20 tiles, by hand` as `DRS` and `by hand`; left where nothing would remain. */
function withoutShared(names: readonly string[]): readonly string[] {
  const parts = names.map((name) => name.split(', '));
  const own = parts.map((list) =>
    list.filter((part) => !parts.every((other) => other.includes(part))),
  );
  return own.some((list) => list.length === 0) ? names : own.map((list) => list.join(', '));
}

function toldApart(names: readonly string[], differing: readonly string[] | null): string[] {
  return names.map((name, i) => {
    const same = names.flatMap((other, k) => (other === name ? [k] : []));
    if (same.length === 1) return name;
    const own = same.map((k) => differing?.[k]);
    return differing !== null && new Set(own).size === same.length
      ? `${name}, ${differing[i]!}`
      : `${name} (${same.indexOf(i) + 1})`;
  });
}

/**
 * `ESX 3.5 (4 repeats)`: a side by the name of its first run, which says of a study's point also
 * which repeat it is.
 */
export const sideName = (first: Named, name: string, runs: number): string =>
  runs === 1
    ? name
    : `${first.study === null ? name : name.replace(/, run \d+$/, '')} (${runs} repeats)`;

/** From so many percent more on, a change is told as a multiple. */
const multiplePct = 100;

/** `+3.20 %`, `−1.05 %`, `0 %`: always with its sign and unit; `28.2×` in place of `+2717 %`. */
export function formatDelta(deltaPct: number): string {
  if (deltaPct === 0) return '0 %';
  if (deltaPct >= multiplePct) return `${threeFigures(1 + deltaPct / 100)}×`;
  // Below this a change is rounding, and its digits say nothing.
  if (Math.abs(deltaPct) < 0.01) return `${deltaPct > 0 ? '+' : '−'}<0.01 %`;
  return `${deltaPct > 0 ? '+' : '−'}${threeFigures(Math.abs(deltaPct))} %`;
}

/** Decimals at which values of one row differ visibly: four significant figures of the smallest. */
export function rowDecimals(values: readonly (number | null)[]): number {
  const sizes = values
    .filter((v): v is number => v !== null && v !== 0)
    .map((v) => Math.floor(Math.log10(Math.abs(v))));
  return sizes.length === 0 ? 0 : Math.max(0, Math.min(6, 3 - Math.min(...sizes)));
}

export const formatCell = (value: number | null, decimals: number): string =>
  value === null ? '–' : formatExact(value, decimals);

/**
 * The comparison as tab-separated text for a spreadsheet: plain numbers, units and guards included.
 */
export function comparisonText({
  runs,
  rows,
  sides,
  setup,
  guards,
  sentence,
  testing,
}: Comparison): string {
  const lines: string[][] = [
    [sentence],
    ...guards.map((g) => [`Not comparable: ${g}`]),
    [],
    [
      'Metric',
      'Unit',
      'Good',
      ...runs.flatMap((r, i) =>
        i === 0 ? [`${r.name} (baseline)`] : [r.name, `${r.name} change %`],
      ),
    ],
    ...rows.map((row) => [
      row.label,
      row.unit,
      row.better ?? '',
      ...row.values.flatMap((v, i) =>
        i === 0 ? [cell(v)] : [cell(v), cell(row.deltaPct[i] ?? null)],
      ),
    ]),
    [],
    [
      'Verdict',
      'Against the baseline',
      'Word',
      'Difference %',
      'Low %',
      'High %',
      'Found from %',
      'p adjusted',
      'Made of',
    ],
    ...rows.flatMap((row) =>
      sides.slice(1).map((side, i) => {
        const test = row.tests[i + 1]!;
        return [
          row.label,
          side.name,
          compareWords[test.word],
          cell(test.differencePct),
          cell(test.lowPct),
          cell(test.highPct),
          cell(test.detectablePct),
          cell(test.pAdjusted),
          test.basis,
        ];
      }),
    ),
    [`${testing.tests} metrics were tested. ${testing.adjustment}`],
    [],
    ['Set-up that differs', '', '', ...runs.map((r) => r.name)],
    ...setup.map((s) => [`${s.group}: ${s.label}`, '', '', ...s.values]),
  ];
  return lines
    .map((line) => line.map((text) => text.replace(/[\t\r\n]+/g, ' ')).join('\t'))
    .join('\n');
}
const cell = (value: number | null): string => (value === null ? '' : String(value));
