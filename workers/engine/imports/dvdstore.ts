import { fail } from '../../../src/shared/errors.ts';
import { lineImport } from './lines.ts';
import type { ImportFormat } from './types.ts';

const progress = /^(?:.*?\s)?et=\s*([\d.]+)\s+n_overall=(\d+)\s+opm=(\d+)\s+(.*)$/;
const field = (text: string, name: string): number =>
  Number(new RegExp(`\\b${name}=\\s*([\\d.]+)`).exec(text)?.[1] ?? NaN);

/**
 * Progress lines of the DVD Store drivers 2.0, 2.1 and 3. Their `opm` and mean response time are since the last reset,
 * not of the interval: the interval's orders a minute come from the difference of two counts. `rt_tot_sampled` (2.1, 3)
 * is the mean of the last 10 s. Source: dvdstore/ds21 ds2xdriver.cs lines 1079 and 1338, ds3xdriver.cs 1297.
 */
export const dvdstore: ImportFormat = {
  id: 'dvdstore',
  title: 'DVD Store log',
  matches: (beginning) => /\bet=\s*[\d.]+\s+n_overall=\d+\s+opm=\d+/.test(beginning),
  open(sink, { fileName, startMs }) {
    const entity = { kind: 'workload' as const, id: 'dvdstore', name: 'DVD Store' };
    const ids = new Map<string, number>();
    const idOf = (
      metric: 'throughput' | 'latencyMeanMs' | 'latencyMaxMs',
      unit: string,
    ): number => {
      const id =
        ids.get(metric) ??
        sink.define({ metric, unit, decimals: 2, periodMs: 10_000, source: 'DVD Store', entity });
      ids.set(metric, id);
      return id;
    };
    let before = { atS: 0, orders: 0 };
    let originS = 0;
    let lines = 0;
    return lineImport(
      fileName,
      (line) => {
        // The end of the warm-up sets time and counts to zero.
        if (/^Stats reset/.test(line)) {
          originS += before.atS;
          before = { atS: 0, orders: 0 };
          return;
        }
        if (/^Final\b/.test(line)) return;
        const found = progress.exec(line);
        if (!found) return;
        const [atS, orders] = [Number(found[1]), Number(found[2])];
        if (atS <= before.atS || orders < before.orders) return;
        lines += 1;
        const tMs = startMs + Math.round((originS + atS) * 1_000);
        sink.add(
          idOf('throughput', 'orders/min'),
          tMs,
          ((orders - before.orders) / (atS - before.atS)) * 60,
        );
        const rest = found[4]!;
        const sampled = field(rest, 'rt_tot_sampled');
        if (Number.isFinite(sampled)) sink.add(idOf('latencyMeanMs', 'ms'), tMs, sampled);
        const most = field(rest, 'rt_tot_lastn_max_msec');
        if (Number.isFinite(most)) sink.add(idOf('latencyMaxMs', 'ms'), tMs, most);
        before = { atS, orders };
      },
      () => {
        if (lines === 0)
          throw fail(
            'invalidInput',
            `${fileName}: no progress line of a DVD Store driver.`,
            'Choose what the driver printed (2.x prints it to stderr).',
          );
        sink.note(
          `${lines} progress lines of ${fileName}. Orders a minute are of each interval, from the difference of two counts. The log has no date: its time 0 was put where the import began.${ids.has('latencyMeanMs') ? '' : ' This version of the driver prints no response time of the interval; its mean since the start is not stored.'}`,
        );
      },
    );
  },
};
