import { inspect } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import fc from 'fast-check';

import { nightly } from '../../../../e2e/lab/nightly.ts';
import { AppError, type ErrorKind } from '../../../../src/core/base/errors.ts';
import { startWatchdog } from './watchdog.ts';

/** What holds for every case of every boundary. */
const fuzzBounds = {
  /** The longest a case may take, best of three: another process may hold the core once. */
  caseMs: 1_000,
  /** After this an answer does not come any more. */
  deadlineMs: 30_000,
  /** How much the process may grow over all cases of a boundary. */
  growthBytes: 300 * 1024 ** 2,
} as const;

/**
 * The same cases in every check of a change; new ones every night. `FUZZ_SEED`: those of a report.
 */
const fuzzSeed = Number(
  process.env['FUZZ_SEED'] ?? (nightly ? Date.now() % 1_000_000_000 : 20_261_122),
);
const nightlyTimes = 5;

export interface Boundary<T> {
  /** What stands in the test's name. */
  name: string;
  cases: number;
  inputs: fc.Arbitrary<T>;
  /**
   * Hands one input over. An AppError of an allowed kind is an answer; everything else thrown is a
   * defect.
   */
  take(this: void, input: T): unknown;
  /** Default: every kind but `internal`, which blames this app. */
  allowed?: readonly ErrorKind[];
  /** How an input is shown in a report. */
  print?(this: void, input: T): string;
}

/** Each of `all` once, in order, again from the first after the last. */
export function each<T>(all: readonly T[]): fc.Arbitrary<T> {
  let next = 0;
  return fc.constant(null).map(() => all[next++ % all.length]!);
}

const head = (input: unknown): string => {
  if (input instanceof Uint8Array) return Buffer.from(input.subarray(0, 400)).toString('latin1');
  if (typeof input === 'string') return input.slice(0, 400);
  return inspect(input, {
    depth: 8,
    maxStringLength: 120,
    maxArrayLength: 8,
    breakLength: Infinity,
    compact: true,
  }).slice(0, 900);
};

/** Garbage is no growth: it is collected before memory is held against the bound. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`No answer within ${fuzzBounds.deadlineMs} ms.`));
    }, fuzzBounds.deadlineMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * One test: `cases` inputs for a boundary, each answered or refused in order within a second, and
 * the process not grown by 300 MB. A failure names seed and path, and prints the beginning of the
 * smallest input that shows it.
 */
export function fuzz<T>(boundary: Boundary<T>): void {
  const { name, inputs, take, allowed, print = head } = boundary;
  const cases = boundary.cases * (nightly ? nightlyTimes : 1);
  test(`${name}: ${cases} cases`, async () => {
    const watchdog = startWatchdog(`${name}, seed ${fuzzSeed}`, 60_000);
    collectGarbage();
    const startBytes = process.memoryUsage.rss();
    let slowestMs = 0;
    let peakBytes = startBytes;
    let failedAtMs = Infinity;
    const answered = async (input: T): Promise<void> => {
      try {
        await inTime(Promise.resolve(take(input)));
      } catch (thrown) {
        if (!(thrown instanceof AppError)) throw thrown;
        const expected =
          allowed === undefined ? thrown.kind !== 'internal' : allowed.includes(thrown.kind);
        if (!expected) throw new Error(`${thrown.kind}: ${thrown.message}`, { cause: thrown });
      }
    };
    const timed = async (input: T): Promise<number> => {
      const fromMs = performance.now();
      const cpu = process.cpuUsage();
      await answered(input);
      const wallMs = performance.now() - fromMs;
      const { user, system } = process.cpuUsage(cpu);
      // Of waiting only a part counts: on a machine that others load a core is had for a part of
      // the time.
      return Math.min(wallMs, Math.max((user + system) / 1_000, wallMs / 4));
    };
    const hold = async (input: T): Promise<void> => {
      let tookMs = await timed(input);
      for (let again = 0; again < 2 && tookMs > fuzzBounds.caseMs; again += 1)
        tookMs = Math.min(tookMs, await timed(input));
      slowestMs = Math.max(slowestMs, tookMs);
      if (tookMs > fuzzBounds.caseMs) throw new Error(`It took ${Math.round(tookMs)} ms.`);
      let bytes = process.memoryUsage.rss();
      if (bytes - startBytes > fuzzBounds.growthBytes) {
        collectGarbage();
        bytes = process.memoryUsage.rss();
      }
      peakBytes = Math.max(peakBytes, bytes);
      if (bytes - startBytes > fuzzBounds.growthBytes)
        throw new Error(
          `The process has grown by ${Math.round((bytes - startBytes) / 1024 ** 2)} MB.`,
        );
    };
    const details = await fc.check(
      fc.asyncProperty(inputs, async (input) => {
        // A smaller input is looked for, but not for long.
        if (performance.now() - failedAtMs > 15_000) return;
        watchdog.begin(print(input));
        try {
          await hold(input);
        } catch (thrown) {
          failedAtMs = Math.min(failedAtMs, performance.now());
          throw thrown;
        } finally {
          watchdog.end();
        }
      }),
      {
        numRuns: cases,
        seed: fuzzSeed,
        ...(process.env['FUZZ_PATH'] === undefined ? {} : { path: process.env['FUZZ_PATH'] }),
      },
    );
    await watchdog.close();
    process.stdout.write(
      `${name}: ${details.numRuns} cases, slowest ${Math.round(slowestMs)} ms, grew by ${Math.round((peakBytes - startBytes) / 1024 ** 2)} MB\n`,
    );
    if (details.failed)
      throw new Error(
        `${name}: FUZZ_SEED=${details.seed} FUZZ_PATH=${details.counterexamplePath ?? ''}\n${details.counterexample === null ? '' : print(details.counterexample[0])}`,
        { cause: details.errorInstance },
      );
  }, 600_000);
}
