import { fail, toAppError } from '../../../src/core/base/errors.ts';
import type { EsxtopLook } from '../../../src/core/run/esxtopLook.ts';
import { lookState } from '../../../src/core/run/esxtopLook.ts';
import { isPhase } from '../../../src/core/run/windows.ts';
import type { Inventory } from '../../../src/core/testbed/inventory.ts';
import { createEsxtopCollector, type EsxtopNames } from '../esxtop/collect.ts';
import { watchEsxtop } from '../esxtop/live.ts';
import { rankEsxtop } from '../esxtop/rank.ts';
import { type EsxiHost, esxiHostsOf } from './esxiHosts.ts';
import { activeRun, type RunsInHand } from './inHand.ts';
import type { LiveRun } from './liveRun.ts';

/** One interval: a minute. */
const everyS = 2;
const rows = 30;
/** A person reads so many; the oldest go. */
const mostLooks = 50;
/** Progress is told at every so many rows. */
const tellEvery = 5;

/**
 * Runs esxtop on one host of a run under load for a minute; what it shows stays with the run. Gives
 * the interval as it begins. Throws conflict where the run has no load, or one is under way there;
 * notFound where the host cannot be logged in to.
 */
export function lookWithEsxtop(
  runs: RunsInHand,
  { id, hostRef }: { id: string; hostRef: string },
): EsxtopLook {
  const { deps, db, peers, active, closing } = runs;
  const run = activeRun(runs, id);
  const { overview, testbed, inventoryBefore } = run.record();
  if (!isPhase(overview.state))
    throw fail('conflict', 'The run is not under load.', 'Wait for its ramp-up.');
  const host = esxiHostsOf(
    { deps, peers, connections: db.connections.list() },
    testbed,
    inventoryBefore,
  ).find(({ ref }) => ref === hostRef);
  if (host === undefined)
    throw fail(
      'notFound',
      `The testbed of this run has no login to host ${hostRef}.`,
      'Name one in the settings of the testbed; runs that begin later have it.',
    );
  const nowMs = deps.clock.now();
  const looks = looksOf(run);
  if (looks.some((one) => one.hostRef === hostRef && lookState(one, nowMs, false) === 'running'))
    throw fail('conflict', `esxtop runs on ${host.name} already.`, 'Wait until it is done.');
  const look: EsxtopLook = {
    id: Math.max(0, ...looks.map((one) => one.id)) + 1,
    hostRef,
    hostName: host.name,
    atMs: nowMs,
    everyS,
    rows,
    state: 'running',
    rowsRead: 0,
    sights: [],
  };
  keep(run, look, 'change');
  const over = new AbortController();
  void active.get(id)?.done.then(() => over.abort());
  void carryOut(run, host, look, inventoryBefore, AbortSignal.any([over.signal, closing.signal]));
  return look;
}

const looksOf = (run: LiveRun): readonly EsxtopLook[] => run.overview().esxtop?.looks ?? [];

/** `touch`: progress, which may be told late. */
function keep(run: LiveRun, look: EsxtopLook, how: 'change' | 'touch'): void {
  const { esxtop = { hosts: [], looks: [] } } = run.overview();
  const others = esxtop.looks.filter(({ id }) => id !== look.id);
  const changed = { esxtop: { ...esxtop, looks: [...others, look].slice(-mostLooks) } };
  if (how === 'change') run.change({}, changed);
  else run.touch(changed);
}

async function carryOut(
  run: LiveRun,
  host: EsxiHost,
  look: EsxtopLook,
  inventory: Inventory | null,
  signal: AbortSignal,
): Promise<void> {
  const collector = createEsxtopCollector(namesIn(inventory));
  let rowsRead = 0;
  try {
    await watchEsxtop(
      await host.open(),
      {
        hostName: host.name,
        everyS,
        rows,
        place: (column) => collector.place(column),
        onRow(_hostMs, values) {
          collector.row(values);
          rowsRead += 1;
          if (rowsRead % tellEvery === 0) keep(run, { ...look, rowsRead }, 'touch');
        },
      },
      signal,
    );
    keep(
      run,
      { ...look, rowsRead, state: 'done', sights: rankEsxtop(collector.figures()) },
      'change',
    );
  } catch (error) {
    const why = signal.aborted
      ? 'The run ended before it was done.'
      : [toAppError(error).message, toAppError(error).hint ?? ''].join(' ').trim();
    keep(run, { ...look, rowsRead, state: 'failed', error: why }, 'change');
  }
}

function namesIn(inventory: Inventory | null): EsxtopNames {
  const vcpus = new Map(inventory?.vms.map((vm) => [vm.name, vm.vcpus]));
  const stores = new Map(
    inventory?.datastores.flatMap((store) =>
      store.luns.map(({ canonicalName }) => [canonicalName, store.name] as const),
    ),
  );
  return {
    vcpusOf: (name) => vcpus.get(name),
    lun: (canonicalName) => {
      const store = stores.get(canonicalName);
      return store === undefined ? canonicalName : `${store}, ${canonicalName}`;
    },
  };
}
