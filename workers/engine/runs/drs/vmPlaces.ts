import type { PlacementHistory } from '../../../../src/core/run/run.ts';
import type { VCenterSession } from '../../deps/vcenter.ts';
import type { RunContext } from '../context.ts';
import { createPlacementLog, type MovedBy } from './placementLog.ts';

/** Where each VM of a run is: by the events of its moves, and by asking now and then. */
export interface VmPlaces {
  /** False until places were read, in this engine or one before. */
  wasRead(): boolean;
  /** A VM was moved; where the event does not say where to, the next reading does. */
  moved(vmRef: string, hostRef: string | null, tMs: number, by: MovedBy): void;
  /** Asks vCenter where the VMs are, and stores what changed. */
  read(session: VCenterSession, signal: AbortSignal): Promise<void>;
}

/** `start`: as far as it is known; `known`: an engine before has read it. */
export function createVmPlaces(
  { run, deps }: RunContext,
  {
    start,
    known,
    startMs,
    hostName,
  }: {
    start: PlacementHistory;
    known: boolean;
    startMs: number;
    hostName: (ref: string) => string;
  },
): VmPlaces {
  const log = createPlacementLog(start, hostName);
  const refs = [...new Set(start.vms.map((vm) => vm.ref))];
  const lately = new Map<string, { tMs: number; by: MovedBy }>();
  let first = !known;
  return {
    wasRead: () => !first,
    moved(vmRef, hostRef, tMs, by) {
      if (hostRef === null) lately.set(vmRef, { tMs, by });
      else log.put(vmRef, hostRef, tMs, by);
    },
    async read(session, signal) {
      const places = await session.placements(refs, signal);
      for (const [ref, { hostRef }] of places) {
        const { tMs, by } = first
          ? { tMs: startMs, by: 'start' as const }
          : (lately.get(ref) ?? { tMs: deps.clock.now(), by: 'unknown' as const });
        log.put(ref, hostRef, tMs, by);
      }
      lately.clear();
      first = false;
      const { history, changed, left } = log.take();
      if (changed) run.change({}, { placement: history });
      if (left > 0)
        run.finding({
          id: 'placement.cut',
          severity: 'warn',
          text:
            `VMs moved more often than the placement keeps: ${left} ` +
            `${left === 1 ? 'move is' : 'moves are'} not in it.`,
        });
    },
  };
}
