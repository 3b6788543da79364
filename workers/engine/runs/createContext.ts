import { warningText } from '../../../src/core/limits/earlyWarning.ts';
import { windowsOf } from '../../../src/core/run/windows.ts';
import type { Emit } from '../../../src/wire/contract.ts';
import type { Peers } from '../connections/peers.ts';
import type { Database } from '../db/types.ts';
import type { Deps } from '../deps.ts';
import { createPipeline } from '../metrics/pipeline.ts';
import { createVerdictSink } from '../metrics/verdictSink.ts';
import { noClockWatch } from './clockWatch.ts';
import type { RunContext, RunLimits } from './context.ts';
import { type ClockWatch } from './context.ts';
import { createOwnMoves } from './drs/ownMoves.ts';
import { applyStanding } from './earlyAbort.ts';
import type { LiveRun } from './liveRun.ts';
import { createOutages } from './outages.ts';
import { createSaturationWatch } from './saturation.ts';
import { indexSeries, withTargets, workloadUnits } from './series.ts';
import { sinks } from './sinks.ts';

/** Puts a run's parts together, the same for a fresh run and one that is picked up again. */
export function createRunContext(options: {
  deps: Deps;
  db: Database;
  peers: Peers;
  emit: Emit;
  limits: RunLimits;
  run: LiveRun;
  closing: AbortSignal;
  clockWatch?: ClockWatch;
}): RunContext {
  const { deps, db, peers, emit, limits, run, closing, clockWatch = noClockWatch } = options;
  const { plan, profile, testbed, overview, inventoryBefore } = run.record();
  const released = new AbortController();
  const verdict = createVerdictSink({
    profile,
    tiles: plan.tiles,
    series: overview.series,
    rule: plan.earlyAbort,
    standing: () => run.overview().earlyAbort,
    onWarning: (warning) => {
      run.event('fault', warningText(warning), { entityId: warning.entityId });
    },
    onStanding: (standing, row) => {
      applyStanding(run, emit, standing, row);
    },
  });
  verdict.begin(windowsOf(overview));
  const connections = db.connections.list();
  const pipeline = createPipeline({
    clock: deps.clock,
    log: deps.log,
    runId: run.id,
    flushEveryMs: 1_000,
    storePatienceMs: limits.storePatienceMs,
    store: db.samples,
    sinks: sinks.map((open) => open({ emit, runId: run.id, verdict })),
    onStoreError(error) {
      run.finding({
        id: 'store',
        severity: 'block',
        text: `Samples could not be stored: ${error.message}`,
        fix: error.hint ?? 'Free space in the data folder.',
      });
      run.abort('storeFailed', `Samples could not be stored: ${error.message}`, false);
    },
    onSinkError(name, error) {
      run.finding({
        id: `sink.${name}`,
        severity: 'warn',
        text:
          `The ${name} view of the samples failed and was switched off: ${error.message}. ` +
          'The stored samples are complete.',
      });
    },
  });
  const units = withTargets(workloadUnits(profile, testbed, plan), inventoryBefore);
  const seriesId = indexSeries(overview.series);
  return {
    deps,
    db,
    peers,
    emit,
    limits,
    run,
    clockWatch,
    pipeline,
    verdict,
    connections,
    outages: createOutages(run, connections, deps.clock),
    saturation: createSaturationWatch({ run, db, units, seriesId, connections, clock: deps.clock }),
    units,
    seriesId,
    detached: AbortSignal.any([closing, released.signal]),
    release: () => released.abort(),
    workers: new Map(),
    ownMoves: createOwnMoves(deps.clock, run.id),
  };
}
