import { fail } from '../../../../core/base/errors.ts';
import {
  buildComparison,
  type ComparedRun,
  type Comparison,
  type Distributions,
  distributionsOf,
  rowSlots,
  rowSpecs,
  slotMeans,
} from '../../../../core/compare/index.ts';
import { steadyWindow } from '../../../../core/run/windows.ts';
import { type DemoRun, samplesOf } from './records.ts';

/** A run with the series behind its rows, as the engine's digest has them. */
export function withSlots(run: DemoRun): ComparedRun {
  const steady = steadyWindow(run.record.overview);
  return steady === null
    ? run
    : {
        ...run,
        slots: rowSlots(run, (def) =>
          slotMeans(samplesOf(run, [def.id])[0]!, steady.startMs, steady.endMs, def.periodMs),
        ),
      };
}

/** A comparison as the engine answers it. */
export const demoComparison = (baselineId: string, runs: readonly DemoRun[]): Comparison =>
  buildComparison(baselineId, runs.map(withSlots));

/** Distributions as the engine answers them. */
export function demoDistributions(runs: readonly DemoRun[], key?: string): Distributions {
  const specs = rowSpecs(runs).filter((spec) =>
    runs.some((run) => {
      const parts = spec.parts(run);
      return parts !== null && parts.fold !== 'score' && spec.value(run) !== null;
    }),
  );
  const spec = key === undefined ? specs[0] : specs.find((s) => s.key === key);
  if (spec === undefined)
    throw fail(
      'notFound',
      'None of these runs has samples of its steady state.',
      'Choose other runs.',
    );
  return distributionsOf(
    spec,
    specs,
    runs.map((run) => {
      const steady = steadyWindow(run.record.overview);
      const data =
        steady === null
          ? []
          : samplesOf(
              run,
              (spec.parts(run)?.defs ?? []).map((d) => d.id),
            ).map(({ seriesId, tMs, value }) => {
              const inside = [...tMs.keys()].filter(
                (i) => tMs[i]! >= steady.startMs && tMs[i]! < steady.endMs,
              );
              return {
                seriesId,
                tMs: Float64Array.from(inside, (i) => tMs[i]!),
                value: Float64Array.from(inside, (i) => value[i]!),
              };
            });
      return { run, data };
    }),
  );
}
