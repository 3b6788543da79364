import type { DriverParser, FinalReport, ParserOptions } from './driver.ts';
import { createLineParser } from './lineParser.ts';
import { isPrintableLine } from './lines.ts';
import { num } from './tools.ts';

/** Which way the load goes, and by what: it decides what stands behind the rate of a line. */
export interface Iperf3Shape {
  protocol: 'tcp' | 'udp';
  direction: 'send' | 'receive';
  streams: number;
}

/** One interval, or one line of the report at the end. Times in seconds since iperf3's start. */
export interface Iperf3Line {
  /** `SUM` of all streams, or the number of one. */
  stream: string;
  /** Of a test in both directions: which of them. */
  role: 'send' | 'receive' | null;
  fromS: number;
  toS: number;
  mbps: number;
  /** Segments sent again in it; null where the line tells none. */
  retransmits: number | null;
  jitterMs: number | null;
  lostPct: number | null;
  /** Of a line of the report. */
  side: 'sender' | 'receiver' | null;
}

/**
 * With `-f k`: `[  5]   0.00-1.00   sec  6.00 MBytes  50327 Kbits/sec    0   1.12 MBytes`; `[SUM]`
 * over streams; `[  5][TX-C]` of a test in both directions; jitter and `lost/total (share)` where UDP
 * is received.
 */
const line =
  /^\[\s*(\d+|SUM)\](?:\[([TR])X-[CS]\])?\s+(\d+\.\d\d)-(\d+\.\d\d)\s+sec\s+[\d.]+ [KMGT]?Bytes\s+([\d.]+) ([KMGT]?)(bits|Bytes)\/sec(.*)$/;
/** A prefix of bits counts 1,000, one of bytes 1,024. */
function mbpsOf(value: number, prefix: string, what: string): number {
  const power = ['', 'K', 'M', 'G', 'T'].indexOf(prefix);
  return what === 'bits'
    ? (value * 1_000 ** power) / 1e6
    : round((value * 8 * 1_024 ** power) / 1e6);
}
const ofUdp = /^\s+([\d.]+) ms\s+-?\d+\/\d+ \(([-\d.e+]+)%\)\s*(sender|receiver)?\s*$/;
const ofTcp = /^(?:\s+(\d+))?(?:\s+[\d.]+ [KMGT]?Bytes)?\s*(sender|receiver)?\s*$/;

/** A line that tells a rate, whole: a torn one is none. */
export function parseIperf3Line(text: string): Iperf3Line | null {
  const found = line.exec(text);
  if (!found) return null;
  const [, stream = '', role, from, to, rate, prefix, what = '', rest = ''] = found;
  const udp = ofUdp.exec(rest);
  const tcp = udp ? null : ofTcp.exec(rest);
  if (!udp && !tcp) return null;
  const side = (udp ? udp[3] : tcp?.[2]) as Iperf3Line['side'] | undefined;
  return {
    stream,
    role: role === 'T' ? 'send' : role === 'R' ? 'receive' : null,
    fromS: num(from),
    toS: num(to),
    mbps: mbpsOf(num(rate), prefix ?? '', what),
    // Where UDP is sent the number is one of datagrams: the driver knows, this line does not.
    retransmits: tcp?.[1] === undefined ? null : num(tcp[1]),
    jitterMs: udp ? num(udp[1]) : null,
    lostPct: udp ? num(udp[2]) : null,
    side: side ?? null,
  };
}

const known =
  /^(?:Connecting to host |Reverse mode, |\[\s*\d+\] local |\[ ID\] Interval |(?:- ){5,}-?\s*$|iperf Done\.|iperf3: |warning: |\s*$)/;
/** Whether a line that tells no rate is another one of iperf3's. */
export const isKnownIperf3Line = (text: string): boolean =>
  known.test(text) && isPrintableLine(text);

/** Below this part of an interval a rate is noise: iperf3 closes with what is left of one. */
const shortest = 0.4;
/** Means are printed to a thousandth of Mb/s; what is computed here keeps as much. */
const round = (value: number): number => Math.round(value * 1_000) / 1_000;

/**
 * Intervals of all streams together: Mb/s; segments sent again a second where TCP is sent; jitter
 * and loss where UDP is received. t = start + the end of iperf3's interval.
 */
export function iperf3Parser(shape: Iperf3Shape, options: ParserOptions): DriverParser {
  const wanted = (stream: string): boolean => shape.streams === 1 || stream === 'SUM';
  return createLineParser(options.resume, (text) => {
    const found = parseIperf3Line(text);
    if (!found) return isKnownIperf3Line(text) ? 'known' : 'bad';
    const { fromS, toS } = found;
    if (found.side !== null || !wanted(found.stream)) return 'known';
    if (!(toS > fromS)) return 'bad';
    if ((toS - fromS) * 1_000 < options.intervalMs * shortest) return 'known';
    const tMs = options.startMs + Math.round(toS * 1_000);
    options.emit('throughput', tMs, found.mbps);
    if (shape.protocol === 'tcp' && shape.direction === 'send' && found.retransmits !== null)
      options.emit('retransmitRate', tMs, round(found.retransmits / (toS - fromS)));
    if (found.lostPct !== null) options.emit('lossPct', tMs, found.lostPct);
    if (found.jitterMs !== null) options.emit('jitterMs', tMs, found.jitterMs);
    return 'taken';
  });
}

/**
 * The report at the end. Of what TCP sends it is the sender's line, as its intervals are; of what
 * UDP sends the receiver's: what was lost on the way was not moved.
 */
export function iperf3Final(shape: Iperf3Shape, stdout: string): FinalReport | null {
  const side = shape.protocol === 'tcp' && shape.direction === 'send' ? 'sender' : 'receiver';
  const texts = stdout
    .split('\n')
    .filter((text) => parseIperf3Line(text)?.side === side)
    .filter((text) => shape.streams === 1 || text.startsWith('[SUM]'));
  const found = texts.length === 0 ? null : parseIperf3Line(texts.at(-1)!);
  return found && stdout.includes('iperf Done.')
    ? { throughput: found.mbps, latencyMeanMs: null, latencyP95Ms: null, text: texts.at(-1)! }
    : null;
}
