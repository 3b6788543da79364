import { inSentence } from '../base/counted.ts';
import { noValue } from '../base/format.ts';
import { tickText } from '../chart/xyModel.ts';
import type { KeyNumber } from '../score/keyNumbers.ts';
import type { ChartChoice } from '../study/figurePlot.ts';
import type { StudyOverview } from '../study/study.ts';
import type { ReportSection } from './model.ts';
import { type CourseOf, curvesSection, pointsSection } from './studyMeasured.ts';
import { publishedSection } from './studyPublished.ts';

/** Rows that leave room for two tables on a page. */
const mostRows = 18;

/** How far it went, how many points passed, and how many published figures were met. */
export function studyNumbers({ limit, points, spec, expectations }: StudyOverview): KeyNumber[] {
  const axis = spec.axes[0]!;
  const passed = points.filter(({ state }) => state === 'passed').length;
  const inside = expectations.filter((line) => line.inside).length;
  return [
    ...(limit === null
      ? []
      : [
          {
            label: 'Limit',
            figure: limit.lastPass === null ? noValue : tickText(limit.lastPass),
            unit: axis.unit,
            note:
              limit.firstFail === null
                ? 'no failure found'
                : `fails from ${tickText(limit.firstFail)} ${axis.unit}`.trim(),
          },
        ]),
    {
      label: 'Points passed',
      figure: `${passed} of ${points.length}`,
      unit: '',
      note: `over ${inSentence(axis.label)}`,
    },
    ...(expectations.length === 0
      ? []
      : [
          {
            label: 'Published figures met',
            figure: `${inside} of ${expectations.length}`,
            unit: '',
            note: 'within their stated tolerance',
          },
        ]),
  ];
}

/** What stands first, or alone, in the report of a study: two pages. */
export function studyFront(
  overview: StudyOverview,
  drawn: readonly ChartChoice[],
  courseOf: CourseOf,
): ReportSection[] {
  const points = pointsSection(overview, drawn.slice(0, 2));
  return [
    { ...curvesSection(overview, drawn.slice(0, 1), courseOf), title: 'The curve' },
    { ...short(points), title: 'What each point did', newPage: true as const },
    ...(overview.expectations.length === 0
      ? []
      : [
          {
            ...short(publishedSection(overview.expectations, overview.origin)),
            title: 'Beside what was published',
          },
        ]),
  ].map((section) => ({ ...section, part: 'summary' as const }));
}

/** A section of tables, cut to what has room. */
export const short = (section: ReportSection): ReportSection => ({
  ...section,
  tables: section.tables.map((one) => {
    const more = one.rows.length - mostRows;
    return more <= 0
      ? one
      : {
          ...one,
          rows: one.rows.slice(0, mostRows),
          ...(one.tones === undefined ? {} : { tones: one.tones.slice(0, mostRows) }),
          note: `${more} more rows in the full report.`,
        };
  }),
});
