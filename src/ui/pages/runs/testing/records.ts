import {
  aggregateRun,
  type ComparedRun,
  meanPower,
  type WindowStat,
} from '../../../../core/compare/index.ts';
import type { MetricName, SeriesData, SeriesDef } from '../../../../core/metric/metric.ts';
import { type Phases, type Profile, profileSchema } from '../../../../core/profile/profile.ts';
import type { RunOverview, RunRecord, RunSummary } from '../../../../core/run/run.ts';
import { type References } from '../../../../core/run/scoreTypes.ts';
import { isEnd, type RunState } from '../../../../core/run/states.ts';
import { scoreRun } from '../../../../core/score/score.ts';
import type { Inventory } from '../../../../core/testbed/inventory.ts';
import type { Testbed } from '../../../../core/testbed/testbed.ts';

/**
 * Records of made-up runs that hold together: samples, periods, score, verdict and summary come
 * from one model.
 */
export interface RunSpec {
  id: string;
  name: string;
  tiles: number;
  state: RunState;
  /** Multiplies every throughput. */
  speed: number;
  startedAtMs: number;
  origin: RunOverview['origin'];
  phases: Phases;
  esxBuild: string;
  hostCount: number;
  /** 1 = latency at 60 % of its limit. */
  latency: number;
  references: References;
  referenceLabel: string;
  /** Series that never came. */
  absent: readonly MetricName[];
  profile: Profile;
  planHash: string;
  appVersion: string;
  findings: RunOverview['findings'];
}

const open = 'no public source: not set';
export const demoProfile: Profile = profileSchema.parse({
  schemaVersion: 1,
  id: 'open-tile',
  version: '1.0',
  name: 'Open-driver tile',
  description: 'Four workloads of open drivers.',
  workloads: [
    {
      id: 'database',
      role: 'database',
      name: 'Database',
      driver: 'sysbench-oltp',
      unit: 'tps',
      reference: null,
      referenceSource: open,
      params: { threads: 8, tables: 4 },
      qos: [{ metric: 'latencyP95Ms', max: 200, unit: 'ms', source: 'house rule' }],
    },
    {
      id: 'file',
      role: 'file',
      name: 'File server',
      driver: 'dbench',
      unit: 'MB/s',
      reference: null,
      referenceSource: open,
      params: { clients: 10 },
      qos: [{ metric: 'throughput', min: 5, unit: 'MB/s', source: 'house rule' }],
    },
    {
      id: 'java',
      role: 'java',
      name: 'Java server',
      driver: 'sysbench-cpu',
      unit: 'events/s',
      reference: null,
      referenceSource: open,
      qos: [],
    },
    {
      id: 'standby',
      role: 'standby',
      name: 'Standby',
      driver: 'heartbeat',
      unit: 'beats/s',
      scored: false,
      reference: null,
      referenceSource: open,
      qos: [],
    },
  ],
  phases: { rampUpS: 60, staggerS: 10, steadyS: 180, periods: 3, rampDownS: 20 },
  scoring: { tile: 'geometricMean', total: 'sum', periods: 'median', source: 'AnandTech 2743' },
});

const base: Record<string, { throughput: number; latency: number; decimals: number }> = {
  database: { throughput: 812.4, latency: 120, decimals: 2 },
  file: { throughput: 24.31, latency: 40, decimals: 2 },
  java: { throughput: 1543.2, latency: 6.1, decimals: 2 },
  standby: { throughput: 1, latency: 0.4, decimals: 1 },
};
export const demoReferences: References = { database: 812.4, file: 24.31, java: 1543.2 };

const epoch = Date.UTC(2026, 10, 20, 9, 0, 0);
const defaults: RunSpec = {
  id: 'run-a',
  name: 'Baseline, 2 tiles',
  tiles: 2,
  state: 'passed',
  speed: 1,
  startedAtMs: epoch,
  origin: 'real',
  phases: demoProfile.phases,
  esxBuild: '24022510',
  hostCount: 2,
  latency: 1,
  references: demoReferences,
  referenceLabel: 'run Baseline, 1 tile',
  absent: [],
  profile: demoProfile,
  planHash: 'hash-a',
  appVersion: '0.1.0',
  findings: [],
};

function seriesOf(spec: RunSpec): SeriesDef[] {
  const defs: Omit<SeriesDef, 'id'>[] = [];
  for (let tile = 0; tile < spec.tiles; tile += 1) {
    for (const w of spec.profile.workloads) {
      const entity = {
        kind: 'workload' as const,
        id: `t${tile}.${w.id}`,
        name: `Tile ${tile + 1} ${w.name}`,
        tile,
      };
      const source = `${w.driver} on client-${(tile % 2) + 1}`;
      defs.push({
        metric: 'throughput',
        entity,
        unit: w.unit,
        source,
        periodMs: 1000,
        decimals: 2,
        lagMs: 0,
      });
      if (w.scored)
        defs.push({
          metric: 'latencyP95Ms',
          entity,
          unit: 'ms',
          source,
          periodMs: 1000,
          decimals: 2,
          lagMs: 0,
        });
    }
  }
  for (let h = 1; h <= spec.hostCount; h += 1)
    defs.push({
      metric: 'cpuPct',
      entity: { kind: 'host', id: `host-${h}`, name: `esx${h}.lab` },
      unit: '%',
      source: 'vCenter vc1',
      periodMs: 20_000,
      decimals: 2,
      lagMs: 20_000,
    });
  for (let d = 1; d <= 2; d += 1) {
    const entity = { kind: 'datastore' as const, id: `ds-${d}`, name: `lun${d}` };
    defs.push({
      metric: 'iops',
      entity,
      unit: 'IOPS',
      source: 'vCenter vc1',
      periodMs: 20_000,
      decimals: 0,
      lagMs: 20_000,
    });
    defs.push({
      metric: 'deviceLatencyMs',
      entity,
      unit: 'ms',
      source: 'vCenter vc1',
      periodMs: 20_000,
      decimals: 1,
      lagMs: 20_000,
    });
  }
  defs.push({
    metric: 'powerW',
    entity: { kind: 'power', id: 'p1', name: 'rack1' },
    unit: 'W',
    source: 'NUT rack1',
    periodMs: 1000,
    decimals: 0,
    lagMs: 500,
  });
  return defs.filter((d) => !spec.absent.includes(d.metric)).map((d, id) => ({ ...d, id }));
}

/**
 * Value of a series at a second of the run: ramps up, wobbles by 2 %, ramps down. Deterministic.
 */
function valueAt(spec: RunSpec, def: SeriesDef, second: number): number {
  const { rampUpS, steadyS } = spec.phases;
  const load = Math.max(
    0,
    Math.min(
      1,
      second / Math.max(1, rampUpS),
      1 - (second - rampUpS - steadyS) / Math.max(1, spec.phases.rampDownS),
    ),
  );
  const wobble = 1 + 0.02 * Math.sin(second / 7 + def.id * 1.7);
  const workload = base[def.entity.id.split('.')[1] ?? ''];
  const at: Partial<Record<MetricName, number>> = {
    throughput: (workload?.throughput ?? 1) * spec.speed * load,
    latencyP95Ms: (workload?.latency ?? 1) * spec.latency * (0.4 + 0.6 * load),
    cpuPct: 8 + 62 * load * (spec.tiles / 2),
    iops: 900 * load * spec.tiles,
    deviceLatencyMs: 2 + 3 * load * spec.latency,
    powerW: 310 + 160 * load * (spec.tiles / 2),
  };
  return Number(((at[def.metric] ?? 0) * wobble).toFixed(def.decimals));
}

/** Samples of a run for the given series, as `run.samples` gives them. */
export function samplesOf(run: DemoRun, seriesIds: readonly number[]): SeriesData[] {
  const overview = run.record.overview;
  const start = overview.startedAtMs ?? 0;
  const end = overview.endedAtMs ?? overview.nowMs;
  return overview.series
    .filter((d) => seriesIds.includes(d.id))
    .map((def) => {
      const times: number[] = [];
      for (let t = start + def.periodMs; t <= end; t += def.periodMs) times.push(t);
      return {
        seriesId: def.id,
        tMs: Float64Array.from(times),
        value: Float64Array.from(times, (t) => valueAt(run.spec, def, (t - start) / 1000)),
      };
    });
}

export interface DemoRun extends ComparedRun {
  spec: RunSpec;
}

function inventoryOf(spec: RunSpec): Inventory {
  return {
    vcenterId: 'vc1',
    product: 'VMware vCenter Server',
    version: '8.0.3',
    build: '24305161',
    instanceUuid: 'a1',
    takenAtMs: spec.startedAtMs,
    clusters: [
      {
        ref: 'domain-c1',
        name: 'bench',
        hostRefs: Array.from({ length: spec.hostCount }, (_, i) => `host-${i + 1}`),
        drsEnabled: true,
        drsBehavior: 'fullyAutomated',
        drsVmotionRate: 3,
        haEnabled: false,
      },
    ],
    hosts: Array.from({ length: spec.hostCount }, (_, i) => ({
      ref: `host-${i + 1}`,
      name: `esx${i + 1}.lab`,
      clusterRef: 'domain-c1',
      vendor: 'Dell Inc.',
      model: 'PowerEdge R740',
      cpuModel: 'Intel Xeon Gold 6248',
      sockets: 2,
      cores: 40,
      threads: 80,
      mhz: 2494,
      memoryBytes: 384 * 2 ** 30,
      build: spec.esxBuild,
      version: '8.0.3',
      bios: '2.21.2',
      powerPolicy: 'High performance',
      connectionState: 'connected',
      maintenance: false,
      nics: [{ device: 'vmnic0', driver: 'ixgben', speedMbps: 10_000 }],
      hbas: [{ device: 'vmhba2', model: 'Emulex LPe32002', driver: 'lpfc' }],
    })),
    datastores: [1, 2].map((d) => ({
      ref: `datastore-${d}`,
      name: `lun${d}`,
      type: 'VMFS',
      capacityBytes: 2 ** 40,
      freeBytes: 2 ** 39,
      accessible: true,
      hostRefs: ['host-1', 'host-2'],
      instanceUuid: `ds-uuid-${d}`,
      luns: [
        {
          canonicalName: `naa.${d}`,
          vendor: 'DGC',
          model: 'VRAID',
          capacityBytes: 2 ** 40,
          queueDepth: 64,
          paths: 4,
          policy: 'VMW_PSP_RR',
        },
      ],
    })),
    networks: [{ ref: 'network-1', name: 'VM Network', type: 'Network' }],
    vms: Array.from({ length: spec.tiles }, (_, tile) =>
      spec.profile.workloads.map((w) => ({
        ref: `vm-${tile}-${w.id}`,
        name: `t${tile + 1}-${w.id}`,
        hostRef: `host-${(tile % spec.hostCount) + 1}`,
        datastoreRefs: [`datastore-${(tile % 2) + 1}`],
        powerState: 'poweredOn',
        vcpus: 2,
        memoryMb: 4096,
        guest: 'Debian GNU/Linux 12 (64-bit)',
        toolsStatus: 'toolsOk',
        ip: null,
        template: false,
        snapshotCount: 0,
      })),
    ).flat(),
  };
}

function testbedOf(spec: RunSpec): Testbed {
  return {
    id: 'tb1',
    name: 'Rack 1',
    version: 3,
    profileId: spec.profile.id,
    vcenterId: 'vc1',
    powerIds: ['p1'],
    notes: '',
    tiles: Array.from({ length: spec.tiles }, (_, index) => ({
      index,
      workloads: spec.profile.workloads.map((w) => ({
        workloadId: w.id,
        vm: { ref: `vm-${index}-${w.id}`, name: `t${index + 1}-${w.id}` },
        clientId: `client-${(index % 2) + 1}`,
        params: {},
      })),
    })),
  };
}

/** Where a state sits on the clock, in seconds from the start. */
function elapsedS({ state, phases: p }: RunSpec): number {
  const total = p.rampUpS + p.steadyS + p.rampDownS;
  const at: Partial<Record<RunState, number>> = {
    starting: 0,
    rampUp: p.rampUpS / 2,
    steady: p.rampUpS + p.steadyS / 2,
    rampDown: p.rampUpS + p.steadyS + p.rampDownS / 2,
    collecting: total,
    passed: total,
    failed: p.rampUpS + p.steadyS / 2,
    aborted: p.rampUpS + p.steadyS / 2,
  };
  return at[state] ?? 0;
}

function overviewOf(spec: RunSpec): RunOverview {
  const { phases: p } = spec;
  const before = spec.state === 'draft' || spec.state === 'checking' || spec.state === 'ready';
  const nowS = elapsedS(spec);
  const at = (s: number): number => spec.startedAtMs + s * 1000;
  const spans = (
    [
      ['rampUp', 0, p.rampUpS],
      ['steady', p.rampUpS, p.rampUpS + p.steadyS],
      ['rampDown', p.rampUpS + p.steadyS, p.rampUpS + p.steadyS + p.rampDownS],
    ] as const
  )
    .filter(
      ([, from]) =>
        !before && spec.state !== 'starting' && nowS >= from && (nowS > from || from === 0),
    )
    .map(([name, from, to]) => ({
      name,
      startMs: at(from),
      endMs: nowS >= to || isEnd(spec.state) ? at(Math.min(nowS, to)) : null,
      plannedEndMs: at(to),
    }));
  const periodS = p.steadyS / p.periods;
  // As the engine: all of them from the launch on.
  const periods = Array.from({ length: p.periods }, (_, index) => ({
    index,
    startMs: at(p.rampUpS + index * periodS),
    endMs: at(p.rampUpS + (index + 1) * periodS),
  })).filter((x) => !isEnd(spec.state) || x.endMs <= at(nowS));
  const ended = isEnd(spec.state);
  const running = !before && !ended;
  return {
    id: spec.id,
    rev: 7,
    name: spec.name,
    state: spec.state,
    origin: spec.origin,
    createdAtMs: spec.startedAtMs - 5_000,
    startedAtMs: before ? null : spec.startedAtMs,
    endedAtMs: ended ? at(nowS) : null,
    nowMs: at(nowS),
    phases: spans,
    phasesPlanned: p,
    periods: before ? [] : periods,
    abortReason:
      spec.state === 'aborted' ? 'user' : spec.state === 'failed' ? 'workloadFailed' : null,
    workloads: Array.from({ length: spec.tiles }, (_, tile) =>
      spec.profile.workloads.map((w) => ({
        entityId: `t${tile}.${w.id}`,
        tile,
        workloadId: w.id,
        clientId: `client-${(tile % 2) + 1}`,
        vmName: `t${tile + 1}-${w.id}`,
        state: ended
          ? ('ended' as const)
          : running
            ? spec.state === 'starting'
              ? ('preparing' as const)
              : ('running' as const)
            : ('waiting' as const),
        lastSampleMs:
          running && spec.state !== 'starting'
            ? at(nowS) - (tile === 1 && w.id === 'file' ? 14_000 : 900)
            : null,
        badLines: tile === 1 && w.id === 'file' ? 2 : 0,
      })),
    ).flat(),
    series: before ? [] : seriesOf(spec),
    events: before
      ? []
      : [
          { id: 1, tMs: at(0), kind: 'state' as const, text: 'Ramp-up started' },
          ...Array.from({ length: spec.tiles }, (_, tile) => ({
            id: 2 + tile,
            tMs: at(tile * p.staggerS),
            kind: 'tileStarted' as const,
            text: `Tile ${tile + 1} started`,
          })),
          ...(nowS > p.rampUpS
            ? [
                {
                  id: 40,
                  tMs: at(p.rampUpS),
                  kind: 'state' as const,
                  text: 'Steady state started',
                },
                {
                  id: 41,
                  tMs: at(p.rampUpS + 20),
                  kind: 'note' as const,
                  text: 'Array firmware message on console',
                },
              ]
            : []),
          ...(spec.state === 'aborted'
            ? [{ id: 50, tMs: at(nowS), kind: 'abort' as const, text: 'Aborted by the user' }]
            : []),
        ],
    findings: spec.findings,
    score: null,
    verdict: null,
  };
}

function statOf(data: SeriesData, fromMs: number, toMs: number): WindowStat {
  const values = [...data.value].filter((_, i) => data.tMs[i]! >= fromMs && data.tMs[i]! < toMs);
  const sum = values.reduce((a, b) => a + b, 0);
  return {
    count: values.length,
    mean: sum / values.length,
    min: Math.min(...values),
    max: Math.max(...values),
  };
}

/** One whole run, from a few choices. */
export function demoRun(choices: Partial<RunSpec> = {}): DemoRun {
  const spec = { ...defaults, ...choices };
  const overview = overviewOf(spec);
  const record: RunRecord = {
    overview,
    planHash: spec.planHash,
    appVersion: spec.appVersion,
    profile: spec.profile,
    testbed: testbedOf(spec),
    plan: {
      id: 'plan-1',
      name: 'Two tiles',
      version: 2,
      testbedId: 'tb1',
      profileId: spec.profile.id,
      tiles: spec.tiles,
      phases: spec.phases,
      sampling: { workloadMs: 1000, vcenterMs: 20_000 },
      referenceRunId: 'run-ref',
      overrides: {},
      study: null,
      notes: '',
    },
    clients: ['client-1', 'client-2'].slice(0, spec.tiles).map((id) => ({
      id,
      name: id,
      clockOffsetMs: 0.4,
      facts: { sysbench: '1.0.20', dbench: '4.0', kernel: '6.12.0' },
    })),
    inventoryBefore: inventoryOf(spec),
    inventoryAfter: isEnd(spec.state) ? inventoryOf(spec) : null,
  };
  const draft = {
    spec,
    record,
    summary: summaryOf(spec, record, null, 0),
    aggregates: { steadyS: null, series: [] },
  };
  const data = new Map(
    samplesOf(
      draft,
      overview.series.map((s) => s.id),
    ).map((d) => [d.seriesId, d]),
  );
  const aggregates = aggregateRun(overview, (id, from, to) => statOf(data.get(id)!, from, to));
  if (isEnd(spec.state)) {
    const measured = overview.periods.map((p, i) => ({
      index: p.index,
      workloads: overview.workloads.map((w) => {
        const own = aggregates.series.filter((s) => s.def.entity.id === w.entityId);
        const stat = (metric: MetricName): WindowStat | null | undefined =>
          own.find((s) => s.def.metric === metric)?.periods[i];
        return {
          tile: w.tile,
          workloadId: w.workloadId,
          samples: stat('throughput')?.count ?? 0,
          values: {
            throughput: stat('throughput')?.mean ?? NaN,
            latencyP95Ms: stat('latencyP95Ms')?.mean ?? NaN,
          },
        };
      }),
    }));
    const passed = spec.state === 'passed';
    const score = scoreRun(
      spec.profile,
      spec.tiles,
      measured,
      spec.references,
      spec.referenceLabel,
    );
    overview.score = passed ? score : null;
    const compliant = passed && score.qosPassed && score.total !== null;
    const words =
      score.total === null
        ? 'No score: a measurement is missing.'
        : `Scaling study result ${score.total.toFixed(2)} with ${spec.tiles} ${spec.tiles === 1 ? 'tile' : 'tiles'}; ${score.qosPassed ? 'every QoS limit held' : 'a QoS limit broke'}.`;
    overview.verdict = {
      outcome: spec.state as 'passed' | 'failed' | 'aborted',
      compliant,
      sentence: passed
        ? words
        : spec.state === 'failed'
          ? 'Failed: dbench on client-2 ended with exit code 1.'
          : 'Aborted by the user in the steady state; what was measured is kept.',
    };
  }
  const count = [...data.values()].reduce((sum, d) => sum + d.tMs.length, 0);
  return {
    spec,
    record,
    aggregates,
    summary: summaryOf(spec, record, meanPower(aggregates)?.watts ?? null, count),
  };
}

function summaryOf(
  spec: RunSpec,
  { overview, testbed }: RunRecord,
  meanPowerW: number | null,
  sampleCount: number,
): RunSummary {
  const { startedAtMs, endedAtMs } = overview;
  return {
    id: spec.id,
    name: spec.name,
    state: spec.state,
    origin: spec.origin,
    profileId: spec.profile.id,
    profileName: spec.profile.name,
    testbedName: testbed.name,
    tiles: spec.tiles,
    startedAtMs,
    durationS: startedAtMs !== null && endedAtMs !== null ? (endedAtMs - startedAtMs) / 1000 : null,
    score: overview.score?.total ?? null,
    compliant: overview.verdict?.compliant ?? null,
    resultName: spec.profile.resultName,
    sampleCount,
    meanPowerW,
    study: null,
  };
}

/** A long history: summaries only. */
export function manySummaries(count: number): RunSummary[] {
  const template = demoRun().summary;
  const states: readonly RunState[] = ['passed', 'passed', 'passed', 'aborted', 'failed'];
  return Array.from({ length: count }, (_, i) => {
    const state = states[i % states.length]!;
    return {
      ...template,
      id: `run-${i}`,
      name: `Run ${String(i + 1).padStart(4, '0')}`,
      state,
      tiles: (i % 20) + 1,
      score: state === 'passed' ? 1 + (i % 97) / 10 : null,
      compliant: state === 'passed' ? i % 7 !== 0 : false,
      startedAtMs: epoch - i * 3_600_000,
      meanPowerW: i % 4 === 0 ? null : 400 + (i % 50) * 3,
    };
  });
}

/** The first VM on the first host of the run, all others on the second, since its start. */
export function placeVms(overview: RunOverview): void {
  overview.workloads = overview.workloads.map((w, i) => ({ ...w, vmName: `vm${i}` }));
  overview.placement = {
    hosts: overview.series
      .filter(({ metric, entity }) => metric === 'cpuPct' && entity.kind === 'host')
      .map(({ entity: { id, name } }) => ({ ref: id, name })),
    vms: overview.workloads.map((w, i) => ({ ref: `v${i}`, name: `vm${i}`, tile: w.tile })),
    moves: overview.workloads.map((_, vm) => ({
      tMs: overview.startedAtMs!,
      vm,
      host: vm === 0 ? 0 : 1,
      by: 'start',
    })),
  };
}
