import { compareWords, type Comparison } from '../../src/core/compare/index.ts';
import type { StudyComparison } from '../../src/core/study/studyComparison.ts';
import { gapInterval } from '../../src/core/study/studyCurves.ts';
import type { Client, Input } from '../../src/wire/contract.ts';
import { figure, table, type Terminal } from './output.ts';

/**
 * Compares runs with the baseline; `json` prints the whole model: rows with tests, matrix,
 * set-up, guards, sentence.
 */
export async function compareRuns(
  client: Client,
  asked: Input<'run.compare'>,
  json: boolean,
  terminal: Terminal,
): Promise<void> {
  const comparison = await client.call('run.compare', asked);
  if (json) terminal.out(JSON.stringify(comparison));
  else printComparison(comparison, terminal);
  for (const { id, issue } of comparison.unreadable ?? [])
    terminal.err(`Run ${id} cannot be read: ${issue} It is left out.`);
}

function printComparison(
  { guards, sentence, runs, rows, sides, setup, testing, ...scores }: Comparison,
  terminal: Terminal,
): void {
  for (const guard of guards) terminal.out(`Not comparable: ${guard}`);
  terminal.out(sentence);
  if (scores.scoredAgainst) terminal.out(`Scored against ${scores.scoredAgainst.name}.`);
  if (scores.referenceToOffer)
    terminal.out(
      `Score all against ${scores.referenceToOffer.name}: --reference ${scores.referenceToOffer.id}`,
    );
  const names = runs.map((run) => run.name);
  terminal.out(
    table(
      ['metric', 'unit', ...names.flatMap((name, i) => (i === 0 ? [name] : [name, 'Δ %']))],
      rows.map((row) => [
        row.label,
        row.unit,
        ...row.values.flatMap((value, i) =>
          i === 0 ? [figure(value)] : [figure(value), figure(row.deltaPct[i] ?? null)],
        ),
      ]),
    ),
  );
  sides.slice(1).forEach((side, i) => {
    if (guards.length > 0) return;
    const tests = rows.map((row) => ({ label: row.label, test: row.tests[i + 1]! }));
    terminal.out(`\n${side.name} against ${sides[0]!.name}`);
    terminal.out(
      table(
        [
          'metric',
          'verdict',
          'difference %',
          'low %',
          'high %',
          'found from %',
          'p adjusted',
          'made of',
        ],
        tests.map(({ label, test }) => [
          label,
          compareWords[test.word],
          figure(test.differencePct),
          figure(test.lowPct),
          figure(test.highPct),
          figure(test.detectablePct),
          figure(test.pAdjusted),
          test.basis,
        ]),
      ),
    );
  });
  if (guards.length === 0 && sides.length > 1)
    terminal.out(`${testing.tests} metrics were tested. ${testing.adjustment}`);
  if (setup.length > 0)
    terminal.out(
      `\n${table(
        ['what differs', '', ...names, 'likely effect'],
        setup.map((s) => [s.group, s.label, ...s.values, s.effect]),
      )}`,
    );
}

/**
 * Compares the curves of studies with the first curve, or the one named; gaps only where both
 * measured.
 */
export async function compareStudyCurves(
  client: Client,
  ids: readonly string[],
  baseline: string | undefined,
  json: boolean,
  terminal: Terminal,
): Promise<void> {
  const of = await client.call('study.compare', {
    ids: [...ids],
    ...(baseline === undefined ? {} : { baseline }),
  });
  if (json) terminal.out(JSON.stringify(of));
  else printCurves(of, terminal);
}

function printCurves(
  { guards, sentence, qos, curves, measures, axis, charted }: StudyComparison,
  terminal: Terminal,
): void {
  for (const guard of guards) terminal.out(`Not comparable: ${guard}`);
  terminal.out(sentence);
  for (const text of qos) if (text !== '') terminal.out(text);
  terminal.out(
    table(
      ['curve', 'key', 'points'],
      curves.map((c) => [c.name, c.key, c.points]),
    ),
  );
  const wanted =
    charted.length > 0
      ? measures.filter((m) => charted.some((c) => c.measure === m.measure))
      : measures.slice(0, 6);
  for (const of of wanted) {
    const title = charted.find((c) => c.measure === of.measure);
    terminal.out(
      `\n${title ? `${title.title}${title.unit === '' ? '' : `, ${title.unit}`}` : of.measure}`,
    );
    terminal.out(
      table(
        [
          axis.label,
          ...curves.flatMap((c, i) => (i === 0 ? [c.name] : [c.name, 'gap', 'gap %', 'verdict'])),
        ],
        axis.places.map((place, p) => [
          place.label,
          ...curves.flatMap((_, i) =>
            i === 0
              ? [figure(of.values[0]![p]!)]
              : [
                  figure(of.values[i]![p]!),
                  figure(of.gap[i]![p]!),
                  figure(of.gapPct[i]![p]!),
                  verdictOf(of, i, p),
                ],
          ),
        ]),
      ),
    );
  }
}

/** `better, +4.60 % to +5.20 %; 0.31 % would be found`; empty without repeats. */
function verdictOf(of: StudyComparison['measures'][number], curve: number, place: number): string {
  const word = of.words[curve]![place];
  return word == null ? '' : `${compareWords[word]}, ${gapInterval(of, curve, place)}`;
}
