import type { MetricName, SeriesDef } from '../../../../core/metric/metric.ts';
import type { Profile } from '../../../../core/profile/profile.ts';
import type { RunOverview } from '../../../../core/run/run.ts';

export const testStartMs = 1_000_000;

const def = (
  id: number,
  metric: MetricName,
  entity: SeriesDef['entity'],
  unit: string,
  periodMs = 1_000,
): SeriesDef => ({ id, metric, entity, unit, source: 'test', periodMs, decimals: 1, lagMs: 0 });
const workload = (tile: number, id: string): SeriesDef['entity'] => ({
  kind: 'workload',
  id: `t${tile}.${id}`,
  name: `Tile ${tile + 1} ${id}`,
  tile,
});

/**
 * Two tiles of one database workload, one host, one meter; one minute into a steady state of five.
 */
export function testOverview(change: Partial<RunOverview> = {}): RunOverview {
  const at = (s: number): number => testStartMs + s * 1_000;
  return {
    id: 'r1',
    rev: 1,
    name: 'Run 1',
    state: 'steady',
    origin: 'real',
    createdAtMs: at(-5),
    startedAtMs: at(0),
    endedAtMs: null,
    nowMs: at(120),
    phases: [
      { name: 'rampUp', startMs: at(0), endMs: at(60), plannedEndMs: at(60) },
      { name: 'steady', startMs: at(60), endMs: null, plannedEndMs: at(360) },
    ],
    phasesPlanned: { rampUpS: 60, staggerS: 5, steadyS: 300, periods: 1, rampDownS: 30 },
    periods: [{ index: 0, startMs: at(60), endMs: at(360) }],
    abortReason: null,
    workloads: [0, 1].map((tile) => ({
      entityId: `t${tile}.database`,
      tile,
      workloadId: 'database',
      clientId: 'c1',
      vmName: null,
      state: 'running',
      lastSampleMs: null,
      badLines: 0,
    })),
    series: [
      def(0, 'throughput', workload(0, 'database'), 'tps'),
      def(1, 'throughput', workload(1, 'database'), 'tps'),
      def(2, 'latencyP95Ms', workload(0, 'database'), 'ms'),
      def(3, 'latencyP95Ms', workload(1, 'database'), 'ms'),
      def(4, 'cpuPct', { kind: 'host', id: 'h1', name: 'esx-01' }, '%', 20_000),
      def(5, 'powerW', { kind: 'power', id: 'p1', name: 'esx-01' }, 'W'),
    ],
    events: [
      { id: 1, tMs: at(0), kind: 'state', text: 'rampUp' },
      { id: 2, tMs: at(70), kind: 'note', text: 'Fan checked' },
    ],
    findings: [],
    score: null,
    verdict: null,
    ...change,
  };
}

export const testProfile: Profile = {
  schemaVersion: 1,
  id: 'p',
  version: '1',
  name: 'P',
  description: '',
  resultName: 'scaling study',
  minimumHosts: 1,
  workloads: [
    {
      id: 'database',
      role: 'database',
      name: 'Database',
      driver: 'sysbench-oltp',
      params: {},
      unit: 'tps',
      scored: true,
      reference: 100,
      referenceSource: '',
      qos: [{ metric: 'latencyP95Ms', max: 20, unit: 'ms', source: '' }],
    },
  ],
  phases: { rampUpS: 60, staggerS: 5, steadyS: 300, periods: 1, rampDownS: 30 },
  scoring: { tile: 'geometricMean', total: 'sum', periods: 'median', source: '' },
};
