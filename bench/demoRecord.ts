import type { SeriesDef } from '../src/shared/metric.ts';
import type { RunRecord } from '../src/shared/run.ts';

/** A run that ended, of made-up content and real shape. */
export function demoRecord(id: string, series: SeriesDef[], startMs: number, seconds: number): RunRecord {
  const phases = { rampUpS: 0, staggerS: 0, steadyS: seconds, periods: 3, rampDownS: 0 };
  const endMs = startMs + seconds * 1_000;
  return {
    overview: {
      id, rev: 1, name: `Run ${id}`, state: 'passed', origin: 'real', createdAtMs: startMs, startedAtMs: startMs, endedAtMs: endMs, nowMs: endMs,
      phases: [{ name: 'steady', startMs, endMs, plannedEndMs: endMs }], phasesPlanned: phases, periods: [], abortReason: null, workloads: [], series, events: [], findings: [], score: null, verdict: { outcome: 'passed', compliant: true, sentence: 'Passed.' },
    },
    plan: { id: 'p', name: 'Plan', version: 1, testbedId: 't', profileId: 'x', tiles: 20, phases, sampling: { workloadMs: 1_000, vcenterMs: 20_000 }, referenceRunId: null, overrides: {}, study: null, notes: '' },
    testbed: { id: 't', name: 'Bed', version: 1, profileId: 'x', vcenterId: null, powerIds: [], tiles: [], notes: '' },
    profile: { schemaVersion: 1, id: 'x', version: '1', name: 'Bench', description: '', resultName: 'scaling study', minimumHosts: 1, workloads: [{ id: 'w', role: 'java', name: 'W', driver: 'sysbench-cpu', params: {}, unit: 'x', scored: true, reference: 1, referenceSource: 'bench', qos: [] }], phases, scoring: { tile: 'geometricMean', total: 'sum', periods: 'median', source: 'bench' } },
    clients: [], inventoryBefore: null, inventoryAfter: null, planHash: '', appVersion: '0',
  };
}
