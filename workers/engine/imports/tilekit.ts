import * as z from 'zod';

import { fail } from '../../../src/core/base/errors.ts';
import type { MetricName } from '../../../src/core/metric/metric.ts';
import type { Driver, DriverParser } from '../workloads/driver.ts';
import { getDriver } from '../workloads/index.ts';
import { lineImport } from './lines.ts';
import { createSeries } from './series.ts';
import type { ImportFormat } from './types.ts';

const head = z.object({
  kit: z.string().max(40),
  startUnixNs: z.number().min(0).max(9e18),
  scenario: z.string().max(40),
});
/** The driver of each scenario, which reads its lines in a run too. */
const driverOf: Readonly<Record<string, string>> = {
  web: 'tilekit',
  dvdstore: 'tilekit-dvdstore',
  mail: 'tilekit-mail',
  orders: 'tilekit-orders',
  net: 'tilekit-net',
};
/** What an operation of the scenario net says of its load, which its head does not tell. */
const kindOfNet: Readonly<Record<string, string>> = {
  packet: 'packets',
  request: 'requests',
  block: 'streams',
};
/** Lines of a second before its kind is known, with their histograms. */
const longestBeginning = 1_000_000;
const second = /^\{"t":(\d[\d.]{0,15}),"op":"([^"]{1,60})","lengthS":(\d[\d.]{0,15}),/;

/** What tilekit writes: a head, lines a second, a last one. Read as the driver of its scenario does. */
export const tilekit: ImportFormat = {
  matches: (beginning) => /^\{"kit":"[^"]{1,40}","schema":\d{1,4},/.test(beginning),
  open(sink, { fileName }) {
    const put = createSeries(sink, 'tilekit');
    const encoder = new TextEncoder();
    let began: z.infer<typeof head> | null = null;
    let load: { driver: Driver; params: Record<string, unknown>; parser: DriverParser } | null =
      null;
    let waiting: string[] = [];
    let waitingLength = 0;
    let lastLine = '';
    let bad = 0;
    let untilS = 0;
    let everyS = 1;
    let seconds = 0;

    const openLoad = (kind: string | undefined, received: boolean): void => {
      const driver = getDriver(driverOf[began!.scenario] ?? 'tilekit');
      const direction = kind === 'streams' ? { direction: received ? 'send' : 'receive' } : {};
      const params = driver.params.parse(kind === undefined ? {} : { kind, ...direction });
      const units = new Map(driver.series(params).map((one) => [one.metric, one]));
      const parser = driver.parser(params, {
        startMs: Math.round(began!.startUnixNs / 1e6),
        intervalMs: everyS * 1_000,
        emit(metric: MetricName, tMs, value) {
          const { unit = '', decimals = 3 } = units.get(metric) ?? {};
          put({ metric, unit, decimals, periodMs: everyS * 1_000 }, tMs, value);
        },
      });
      load = { driver, params, parser };
      for (const line of waiting) parser.push(encoder.encode(`${line}\n`));
      waiting = [];
    };
    /** Of the scenario net it is told by the first second what it loads. */
    const wait = (line: string, op: string | undefined): void => {
      waiting.push(line);
      waitingLength += line.length;
      if (began!.scenario !== 'net') openLoad(undefined, false);
      else if (op === '*' || waitingLength > longestBeginning) {
        const ops = waiting.map((one) => second.exec(one)?.[2] ?? '');
        const kind = ops.map((one) => kindOfNet[one]).find((one) => one !== undefined);
        openLoad(kind ?? 'packets', ops.includes('received'));
      }
    };
    /** Seconds follow each other: what is missing or stands there twice is counted. */
    const isNext = (line: string): boolean => {
      const found = second.exec(line);
      if (found?.[2] !== '*') return true;
      const [fromS, lengthS] = [Number(found[1]), Number(found[3])];
      if (seconds === 0 && lengthS >= 0.5) everyS = Math.max(1, Math.round(lengthS));
      if (fromS < untilS - 0.001) return false;
      if (fromS > untilS + 0.001) bad += Math.max(1, Math.round((fromS - untilS) / everyS));
      untilS = fromS + lengthS;
      seconds += 1;
      return true;
    };
    return lineImport(
      fileName,
      (line, number, isWhole) => {
        if (line.startsWith('{"kit":')) {
          if (began)
            throw fail(
              'invalidInput',
              `${fileName}: line ${number} begins a second output of tilekit. Two outputs are two runs, not one curve.`,
              'Cut the file there, and import each part.',
            );
          began = headOf(line, fileName);
          return;
        }
        if (!began) throw noHead(fileName);
        if (!isWhole || !isNext(line)) {
          bad += 1;
          return;
        }
        if (line !== '') lastLine = line;
        if (load) load.parser.push(encoder.encode(`${line}\n`));
        else wait(line, second.exec(line)?.[2]);
      },
      () => {
        if (began && !load && waiting.length > 0) openLoad('packets', false);
        if (!began || !load) throw noHead(fileName);
        load.parser.end();
        const final = load.driver.finalReport(load.params, lastLine);
        if (!final) bad += 1;
        if (seconds === 0)
          throw fail(
            'invalidInput',
            `${fileName}: no second of tilekit's load.`,
            'Choose the output of a load that ran.',
          );
        if (bad + load.parser.badLines > 0) sink.leaveOut(bad + load.parser.badLines, 'line');
        if (!final)
          sink.note(
            `${fileName} has no last line of tilekit: its load was ended, or the file cut.`,
          );
        if (final?.warning !== undefined) sink.note(`Its end says: ${final.warning}`);
        sink.note(
          `tilekit ${began.kit}, scenario ${began.scenario}, read as the driver of that scenario reads it. Times are those of the client.`,
        );
      },
    );
  },
};

const noHead = (fileName: string) =>
  fail(
    'invalidInput',
    `${fileName}: the first line of tilekit's output is missing or damaged.`,
    'Choose an out.ndjson from its beginning.',
  );

function headOf(line: string, fileName: string): z.infer<typeof head> {
  let parsed: unknown = null;
  try {
    parsed = JSON.parse(line);
  } catch {
    // Said below.
  }
  const { data } = head.safeParse(parsed);
  if (!data) throw noHead(fileName);
  if (driverOf[data.scenario] === undefined)
    throw fail(
      'invalidInput',
      `${fileName}: tilekit's scenario ${JSON.stringify(data.scenario)} is not known to this version.`,
      'Open it with the version of Tilebench that wrote it, or a newer one.',
    );
  return data;
}
