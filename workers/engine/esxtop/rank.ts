import {
  level,
  type Threshold,
  thresholds,
} from '../../../src/core/diagnosis/diagnosisThresholds.ts';
import type { MetricName } from '../../../src/core/metric/metric.ts';
import { metricWords } from '../../../src/core/metric/metricWords.ts';
import {
  type EsxtopSight,
  type EsxtopSightKind,
  esxtopSights,
} from '../../../src/core/run/esxtopLook.ts';

/** Figures of one thing over an interval, by metric. */
export interface EsxtopFigures {
  subject: string;
  figures: ReadonlyMap<MetricName, { mean: number; most: number; unit: string }>;
}

/** What each kind is read from, and what it is held against. */
const kinds: Readonly<
  Record<
    EsxtopSightKind,
    { metrics: readonly MetricName[]; threshold: Threshold; beside: readonly MetricName[] }
  >
> = {
  ready: { metrics: ['readyPct'], threshold: thresholds.ready, beside: ['cpuPct', 'costopPct'] },
  costop: { metrics: ['costopPct'], threshold: thresholds.costop, beside: ['cpuPct', 'readyPct'] },
  queue: {
    metrics: ['queuedCommands'],
    threshold: thresholds.queued,
    beside: ['queueDepth', 'maxQueueDepth', 'queueUsedPct', 'queueLatencyMs'],
  },
  kernel: {
    metrics: ['kernelLatencyMs'],
    threshold: thresholds.queue,
    beside: ['queueLatencyMs', 'deviceLatencyMs', 'guestLatencyMs', 'iops'],
  },
  device: {
    metrics: ['deviceLatencyMs'],
    threshold: thresholds.device,
    beside: ['kernelLatencyMs', 'guestLatencyMs', 'iops', 'queueDepth'],
  },
  drops: {
    metrics: ['droppedRxPct', 'droppedTxPct'],
    threshold: thresholds.drops,
    beside: ['packetsRxPerS', 'packetsTxPerS'],
  },
};
/** So many are told of a kind that stands out; of one that does not, the highest alone. */
const ofAKind = 3;

/** What an interval of esxtop shows, the loudest first; of each kind the three that stand out most. */
export function rankEsxtop(things: readonly EsxtopFigures[]): EsxtopSight[] {
  return esxtopSights
    .flatMap((kind) => {
      const { metrics, threshold, beside } = kinds[kind];
      return things
        .flatMap(({ subject, figures }): EsxtopSight[] => {
          const told = metrics.flatMap((metric) => figures.get(metric) ?? []);
          const [first] = told;
          if (first === undefined) return [];
          const loudest = told.reduce((most, one) => (one.mean > most.mean ? one : most), first);
          return [
            {
              kind,
              subject,
              ...loudest,
              level: level(loudest.mean, threshold),
              from: threshold.from,
              source: threshold.source,
              evidence: beside.flatMap((metric) => {
                const figure = figures.get(metric);
                return figure === undefined
                  ? []
                  : [{ label: metricWords[metric], mean: figure.mean, unit: figure.unit }];
              }),
            },
          ];
        })
        .sort((a, b) => b.level - a.level || b.mean - a.mean)
        .filter((one, at) => at === 0 || (one.level > 0 && at < ofAKind));
    })
    .sort((a, b) => b.level - a.level);
}
