import type { LabSpec } from '../../../../src/core/lab/lab.ts';
import { createLabModel } from '../../simlab/model/model.ts';
import { type BaseLab, vmOf } from './baseLab.ts';

export interface Measured {
  /** Mean latency in ms by `<tile>.<kind>`. */ latency: ReadonlyMap<string, number>;
  hostCpuPct: readonly number[];
}

const settleMs = 60_000,
  spanMs = 240_000;
/**
 * The lab's model alone, without noise: what `tiles` tiles take, after settling. For planting,
 * never for judging.
 */
export function measure(spec: LabSpec, tiles: number, kinds: BaseLab['kinds']): Measured {
  const model = createLabModel({ ...spec, noise: 0 }, 0);
  for (let tile = 0; tile < tiles; tile += 1)
    for (const kind of kinds)
      model.startLoad({
        id: `${tile}.${kind}`,
        vmId: vmOf(tile, kind),
        clientId: spec.clients[tile % spec.clients.length]!.id,
        demand: spec.workloads.find((one) => one.kind === kind)!,
      });
  model.advance(settleMs);
  model.advance(settleMs + spanMs);
  const latency = new Map<string, number>();
  for (let tile = 0; tile < tiles; tile += 1)
    for (const kind of kinds)
      latency.set(
        `${tile}.${kind}`,
        model.load(`${tile}.${kind}`, settleMs, settleMs + spanMs)?.latencyMeanMs ?? Infinity,
      );
  return {
    latency,
    hostCpuPct: spec.hosts.map(
      (host) => model.host(host.id, settleMs, settleMs + spanMs)?.cpuPct ?? 0,
    ),
  };
}

/** How far the worst workload is over its limit: 1 = at it. */
export const severity = ({ latency }: Measured, limits: Readonly<Record<string, number>>): number =>
  Math.max(...[...latency].map(([id, ms]) => ms / limits[id.slice(id.indexOf('.') + 1)]!));
/** The slowest tile of each kind. */
export function slowest({ latency }: Measured, kinds: readonly string[]): Record<string, number> {
  return Object.fromEntries(
    kinds.map((kind) => [
      kind,
      Math.max(...[...latency].filter(([id]) => id.endsWith(`.${kind}`)).map(([, ms]) => ms)),
    ]),
  );
}
