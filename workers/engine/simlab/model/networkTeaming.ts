import type { LabHost, LabSpec } from '../../../../src/core/lab/lab.ts';
import {
  emptyWindow,
  type NetworkState,
  sharedUplinks,
  type TeamWindow,
  uplinkKey,
} from './networkPorts.ts';
import type { NetworkSolution, PortLoad } from './networkTypes.ts';

/**
 * Load-based teaming looks this often, over the mean since it looked last, and moves a port where
 * the mean is above this part of the link. VMware's defaults.
 */
const teamingPeriodMs = 30_000;
const teamingThreshold = 0.75;

export interface UplinkMove {
  tMs: number;
  hostId: string;
  vmId: string | null;
  portKey: string;
  fromUplinkId: string;
  toUplinkId: string;
  /** Mean that caused it. */ meanUtilisation: number;
}

/** When the next team is due to look; a step must not go beyond. null = no host teams by load. */
export function teamingDueMs(spec: Pick<LabSpec, 'hosts'>, state: NetworkState): number | null {
  const due = spec.hosts.flatMap((host) =>
    host.teaming === 'loadBased' && host.uplinks.length > 1
      ? [(state.windows.get(host.id)?.evaluatedMs ?? 0) + teamingPeriodMs]
      : [],
  );
  return due.length > 0 ? Math.min(...due) : null;
}

/**
 * Adds `dtMs` of this solution to what the teams have seen, up to `nowMs`, and lets those whose 30
 * s have passed look: where the mean send or receive utilisation of an uplink is above 75 %, one
 * port moves from it to the least loaded uplink, if that lowers the higher of the two. At most one
 * move a host and 30 s. Other policies never move.
 */
export function stepTeaming(
  spec: Pick<LabSpec, 'hosts'>,
  state: NetworkState,
  solution: Pick<NetworkSolution, 'uplinks' | 'ports'>,
  nowMs: number,
  dtMs: number,
): { state: NetworkState; moves: UplinkMove[] } {
  const teams = spec.hosts.filter(
    (host) => host.teaming === 'loadBased' && host.uplinks.length > 1,
  );
  if (teams.length === 0) return { state, moves: [] };
  const windows = new Map(state.windows);
  const ports = new Map(state.ports);
  const moves: UplinkMove[] = [];
  for (const host of teams) {
    const seen = add(windows.get(host.id) ?? emptyWindow(nowMs - dtMs), solution, host, dtMs);
    const due = nowMs - seen.evaluatedMs >= teamingPeriodMs;
    windows.set(host.id, due ? emptyWindow(nowMs) : seen);
    const move = due ? look(host, state, seen, solution.ports, nowMs) : null;
    if (!move) continue;
    ports.set(move.portKey, { ...ports.get(move.portKey)!, homeUplinkId: move.toUplinkId });
    moves.push(move);
  }
  return { state: { ...state, windows, ports: moves.length > 0 ? ports : state.ports }, moves };
}

function add(
  window: TeamWindow,
  solution: Pick<NetworkSolution, 'uplinks'>,
  host: LabHost,
  dtMs: number,
): TeamWindow {
  const own = solution.uplinks.filter((uplink) => uplink.hostId === host.id);
  const sums = (
    before: Readonly<Record<string, number>>,
    of: (uplink: (typeof own)[number]) => number,
  ): Record<string, number> =>
    Object.fromEntries(
      own.map((uplink) => [uplink.uplinkId, (before[uplink.uplinkId] ?? 0) + of(uplink) * dtMs]),
    );
  return {
    evaluatedMs: window.evaluatedMs,
    spanMs: window.spanMs + dtMs,
    out: sums(window.out, (uplink) => uplink.outUtilisation),
    in: sums(window.in, (uplink) => uplink.inUtilisation),
  };
}

function look(
  host: LabHost,
  state: NetworkState,
  window: TeamWindow,
  loads: readonly PortLoad[],
  nowMs: number,
): UplinkMove | null {
  const team = sharedUplinks(host, state.ports).filter(
    (id) => !state.down.has(uplinkKey(host.id, id)),
  );
  const mean = (id: string): number =>
    Math.max(window.out[id] ?? 0, window.in[id] ?? 0) / Math.max(1, window.spanMs);
  const byMean = [...team].sort((a, b) => mean(b) - mean(a));
  const from = byMean[0];
  const to = byMean.at(-1);
  if (from === undefined || to === undefined || from === to || mean(from) <= teamingThreshold)
    return null;
  const gbps = (id: string): number => host.uplinks.find((uplink) => uplink.id === id)!.gbps;
  let best: { port: PortLoad['port']; peak: number } | null = null;
  for (const { port, inBytesPerS, outBytesPerS } of loads) {
    if (port.hostId !== host.id || port.pinned || port.homeUplinkId !== from) continue;
    const load = (Math.max(inBytesPerS, outBytesPerS) * 8) / 1e9;
    const peak = Math.max(mean(from) - load / gbps(from), mean(to) + load / gbps(to));
    if (
      load > 0 &&
      (best === null ||
        peak < best.peak - 1e-9 ||
        (Math.abs(peak - best.peak) <= 1e-9 && port.portId < best.port.portId))
    )
      best = { port, peak };
  }
  if (best === null || best.peak >= mean(from)) return null;
  return {
    tMs: nowMs,
    hostId: host.id,
    vmId: best.port.vmId,
    portKey: best.port.key,
    fromUplinkId: from,
    toUplinkId: to,
    meanUtilisation: mean(from),
  };
}
