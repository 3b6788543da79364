import { formatCell } from '../compare/index.ts';
import { measureWords, type WorkloadNames } from '../metric/measureWords.ts';
import { basisInOrder, basisWords, servesWords } from '../study/basisWords.ts';
import {
  differenceText,
  figureDecimals,
  figureText,
  toleranceText,
} from '../study/expectationText.ts';
import type { ExpectationLine, StudyBasis, StudyOverview } from '../study/study.ts';
import { namedValue } from '../study/studyWords.ts';
import type { ReportSection } from './model.ts';
import { table } from './tables.ts';

/** Each figure that was published beside the one here, with its tolerance. */
export function publishedSection(
  lines: readonly ExpectationLine[],
  origin: StudyOverview['origin'],
): ReportSection {
  const rows = lines.map((l) => [
    l.label,
    figureText(l.model, l.unit),
    l.published,
    differenceText(l),
    toleranceText(l),
    l.model === null
      ? 'no value yet'
      : l.inside
        ? 'met'
        : l.knownMiss === undefined
          ? 'missed'
          : `missed: ${l.knownMiss}`,
    l.source,
  ]);
  return {
    title: 'Compared with what was published',
    notes: [],
    charts: [],
    tables: [
      {
        ...table(
          'Compared with what was published',
          [
            'What',
            origin === 'simulated' ? 'Modelled' : 'Measured',
            'Published',
            'Difference',
            'Tolerance',
            'Verdict',
            'Source',
          ],
          rows,
          '',
          [1, 2, 3, 4],
        ),
        tones: lines.map((l) => [
          null,
          null,
          null,
          null,
          null,
          l.model === null ? null : l.inside ? 'good' : 'bad',
          null,
        ]),
      },
    ],
  };
}

/**
 * What was published, what has a source, and each constant that was chosen, with the lines it
 * serves.
 */
export function basisSection(basis: readonly StudyBasis[]): ReportSection {
  const rows = basisInOrder(basis).map((row) => [
    basisWords[row.kind],
    row.what,
    row.figure,
    servesWords(row),
    row.source,
  ]);
  return {
    title: 'What it rests on',
    notes: [],
    charts: [],
    tables: [
      table('What it rests on', ['Kind', 'What', 'Figure', 'Serves', 'Source'], rows, '', []),
    ],
  };
}

/** Every published figure with its source. */
export function sourcesSection(
  { published, spec }: StudyOverview,
  workloads: WorkloadNames,
): ReportSection {
  const rows = published.map((p) => [
    measureWords(p.measure, workloads).label,
    p.label,
    spec.axes
      .map((a) => namedValue(a, p.values[a.name]))
      .filter((t) => t !== '')
      .join(', '),
    `${formatCell(p.value, figureDecimals(p.value))}${p.unit === '' ? '' : ` ${p.unit}`}`,
    p.source,
  ]);
  return {
    title: 'Published figures',
    notes: [],
    charts: [],
    tables: [
      table('Published figures', ['Measure', 'What', 'At', 'Value', 'Source'], rows, '', [3]),
    ],
  };
}
