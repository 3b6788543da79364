import { nightly } from '../../../../e2e/lab/nightly.ts';
import { getDriver } from '../index.ts';
import { parseAll, type Parsed, parseResumed } from './parse.ts';
import { runTool, type ToolRun } from './runTool.ts';

/** How often a tool is held against its own report: by night as often as the product promises. */
export const repeats = nightly ? 20 : 3;

export interface AgainstReport extends ToolRun {
  samples: Parsed[];
  badLines: readonly string[];
  /** How far the sum of the intervals is from the tool's own report, %. */
  offPct: number;
}

/**
 * The mean of a tool's intervals by their lengths: what its report divides by its whole time. The
 * first interval begins at `startMs`; `tail` is the last one where it is too short for a sample.
 */
function meanByLength(
  samples: readonly Parsed[],
  startMs: number,
  tail: { lengthMs: number; rate: number },
): number {
  let before = startMs;
  let sum = tail.rate * tail.lengthMs;
  for (const { tMs, value } of samples.filter((one) => one.metric === 'throughput')) {
    sum += value * (tMs - before);
    before = tMs;
  }
  return sum / (before - startMs + tail.lengthMs);
}

/**
 * Runs a driver's tool once, and holds what is parsed against its report at the end. `tailOf` reads
 * the end that is too short for a sample, by the tool's documentation and not by the parser.
 */
export async function againstReport(
  id: string,
  params: Record<string, unknown>,
  cwd: string,
  tailOf: (stdout: string) => { lengthMs: number; rate: number } | null = () => null,
  durationS = 2,
): Promise<AgainstReport> {
  const driver = getDriver(id);
  const parsed = driver.params.parse(params);
  const ran = await runTool(driver.command(parsed, { durationS, intervalS: 1 }), cwd);
  const { samples, parser } = parseAll(driver, parsed, ran.stdout, { startMs: ran.startMs });
  const report = driver.finalReport(parsed, ran.stdout.toString());
  if (report?.throughput == null)
    throw new Error(`${id} ended without a report: ${ran.stderr}\n${ran.stdout.toString()}`);
  const mean = meanByLength(
    samples,
    originOf(samples, ran.startMs),
    tailOf(ran.stdout.toString()) ?? { lengthMs: 0, rate: 0 },
  );
  return {
    ...ran,
    samples,
    badLines: parser.badExamples,
    offPct: (mean / report.throughput - 1) * 100,
  };
}

/** Windows of single requests begin with the first of them, a while after the start. */
function originOf(samples: readonly Parsed[], startMs: number): number {
  const times = samples.filter((one) => one.metric === 'throughput').map((one) => one.tMs);
  const [first = startMs, second = first + 1_000] = times;
  return Math.max(startMs, first - (second - first > 0 ? Math.max(1_000, second - first) : 1_000));
}

/** Every sample as it was, whatever byte a fresh parser goes on from. */
export function expectResumable(
  id: string,
  params: Record<string, unknown>,
  { stdout, startMs, samples }: Pick<AgainstReport, 'stdout' | 'startMs' | 'samples'>,
): void {
  const driver = getDriver(id);
  const parsed = driver.params.parse(params);
  const step = Math.max(1, Math.floor(stdout.length / 211));
  for (let upTo = 0; upTo <= stdout.length; upTo += step)
    expect(parseResumed(driver, parsed, stdout, upTo, startMs)).toEqual(samples);
}
