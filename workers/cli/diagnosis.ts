import { actTimeWords, causeWords, type Diagnosis } from '../../src/core/diagnosis/diagnosis.ts';
import type { Client } from '../../src/wire/contract.ts';
import { figure, table, type Terminal } from './output.ts';

/** Why a study stopped scaling: the same answer as on its page. */
export async function diagnoseStudy(
  client: Client,
  id: string,
  options: { json: boolean; curve?: string | undefined },
  terminal: Terminal,
): Promise<void> {
  const answer = await client.call('study.diagnose', {
    id,
    ...(options.curve === undefined ? {} : { curve: options.curve }),
  });
  if (options.json) {
    terminal.out(JSON.stringify(answer));
    return;
  }
  if (answer.curves.length > 1)
    terminal.out(
      `Curves: ${answer.curves.map((one) => `${one.key}${one.key === answer.curve ? ' (this one)' : ''}`).join(' · ')}`,
    );
  terminal.out(answer.why);
  if (answer.diagnosis !== null) printDiagnosis(answer.diagnosis, terminal);
}

/** Why one run fell short of another, or of its own ramp-up. */
export async function diagnoseRuns(
  client: Client,
  failId: string,
  passId: string | null,
  json: boolean,
  terminal: Terminal,
): Promise<void> {
  const diagnosis = await client.call('run.diagnose', { failId, passId });
  if (json) terminal.out(JSON.stringify(diagnosis));
  else printDiagnosis(diagnosis, terminal);
}

function printDiagnosis(diagnosis: Diagnosis, terminal: Terminal): void {
  const { hypotheses, acts, cleared, notMeasured, sentence } = diagnosis;
  terminal.out(sentence);
  hypotheses.forEach((one, i) => {
    terminal.out(
      `\n${i + 1}. ${one.title}: ${one.subjects.join(', ')} (${one.confidence}, ` +
        `${one.failing.on} of ${one.failing.of} failing workloads)\n   ${one.explanation}\n   ` +
        'What helps: ' +
        `${one.remedy}${one.alignment === null ? '' : `\n   In time: ${one.alignment.words}`}`,
    );
    terminal.out(
      table(
        ['   counter', 'of', 'before', 'after', 'unit', 'threshold', 'source'],
        one.evidence.map((row) => [
          `   ${row.label}`,
          row.entityName,
          figure(row.before),
          figure(row.after),
          row.unit,
          figure(row.threshold),
          row.thresholdSource,
        ]),
      ),
    );
  });
  for (const { words, windows } of acts)
    terminal.out(
      `\n${words}\n${windows.map((one) => `   ${actTimeWords(one)}: ${one.words}`).join('\n')}`,
    );
  if (cleared.length > 0)
    terminal.out(
      `\nCleared:\n${cleared.map(({ cause, words }) => `  ${causeWords[cause]}: ${words}`).join('\n')}`,
    );
  terminal.out(
    `\nNot measured:\n${notMeasured.map(({ what, why }) => `  ${what}: ${why}`).join('\n')}`,
  );
}
