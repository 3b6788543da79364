import type { PlacementHistory } from '../../../../src/core/run/run.ts';

export type MovedBy = PlacementHistory['moves'][number]['by'];
export interface PlacementLog {
  /**
   * A VM is on a host since `tMs`. Nothing where that is known already; tells by whom where a poll
   * saw the move before its event.
   */
  put(vmRef: string, hostRef: string | null, tMs: number, by: MovedBy): void;
  /** As it stands, and whether it changed since the last call. */
  take(): {
    history: PlacementHistory;
    changed: boolean;
    /** Moves that were left out. */ left: number;
  };
}

/** Moves that are kept: a run of three hours with a vMotion a minute in 16 loops. */
const mostMoves = 3_000;

export function createPlacementLog(
  start: PlacementHistory,
  hostName: (ref: string) => string,
  most = mostMoves,
): PlacementLog {
  const hosts = [...start.hosts];
  const moves = [...start.moves];
  const vmAt = new Map(start.vms.map((vm, i) => [vm.ref, i]));
  /** Where each VM is, and its newest move that is kept. */
  const last = new Map<number, { host: number | null; at: number }>();
  moves.forEach((move, at) => last.set(move.vm, { host: move.host, at }));
  let changed = false;
  let left = 0;
  const hostAt = (ref: string): number => {
    const known = hosts.findIndex((one) => one.ref === ref);
    return known >= 0 ? known : hosts.push({ ref, name: hostName(ref) }) - 1;
  };
  return {
    put(vmRef, hostRef, tMs, by) {
      const vm = vmAt.get(vmRef);
      if (vm === undefined) return;
      const host = hostRef === null ? null : hostAt(hostRef);
      const now = last.get(vm);
      const before = now && moves[now.at]!;
      if (now && before && now.host === host) {
        if (before.host === host && before.by === 'unknown' && by !== 'unknown') {
          moves[now.at] = { ...before, tMs: Math.min(before.tMs, tMs), by };
          changed = true;
        }
        return;
      }
      if (before && tMs < before.tMs) return;
      if (moves.length >= most) {
        left += 1;
        if (now) last.set(vm, { ...now, host });
        return;
      }
      last.set(vm, { host, at: moves.push({ tMs, vm, host, by }) - 1 });
      changed = true;
    },
    take() {
      const was = changed;
      changed = false;
      return {
        history: { hosts: [...hosts], vms: start.vms, moves: [...moves] },
        changed: was,
        left,
      };
    },
  };
}
