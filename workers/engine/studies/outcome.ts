import { limitKey } from '../../../src/core/limits/index.ts';
import { metricWord } from '../../../src/core/metric/metricWords.ts';
import type { RunRecord } from '../../../src/core/run/run.ts';
import type { StudyPoint } from '../../../src/core/study/study.ts';

/** What an ended run is as a point of a study, in words where it is not simply passed. */
export function outcomeOf({
  overview,
}: Pick<RunRecord, 'overview'>): Pick<StudyPoint, 'state' | 'detail'> {
  const sentence = overview.verdict?.sentence ?? `The run ended ${overview.state}.`;
  if (overview.state === 'aborted') return { state: 'aborted', detail: sentence };
  // Ended by its plan's rule: the limit was missed, which is what a stop rule and a search for a
  // limit ask.
  if (overview.abortReason === 'qos') return { state: 'qosFailed', detail: sentence };
  if (overview.state !== 'passed') return { state: 'failed', detail: sentence };
  if (overview.score === null || overview.score.qosPassed)
    return { state: 'passed', detail: overview.verdict?.compliant === false ? sentence : '' };
  return { state: 'qosFailed', detail: missedLimits(overview.score) };
}

/** The limits that were missed, the worst of each workload and metric over tiles and periods. */
function missedLimits(score: NonNullable<RunRecord['overview']['score']>): string {
  const worst = new Map<string, { text: string; by: number; tiles: Set<number> }>();
  for (const period of score.periods) {
    for (const tile of period.tiles) {
      for (const workload of tile.workloads) {
        for (const qos of workload.qos) {
          if (qos.passed === true) continue;
          const key = limitKey({ ...qos, entityId: workload.workloadId });
          const by = qos.measured === null ? Infinity : Math.abs(qos.measured - qos.limit);
          const known = worst.get(key);
          const tiles = (known?.tiles ?? new Set<number>()).add(tile.tile);
          const text =
            `${workload.name} ${metricWord(qos.metric).toLowerCase()} ` +
            `${qos.measured === null ? 'not measured' : `${Number(qos.measured.toPrecision(4))} ${qos.unit}`}, ` +
            `${qos.kind === 'max' ? 'at most' : 'at least'} ${qos.limit} ${qos.unit}`;
          worst.set(key, known && known.by >= by ? { ...known, tiles } : { text, by, tiles });
        }
      }
    }
  }
  return (
    [...worst.values()]
      .map(
        ({ text, tiles }) =>
          `${text} (${tiles.size === 1 ? `tile ${[...tiles][0]! + 1}` : `${tiles.size} tiles`})`,
      )
      .join('; ') || 'A QoS limit was missed.'
  );
}
