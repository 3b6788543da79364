import { formatCell, rowDecimals } from '../compare/index.ts';
import { actTimeWords, causeWords, type Diagnosis, type Evidence } from '../diagnosis/diagnosis.ts';
import type { ReportSection, ReportTable } from './model.ts';
import { table } from './tables.ts';

/**
 * Why one run fell short of another: ranked hypotheses with their counters, thresholds and sources,
 * what was cleared, what was not measured.
 */
export function diagnosisSection(diagnosis: Diagnosis, title: string, why = ''): ReportSection {
  const { hypotheses, acts, cleared, notMeasured, sentence, before, after } = diagnosis;
  return {
    title,
    charts: [],
    notes: [...(why === '' ? [] : [why]), sentence],
    tables: [
      ...(hypotheses.length === 0
        ? []
        : [
            table(
              'Hypotheses, the likeliest first',
              ['', 'Cause', 'Confidence', 'Failing on it', 'Why', 'What helps'],
              hypotheses.map((one, i) => [
                String(i + 1),
                `${one.title}: ${one.subjects.join(', ')}`,
                one.confidence,
                `${one.failing.on} of ${one.failing.of}`,
                `${one.explanation}${one.alignment === null ? '' : ` ${one.alignment.words}`}`,
                one.remedy,
              ]),
              '',
              [],
            ),
          ]),
      ...hypotheses.map((one, i) =>
        evidence(
          `Evidence for ${i + 1}, ${one.title.toLowerCase()}`,
          one.evidence,
          before?.label ?? 'before',
          after.label,
        ),
      ),
      ...(acts.length === 0
        ? []
        : [
            table(
              'Acts of the plan, and what fell short around them',
              ['Act', 'Time', 'What fell short'],
              acts.flatMap(({ words, windows }) =>
                windows.map((one, i) => [i === 0 ? words : '', actTimeWords(one), one.words]),
              ),
              '',
              [],
            ),
          ]),
      ...(cleared.length === 0
        ? []
        : [
            table(
              'Looked at and cleared',
              ['Cause', 'Why not'],
              cleared.map((one) => [causeWords[one.cause], one.words]),
              '',
            ),
          ]),
      table(
        'Not measured',
        ['What', 'Why'],
        notMeasured.map((one) => [one.what, one.why]),
        'Everything that the rules look at was measured.',
      ),
    ],
  };
}

function evidence(
  title: string,
  rows: readonly Evidence[],
  before: string,
  after: string,
): ReportTable {
  const cells = rows.map((row) => {
    const decimals = rowDecimals([row.before, row.after, row.threshold]);
    return [
      row.label,
      row.entityName,
      row.unit,
      formatCell(row.before, decimals),
      formatCell(row.after, decimals),
      formatCell(row.threshold, decimals),
      row.thresholdSource,
    ];
  });
  return {
    ...table(
      title,
      ['Counter', 'Of', 'Unit', capital(before), capital(after), 'Threshold', 'Threshold by'],
      cells,
      'No counter.',
      [3, 4, 5],
    ),
    tones: rows.map((row) => [
      null,
      null,
      null,
      null,
      row.broken === true ? 'strong' : null,
      null,
      null,
    ]),
  };
}
const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
