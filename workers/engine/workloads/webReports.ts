import { num } from './tools.ts';

/** What a load tool of web servers says at its end of its whole run. */
export interface WebReport {
  seconds: number;
  /** Requests answered without an error status. */
  succeeded: number;
  /** Those answered with one; `lost` came to no answer. */
  failed: number;
  lost: number;
  /** Null where the report does not tell it. */
  latencyMeanMs: number | null;
  latencyP95Ms: number | null;
  latencyP99Ms: number | null;
  latencyMaxMs: number | null;
}

const unitMs = { us: 0.001, ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;
const length = /^(\d+(?:\.\d+)?)(us|ms|s|m|h)$/;
/** `2.26ms` as these tools write it; null where it is none. */
function lengthMs(text: string | undefined): number | null {
  const found = length.exec(text ?? '');
  if (!found) return null;
  return Math.round(num(found[1]) * unitMs[found[2] as keyof typeof unitMs] * 1e6) / 1e6;
}

/**
 * Of h2load: `finished in 3.00s, 80.00 req/s`, `requests: … 240 succeeded …`, and of the table of
 * times the columns that its head names.
 */
export function readH2loadReport(text: string): WebReport | null {
  const total = lengthMs(/^finished in ([\d.]{1,12}[a-z]{1,2}), /m.exec(text)?.[1]);
  const requests =
    /^requests: .{0,120} (\d+) succeeded, (\d+) failed(?:, (\d+) errored(?:, (\d+) timeout)?)?$/m.exec(
      text,
    );
  if (!requests || total === null || total === 0) return null;
  const columns = (/^ {1,40}min {1,30}max .*$/m.exec(text)?.[0] ?? '').trim().split(/ {2,}/);
  const times = (/^(?:time for )?request {0,20}:(.*)$/m.exec(text)?.[1] ?? '').trim().split(/ +/);
  const of = (column: string): number | null => {
    const at = columns.indexOf(column);
    return at < 0 || times.length < columns.length ? null : lengthMs(times[at]);
  };
  // In its count of failed requests are those that came to no answer.
  const lost = num(requests[3] ?? '0') + num(requests[4] ?? '0');
  return {
    seconds: total / 1_000,
    succeeded: num(requests[1]),
    failed: Math.max(0, num(requests[2]) - lost),
    lost: Math.min(num(requests[2]), lost),
    latencyMeanMs: of('mean'),
    latencyP95Ms: of('p95'),
    latencyP99Ms: of('p99'),
    latencyMaxMs: of('max'),
  };
}

/**
 * Of wrk and wrk2: `67506 requests in 3.04s`, of those `Non-2xx or 3xx responses: 12`, and
 * `Socket errors: connect 0, read 0, write 0, timeout 3`.
 */
export function readWrkReport(text: string): WebReport | null {
  const total = /^ {0,8}(\d{1,15}) requests in ([\d.]{1,12}[a-z]{1,2}), /m.exec(text);
  const totalMs = lengthMs(total?.[2]);
  if (!total || totalMs === null || totalMs === 0) return null;
  const failed = num(/^ {1,8}Non-2xx or 3xx responses: (\d+)$/m.exec(text)?.[1] ?? '0');
  const errors =
    /^ {1,8}Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)$/m
      .exec(text)
      ?.slice(1) ?? [];
  const [mean, , max] = (/^ {1,8}Latency {1,20}(\d.*)$/m.exec(text)?.[1] ?? '').split(/ +/);
  const percentile = (share: number): number | null =>
    lengthMs(new RegExp(`^ {1,8}${share}(?:\\.000)?% +([\\d.]+[a-z]+)\\s*$`, 'm').exec(text)?.[1]);
  return {
    seconds: totalMs / 1_000,
    succeeded: Math.max(0, num(total[1]) - failed),
    failed,
    lost: errors.map(num).reduce((sum, one) => sum + one, 0),
    latencyMeanMs: lengthMs(mean),
    latencyP95Ms: percentile(95),
    latencyP99Ms: percentile(99),
    latencyMaxMs: lengthMs(max),
  };
}
