import type { MetricName } from '../../../../src/core/metric/metric.ts';
import type { Driver, DriverParser, ParserResume } from '../driver.ts';

export interface Parsed {
  metric: MetricName;
  tMs: number;
  value: number;
}

/** Parses bytes in one go or in pieces cut at `cuts`; gives the samples and the parser. */
export function parseAll(
  driver: Driver,
  params: Record<string, unknown>,
  stdout: Uint8Array,
  options: { startMs?: number; cuts?: readonly number[]; resume?: ParserResume } = {},
): { samples: Parsed[]; parser: DriverParser } {
  const samples: Parsed[] = [];
  const parser = driver.parser(params, {
    startMs: options.startMs ?? 1_000_000,
    intervalMs: 1_000,
    emit: (metric, tMs, value) => {
      samples.push({ metric, tMs, value });
    },
    ...(options.resume ? { resume: options.resume } : {}),
  });
  let from = options.resume?.offset ?? 0;
  for (const cut of [
    ...(options.cuts ?? []).filter((c) => c > from && c < stdout.length),
    stdout.length,
  ]) {
    parser.push(stdout.subarray(from, cut));
    from = cut;
  }
  parser.end();
  return { samples, parser };
}

/**
 * What is stored when the first parser saw `upTo` bytes and a fresh one went on from its journal:
 * the engine's own rule.
 */
export function parseResumed(
  driver: Driver,
  params: Record<string, unknown>,
  stdout: Uint8Array,
  upTo: number,
  startMs = 1_000_000,
): Parsed[] {
  const first: Parsed[] = [];
  const one = driver.parser(params, {
    startMs,
    intervalMs: 1_000,
    emit: (metric, tMs, value) => {
      first.push({ metric, tMs, value });
    },
  });
  one.push(stdout.subarray(0, upTo));
  const storedUntil = Math.max(-Infinity, ...first.map((s) => s.tMs));
  const rest: Parsed[] = [];
  const resume = one.resume();
  const two = driver.parser(params, {
    startMs,
    intervalMs: 1_000,
    emit: (metric, tMs, value) => {
      if (tMs > storedUntil) rest.push({ metric, tMs, value });
    },
    resume,
  });
  two.push(stdout.subarray(resume.offset));
  two.end();
  return [...first, ...rest];
}
