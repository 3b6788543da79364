import { printable, printableLine } from '../../../src/core/base/bounds.ts';
import { fail, toAppError } from '../../../src/core/base/errors.ts';
import { type CheckFinding, findingKey, type Plan } from '../../../src/core/plan/plan.ts';
import type { Profile } from '../../../src/core/profile/profile.ts';
import { leftBehind, owed } from '../../../src/core/run/leftBehind.ts';
import { isEnd, type RunRecord } from '../../../src/core/run/run.ts';
import type { Emit, Handlers } from '../../../src/wire/contract.ts';
import type { Peers } from '../connections/peers.ts';
import type { Database } from '../db/types.ts';
import type { Deps } from '../deps.ts';
import { createExporter } from '../exports/page.ts';
import { launchHash, type LaunchInputs } from '../plans/hash.ts';
import { meterFacts } from '../power/meterFacts.ts';
import { createRunRedaction } from '../redaction/runs.ts';
import { readClients } from '../snapshots/clients.ts';
import { realignClock, watchClock } from './clockWatch.ts';
import { type ClockWatch } from './context.ts';
import { defaultLimits, type RunContext, type RunLimits } from './context.ts';
import { createRunContext } from './createContext.ts';
import { letRun } from './earlyAbort.ts';
import { planInfrastructure } from './infra/plan.ts';
import { retryWords } from './infra/retry.ts';
import { createLiveRun, type LiveRun } from './liveRun.ts';
import { readInventory, readUplinks } from './prepare.ts';
import { hasArranged, putBack } from './putBack.ts';
import { drive } from './runner.ts';
import { seriesOf, watchedProviders, workloadUnits } from './series.ts';
import { tidy } from './tidy.ts';

type Methods = Pick<
  Handlers,
  | 'run.start'
  | 'run.list'
  | 'run.overview'
  | 'run.record'
  | 'run.samples'
  | 'run.annotate'
  | 'run.abort'
  | 'run.letRun'
  | 'run.tidy'
  | 'run.remove'
  | 'run.log'
  | 'run.export'
>;
export interface RunService {
  methods: Methods;
  /** As it is now, active or stored. Throws notFound. */ record: (id: string) => RunRecord;
  /** The record once the run has ended; as it is when the engine goes away. */ ended(
    id: string,
  ): Promise<RunRecord>;
  /** Picks up what an earlier engine left. */ recover(): Promise<void>;
  /** Leaves running load alone; the next engine reads on. */ close(): Promise<void>;
}

const storeAgainMs = 5_000;

interface ActiveRun {
  run: LiveRun;
  done: Promise<void>;
}

export interface RunServiceOptions {
  deps: Deps;
  db: Database;
  peers: Peers;
  emit: Emit;
  limits?: Partial<RunLimits>;
  inputs: (planId: string) => LaunchInputs;
  /**
   * Refuses what was not checked or is no longer as it was checked; gives the findings that were
   * waived.
   */
  gate: (
    planId: string,
    inputs: LaunchInputs,
    checkedHash: string,
    signal: AbortSignal,
  ) => Promise<CheckFinding[]>;
}

export function createRunService(options: RunServiceOptions): RunService {
  const { deps, db, peers, emit, inputs, gate } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const active = new Map<string, ActiveRun>();
  /** Runs that ended while the disk was full: told from here until they are stored. */
  const unstored = new Map<string, LiveRun>();
  /** Ended runs that are being tidied up after. */
  const tidying = new Map<string, { record: RunRecord; done: Promise<void> }>();
  const closing = new AbortController();
  const exporter = createExporter(db);
  const redacted = createRunRedaction();
  // What runs on a simulated lab ends with its process: there is nothing to read on, and time
  // flies.
  const liveDeps = {
    clock: deps.clock,
    log: deps.log,
    store: db.runs,
    emit,
    lazyMs: deps.lab === null ? 0 : 60_000,
  };

  const contextFor = (run: LiveRun, clockWatch?: ClockWatch): RunContext =>
    createRunContext({
      deps,
      db,
      peers,
      emit,
      limits,
      run,
      closing: closing.signal,
      ...(clockWatch ? { clockWatch } : {}),
    });

  function begin(run: LiveRun, work: (clockWatch: ClockWatch) => Promise<void>): void {
    const clockWatch = watchClock(deps.clock, run);
    const done = work(clockWatch)
      .catch((error: unknown) => {
        deps.log.error('A run ended with an unexpected error', {
          run: run.id,
          error: toAppError(error).message,
        });
        if (!isEnd(run.state())) run.moveTo('failed');
      })
      .finally(() => {
        clockWatch.release();
        active.delete(run.id);
        if (!run.store()) {
          unstored.set(run.id, run);
          void storeLater(run);
        }
        if (owes(run)) void readLater(run.id);
        emit('list.changed', { list: 'runs' });
      });
    active.set(run.id, { run, done });
    emit('list.changed', { list: 'runs' });
  }

  async function storeLater(run: LiveRun): Promise<void> {
    while (!closing.signal.aborted && !run.store()) {
      await deps.clock.sleep(storeAgainMs, closing.signal).catch((error: unknown) => {
        if (!closing.signal.aborted) throw error;
      });
    }
    unstored.delete(run.id);
    emit('list.changed', { list: 'runs' });
  }

  const owes = (run: Pick<LiveRun, 'overview'>): boolean =>
    leftBehind(run.overview()).some(({ id }) => id.startsWith(owed));

  /** Output that stays on clients because the disk is full is read as soon as there is space. */
  async function readLater(id: string): Promise<void> {
    while (!closing.signal.aborted) {
      await deps.clock.sleep(storeAgainMs, closing.signal).catch((error: unknown) => {
        if (!closing.signal.aborted) throw error;
      });
      if (closing.signal.aborted || db.room.isLow() || unstored.has(id)) continue;
      try {
        const overview = await methods['run.tidy']({ id }, closing.signal);
        if (!owes({ overview: () => overview })) return;
      } catch (error) {
        deps.log.warn('Output that stays on clients could not be read', {
          run: id,
          error: toAppError(error).message,
        });
        // Removed, or put back by somebody meanwhile: there is nothing more to read.
        if (!db.runs.find(id) || !owes({ overview: () => stored(id).overview })) return;
      }
    }
  }

  async function check(run: LiveRun): Promise<void> {
    const { plan, profile, testbed } = run.record();
    run.moveTo('checking');
    const signal = AbortSignal.any([run.stop, closing.signal]);
    const connections = db.connections.list();
    const units = workloadUnits(profile, testbed, plan);
    const inventory = await readInventory({ peers, db }, testbed.vcenterId, signal);
    const clients = await readClients({ peers, connections }, units, signal);
    const powers = await Promise.all(
      connections.flatMap((connection) =>
        connection.kind === 'power' && testbed.powerIds.includes(connection.id)
          ? [
              meterFacts(peers, connection, deps.log, signal).then((facts) => ({
                connection,
                ...facts,
              })),
            ]
          : [],
      ),
    );
    const uplinks = await readUplinks(
      { peers, run },
      testbed.vcenterId,
      watchedProviders(units, inventory).hosts,
      signal,
    );
    const { operations, missing, growth } = planInfrastructure(profile, testbed, inventory);
    if (growth !== null)
      run.finding({
        id: 'infra.loops',
        severity: 'info',
        text:
          `${growth} A failed operation is tried again after ` +
          `${retryWords(limits.retryPauseMs)}; then the loop takes another VM.`,
      });
    for (const text of missing)
      run.finding({
        id: `infra.${text.split(':')[0]}`,
        severity: 'warn',
        text: `Not counted: ${text}.`,
        fix: 'Name what the operation works on in the testbed.',
      });
    const series = seriesOf({ plan, units, operations, inventory, uplinks, connections, powers });
    db.samples.defineSeries(run.id, series);
    run.change(
      { inventoryBefore: inventory, clients },
      {
        series,
        workloads: units.map((unit) => ({
          entityId: unit.entityId,
          tile: unit.tile,
          workloadId: unit.workload.id,
          clientId: unit.assignment.clientId,
          vmName: unit.assignment.vm?.name ?? null,
          state: 'waiting' as const,
          lastSampleMs: null,
          badLines: 0,
        })),
      },
    );
    run.moveTo('ready');
  }

  async function launch(run: LiveRun, clockWatch: ClockWatch): Promise<void> {
    try {
      await check(run);
    } catch (error) {
      if (closing.signal.aborted) return;
      const failure = toAppError(error);
      run.finding({
        id: 'launch',
        severity: 'block',
        text: failure.message,
        ...(failure.hint ? { fix: failure.hint } : {}),
      });
      const aborted = run.stop.aborted;
      run.change(
        {},
        {
          verdict: {
            outcome: aborted ? 'aborted' : 'failed',
            compliant: false,
            sentence: aborted
              ? 'Aborted before the load started.'
              : `Failed before the load started: ${failure.message}`,
          },
        },
      );
      run.moveTo(aborted ? 'aborted' : 'failed');
      return;
    }
    await drive(contextFor(run, clockWatch));
  }

  async function resume(run: LiveRun, clockWatch: ClockWatch): Promise<void> {
    const context = contextFor(run, clockWatch);
    await realignClock(context);
    await drive(context);
  }

  /** A run whose engine ended before its load began: what it changed in vCenter goes back first. */
  async function abandon(run: LiveRun): Promise<void> {
    const context = contextFor(run);
    try {
      await putBack(context);
    } finally {
      await context.pipeline.close();
      context.release();
    }
    // An engine that goes away meanwhile leaves it to the next.
    if (!closing.signal.aborted) run.moveTo('aborted');
  }

  async function tidyUp(run: LiveRun): Promise<void> {
    const { testbed, overview } = run.record();
    const since = db.runs
      .list('all')
      .filter(
        (one) =>
          (one.startedAtMs ?? 0) > (overview.startedAtMs ?? overview.createdAtMs) &&
          one.importedFrom === undefined,
      );
    // A testbed may have another name by now.
    const later = since.some(
      (one) => one.testbedName === testbed.name || db.runs.find(one.id)?.testbed.id === testbed.id,
    );
    const context = contextFor(run);
    try {
      await tidy(context, later);
    } finally {
      await context.pipeline.close();
      context.release();
    }
  }

  const running = (id: string): LiveRun => {
    const found = active.get(id);
    if (found) return found.run;
    if (db.runs.get(id)) throw fail('conflict', 'The run has ended.');
    throw fail('notFound', `Run ${id} does not exist.`, 'Refresh the history.');
  };
  const stored = (id: string): RunRecord => {
    const record = active.get(id)?.run.record() ?? unstored.get(id)?.record() ?? db.runs.get(id);
    if (!record) throw fail('notFound', `Run ${id} does not exist.`, 'Refresh the history.');
    return record;
  };

  const methods: Methods = {
    'run.start': async ({ planId, checkedHash, name }, signal) => {
      const asChecked = (): LaunchInputs => {
        const input = inputs(planId);
        if (launchHash(input) !== checkedHash)
          throw fail(
            'conflict',
            'The plan, its testbed or a connection was edited after the check.',
            'Check the plan again.',
          );
        return input;
      };
      const waived = await gate(planId, asChecked(), checkedHash, signal);
      // Reading the inventory took its time: an edit or another launch may have come in between.
      const input = asChecked();
      const busy = [...active.values()].find(({ run }) => sharesClients(run.record(), input));
      if (busy)
        throw fail(
          'conflict',
          `${busy.run.record().overview.name} is running on the same testbed or clients.`,
          'Wait for its end, or abort it.',
        );
      const record = newRecord(deps, input, checkedHash, name ?? nextName(db, input.plan), waived);
      const tidied = [...tidying.values()].find((one) => sharesClients(one.record, input));
      if (tidied)
        throw fail(
          'conflict',
          `What ${tidied.record.overview.name} left behind is being put back on the same testbed or clients.`,
          'Wait for its end.',
        );
      const run = createLiveRun(record, liveDeps);
      db.runs.save(record);
      begin(run, (clockWatch) => launch(run, clockWatch));
      return { runId: run.id };
    },
    'run.list': async () => db.runs.list(),
    'run.overview': async ({ id }) => active.get(id)?.run.overview() ?? stored(id).overview,
    'run.record': async ({ id }) => stored(id),
    'run.samples': async ({ runId, seriesIds, ...window }) =>
      db.samples.read(runId, seriesIds, window),
    'run.annotate': async ({ id, text, tMs }) => {
      const run = active.get(id)?.run;
      if (run) return run.event('note', text, tMs === undefined ? {} : { tMs });
      const record = stored(id);
      if (record.imported)
        throw fail(
          'conflict',
          `${record.overview.name} came in a bundle: it is read, not changed.`,
          'Keep notes beside it, in a comparison or a report.',
        );
      const late = createLiveRun(record, { ...liveDeps, lazyMs: 0 });
      return late.event('note', text, {
        tMs: tMs ?? record.overview.endedAtMs ?? deps.clock.now(),
      });
    },
    'run.abort': async ({ id, hard }) => {
      running(id).abort(
        'user',
        hard ? 'Hard abort by the user' : 'Abort by the user: load ends, what was measured is kept',
        hard,
      );
      return {};
    },
    'run.letRun': async ({ id }) => {
      if (!letRun(running(id), deps.clock.now()))
        throw fail('conflict', 'No early end of this run is announced.', 'See its events.');
      return {};
    },
    'run.tidy': async ({ id }) => {
      const record = stored(id);
      if (active.has(id) || leftBehind(record.overview).length === 0)
        throw fail(
          'conflict',
          `${record.overview.name} left nothing behind that is known here.`,
          'See its findings.',
        );
      if (record.imported)
        throw fail('conflict', `${record.overview.name} came in a bundle: it was not run here.`);
      if (tidying.has(id))
        throw fail(
          'conflict',
          `What ${record.overview.name} left behind is being put back already.`,
        );
      const busy = [...active.values()].find(({ run }) => sharesClients(run.record(), record));
      if (busy)
        throw fail(
          'conflict',
          `${busy.run.record().overview.name} is running on the same testbed or clients.`,
          'Wait for its end.',
        );
      const run = createLiveRun(record, { ...liveDeps, lazyMs: 0 });
      const done = tidyUp(run);
      tidying.set(id, { record, done });
      await done.finally(() => {
        tidying.delete(id);
      });
      return run.overview();
    },
    'run.remove': async ({ id }) => {
      if (active.has(id))
        throw fail('conflict', 'An active run cannot be removed.', 'Abort it first.');
      // One that cannot be read can be removed.
      if (db.runs.raw(id) === null) stored(id);
      db.runs.remove(id);
      emit('list.changed', { list: 'runs' });
      return {};
    },
    'run.log': async ({ id }) => {
      if (db.runs.raw(id) === null) stored(id);
      return db.runs.logs(id).map(({ name, text }) => ({
        name: printableLine(name),
        text: printable(text),
      }));
    },
    'run.export': async ({ id, format, cursor, ...asked }) => {
      const record = stored(id);
      return exporter.page(record, format, cursor, redacted(record, asked));
    },
  };

  return {
    methods,
    record: stored,
    async ended(id) {
      await active.get(id)?.done;
      return stored(id);
    },
    async recover() {
      for (const record of db.runs.unfinished()) {
        const run = createLiveRun(record, liveDeps);
        const { state } = record.overview;
        if (
          state === 'draft' ||
          state === 'checking' ||
          state === 'ready' ||
          state === 'starting'
        ) {
          // No load has a start time yet: there is nothing to read on, only to clean up.
          run.finding({
            id: 'engineLost',
            severity: 'block',
            text: `The engine ended while the run was ${state}; no load had started.`,
            fix: 'Launch the plan again.',
          });
          run.change(
            {},
            {
              abortReason: 'engineLost',
              verdict: {
                outcome: 'aborted',
                compliant: false,
                sentence: 'The engine ended before the load started.',
              },
            },
          );
          if (hasArranged(run.record())) begin(run, () => abandon(run));
          else run.moveTo('aborted');
          continue;
        }
        run.event(
          'recovered',
          'The engine was restarted; reading on from the last journalled byte of every job',
        );
        run.finding({
          id: 'engineRestarted',
          severity: 'info',
          text:
            'The engine was restarted during the run. Load went on; output was read again from ' +
            'the last journalled byte.',
        });
        begin(run, (clockWatch) => resume(run, clockWatch));
      }
    },
    async close() {
      closing.abort();
      await Promise.allSettled([...active.values(), ...tidying.values()].map(({ done }) => done));
    },
  };
}

function sharesClients(
  record: Pick<RunRecord, 'testbed'>,
  input: Pick<LaunchInputs, 'testbed'>,
): boolean {
  const clients = (testbed: RunRecord['testbed']): string[] =>
    testbed.tiles.flatMap((t) => t.workloads.map((w) => w.clientId));
  const mine = new Set(clients(input.testbed));
  return (
    record.testbed.id === input.testbed.id || clients(record.testbed).some((id) => mine.has(id))
  );
}

function nextName(db: Database, plan: Plan): string {
  // Past the highest, not the count: of runs that were purged the numbers are not given again while
  // later ones are there.
  const numbers = db.runs
    .list('all')
    .map((run) =>
      run.name.startsWith(`${plan.name} #`) ? Number(run.name.slice(plan.name.length + 2)) : 0,
    )
    .filter(Number.isInteger);
  return `${plan.name} #${Math.max(0, ...numbers) + 1}`;
}

function newRecord(
  deps: Deps,
  { plan, testbed, profile }: { plan: Plan; testbed: RunRecord['testbed']; profile: Profile },
  planHash: string,
  name: string,
  waived: readonly CheckFinding[],
): RunRecord {
  const now = deps.clock.now();
  return {
    overview: {
      id: deps.ids.next('run'),
      rev: 0,
      name,
      state: 'draft',
      origin: deps.lab === null ? 'real' : 'simulated',
      createdAtMs: now,
      startedAtMs: null,
      endedAtMs: null,
      nowMs: now,
      phases: [],
      phasesPlanned: plan.phases,
      periods: [],
      abortReason: null,
      workloads: [],
      series: [],
      events: [],
      findings: launchFindings(plan, waived, now),
      score: null,
      verdict: null,
    },
    plan,
    testbed,
    profile,
    clients: [],
    inventoryBefore: null,
    inventoryAfter: null,
    planHash,
    appVersion: deps.version,
  };
}

/**
 * What the run must say of its launch for ever: what somebody waived, and why; and that a smoke run
 * is no result.
 */
function launchFindings(
  plan: Plan,
  waived: readonly CheckFinding[],
  tMs: number,
): RunRecord['overview']['findings'] {
  return [
    ...(plan.smoke
      ? [
          {
            id: 'smoke',
            severity: 'info' as const,
            text: `A smoke run of plan ${plan.name}: one tile, to see that every part works. It is no result.`,
            tMs,
          },
        ]
      : []),
    ...waived.map((finding) => ({
      id: `waived ${findingKey(finding)}`,
      severity: 'warn' as const,
      text: `Waived: ${finding.title}: ${finding.evidence}. Reason: ${finding.waived?.reason ?? ''}`,
      tMs,
    })),
  ];
}
