import type { MetricName } from '../../../src/core/metric/metric.ts';
import { workloadLabel } from '../../../src/core/run/entityNames.ts';
import {
  addSpan,
  type Saturation,
  saturationFinding,
  type Span,
} from '../../../src/core/run/saturation.ts';
import type { Connection } from '../../../src/core/testbed/connection.ts';
import type { Database } from '../db/types.ts';
import type { Clock } from '../deps.ts';
import { getDriver } from '../workloads/index.ts';
import type { LiveRun } from './liveRun.ts';
import type { SeriesIndex, WorkloadUnit } from './series.ts';

/**
 * Clients that fell behind the load they were to offer, by what their programs tell. Each is told in
 * one finding that grows; what an engine before this one stored counts.
 */
export interface SaturationWatch {
  /** One sample of a workload, in the order of its parser. */
  hear(unit: WorkloadUnit, metric: MetricName, tMs: number, value: number): void;
  /** Tells what is new of a client; `now` without waiting for more of it. */
  tell(clientId: string, now?: boolean): void;
}

/** A finding is stored with its run each time: not for every second of a client that is behind. */
const tellEveryMs = 5_000;

interface Known extends Omit<Saturation, 'told' | 'behind' | 'loads'> {
  loads: Set<string>;
  told: Span[];
  behind: Span[];
  changed: boolean;
  toldAtMs: number;
}

export function createSaturationWatch(options: {
  run: LiveRun;
  db: Pick<Database, 'samples'>;
  units: readonly WorkloadUnit[];
  seriesId: SeriesIndex;
  connections: readonly Connection[];
  clock: Pick<Clock, 'now'>;
}): SaturationWatch {
  const { run, db, units, seriesId, connections, clock } = options;
  const clients = new Map<string, Known>();
  const lateMs = new Map<string, number>();
  const periodMs = Math.max(1_000, run.record().plan.sampling.workloadMs);

  const knownOf = (id: string): Known => {
    const known = clients.get(id) ?? {
      client: { id, name: connections.find((one) => one.id === id)?.name ?? 'A client' },
      loads: new Set<string>(),
      told: [],
      behind: [],
      lateMs: 0,
      limitMs: Infinity,
      busy: false,
      changed: false,
      toldAtMs: -Infinity,
    };
    clients.set(id, known);
    return known;
  };
  const add = (unit: WorkloadUnit, untilMs: number, behind: boolean, late: number): void => {
    const known = knownOf(unit.assignment.clientId);
    const span = { fromMs: untilMs - periodMs, untilMs };
    addSpan(known.told, span);
    // How many seconds there were changes what is said of a client that was behind once.
    known.changed ||= known.behind.length > 0;
    if (!behind) return;
    addSpan(known.behind, span);
    known.loads.add(workloadLabel(unit.tile, unit.workload.name));
    const limitMs = getDriver(unit.workload.driver).latenessLimitMs?.(unit.params) ?? 0;
    known.limitMs = Math.min(known.limitMs, limitMs);
    known.lateMs = Math.max(known.lateMs, late);
    known.busy ||= late <= limitMs;
    known.changed = true;
  };
  for (const unit of units) {
    const ids = [
      seriesId(unit.entityId, 'clientSaturatedPct'),
      seriesId(unit.entityId, 'clientLateMs'),
    ];
    if (ids[0] === undefined || ids[1] === undefined) continue;
    const [share, late] = db.samples.read(run.id, [ids[0], ids[1]], { maxPoints: 0 });
    share?.tMs.forEach((tMs, i) => {
      add(unit, tMs, share.value[i]! > 0, late?.value[i] ?? 0);
    });
  }

  return {
    hear(unit, metric, tMs, value) {
      if (metric === 'clientLateMs') lateMs.set(unit.entityId, value);
      else if (metric === 'clientSaturatedPct')
        add(unit, tMs, value > 0, lateMs.get(unit.entityId) ?? 0);
    },
    tell(clientId, now = false) {
      const known = clients.get(clientId);
      if (!known?.changed || (!now && clock.now() - known.toldAtMs < tellEveryMs)) return;
      known.changed = false;
      known.toldAtMs = clock.now();
      const finding = saturationFinding({ ...known, loads: [...known.loads] });
      if (finding) run.finding(finding);
    },
  };
}
