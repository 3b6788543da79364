import type { SeriesDef } from '../../src/core/metric/metric.ts';

/** The same numbers every time. */
export function randomSource(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

export const startMs = Date.UTC(2026, 0, 5, 9, 0, 0);

export function benchDefs(count: number): SeriesDef[] {
  return Array.from({ length: count }, (_, id) => ({
    id,
    metric: 'throughput',
    entity: { kind: 'workload', id: `t${id}.db`, name: `Tile ${id + 1}`, tile: id },
    unit: 'tps',
    source: 'simulated',
    periodMs: 1_000,
    decimals: 2,
    lagMs: 0,
  }));
}

/** Value of a series at a step: a level, a slow wave, noise. */
export function valueAt(id: number, step: number, random: () => number): number {
  return 400 + (id % 20) * 35 + Math.sin(step / 40 + id) * 60 + (random() - 0.5) * 50;
}
