import { aggregateRun, meanPower } from '../../../src/core/compare/index.ts';
import { isForeign } from '../../../src/core/run/foreign.ts';
import type { RunRecord, RunSummary } from '../../../src/core/run/run.ts';
import { isEnd } from '../../../src/core/run/states.ts';
import { workloadTotals } from '../../../src/core/score/totals.ts';
import type { SampleStore } from './types.ts';

/** At most this many workloads stand in a summary. */
const mostTotals = 16;

/**
 * What each workload did in all tiles, for a row of the history; absent where nothing was measured.
 */
function totalsOf({ score }: RunRecord['overview']): Pick<RunSummary, 'totals'> {
  const totals = score === null ? [] : workloadTotals(score);
  return totals.length === 0
    ? {}
    : {
        totals: totals
          .filter(({ scored }) => scored)
          .slice(0, mostTotals)
          .map(({ name, unit, total }) => ({ name, unit, total })),
      };
}

/** A run as a row of the history shows it; power and counts are read once it has ended. */
export function summarise(record: RunRecord, samples: SampleStore): RunSummary {
  const { overview, plan, testbed, profile } = record;
  const powerOnly = { ...overview, series: overview.series.filter((s) => s.metric === 'powerW') };
  return {
    id: overview.id,
    name: overview.name,
    state: overview.state,
    origin: overview.origin,
    profileId: profile.id,
    profileName: profile.name,
    testbedName: testbed.name,
    tiles: plan.tiles,
    startedAtMs: overview.startedAtMs,
    study: plan.study,
    durationS:
      overview.startedAtMs !== null && overview.endedAtMs !== null
        ? (overview.endedAtMs - overview.startedAtMs) / 1_000
        : null,
    // A ratio to the run itself says nothing beside other runs.
    score: overview.score?.reference === 'itself' ? null : (overview.score?.total ?? null),
    ...totalsOf(overview),
    // Earlier versions wrote `false` into results of another tool, which no rules were asked of.
    compliant: isForeign(record.imported) ? null : (overview.verdict?.compliant ?? null),
    resultName: profile.resultName,
    ...(record.imported ? { importedFrom: record.imported.fileName } : {}),
    sampleCount: isEnd(overview.state) ? samples.sampleCount(overview.id) : 0,
    meanPowerW: isEnd(overview.state)
      ? (meanPower(
          aggregateRun(powerOnly, (id, fromMs, toMs) =>
            samples.aggregate(overview.id, id, fromMs, toMs),
          ),
        )?.watts ?? null)
      : null,
  };
}
