import { formatSi } from '../base/format.ts';
import { runStyle } from '../chart/palette.ts';
import { rowDecimals } from '../compare/index.ts';
import type { CompareReportInput, OverlayRow } from './compareReportInput.ts';
import { distributionFigures, quantileTable } from './distributionFigures.ts';
import type { ReportChart, ReportLine, ReportSection } from './model.ts';

/** How the samples of a metric are spread, run by run. */
export function distributionSection(
  { distributions, undrawn }: CompareReportInput,
  names: readonly string[],
): ReportSection {
  if (distributions.length === 0)
    return {
      title: 'Distributions',
      notes: ['None of these runs has samples of its steady state.'],
      tables: [],
      charts: [],
    };
  const elsewhere =
    undrawn.length === 0
      ? ''
      : ` Not drawn here, and on the page of the comparison: ${undrawn.join('; ')}.`;
  return {
    title: 'Distributions',
    charts: [],
    notes: [
      `Samples of the steady state of all tiles and machines of a metric together.${elsewhere}`,
    ],
    figures: distributions.flatMap((data) => distributionFigures(data, names)),
    tables: distributions.map((data) => quantileTable(data, names)),
  };
}

/** Each metric over the whole run, the runs over each other from their own starts. */
export function overlaySection(
  { overlays, records, comparison }: CompareReportInput,
  names: readonly string[],
): ReportSection {
  const steady = records[0]!.overview;
  const origin = steady.startedAtMs;
  const phases =
    origin === null
      ? []
      : steady.phases.map((p) => ({
          name: p.name,
          fromMs: p.startMs - origin,
          toMs: (p.endMs ?? p.plannedEndMs) - origin,
        }));
  const flat = (row: OverlayRow): boolean =>
    row.lines.every((line) => line === null || line.value.every((v) => v === 0));
  const zero = overlays.filter(flat).map((row) => row.label);
  const charts = overlays
    .filter((row) => !flat(row))
    .map((row): ReportChart => {
      const means = comparison.rows.find(({ label }) => label === row.label)?.values;
      const lines = row.lines.flatMap((line, i): ReportLine[] =>
        line === null
          ? []
          : [
              {
                ...line,
                ...runStyle(i),
                label: names[i]!,
                ...(means === undefined ? {} : { steady: means[i] ?? null }),
                decimals: rowDecimals(
                  [...line.value.slice(0, 1), middle(line.value)].filter(Number.isFinite),
                ),
              },
            ],
      );
      const missing = row.lines.flatMap((line, i) => (line === null ? [names[i]!] : []));
      const ranges = lines.map((l) =>
        l.value.length === 0
          ? `${l.label}: no samples`
          : `${l.label} ${formatSi(Math.min(...l.value))} to ${formatSi(Math.max(...l.value))}`,
      );
      return {
        title: row.label,
        unit: row.unit,
        lines,
        limits: [],
        phases,
        summary:
          `${row.label} in ${row.unit}: ` +
          `${ranges.join(', ')}.${missing.length === 0 ? '' : ` Not measured in ${missing.join(', ')}.`}`,
      };
    });
  return {
    title: 'Over time in the run',
    notes: [
      overlays.length === 0
        ? 'No metric was measured in more than one of these runs.'
        : "Time from each run's own start; the band is the steady state of the baseline. Each " +
          'run is cut into at most 240 equal stretches; a point is the mean (of power the sum) ' +
          'over the series of the row of their means in a stretch, and is left out where one ' +
          'of them has no sample.',
      ...(zero.length === 0
        ? []
        : [`0 throughout in every run, and not drawn: ${zero.join('; ')}.`]),
    ],
    tables: [],
    charts,
  };
}
const middle = (values: Float64Array): number => values[Math.floor(values.length / 2)] ?? NaN;
