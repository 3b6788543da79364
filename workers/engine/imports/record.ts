import type { SeriesDef } from '../../../src/core/metric/metric.ts';
import type { Profile } from '../../../src/core/profile/profile.ts';
import type { RunRecord } from '../../../src/core/run/run.ts';

export interface ImportedFacts {
  id: string;
  fileName: string;
  title: string;
  formatId: string;
  sha256: string;
  atMs: number;
  complete: boolean;
  appVersion: string;
  series: readonly SeriesDef[];
  notes: readonly string[];
  /** What was left out of it, in words. */
  leftOut: readonly string[];
  /** Of the samples; null = none yet. */
  span: { fromMs: number; toMs: number } | null;
}

/**
 * A run made of somebody else's file: its samples are the steady state, there is no plan, testbed
 * or score, and it says so. It can be charted, compared and exported as every other run.
 */
export function importedRecord(facts: ImportedFacts): RunRecord {
  const { id, fileName, title, leftOut } = facts;
  const steady = steadyOf(facts);
  const profile = profileOf(facts, phasesOf(steady));
  const plan: RunRecord['plan'] = {
    id: `imported-${id}`,
    name: fileName,
    version: 1,
    testbedId: `imported-${id}`,
    profileId: profile.id,
    tiles: 1,
    phases: profile.phases,
    sampling: { workloadMs: 1_000, vcenterMs: 20_000 },
    referenceRunId: null,
    overrides: {},
    study: null,
    notes: '',
  };
  return {
    overview: overviewOf(facts, steady),
    plan,
    profile,
    testbed: {
      id: plan.testbedId,
      name: `${title}, imported`,
      version: 1,
      profileId: profile.id,
      vcenterId: null,
      powerIds: [],
      tiles: [],
      notes: '',
    },
    clients: [],
    inventoryBefore: null,
    inventoryAfter: null,
    planHash: facts.sha256,
    appVersion: facts.appVersion,
    imported: {
      fileName,
      sha256: facts.sha256,
      atMs: facts.atMs,
      redacted: false,
      complete: facts.complete,
      format: title,
      ...(leftOut.length > 0 ? { leftOut: [...leftOut] } : {}),
    },
  };
}

interface Window {
  startMs: number;
  endMs: number;
}

function steadyOf({ span, atMs }: ImportedFacts): Window {
  if (span === null) return { startMs: atMs, endMs: atMs + 1_000 };
  // A window is without its end, and the last sample counts as every other.
  return { startMs: span.fromMs, endMs: Math.max(span.toMs + 1, span.fromMs + 1_000) };
}

function phasesOf({ startMs, endMs }: Window): Profile['phases'] {
  const steadyS = Math.max(5, Math.ceil((endMs - startMs) / 1_000));
  return {
    rampUpS: 0,
    staggerS: 0,
    steadyS: Math.min(steadyS, 172_800),
    periods: 1,
    rampDownS: 0,
  };
}

function profileOf(
  { series, formatId, title, fileName }: ImportedFacts,
  phases: Profile['phases'],
): Profile {
  const ofWorkloads = series.filter((s) => s.entity.kind === 'workload');
  const workloads = [...new Map(ofWorkloads.map((s) => [s.entity.id, s])).values()];
  const unitOf = (entityId: string): string =>
    series.find((s) => s.entity.id === entityId && s.metric === 'throughput')?.unit ?? 'IOPS';
  return {
    schemaVersion: 1,
    id: `imported-${formatId}`,
    version: '1',
    name: `Imported: ${title}`,
    description: `Measured outside Tilebench; read from ${fileName}.`,
    resultName: 'imported measurement',
    minimumHosts: 1,
    workloads: (workloads.length > 0
      ? workloads.map((w) => ({ name: w.entity.name, unit: unitOf(w.entity.id) }))
      : [{ name: title, unit: 'IOPS' }]
    )
      .slice(0, 64)
      .map(({ name, unit }, i) => ({
        id: `imported-${i + 1}`,
        role: 'imported',
        name,
        driver: 'command',
        params: {},
        unit,
        scored: false,
        reference: null,
        referenceSource: 'Not set: an imported file is not scored',
        qos: [],
      })),
    phases,
    scoring: { tile: 'geometricMean', total: 'sum', periods: null, source: 'Not scored' },
  };
}

function overviewOf(facts: ImportedFacts, { startMs, endMs }: Window): RunRecord['overview'] {
  const { id, fileName, title, series, leftOut, notes } = facts;
  return {
    id,
    rev: 1,
    name: fileName,
    state: 'passed',
    origin: 'real',
    createdAtMs: facts.atMs,
    startedAtMs: startMs,
    endedAtMs: endMs,
    nowMs: facts.atMs,
    phases: [{ name: 'steady', startMs, endMs, plannedEndMs: endMs }],
    phasesPlanned: phasesOf({ startMs, endMs }),
    periods: [{ index: 0, startMs, endMs }],
    abortReason: null,
    workloads: [],
    series: [...series],
    events: [],
    findings: [
      ...leftOut.map((text) => ({ severity: 'warn' as const, text })),
      ...notes.map((text) => ({ severity: 'info' as const, text })),
    ].map((finding, i) => ({ id: `import.${i}`, ...finding, tMs: facts.atMs })),
    score: null,
    verdict: {
      outcome: 'passed',
      compliant: null,
      sentence: `${title} of ${fileName}, imported: ${series.length} series, no score.`,
    },
  };
}
