import type { MetricName } from '../../../src/core/metric/metric.ts';
import { type EsxtopColumn, esxtopCounter, groupName, portOwner } from './counters.ts';
import type { EsxtopFigures } from './rank.ts';

/** Names by which esxtop's things are known. */
export interface EsxtopNames {
  /** vCPUs of a VM; null = not told, undefined = no VM has that name. */
  vcpusOf(name: string): number | null | undefined;
  /** How a LUN is called. */ lun(canonicalName: string): string;
}

/** Of a host of the greatest size this is every VM, LUN and uplink. */
const mostColumns = 4_000;
const perVcpu: ReadonlySet<MetricName> = new Set(['readyPct', 'costopPct']);

interface Sum {
  sum: number;
  rows: number;
  most: number;
}

/** Gathers what an interval of esxtop says, thing by thing. */
export function createEsxtopCollector(names: EsxtopNames): {
  place(column: EsxtopColumn): number | null;
  row(values: Float64Array): void;
  figures(): EsxtopFigures[];
} {
  const places: { subject: string; metric: MetricName; unit: string; divisor: number }[] = [];
  const sums: Sum[] = [];
  return {
    place(column) {
      const counter = esxtopCounter(column);
      const { instance } = column;
      if (counter === null || instance === null || places.length >= mostColumns) return null;
      const { metric, unit } = counter;
      const take = (subject: string, divisor = 1, ofVcpu = unit): number => {
        places.push({ subject, metric, unit: ofVcpu, divisor });
        sums.push({ sum: 0, rows: 0, most: -Infinity });
        return places.length - 1;
      };
      switch (counter.of) {
        case 'device':
          return take(names.lun(instance));
        case 'group': {
          const name = groupName(instance);
          const vcpus = name === null ? undefined : names.vcpusOf(name);
          // Worlds of the host itself are no VM.
          if (name === null || !vcpus) return null;
          return take(name, vcpus, perVcpu.has(metric) ? '% of a vCPU' : '%');
        }
        case 'port': {
          const owner = portOwner(instance);
          return owner === null ? null : take(owner.kind === 'uplink' ? owner.device : owner.name);
        }
        case 'host':
        case 'power':
          return null;
      }
    },
    row(values) {
      places.forEach(({ divisor }, at) => {
        const value = values[at]! / divisor;
        if (Number.isNaN(value)) return;
        const one = sums[at]!;
        one.sum += value;
        one.rows += 1;
        one.most = Math.max(one.most, value);
      });
    },
    figures() {
      const things = new Map<
        string,
        Map<MetricName, { mean: number; most: number; unit: string }>
      >();
      places.forEach(({ subject, metric, unit }, at) => {
        const { sum, rows, most } = sums[at]!;
        if (rows === 0) return;
        const figures =
          things.get(subject) ??
          new Map<MetricName, { mean: number; most: number; unit: string }>();
        things.set(subject, figures);
        const mean = sum / rows;
        // Adapters of one VM: the worst counts.
        const known = figures.get(metric);
        if (known === undefined || mean > known.mean) figures.set(metric, { mean, most, unit });
      });
      return [...things].map(([subject, figures]) => ({ subject, figures }));
    },
  };
}
