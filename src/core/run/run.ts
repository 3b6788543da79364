import * as z from 'zod';

import { actState } from '../acts/act.ts';
import { limits } from '../base/bounds.ts';
import { field } from '../base/field.ts';
import { seriesDefSchema } from '../metric/metric.ts';
import { earlyAbortState } from '../plan/earlyAbortRule.ts';
import { planSchema } from '../plan/plan.ts';
import { profileSchema } from '../profile/profile.ts';
import { inventorySchema } from '../testbed/inventory.ts';
import { testbedSchema } from '../testbed/testbed.ts';
import { esxtopOfRun } from './esxtopLook.ts';
import { scoreSchema } from './scoreTypes.ts';
import { phaseNames, runStates } from './states.ts';

export const runState = z.enum(runStates);

const abortReasons = [
  'user',
  'qos',
  'hostUnreachable',
  'workloadFailed',
  'timedOut',
  'engineLost',
  'storeFailed',
  'actFailed',
] as const;
export type AbortReason = (typeof abortReasons)[number];

const phaseSpan = z.object({
  name: z.enum(phaseNames),
  startMs: field.timeMs(),
  /** null while it lasts */ endMs: field.timeMs().nullable(),
  plannedEndMs: field.timeMs(),
});
export type PhaseSpan = z.infer<typeof phaseSpan>;

/** A mark on the time axis. */
export const runEvent = z.object({
  id: field.count(),
  tMs: field.timeMs(),
  /** End of what lasted: this computer's sleep. */
  untilMs: field.timeMs().optional(),
  kind: z.enum([
    'state',
    'tileStarted',
    'note',
    'fault',
    'recovered',
    'abort',
    'vcenter',
    'operation',
    'drs',
    'vm',
    'clock',
    'act',
  ]),
  text: field.freeText(),
  entityId: field.id('entity').optional(),
  /**
   * Who caused what happened to a VM: an operation of this run, DRS or HA, the teaming of its host's
   * uplinks, or somebody else.
   */
  by: z.enum(['run', 'drs', 'teaming', 'other']).optional(),
  /**
   * One infrastructure operation that ended. `queuedMs` and `ranMs` are vCenter's own times of its
   * tasks, null where it gave none.
   */
  operation: z
    .object({
      id: field.id('operation'),
      vmRef: field.id('ref').nullable(),
      ok: z.boolean(),
      attempts: field.count(),
      tookMs: field.figure(),
      queuedMs: field.figure().nullable(),
      ranMs: field.figure().nullable(),
    })
    .optional(),
});
export type RunEvent = z.infer<typeof runEvent>;

/** Something a lab engineer must know before trusting the result. */
const runFinding = z.object({
  id: field.id('finding'),
  severity: z.enum(['block', 'warn', 'info']),
  text: field.freeText(),
  fix: field.freeText().optional(),
  tMs: field.timeMs(),
  /** When what it is about lasted; `untilMs` null = it still does. Absent = a moment. */
  spans: field
    .list(z.object({ fromMs: field.timeMs(), untilMs: field.timeMs().nullable() }))
    .optional(),
  /** What one cause touched, in words: one finding stands for all of them. */
  subjects: field.list(field.freeText()).optional(),
});
export type RunFinding = z.infer<typeof runFinding>;

const workloadStatus = z.object({
  entityId: field.id('entity'),
  tile: field.integer(),
  workloadId: field.id('workload'),
  clientId: field.id('client'),
  vmName: field.name('vm').nullable(),
  state: z.enum(['waiting', 'preparing', 'running', 'lost', 'stopping', 'ended', 'failed']),
  lastSampleMs: field.timeMs().nullable(),
  badLines: field.count(),
  detail: field.freeText().optional(),
});
export type WorkloadStatus = z.infer<typeof workloadStatus>;

const verdictSchema = z.object({
  outcome: z.enum(['passed', 'failed', 'aborted']),
  /**
   * false: passed or not, the result does not follow the profile's rules. null: there are none to
   * follow, as for results of another tool.
   */
  compliant: z.boolean().nullable(),
  sentence: field.freeText(),
});
export type Verdict = z.infer<typeof verdictSchema>;

/** Where the run's VMs ran over time: changes only, hosts and VMs by their place in the lists. */
const placementHistory = z.object({
  hosts: field.list(z.object({ ref: field.id('ref'), name: field.name('host') })),
  /** `tile` is null for a VM that belongs to no tile. */
  vms: field.list(
    z.object({ ref: field.id('ref'), name: field.name('vm'), tile: field.integer().nullable() }),
  ),
  moves: field.list(
    z.object({
      tMs: field.timeMs(),
      vm: field.count(),
      /** null = on no host that vCenter names. */ host: field.count().nullable(),
      /** `start`: where it was found; `unknown`: seen to have moved, no event told by whom. */
      by: z.enum(['start', 'run', 'drs', 'other', 'unknown']),
    }),
  ),
});
export type PlacementHistory = z.infer<typeof placementHistory>;

/** One run, whole, as of `rev`. The UI shows this and derives nothing from events. */
export const runOverview = z.object({
  id: field.id('run'),
  rev: field.count(),
  name: field.name('run'),
  state: runState,
  /** Real peers, the simulated lab, or a replay: marked everywhere. */
  origin: z.enum(['real', 'simulated', 'replay']).default('real'),
  createdAtMs: field.timeMs(),
  startedAtMs: field.timeMs().nullable(),
  endedAtMs: field.timeMs().nullable(),
  /** Engine clock when this snapshot was made. */
  nowMs: field.timeMs(),
  phases: field.list(phaseSpan),
  phasesPlanned: planSchema.shape.phases,
  periods: field.list(
    z.object({ index: field.integer(), startMs: field.timeMs(), endMs: field.timeMs() }),
  ),
  abortReason: z.enum(abortReasons).nullable(),
  workloads: field.list(workloadStatus),
  series: field.list(seriesDefSchema, limits.series),
  events: field.list(runEvent),
  findings: field.list(runFinding),
  score: scoreSchema.nullable(),
  verdict: verdictSchema.nullable(),
  /** Absent where there is no vCenter, and in runs of earlier versions. */
  placement: placementHistory.optional(),
  /** Set once the plan's rule for an early end spoke. */
  earlyAbort: earlyAbortState.optional(),
  /** The plan's acts as this run did them, in the order of their times; absent = it has none. */
  acts: field.list(actState).optional(),
  /** Where esxtop can be asked, and what it said when it was; absent = nowhere. */
  esxtop: esxtopOfRun.optional(),
});
export type RunOverview = z.infer<typeof runOverview>;

/** A row of the history. */
export const runSummary = z.object({
  id: field.id('run'),
  name: field.name('run'),
  state: runState,
  origin: runOverview.shape.origin,
  profileId: field.id('profile'),
  profileName: field.name('profile'),
  testbedName: field.name('testbed'),
  tiles: field.count(),
  startedAtMs: field.timeMs().nullable(),
  durationS: field.figure().nullable(),
  score: field.figure().nullable(),
  /** Throughput of each scored workload, summed over the tiles; absent = nothing was measured. */
  totals: z
    .array(
      z.object({
        name: field.name('workload'),
        unit: field.word(),
        total: field.figure().nullable(),
      }),
    )
    .max(16)
    .optional(),
  compliant: z.boolean().nullable(),
  resultName: field.freeText(),
  sampleCount: field.count(),
  meanPowerW: field.figure().nullable(),
  /** The study that made it, and the point it is. */
  study: planSchema.shape.study,
  /** File it came in; absent = made here. */
  importedFrom: field.address('file').optional(),
});
export type RunSummary = z.infer<typeof runSummary>;

/**
 * A client machine as read over SSH: kernel, CPUs, memory and the versions of the drivers it runs.
 * `machineId` tells it apart when it is renamed.
 */
export const clientRecord = z.object({
  id: field.id('client'),
  name: field.name('client'),
  clockOffsetMs: field.figure().nullable(),
  facts: field.record(field.word(), field.byKey()),
  machineId: field.address('machine').nullish(),
});
export type ClientRecord = z.infer<typeof clientRecord>;

/** Where a run that was not made here came from. `complete`: every part of it is stored. */
export const importedFrom = z.object({
  fileName: field.address('file'),
  sha256: field.hash(),
  atMs: field.figure(),
  redacted: z.boolean(),
  complete: z.boolean(),
  /** What the file was, in words: `Bundle`, `esxtop batch CSV`. */ format: field
    .freeText()
    .default('Bundle'),
  /** What was damaged and left out of it, in words; absent = it was read whole. */ leftOut: field
    .list(field.freeText())
    .optional(),
});

/** What a run was: kept with it for ever. */
export const runRecord = z.object({
  overview: runOverview,
  plan: planSchema,
  testbed: testbedSchema,
  profile: profileSchema,
  clients: field.list(clientRecord),
  /** As they were after the run; absent in older runs, null where they could not be read. */ clientsAfter:
    field.list(clientRecord).nullish(),
  inventoryBefore: inventorySchema.nullable(),
  inventoryAfter: inventorySchema.nullable(),
  planHash: field.hash(),
  appVersion: field.word(),
  /**
   * Set where the run came in a bundle: it is somebody else's measurement, to be read and not
   * changed.
   */
  imported: importedFrom.optional(),
  /**
   * DRS as it was before this run changed it: noted before the change, so that any engine can put
   * it back.
   */
  drsBefore: z
    .object({
      clusterRef: field.id('ref'),
      clusterName: field.name('cluster'),
      enabled: z.boolean().nullable(),
      behavior: field.word().nullable(),
      vmotionRate: field.figure().nullable(),
      atMs: field.figure(),
      /** null = still to be put back. */ restoredAtMs: field.timeMs().nullable(),
    })
    .nullable()
    .optional(),
  /** Watts of the power sources before the load, each over its window; absent = not asked for. */
  idleBefore: field
    .list(
      z.object({
        connectionId: field.id('power'),
        watts: field.figure(),
        windowS: field.figure().positive(),
      }),
    )
    .optional(),
  /** When VMs began to be moved to where the plan starts them. */
  placedAtMs: field.timeMs().nullable().optional(),
});
export type RunRecord = z.infer<typeof runRecord>;
