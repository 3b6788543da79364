import { printable, printableLine } from '../../../src/core/base/bounds.ts';
import { fail } from '../../../src/core/base/errors.ts';
import { byName } from '../../../src/core/base/naturalOrder.ts';
import { entityNames } from '../../../src/core/run/entityNames.ts';
import { newestFirst } from '../../../src/core/run/newestFirst.ts';
import type { RunEvent, RunRecord } from '../../../src/core/run/run.ts';
import type { Emit, Handlers } from '../../../src/wire/contract.ts';
import type { Peers } from '../connections/peers.ts';
import type { Database } from '../db/types.ts';
import type { Deps } from '../deps.ts';
import { createExporter } from '../exports/page.ts';
import { createRunRedaction } from '../redaction/runs.ts';
import { actDone } from './acts/schedule.ts';
import { defaultLimits, type RunLimits } from './context.ts';
import { letRun } from './earlyAbort.ts';
import { lookWithEsxtop } from './esxtopLook.ts';
import { activeRun, endedRun, recordOf, type RunsInHand } from './inHand.ts';
import { type LaunchTerms, startRun } from './launch.ts';
import { recoverRuns } from './recover.ts';
import { runsOfPlan } from './runsOfPlan.ts';
import { tidyRun } from './tidy.ts';

type Methods = Pick<
  Handlers,
  | 'run.start'
  | 'run.list'
  | 'run.ofPlan'
  | 'run.overview'
  | 'run.record'
  | 'run.samples'
  | 'run.annotate'
  | 'run.abort'
  | 'run.letRun'
  | 'run.actDone'
  | 'run.esxtop'
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
  /** Name of the run that is driven on a testbed; null = none. */
  onTestbed(testbedId: string): string | null;
  /** Any run is driven. */ isRunning(): boolean;
  /** Picks up what an earlier engine left. */ recover(): Promise<void>;
  /** Leaves running load alone; the next engine reads on. */ close(): Promise<void>;
}

export interface RunServiceOptions extends LaunchTerms {
  deps: Deps;
  db: Database;
  peers: Peers;
  emit: Emit;
  limits?: Partial<RunLimits>;
}

export function createRunService(options: RunServiceOptions): RunService {
  const { deps, db, peers, emit } = options;
  const runs: RunsInHand = {
    deps,
    db,
    peers,
    emit,
    limits: { ...defaultLimits, ...options.limits },
    active: new Map(),
    unstored: new Map(),
    tidying: new Map(),
    closing: new AbortController(),
  };
  const { active, tidying, closing } = runs;
  const exporter = createExporter(db);
  const redacted = createRunRedaction();
  const stored = (id: string): RunRecord => recordOf(runs, id);

  const methods: Methods = {
    'run.start': async (asked, signal) => ({ runId: await startRun(runs, options, asked, signal) }),
    'run.list': async () => newestFirst(db.runs.list()),
    'run.ofPlan': async ({ id }) => runsOfPlan(db.runs, stored(id)),
    'run.overview': async ({ id }) => active.get(id)?.run.overview() ?? stored(id).overview,
    'run.record': async ({ id }) => stored(id),
    'run.samples': async ({ runId, seriesIds, ...window }) =>
      db.samples.read(runId, seriesIds, window),
    'run.annotate': async (note) => annotate(runs, note),
    'run.abort': async ({ id, hard }) => {
      activeRun(runs, id).abort(
        'user',
        hard ? 'Hard abort by the user' : 'Abort by the user: load ends, what was measured is kept',
        hard,
      );
      return {};
    },
    'run.letRun': async ({ id }) => {
      if (!letRun(activeRun(runs, id), deps.clock.now()))
        throw fail('conflict', 'No early end of this run is announced.', 'See its events.');
      return {};
    },
    'run.actDone': async ({ id, actId }) => {
      actDone(activeRun(runs, id), actId, deps.clock.now());
      return {};
    },
    'run.esxtop': async (asked) => lookWithEsxtop(runs, asked),
    'run.tidy': ({ id }) => tidyRun(runs, id),
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
      // A record that cannot be read names nothing: its logs keep the names they are stored by.
      const record = db.runs.find(id);
      const names = record && entityNames(record);
      return db.runs
        .logs(id)
        .map(({ name, text }) => ({
          name: printableLine(names?.entity(name) ?? name),
          text: printable(text),
        }))
        .sort(byName);
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
    onTestbed: (testbedId) =>
      [...active.values()]
        .map(({ run }) => run.record())
        .find(({ testbed }) => testbed.id === testbedId)?.overview.name ?? null,
    isRunning: () => active.size > 0,
    recover: async () => recoverRuns(runs),
    async close() {
      closing.abort();
      await Promise.allSettled([...active.values(), ...tidying.values()].map(({ done }) => done));
    },
  };
}

function annotate(
  runs: RunsInHand,
  { id, text, tMs }: { id: string; text: string; tMs?: number | undefined },
): RunEvent {
  const run = runs.active.get(id)?.run;
  if (run) return run.event('note', text, tMs === undefined ? {} : { tMs });
  const record = recordOf(runs, id);
  if (record.imported)
    throw fail(
      'conflict',
      `${record.overview.name} came in a bundle: it is read, not changed.`,
      'Keep notes beside it, in a comparison or a report.',
    );
  return endedRun(runs, record).event('note', text, {
    tMs: tMs ?? record.overview.endedAtMs ?? runs.deps.clock.now(),
  });
}
