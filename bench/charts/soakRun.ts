import type { SeriesDef } from '../../src/core/metric/metric.ts';
import { type Profile, profileSchema } from '../../src/core/profile/profile.ts';
import type { RunOverview } from '../../src/core/run/run.ts';
import { startMs } from './feed.ts';

const [tiles, hosts, luns] = [20, 64, 64];
const kinds = ['Mail', 'Java', 'Web', 'Database', 'File', 'Batch', 'Queue', 'Search'] as const;
const hours = 4;
const phases = {
  rampUpS: 600,
  staggerS: 20,
  steadyS: hours * 3_600 - 900,
  periods: 3,
  rampDownS: 300,
};

export const soakProfile: Profile = profileSchema.parse({
  schemaVersion: 1,
  id: 'soak',
  version: '1',
  name: 'Soak',
  description: '',
  phases,
  workloads: kinds.map((name) => ({
    id: name.toLowerCase(),
    role: 'any',
    name,
    driver: 'any',
    unit: 'ops/s',
    reference: 500,
    referenceSource: 'bench',
    qos: [{ metric: 'latencyP95Ms', max: 1_000, unit: 'ms', source: 'bench' }],
  })),
  scoring: { tile: 'geometricMean', total: 'sum', periods: 'median', source: 'bench' },
});

/** 20 tiles × 8 workloads × 4 metrics, 64 hosts × 3 and 64 LUNs × 2: 960 series at 1 Hz. */
export const soakSeries: readonly SeriesDef[] = [
  ...Array.from({ length: tiles }, (_, tile) =>
    kinds.flatMap((name) =>
      (
        [
          ['throughput', 'ops/s'],
          ['latencyMeanMs', 'ms'],
          ['latencyP95Ms', 'ms'],
          ['latencyP99Ms', 'ms'],
        ] as const
      ).map(([metric, unit]) => ({
        metric,
        unit,
        entity: {
          kind: 'workload' as const,
          id: `t${tile}.${name.toLowerCase()}`,
          name: `Tile ${tile + 1} ${name}`,
          tile,
        },
      })),
    ),
  ).flat(),
  ...Array.from({ length: hosts }, (_, n) =>
    (
      [
        ['cpuPct', '%'],
        ['memoryPct', '%'],
        ['netKbps', 'KB/s'],
      ] as const
    ).map(([metric, unit]) => ({
      metric,
      unit,
      entity: { kind: 'host' as const, id: `host-${n}`, name: `esx-${n + 1}` },
    })),
  ).flat(),
  ...Array.from({ length: luns }, (_, n) =>
    (
      [
        ['iops', 'IOPS'],
        ['deviceLatencyMs', 'ms'],
      ] as const
    ).map(([metric, unit]) => ({
      metric,
      unit,
      entity: { kind: 'datastore' as const, id: `ds-${n}`, name: `lun-${n + 1}` },
    })),
  ).flat(),
].map((def, id) => ({ ...def, id, source: 'bench', periodMs: 1_000, decimals: 2, lagMs: 0 }));

/** The run as it stands after `second`; an operation ends every half minute. */
export function soakOverview(second: number): RunOverview {
  const at = (s: number): number => startMs + s * 1_000;
  const steadyEnd = phases.rampUpS + phases.steadyS;
  const state =
    second < phases.rampUpS
      ? ('rampUp' as const)
      : second < steadyEnd
        ? ('steady' as const)
        : ('rampDown' as const);
  const spans = [
    ['rampUp', 0, phases.rampUpS],
    ['steady', phases.rampUpS, steadyEnd],
    ['rampDown', steadyEnd, steadyEnd + phases.rampDownS],
  ] as const;
  return {
    id: 'soak',
    rev: second + 1,
    name: 'Soak',
    state,
    origin: 'simulated',
    createdAtMs: at(-10),
    startedAtMs: at(0),
    endedAtMs: null,
    nowMs: at(second),
    phases: spans.map(([name, from, to]) => ({
      name,
      startMs: at(from),
      endMs: second >= to ? at(to) : null,
      plannedEndMs: at(to),
    })),
    phasesPlanned: phases,
    periods: [0, 1, 2].map((index) => ({
      index,
      startMs: at(phases.rampUpS + (index * phases.steadyS) / 3),
      endMs: at(phases.rampUpS + ((index + 1) * phases.steadyS) / 3),
    })),
    abortReason: null,
    workloads: Array.from({ length: tiles }, (_, tile) =>
      kinds.map((name) => ({
        entityId: `t${tile}.${name.toLowerCase()}`,
        tile,
        workloadId: name.toLowerCase(),
        clientId: `c${tile}`,
        vmName: `vm-${tile}-${name}`,
        state: 'running' as const,
        lastSampleMs: at(second),
        badLines: 0,
      })),
    ).flat(),
    series: [...soakSeries],
    events: Array.from({ length: Math.floor(second / 30) }, (_, i) => ({
      id: i + 1,
      tMs: at((i + 1) * 30),
      kind: 'operation' as const,
      text: `vMotion ${i + 1} ended`,
    })),
    findings: [],
    score: null,
    verdict: null,
  };
}
