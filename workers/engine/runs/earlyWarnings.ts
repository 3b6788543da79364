import { earlyWarnings, warningText } from '../../../src/shared/earlyWarning.ts';
import type { MetricName } from '../../../src/shared/metric.ts';
import { limitHeadroom, runningPeriod, workloadEntityId } from '../../../src/shared/qos.ts';
import type { RunContext } from './context.ts';

/** Shares of a period after which its limits are looked at. Each looks at stored samples, so it is done seldom. */
const marks = [1 / 3, 2 / 3];
/** A limit with more than this left is not looked at: its mean would have to more than double. */
const farOff = 0.6;

/** Looks ahead in the running period now and then, and marks each limit that will be missed at the present trend, once a period. */
export function createForesight(context: RunContext): (nowMs: number) => void {
  const { run, db, verdict } = context;
  const looked = new Set<string>();
  const told = new Set<string>();
  return (nowMs) => {
    const overview = run.overview();
    const period = runningPeriod(overview, nowMs);
    if (!period) return;
    const mark = marks.findLastIndex(
      (share) => nowMs >= period.startMs + share * (period.endMs - period.startMs),
    );
    if (mark < 0 || looked.has(`${period.index}/${mark}`)) return;
    looked.add(`${period.index}/${mark}`);
    const { profile, plan } = run.record();
    const means =
      verdict.measurements(overview.series).find((p) => p.index === period.index)?.workloads ?? [];
    const near = new Set(
      profile.workloads.flatMap((w) =>
        w.qos.flatMap((limit) =>
          means
            .filter((m) => m.workloadId === w.id)
            .flatMap((m) => {
              const left = (['max', 'min'] as const).map((kind) =>
                limit[kind] === undefined
                  ? null
                  : limitHeadroom(kind, limit[kind], m.values[limit.metric] ?? null),
              );
              return left.some((share) => share !== null && share <= farOff)
                ? [`${workloadEntityId(m.tile, w.id)}/${limit.metric}`]
                : [];
            }),
        ),
      ),
    );
    const read = (entityId: string, metric: MetricName) => {
      const id = near.has(`${entityId}/${metric}`) ? context.seriesId(entityId, metric) : undefined;
      return id === undefined
        ? null
        : (db.samples.read(run.id, [id], {
            fromMs: period.startMs,
            toMs: nowMs,
            maxPoints: 0,
          })[0] ?? null);
    };
    for (const warning of earlyWarnings(profile, plan.tiles, period, read, nowMs)) {
      const entityId = workloadEntityId(warning.tile, warning.workloadId);
      const key = `${period.index}/${entityId}/${warning.metric}/${warning.kind}`;
      if (told.has(key)) continue;
      told.add(key);
      run.event('fault', warningText(warning), { entityId });
    }
  };
}
