import type { SeriesDef } from '../../src/core/metric/metric.ts';
import type { Profile } from '../../src/core/profile/profile.ts';
import type { RunOverview } from '../../src/core/run/run.ts';
import { startMs } from './feed.ts';

const workloads = [
  {
    id: 'database',
    name: 'Database',
    unit: 'tps',
    decimals: 2,
    level: 1_050,
    limit: 25,
    latency: 14,
  },
  { id: 'file', name: 'File server', unit: 'MB/s', decimals: 2, level: 96, limit: 50, latency: 22 },
  { id: 'java', name: 'Java', unit: 'events/s', decimals: 2, level: 8_300, limit: 5, latency: 1.2 },
  { id: 'io', name: 'I/O', unit: 'IOPS', decimals: 0, level: 5_600, limit: 10, latency: 7.2 },
] as const;

export const demoProfile: Profile = {
  schemaVersion: 1,
  id: 'open-tile',
  version: '1',
  name: 'Open tile',
  description: '',
  resultName: 'scaling study',
  minimumHosts: 1,
  workloads: workloads.map((w) => ({
    id: w.id,
    role: w.id,
    name: w.name,
    driver: 'any',
    params: {},
    unit: w.unit,
    scored: true,
    reference: w.level,
    referenceSource: '',
    qos: [{ metric: 'latencyP95Ms' as const, max: w.limit, unit: 'ms', source: '' }],
  })),
  phases: { rampUpS: 120, staggerS: 20, steadyS: 1_200, periods: 3, rampDownS: 60 },
  scoring: { tile: 'geometricMean', total: 'sum', periods: 'median', source: '' },
};

export interface DemoSeries {
  def: SeriesDef;
  value: (second: number, random: () => number) => number | null;
}

/**
 * A run of so many tiles on so many hosts, 12 minutes in, with a storage hiccup, a lost client and
 * a late tile.
 */
export function demoRun(
  tiles: number,
  hosts: number,
  nowS: number,
): { overview: RunOverview; series: DemoSeries[] } {
  const series: DemoSeries[] = [];
  const add: Add = (def, value) => {
    series.push({
      def: { ...def, id: series.length, lagMs: def.periodMs > 1_000 ? 25_000 : 0 },
      value,
    });
  };
  for (let tile = 0; tile < tiles; tile++)
    for (const n of workloads.keys()) addWorkload(add, { tile, n, tiles, nowS });
  for (let h = 0; h < hosts; h++) addHost(add, h);
  for (let d = 0; d < 2; d++) addDatastore(add, d);
  return { overview: overviewOf(tiles, nowS, series), series };
}

type Add = (def: Omit<SeriesDef, 'id' | 'lagMs'>, value: DemoSeries['value']) => void;

const ramp = (s: number, tile: number): number => Math.max(0, Math.min(1, (s - tile * 4) / 60));
const hiccup = (s: number): number => (s > 410 && s < 440 ? 1 : 0);

/** Rate and latencies of the workload at place `n` of a tile. */
function addWorkload(
  add: Add,
  { tile, n, tiles, nowS }: { tile: number; n: number; tiles: number; nowS: number },
): void {
  const w = workloads[n]!;
  const entity = {
    kind: 'workload' as const,
    id: `t${tile}.${w.id}`,
    name: `Tile ${tile + 1} ${w.name}`,
    tile,
  };
  const lost = (s: number): boolean =>
    (tile === 1 && n === 0 && s > 520 && s < 560) ||
    (tile === tiles - 1 && n === 3 && s > nowS - 14);
  const tilt = 1 - tile * 0.015;
  add(
    {
      metric: 'throughput',
      entity,
      unit: w.unit,
      source: `driver on client-${tile + 1}`,
      periodMs: 1_000,
      decimals: w.decimals,
    },
    (s, random) =>
      lost(s)
        ? null
        : w.level * tilt * ramp(s, tile) * (1 - 0.5 * hiccup(s)) * (0.96 + random() * 0.08),
  );
  add(
    {
      metric: 'latencyP95Ms',
      entity,
      unit: 'ms',
      source: `driver on client-${tile + 1}`,
      periodMs: 1_000,
      decimals: 2,
    },
    (s, random) =>
      lost(s)
        ? null
        : w.latency *
          (1 + tile * 0.03) *
          (0.7 + 0.3 * ramp(s, tile)) *
          (1 + 2.2 * hiccup(s)) *
          (0.88 + random() * 0.24),
  );
  add(
    {
      metric: 'latencyMeanMs',
      entity,
      unit: 'ms',
      source: `driver on client-${tile + 1}`,
      periodMs: 1_000,
      decimals: 2,
    },
    (s, random) =>
      lost(s)
        ? null
        : w.latency * 0.55 * (1 + tile * 0.03) * (1 + 1.6 * hiccup(s)) * (0.9 + random() * 0.2),
  );
}

function addHost(add: Add, h: number): void {
  const entity = { kind: 'host' as const, id: `host-${h}`, name: `esx-0${h + 1}` };
  add(
    { metric: 'cpuPct', entity, unit: '%', source: 'vCenter vc1', periodMs: 20_000, decimals: 2 },
    (s, random) => (s % 20 === 0 ? 8 + 62 * ramp(s, h) + h * 4 + random() * 5 : null),
  );
  add(
    {
      metric: 'powerW',
      entity: { kind: 'power', id: `pdu-${h}`, name: `esx-0${h + 1}` },
      unit: 'W',
      source: `NUT host${h + 1}`,
      periodMs: 1_000,
      decimals: 1,
    },
    (s, random) => 142 + 110 * ramp(s, h) + h * 9 + random() * 4,
  );
}

function addDatastore(add: Add, d: number): void {
  const entity = { kind: 'datastore' as const, id: `ds-${d}`, name: `datastore-${d + 1}` };
  add(
    {
      metric: 'iops',
      entity,
      unit: 'IOPS',
      source: 'vCenter vc1',
      periodMs: 20_000,
      decimals: 0,
    },
    (s, random) => (s % 20 === 0 ? 9_000 * ramp(s, d) + d * 2_000 + random() * 900 : null),
  );
  add(
    {
      metric: 'deviceLatencyMs',
      entity,
      unit: 'ms',
      source: 'vCenter vc1',
      periodMs: 20_000,
      decimals: 0,
    },
    (s, random) => (s % 20 === 0 ? 2 + d + random() + hiccup(s) * 18 : null),
  );
}

const at = (s: number): number => startMs + s * 1_000;

function overviewOf(tiles: number, nowS: number, series: readonly DemoSeries[]): RunOverview {
  return {
    id: 'r1',
    rev: 1,
    name: 'Baseline, 4 hosts',
    state: 'steady',
    origin: 'simulated',
    createdAtMs: at(-10),
    startedAtMs: at(0),
    endedAtMs: null,
    nowMs: at(nowS),
    phases: [
      { name: 'rampUp', startMs: at(0), endMs: at(120), plannedEndMs: at(120) },
      { name: 'steady', startMs: at(120), endMs: null, plannedEndMs: at(1_320) },
    ],
    phasesPlanned: demoProfile.phases,
    periods: [0, 1, 2].map((i) => ({
      index: i,
      startMs: at(120 + i * 400),
      endMs: at(520 + i * 400),
    })),
    abortReason: null,
    workloads: Array.from({ length: tiles }, (_, tile) =>
      workloads.map((w) => ({
        entityId: `t${tile}.${w.id}`,
        tile,
        workloadId: w.id,
        clientId: `client-${tile + 1}`,
        vmName: `vm-${tile}-${w.id}`,
        state: 'running' as const,
        lastSampleMs: null,
        badLines: 0,
      })),
    ).flat(),
    series: series.map((s) => s.def),
    events: [
      { id: 1, tMs: at(24), kind: 'tileStarted', text: 'Tile 2 started' },
      { id: 2, tMs: at(412), kind: 'vcenter', text: 'Storage vMotion of vm-3-io started' },
      { id: 3, tMs: at(521), kind: 'fault', text: 'Client client-2: connection lost' },
      {
        id: 4,
        tMs: at(560),
        kind: 'recovered',
        text: 'Client client-2: connection back, 39 s read from the journal',
      },
      { id: 5, tMs: at(600), kind: 'note', text: 'Fan of rack 2 checked' },
    ],
    findings: [],
    score: null,
    verdict: null,
  };
}
