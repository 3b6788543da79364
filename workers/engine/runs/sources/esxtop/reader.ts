import { counted } from '../../../../../src/core/base/counted.ts';
import { toAppError } from '../../../../../src/core/base/errors.ts';
import { byNaturalOrder } from '../../../../../src/core/base/naturalOrder.ts';
import { watchEsxtop, zoneOf } from '../../../esxtop/live.ts';
import type { RunContext } from '../../context.ts';
import type { EsxiHost } from '../../esxiHosts.ts';
import type { Feed, PollReader } from '../types.ts';
import { type EsxtopScope, mostColumns, type Reading, readingOf } from './wanted.ts';

/** It ends by itself after so long, so that a host that is cut off does not keep it. */
const longestS = 900;
/** A host that refused is asked again after so long: each start costs it processor time. */
const patienceMs = 30_000;

interface Underway {
  stop: () => Promise<void>;
  /** Settles with its first row, or with its end. */ begun: Promise<void>;
  /** VMs of the run that were on the host; null = not known. */ placed: string | null;
}

/**
 * Reads one host by esxtop for as long as the run goes. Its columns are those of its start: where a
 * VM came or went, it is started anew. Where it fails, the next read tells.
 */
export function startEsxtopReader(
  context: RunContext,
  scope: EsxtopScope,
  { login, everyS }: { login: Pick<EsxiHost, 'open'>; everyS: number },
  feed: Feed,
): PollReader {
  const { deps } = context;
  let current: Underway | null = null;
  let failure: { error: unknown; atMs: number } | null = null;

  async function begin(signal: AbortSignal): Promise<Underway> {
    const host = await login.open();
    const { offsetMs } = await host.clockOffset(signal);
    const over = new AbortController();
    const placed = placedOn(context, scope.host.ref);
    const take = createTaker(context, scope, feed, offsetMs);
    let tellBegun = (): void => undefined;
    const firstRow = new Promise<void>((resolve) => {
      tellBegun = resolve;
    });
    const ended = watchEsxtop(
      host,
      {
        hostName: scope.host.name,
        everyS,
        rows: Math.ceil(longestS / everyS),
        place: (column) => take.place(column),
        onHead: () => take.tellColumns(),
        onRow(hostMs, values) {
          take.row(hostMs, values);
          tellBegun();
        },
      },
      AbortSignal.any([signal, over.signal]),
    );
    const settled = ended.then(
      () => undefined,
      (error: unknown) => {
        if (!over.signal.aborted && !signal.aborted) failure = { error, atMs: deps.clock.now() };
      },
    );
    const underway: Underway = {
      placed,
      begun: Promise.race([firstRow, settled]),
      async stop() {
        over.abort();
        await settled;
      },
    };
    void settled.then(() => {
      if (current === underway) current = null;
    });
    return underway;
  }

  const stop = async (): Promise<void> => {
    const before = current;
    current = null;
    await before?.stop();
  };
  return {
    async read(signal) {
      if (failure !== null && deps.clock.now() - failure.atMs < patienceMs) throw failure.error;
      failure = null;
      const placed = placedOn(context, scope.host.ref);
      if (current !== null && current.placed !== null && current.placed !== placed) await stop();
      else if (current !== null && current.placed === null) current.placed = placed;
      current ??= await begin(signal);
      await current.begun;
      const failed = failure as { error: unknown } | null;
      if (failed !== null) throw toAppError(failed.error);
    },
    finish: stop,
    stop,
  };
}

/** VMs of the run on a host, as they were last seen, as one text; null = not known. */
function placedOn({ run }: RunContext, hostRef: string): string | null {
  const { placement } = run.overview();
  if (placement === undefined || placement.moves.length === 0) return null;
  const last = new Map(placement.moves.map(({ vm, host }) => [vm, host]));
  return [...last]
    .filter(([, host]) => host !== null && placement.hosts[host]?.ref === hostRef)
    .map(([vm]) => placement.vms[vm]?.ref ?? '')
    .sort(byNaturalOrder)
    .join(' ');
}

interface Taker {
  place: (column: Parameters<typeof readingOf>[1]) => number | null;
  tellColumns: () => void;
  row: (hostMs: number, values: Float64Array) => void;
}

/** Hands rows on as samples: by the host's clock, of what the run has. */
function createTaker(context: RunContext, scope: EsxtopScope, feed: Feed, offsetMs: number): Taker {
  const { deps, run } = context;
  const places: (Reading & { seriesId: number })[] = [];
  let zoneMs: number | null = null;
  let leftOut = 0;
  return {
    place(column) {
      const reading = readingOf(scope, column);
      const seriesId = reading && context.seriesId(reading.entityId, reading.metric);
      if (reading === null || seriesId === null || seriesId === undefined) return null;
      if (places.length >= mostColumns) {
        leftOut += 1;
        return null;
      }
      places.push({ ...reading, seriesId });
      return places.length - 1;
    },
    tellColumns() {
      if (leftOut > 0)
        run.finding({
          id: `esxtop.columns.${scope.host.ref}`,
          severity: 'info',
          text:
            `Of esxtop on ${scope.host.name} ${mostColumns} columns are read; ` +
            `${counted(leftOut, 'column')} more would be wanted.`,
          fix: 'Choose fewer of VMs, devices and ports in the plan.',
        });
    },
    row(hostMs, values) {
      zoneMs ??= zoneOf(hostMs, deps.clock.now() + offsetMs);
      const tMs = hostMs - zoneMs - offsetMs;
      const here = placedOn(context, scope.host.ref);
      const isHere = new Set(here?.split(' '));
      // A VM with several adapters has as many columns: the worst of them counts.
      const found = new Map<number, number>();
      places.forEach(({ seriesId, divisor, vmRef }, at) => {
        const value = values[at]! / divisor;
        if (Number.isNaN(value) || (vmRef !== null && here !== null && !isHere.has(vmRef))) return;
        found.set(seriesId, Math.max(found.get(seriesId) ?? -Infinity, value));
      });
      for (const [seriesId, value] of found) feed.push(seriesId, tMs, value);
      if (found.size > 0) feed.journal(tMs);
    },
  };
}
