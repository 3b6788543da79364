import { type AppError, fail } from '../../../src/core/base/errors.ts';
import { createEsxtopRows } from '../esxtop/rows.ts';
import { seriesOfColumn } from './esxtopSeries.ts';
import type { ImportFormat, ImportOptions, ImportParser, ImportSink } from './types.ts';

const mostSeries = 2_000;
/** esxtop's own default between two samples; the real one is measured from the rows. */
const usualPeriodMs = 5_000;

/** Files that esxtop wrote in batch mode (`esxtop -b`). */
export const esxtop: ImportFormat = {
  matches: (beginning) => /^\uFEFF?"?\(PDH-CSV 4\.0\)/.test(beginning),
  open: (sink, options) => createEsxtopParser(sink, options),
};

function createEsxtopParser(sink: ImportSink, options: ImportOptions): ImportParser {
  const { fileName, filter } = options;
  const refusal = (what: string): AppError =>
    fail('invalidInput', `${fileName}: ${what}.`, 'Choose a file written by esxtop -b.');
  let badRows = 0;
  let rows = 0;
  let kept = 0;
  const reader = createEsxtopRows({
    place(column) {
      const series = seriesOfColumn(column, filter, usualPeriodMs);
      if (series === null) return null;
      if (++kept > mostSeries)
        throw refusal(`more than ${mostSeries} of its columns are counters of devices`);
      return sink.define(series);
    },
    onHead(columns) {
      if (kept === 0)
        throw refusal(
          filter.length > 0
            ? `no device matches ${filter.join(', ')}`
            : 'it has no counter that a chart shows',
        );
      sink.note(
        `${kept} of ${columns} columns of ${fileName} are read: CPU, memory, power and disk ` +
          'devices. Times are taken as UTC.',
      );
    },
    onRow(timeMs, values) {
      rows += 1;
      for (let id = 0; id < values.length; id += 1)
        if (!Number.isNaN(values[id]!)) sink.add(id, timeMs, values[id]!);
    },
    onBadRow: () => {
      badRows += 1;
    },
    refuse: (what) => {
      throw refusal(what);
    },
  });
  return {
    push: (bytes) => reader.push(bytes),
    end() {
      reader.end();
      if (rows + badRows === 0) throw refusal('it has a head and no rows');
      if (rows === 0) throw refusal(`none of its ${badRows} rows could be read`);
      if (badRows > 0) sink.leaveOut(badRows, 'row');
    },
  };
}
