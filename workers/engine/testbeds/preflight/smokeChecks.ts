import { metricWord } from '../../../../src/core/metric/metricWords.ts';
import { overviewStateWord } from '../../../../src/core/run/runWords.ts';
import { isEnd } from '../../../../src/core/run/states.ts';
import { defineCheck } from './types.ts';

/**
 * What the last one-tile smoke run of this plan showed: only load itself proves that every workload
 * gives its series.
 */
export const smokeRun = defineCheck({
  id: 'smoke.run',
  title: 'One-tile smoke run',
  async run({ db, smokeRunId, inputs: { plan } }) {
    if (plan.smoke) return [];
    const about = {
      id: 'smoke.run',
      title: 'Smoke run',
      subject: 'smoke run',
      source: 'run history',
    };
    const record = smokeRunId === null ? null : db.runs.get(smokeRunId);
    if (!record)
      return [
        {
          ...about,
          severity: 'info',
          evidence: 'none since the engine started: the series of the workloads were not tried',
          fix: 'Start a smoke run: one tile, about a minute and a half.',
        },
      ];
    const { overview } = record;
    const link = { ...about, runId: overview.id };
    if (!isEnd(overview.state))
      return [
        {
          ...link,
          severity: 'info',
          evidence: `${overview.name} is under way: ${overviewStateWord(overview)}`,
        },
      ];
    if (overview.state !== 'passed')
      return [
        {
          ...link,
          severity: 'warn',
          evidence: `${overview.name}: ${overview.verdict?.sentence ?? overviewStateWord(overview)}`,
          fix: 'Open that run: its findings and logs say why.',
        },
      ];
    const silent = overview.series.filter(
      (def) =>
        def.entity.kind === 'workload' &&
        db.samples.aggregate(overview.id, def.id, 0, Number.MAX_SAFE_INTEGER).count === 0,
    );
    if (silent.length > 0)
      return [
        {
          ...link,
          id: 'smoke.silent',
          severity: 'warn',
          evidence:
            `${overview.name} passed, but got no points of ` +
            silent.map((def) => `${def.entity.name} ${metricWord(def.metric)}`).join(', '),
          fix: 'Open that run and read the logs of these workloads.',
        },
      ];
    return [
      {
        ...link,
        severity: 'ok',
        evidence: `${overview.name} passed; every workload of the tile gave its series`,
      },
    ];
  },
});
