import { fail } from '../../../src/core/base/errors.ts';
import { createRepeats, createSteps } from './dropped.ts';
import { lineImport } from './lines.ts';
import type { ImportFormat } from './types.ts';

/** A whole line: it ends with the rollbacks and their share. */
const progress =
  /^(?:.*?\s)?et=\s*(\d+\.\d)\s+n_overall=(\d+)\s+opm=(\d+)\s+(rt_tot_lastn_max_msec=\d+\s+rt_tot_avg_msec=\d+\s+(?:rt_tot_sampled=\d+\s+)?rollbacks: n=\d+\s+%=\s*\d+\.\d)\s*$/;
const noResponseTime =
  ' This version of the driver prints no response time of the interval; its mean since the start ' +
  'is not stored.';
/**
 * What the driver says three times must agree: opm is 60 × orders over seconds, cut to a whole
 * number.
 */
const agrees = (atS: number, orders: number, opm: number): boolean =>
  atS < 5 || Math.abs((60 * orders) / atS - opm) <= 1 + (0.06 * 60 * orders) / atS ** 2;
const field = (text: string, name: string): number =>
  Number(new RegExp(`\\b${name}=\\s*([\\d.]+)`).exec(text)?.[1] ?? NaN);

/**
 * Progress lines of the DVD Store drivers 2.0, 2.1 and 3. Their `opm` and mean response time are
 * since the last reset, not of the interval: the interval's orders a minute come from the
 * difference of two counts. `rt_tot_sampled` (2.1, 3) is the mean of the last 10 s. Source:
 * dvdstore/ds21 ds2xdriver.cs lines 1079 and 1338, ds3xdriver.cs 1297.
 */
export const dvdstore: ImportFormat = {
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
    let bad = 0;
    let ended = false;
    const missing = createSteps();
    let repeats = createRepeats();
    return lineImport(
      fileName,
      (line, number) => {
        // The end of the warm-up sets time and counts to zero.
        if (/^Stats reset/.test(line)) {
          originS += before.atS;
          before = { atS: 0, orders: 0 };
          repeats = createRepeats();
          return;
        }
        if (/^(?:\S+ \S+ )?Final\b/.test(line)) {
          ended = true;
          return;
        }
        const found = progress.exec(line);
        if (!found) {
          if (/\bet=\s*[\d.]*\s*n_overall=/.test(line)) bad += 1;
          return;
        }
        const [atS, orders] = [Number(found[1]), Number(found[2])];
        if (!agrees(atS, orders, Number(found[3]))) {
          bad += 1;
          return;
        }
        if (!ended && repeats(atS, line)) {
          bad += 1;
          return;
        }
        if (ended || atS <= before.atS || orders < before.orders)
          throw fail(
            'invalidInput',
            `${fileName}: line ${number} begins a second log of DVD Store. Two logs are two runs, not one curve.`,
            'Cut the file there, and import each part.',
          );
        if (lines > 0) bad += missing(atS - before.atS);
        lines += 1;
        const tMs = startMs + Math.round((originS + atS) * 1_000);
        sink.add(
          idOf('throughput', 'orders/min'),
          tMs,
          ((orders - before.orders) / (atS - before.atS)) * 60,
        );
        const rest = found[4]!;
        const sampled = field(rest, 'rt_tot_sampled');
        // Of no order there is no response time: the tool prints 0.
        if (Number.isFinite(sampled) && orders > before.orders)
          sink.add(idOf('latencyMeanMs', 'ms'), tMs, sampled);
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
          `${lines} progress lines of ${fileName}. Orders a minute are of each interval, ` +
            'from the difference of two counts. The log has no date: its time 0 was put where ' +
            `the import began.${ids.has('latencyMeanMs') ? '' : noResponseTime}`,
        );
        if (bad > 0) sink.leaveOut(bad, 'line');
      },
    );
  },
};
