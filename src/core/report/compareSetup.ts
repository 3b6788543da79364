import type { Comparison } from '../compare/index.ts';
import type { RunRecord } from '../run/run.ts';
import { setupFacts } from '../snapshot/setupFacts.ts';
import type { ReportSection, ReportTable, Tone } from './model.ts';
import { table } from './tables.ts';

/** The first cell of a row only where it differs from the row above. */
const blankRepeats = (rows: readonly (readonly string[])[]): string[][] =>
  rows.map((row, i) => (i > 0 && rows[i - 1]![0] === row[0] ? ['', ...row.slice(1)] : [...row]));

const effects: Readonly<Record<Comparison['setup'][number]['effect'], string>> = {
  strong: 'strong',
  moderate: 'moderate',
  slight: 'slight',
  none: 'none known',
};

/** The likely effect of a difference on results, and why. */
const effectText = ({ effect, why }: Comparison['setup'][number]): string =>
  `${effects[effect]}${why === '' ? '' : `: ${why}`}`;

/** A list that is longer than a cell takes ends with how many more there are. */
export function shortList(value: string, most: number): string {
  const parts = value.split(', ');
  if (value.length <= most || parts.length < 3) return value;
  let kept = 1;
  while (kept < parts.length && parts.slice(0, kept + 1).join(', ').length <= most - 14) kept += 1;
  return `${parts.slice(0, kept).join(', ')} and ${parts.length - kept} more`;
}

/** Settings that leave room for the rest of a page. */
const mostChanges = 6;

/** The first settings that differ, `most` letters a cell; `rest` says where the others are told. */
export function changesTable(
  title: string,
  { setup }: Pick<Comparison, 'setup'>,
  heads: readonly string[],
  most: number,
  rest: string,
): ReportTable {
  const more = setup.length - mostChanges;
  return {
    ...table(
      title,
      ['What', ...heads, 'Likely effect'],
      setup
        .slice(0, mostChanges)
        .map((one) => [
          `${one.group}: ${one.label}`,
          ...one.values.map((value) => shortList(value, most)),
          effectText(one),
        ]),
      'Nothing recorded of the set-up differs.',
    ),
    ...(more > 0 ? { note: `${more} more in ${rest}.` } : {}),
  };
}

/**
 * What differs between the runs' set-ups, strongest likely effect first, with the things that
 * differ one by one.
 */
export function setupSection({ setup }: Comparison, heads: readonly string[]): ReportSection {
  const most = heads.length > 3 ? 60 : 240;
  const rows = blankRepeats(
    setup.map((s) => [s.group, s.label, ...s.values.map((v) => shortList(v, most)), effectText(s)]),
  );
  const grouped = [...new Set(setup.map((s) => s.group))].flatMap((group) =>
    setup.flatMap((s, i) => (s.group === group ? [i] : [])),
  );
  const ordered = blankRepeats(grouped.map((i) => [setup[i]!.group, ...rows[i]!.slice(1)]));
  const tones = grouped.map((i): (Tone | null)[] => [
    null,
    null,
    ...setup[i]!.values.map((v, run): Tone | null =>
      run > 0 && v !== setup[i]!.values[0] ? 'strong' : null,
    ),
    null,
  ]);
  const subjects = setup
    .filter((s) => s.subjects.length > 0 && s.subjects.length <= 40)
    .map((s) =>
      table(
        `${s.group}: ${s.label}, one by one`,
        ['', ...heads],
        s.subjects.map((one) => [one.name, ...one.values]),
        '',
      ),
    );
  return {
    title: 'What differs in the set-up',
    notes: [],
    charts: [],
    tables: [
      {
        ...table(
          'What differs in the set-up',
          ['Group', 'What', ...heads, 'Likely effect'],
          ordered,
          'Nothing recorded of the set-up differs.',
        ),
        tones,
        note:
          setup.length === 0
            ? ''
            : 'Only what differs; long lists end with how many more there are. The likely ' +
              "effect on results is this app's judgement.",
      },
      ...subjects,
    ],
  };
}

/** The whole set-up of the run that the others are compared with. */
export const baselineSection = (baseline: RunRecord): ReportSection => ({
  title: 'Set-up of the baseline',
  notes: [],
  charts: [],
  tables: [
    table(
      'Set-up of the baseline',
      ['', 'What', 'Value'],
      blankRepeats(setupFacts(baseline)),
      'Nothing was recorded.',
    ),
  ],
});
