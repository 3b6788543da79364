import type { DriverParser, FinalReport, ParserOptions } from './driver.ts';
import { createLineParser } from './lineParser.ts';
import { isPrintableLine } from './lines.ts';
import { num } from './tools.ts';

/** One of netperf's interim results. Its end is an epoch of the client's clock. */
export interface NetperfInterval {
  endMs: number;
  seconds: number;
  rate: number;
  unit: 'Mb/s' | 'transactions/s';
}

/** The units netperf prints, by `-f`; what it calls MBytes are 2^20. */
const units: Readonly<Record<string, { unit: NetperfInterval['unit']; factor: number }>> = {
  'Trans/s': { unit: 'transactions/s', factor: 1 },
  '10^3bits/s': { unit: 'Mb/s', factor: 0.001 },
  '10^6bits/s': { unit: 'Mb/s', factor: 1 },
  '10^9bits/s': { unit: 'Mb/s', factor: 1_000 },
  'KBytes/s': { unit: 'Mb/s', factor: (8 * 2 ** 10) / 1e6 },
  'MBytes/s': { unit: 'Mb/s', factor: (8 * 2 ** 20) / 1e6 },
  'GBytes/s': { unit: 'Mb/s', factor: (8 * 2 ** 30) / 1e6 },
};

/** `Interim result: 1307.91 10^6bits/s over 4.008 seconds ending at 1795508377.521`. */
const human =
  /^Interim result: {1,12}(\d+\.\d\d) (\S{1,12}) over (\d+\.\d{1,3}) seconds ending at (\d+\.\d{3})$/;
/** The same by keys, a line each: `NETPERF_INTERVAL[0]=1.002`. */
const keyed = /^NETPERF_(INTERIM_RESULT|UNITS|INTERVAL|ENDING)\[(\d{1,9})\]=(\S{1,24})$/;

/** Lines of one interim result that have come; each but the last waits for the next. */
interface Begun {
  number: string;
  rate: string;
  units?: string;
  seconds?: string;
}

function intervalOf(
  rate: string | undefined,
  unit: string | undefined,
  seconds: string | undefined,
  end: string | undefined,
): NetperfInterval | 'bad' {
  const known = Object.hasOwn(units, unit ?? '') ? units[unit ?? ''] : undefined;
  const found = {
    endMs: Math.round(num(end) * 1_000),
    seconds: num(seconds),
    rate: num(rate) * (known?.factor ?? NaN),
  };
  return known && Number.isFinite(found.rate) && found.seconds > 0 && found.endMs > 0
    ? { ...found, unit: known.unit }
    : 'bad';
}

/** Reads interim results line by line, as a sentence or by keys; `state` is what has come of one. */
function createNetperfReader(state: string): {
  read(text: string): NetperfInterval | 'known' | 'bad';
  state(): string;
} {
  let begun = state === '' ? null : (JSON.parse(state) as Begun);
  const ofKey = (
    name: string,
    number: string,
    value: string,
  ): NetperfInterval | 'known' | 'bad' => {
    if (name === 'INTERIM_RESULT') {
      begun = { number, rate: value };
      return 'known';
    }
    if (begun?.number !== number) return 'bad';
    if (name === 'UNITS') begun.units = value;
    else if (name === 'INTERVAL') begun.seconds = value;
    else {
      const { rate, units: unit, seconds } = begun;
      begun = null;
      return intervalOf(rate, unit, seconds, value);
    }
    return 'known';
  };
  return {
    read(text) {
      const line = human.exec(text);
      if (line) return intervalOf(line[1], line[2], line[3], line[4]);
      const key = keyed.exec(text);
      if (key) return ofKey(key[1]!, key[2]!, key[3]!);
      return !/^(?:NETPERF_|Interim)/.test(text) && isPrintableLine(text) ? 'known' : 'bad';
    },
    state: () => (begun === null ? '' : JSON.stringify(begun)),
  };
}

/** Below this part of an interval a rate is noise: netperf closes with what is left of one. */
const shortest = 0.4;
/** More silent seconds than this in one interim result are a clock that was set. */
const mostSilent = 3_600;
const thousandths = (value: number): number => Math.round(value * 1_000) / 1_000;

/**
 * Ends of the intervals that one interim result covers. netperf tells a result with the first
 * answer after its time: over a silence it is one long result, whose mean holds in each of its
 * intervals, else it would count in a run as one interval of many.
 */
function endsOf({ endMs, seconds }: NetperfInterval, intervalMs: number): number[] {
  const lengthMs = seconds * 1_000;
  if (lengthMs < intervalMs * shortest) return [];
  const parts = Math.min(mostSilent, Math.max(1, Math.round(lengthMs / intervalMs)));
  return Array.from({ length: parts }, (_, i) =>
    Math.round(endMs - ((parts - 1 - i) * lengthMs) / parts),
  );
}

/**
 * Mb/s of a stream, or transactions a second and their mean time: one is under way at a time, and
 * netperf's own RT_LATENCY is the same quotient. Times are netperf's own epoch.
 */
export function netperfParser(options: ParserOptions): DriverParser {
  const held = options.resume?.state
    ? (JSON.parse(options.resume.state) as { lastMs: number; begun: string })
    : { lastMs: 0, begun: '' };
  const reader = createNetperfReader(held.begun);
  return createLineParser(
    options.resume,
    (text) => {
      const found = reader.read(text);
      if (typeof found === 'string') return found;
      const { endMs, rate, unit } = found;
      if (endMs <= held.lastMs) return 'bad';
      held.lastMs = endMs;
      for (const tMs of endsOf(found, options.intervalMs)) {
        options.emit('throughput', tMs, thousandths(rate));
        if (unit === 'transactions/s' && rate > 0)
          options.emit('latencyMeanMs', tMs, Math.round(1e9 / rate) / 1e6);
      }
      return 'taken';
    },
    () => JSON.stringify({ lastMs: held.lastMs, begun: reader.state() }),
  );
}

/** Keys of the report that the driver asks for. */
export const netperfKeys = [
  'THROUGHPUT',
  'THROUGHPUT_UNITS',
  'ELAPSED_TIME',
  'MEAN_LATENCY',
  'P99_LATENCY',
  'MAX_LATENCY',
  'LOCAL_TRANSPORT_RETRANS',
  'REMOTE_TRANSPORT_RETRANS',
] as const;

/** The report at the end by its keys; latencies are in µs, and of a stream no round trips. */
export function netperfFinal(stdout: string): FinalReport | null {
  const lines = stdout
    .split('\n')
    .filter((text) => netperfKeys.some((key) => text.startsWith(`${key}=`)));
  const of = (key: (typeof netperfKeys)[number]): string | undefined =>
    lines.find((text) => text.startsWith(`${key}=`))?.slice(key.length + 1);
  const unit = of('THROUGHPUT_UNITS') ?? '';
  const throughput = num(of('THROUGHPUT')) * (units[unit]?.factor ?? NaN);
  if (!Number.isFinite(throughput)) return null;
  const meanUs = num(of('MEAN_LATENCY'));
  return {
    throughput,
    latencyMeanMs: unit === 'Trans/s' && meanUs > 0 ? meanUs / 1_000 : null,
    latencyP95Ms: null,
    text: lines.join('\n'),
  };
}
