import { fail } from '../../../src/core/base/errors.ts';
import {
  buildComparison,
  type ComparedRun,
  compareGuards,
  type Comparison,
  type Distributions,
  distributionsOf,
  rowNoise,
  rowSpecs,
  sidesOf,
} from '../../../src/core/compare/index.ts';
import { steadyWindow } from '../../../src/core/run/windows.ts';
import type { Handlers } from '../../../src/wire/contract.ts';
import type { Database } from '../db/types.ts';
import { createComparedRuns } from './comparedRuns.ts';

export interface CompareService {
  /** `referenceId`: all are scored against that run for this comparison. */
  compare(
    baselineId: string,
    ids: readonly string[],
    signal: AbortSignal,
    referenceId?: string,
  ): Promise<Comparison>;
  distributions(
    baselineId: string,
    ids: readonly string[],
    key: string | undefined,
    signal: AbortSignal,
  ): Promise<Distributions>;
  /** What comparisons are made of, in this order. Throws notFound. */
  digests(
    ids: readonly string[],
    signal: AbortSignal,
    referenceId?: string,
  ): Promise<ComparedRun[]>;
}

/** Compares stored runs, from exact aggregates of their samples. */
export function createCompareService(db: Database): CompareService {
  const compared = createComparedRuns(db);
  const chosen = (baselineId: string, ids: readonly string[]): string[] => [
    baselineId,
    ...new Set(ids.filter((id) => id !== baselineId)),
  ];
  return {
    digests: async (ids, signal, referenceId) =>
      (await compared.read(ids, signal, referenceId)).runs,
    async compare(baselineId, ids, signal, referenceId) {
      const { runs, summaries, unreadable, scoredAgainst } = await compared.read(
        chosen(baselineId, ids),
        signal,
        referenceId,
      );
      const repeats = await compared.repeatsOf(runs, summaries, signal, scoredAgainst?.id);
      // The costly part, one row at a time; what follows finds it done.
      for (const run of resampledRuns(runs))
        for (const key of run.slots?.keys() ?? []) {
          rowNoise(run, key);
          await compared.breathe(signal);
        }
      const comparison = buildComparison(baselineId, runs, repeats, scoredAgainst);
      return unreadable.length === 0
        ? comparison
        : {
            ...comparison,
            unreadable: unreadable.map((id) => ({ id, issue: compared.issueOf(id) })),
          };
    },
    async distributions(baselineId, ids, key, signal) {
      const { runs } = await compared.read(chosen(baselineId, ids), signal);
      const specs = rowSpecs(runs).filter((spec) =>
        runs.some((run) => {
          const parts = spec.parts(run);
          return parts !== null && parts.fold !== 'score' && spec.value(run) !== null;
        }),
      );
      const spec = key === undefined ? specs[0] : specs.find((s) => s.key === key);
      if (!spec)
        throw fail(
          'notFound',
          key === undefined
            ? 'None of these runs has samples of its steady state.'
            : `None of these runs has samples of ${key} in its steady state.`,
          'Choose other runs.',
        );
      const read = [];
      for (const run of runs) {
        const { overview } = run.record;
        const steady = steadyWindow(overview);
        const defs = spec.parts(run)?.defs ?? [];
        read.push({
          run,
          data:
            steady === null
              ? []
              : db.samples.read(
                  overview.id,
                  defs.map((d) => d.id),
                  { fromMs: steady.startMs, toMs: steady.endMs - 1, maxPoints: 0 },
                ),
        });
        await compared.breathe(signal);
      }
      return distributionsOf(spec, specs, read);
    },
  };
}

/**
 * Runs whose own noise a comparison may ask for: where runs must not be compared, or a side has
 * repeats, it is never looked at.
 */
function resampledRuns(runs: readonly ComparedRun[]): readonly ComparedRun[] {
  if (compareGuards(runs).length > 0) return [];
  const single = sidesOf(runs)
    .filter((side) => side.runs.length === 1)
    .flatMap((side) => side.runs);
  return single.length > 1 && single[0] === runs[0] ? single : [];
}

export const compareMethods = (
  service: CompareService,
): Pick<Handlers, 'run.compare' | 'run.distributions'> => ({
  'run.compare': ({ baselineId, ids, referenceId }, signal) =>
    service.compare(baselineId, ids, signal, referenceId),
  'run.distributions': ({ baselineId, ids, key }, signal) =>
    service.distributions(baselineId, ids, key, signal),
});
