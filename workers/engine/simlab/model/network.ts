import type { LabHost, LabSpec } from '../../../../src/core/lab/lab.ts';
import { packetCpu, type PacketRates } from './networkDevices.ts';
import {
  kernelPortKey,
  type NetworkPort,
  type NetworkState,
  pairsOf,
  uplinkKey,
  uplinksOfPort,
} from './networkPorts.ts';
import { framesOf, linkQueue, wireBytesPerFrame } from './networkQueue.ts';
import {
  type FlowResult,
  type NetworkFlow,
  type NetworkSolution,
  type PortLoad,
  type UplinkLoad,
  type VmTraffic,
} from './networkTypes.ts';

interface Offer {
  in: number;
  out: number;
  framesIn: number;
  framesOut: number;
}
const nothing = (): Offer => ({ in: 0, out: 0, framesIn: 0, framesOut: 0 });

interface Path {
  port: NetworkPort;
  key: string;
  part: number;
}
/**
 * Paths depend on nothing but wiring, policy and what is down; a solver asks for them thousands of
 * times between two changes.
 */
const known = new WeakMap<
  NetworkState['ports'],
  WeakMap<NetworkState['down'], Map<string, readonly Path[]>>
>();

/**
 * Where a flow goes: parts of its traffic by port and uplink; they add up to 1, or less where ports
 * have no uplink.
 */
function pathsOf(
  host: LabHost,
  state: NetworkState,
  flow: Pick<NetworkFlow, 'vmId' | 'addressPairs'>,
): readonly Path[] {
  const wired =
    known.get(state.ports) ?? new WeakMap<NetworkState['down'], Map<string, readonly Path[]>>();
  known.set(state.ports, wired);
  const paths = wired.get(state.down) ?? new Map<string, readonly Path[]>();
  wired.set(state.down, paths);
  const pairs = host.teaming === 'ipHash' ? pairsOf(flow.addressPairs ?? 1) : 1;
  const key = `${host.teaming} ${host.id} ${flow.vmId ?? ''} ${pairs}`;
  let found = paths.get(key);
  if (!found) {
    found = portsOfFlow(state, host.id, flow.vmId)
      .filter((port) => port.share > 0)
      .flatMap((port) =>
        Object.entries(uplinksOfPort(host, state, port, pairs)).map(([uplinkId, part]): Path => ({
          port,
          key: uplinkKey(host.id, uplinkId),
          part: part * port.share,
        })),
      );
    paths.set(key, found);
  }
  return found;
}

function portsOfFlow(state: NetworkState, hostId: string, vmId: string | null): NetworkPort[] {
  const ports: NetworkPort[] = [];
  for (let index = 0; ; index += 1) {
    const port = state.ports.get(vmId === null ? kernelPortKey(hostId) : `${vmId}#${index}`);
    if (port) ports.push(port);
    if (!port || vmId === null) return ports;
  }
}

interface Queues {
  in: ReturnType<typeof linkQueue>;
  out: ReturnType<typeof linkQueue>;
}
/** What each uplink makes of what is offered to it, each direction a queue of its own. */
function sendThrough(
  spec: Pick<LabSpec, 'hosts'>,
  state: NetworkState,
  offers: ReadonlyMap<string, Offer>,
): { uplinks: UplinkLoad[]; queues: ReadonlyMap<string, Queues> } {
  const queues = new Map<string, Queues>();
  const uplinks = spec.hosts.flatMap((host) =>
    host.uplinks.map((uplink): UplinkLoad => {
      const key = uplinkKey(host.id, uplink.id);
      const offer = offers.get(key) ?? nothing();
      const queue = {
        in: linkQueue(offer.in, offer.framesIn, uplink.gbps),
        out: linkQueue(offer.out, offer.framesOut, uplink.gbps),
      };
      queues.set(key, queue);
      const inKbps = (offer.in * queue.in.deliveredShare) / 1_000;
      const outKbps = (offer.out * queue.out.deliveredShare) / 1_000;
      return {
        hostId: host.id,
        uplinkId: uplink.id,
        up: !state.down.has(key),
        inKbps,
        outKbps,
        kbps: inKbps + outKbps,
        utilisation: Math.max(queue.in.utilisation, queue.out.utilisation),
        inUtilisation: queue.in.utilisation,
        outUtilisation: queue.out.utilisation,
        packetsRxPerS: offer.framesIn * queue.in.deliveredShare,
        packetsTxPerS: offer.framesOut * queue.out.deliveredShare,
        droppedRxPerS: offer.framesIn * (1 - queue.in.deliveredShare),
        droppedTxPerS: offer.framesOut * (1 - queue.out.deliveredShare),
      };
    }),
  );
  return { uplinks, queues };
}

/**
 * Sends the flows through the uplinks: each direction of each uplink is a queue (`linkQueue`), its
 * loss is shared by the flows in proportion to what they offer. Pure: same spec, flows and state,
 * same answer.
 */
export function solveNetwork(
  spec: Pick<LabSpec, 'hosts' | 'vms'>,
  flows: readonly NetworkFlow[],
  state: NetworkState,
): NetworkSolution {
  const hosts = new Map(spec.hosts.map((host) => [host.id, host]));
  const vms = new Map(spec.vms.map((vm) => [vm.id, vm]));
  const offers = new Map<string, Offer>();
  const routed = flows.flatMap((flow) => {
    const host = hosts.get(flow.hostId);
    return host ? [{ flow, host, paths: pathsOf(host, state, flow) }] : [];
  });
  for (const { flow, paths } of routed) {
    for (const { key, part } of paths) {
      const offer = offers.get(key) ?? nothing();
      offer.in += flow.bytesInPerS * part;
      offer.out += flow.bytesOutPerS * part;
      offer.framesIn += framesOf(flow.packetsInPerS, flow.bytesInPerS) * part;
      offer.framesOut += framesOf(flow.packetsOutPerS, flow.bytesOutPerS) * part;
      offers.set(key, offer);
    }
  }
  const { uplinks, queues } = sendThrough(spec, state, offers);
  const results = new Map<string, FlowResult>();
  const portLoads = new Map<string, PortLoad>();
  const flowCpu = new Map<string, number>();
  const hostCpu = new Map<string, number>();
  const vmTraffic = new Map<string, VmTraffic>();
  for (const { flow, host, paths } of routed) {
    const sum = (of: (queue: Queues) => number): number =>
      paths.reduce((total, path) => total + path.part * of(queues.get(path.key)!), 0);
    const inShare = sum((queue) => queue.in.deliveredShare);
    const outShare = sum((queue) => queue.out.deliveredShare);
    // A direction without traffic holds nothing up.
    const shares = [
      ...(flow.bytesInPerS > 0 ? [inShare] : []),
      ...(flow.bytesOutPerS > 0 ? [outShare] : []),
    ];
    results.set(flow.id, {
      deliveredShare: shares.length > 0 ? Math.min(...shares) : 1,
      frameInMs: sum((queue) => queue.in.frameMs),
      frameOutMs: sum((queue) => queue.out.frameMs),
    });
    for (const path of paths) {
      const queue = queues.get(path.key)!;
      const load = portLoads.get(path.port.key) ?? {
        port: path.port,
        inBytesPerS: 0,
        outBytesPerS: 0,
      };
      load.inBytesPerS += flow.bytesInPerS * path.part * queue.in.deliveredShare;
      load.outBytesPerS += flow.bytesOutPerS * path.part * queue.out.deliveredShare;
      portLoads.set(path.port.key, load);
    }
    const vm = flow.vmId === null ? undefined : vms.get(flow.vmId);
    const delivered = {
      packetsInPerS: flow.packetsInPerS * inShare,
      bytesInPerS: flow.bytesInPerS * inShare,
      packetsOutPerS: flow.packetsOutPerS * outShare,
      bytesOutPerS: flow.bytesOutPerS * outShare,
    };
    if (flow.vmId !== null) addTraffic(vmTraffic, flow.vmId, delivered, flow);
    const adapters = new Set(paths.map((path) => path.port.key)).size;
    const cpu = packetCpu(host, vm?.device ?? 'paravirtual', delivered, Math.max(1, adapters));
    flowCpu.set(flow.id, cpu);
    hostCpu.set(host.id, (hostCpu.get(host.id) ?? 0) + cpu);
  }
  return {
    flows: results,
    uplinks,
    ports: [...portLoads.values()],
    vms: vmTraffic,
    flowCpu,
    hostCpu,
  };
}

/**
 * Adds one flow to what the ports of its VM count. What a full uplink does not take is dropped at
 * the port that sends it; what is lost on its way in never reaches the port.
 */
function addTraffic(
  traffic: Map<string, VmTraffic>,
  vmId: string,
  delivered: PacketRates,
  offered: PacketRates,
): void {
  const sum = traffic.get(vmId);
  traffic.set(vmId, {
    kbps: (sum?.kbps ?? 0) + (delivered.bytesInPerS + delivered.bytesOutPerS) / 1_000,
    packetsRxPerS: (sum?.packetsRxPerS ?? 0) + delivered.packetsInPerS,
    packetsTxPerS: (sum?.packetsTxPerS ?? 0) + delivered.packetsOutPerS,
    droppedRxPerS: 0,
    droppedTxPerS:
      (sum?.droppedTxPerS ?? 0) + Math.max(0, offered.packetsOutPerS - delivered.packetsOutPerS),
  });
}

/** Least part of a link that a move gets beside the VMs' traffic: TCP shares. */
const leastMovePart = 0.1;

/**
 * MB/s that a host's own traffic (vMotion) finds on the freest of its uplinks beside what its VMs
 * send and receive. 0 where all are down.
 */
export function moveRoomMbps(
  spec: Pick<LabSpec, 'hosts'>,
  { uplinks, ports }: Pick<NetworkSolution, 'uplinks' | 'ports'>,
  hostId: string,
): number {
  const host = spec.hosts.find((one) => one.id === hostId);
  const own =
    ports
      .filter((one) => one.port.hostId === hostId && one.port.vmId === null)
      .reduce((sum, one) => sum + Math.max(one.inBytesPerS, one.outBytesPerS), 0) / 1e6;
  const rooms = uplinks
    .filter((one) => one.hostId === hostId && one.up)
    .map((one) => {
      const link = (host?.uplinks.find((uplink) => uplink.id === one.uplinkId)?.gbps ?? 0) * 125;
      return Math.max(
        link * leastMovePart,
        link - Math.max(0, Math.max(one.inKbps, one.outKbps) / 1_000 - own),
      );
    });
  return Math.max(0, ...rooms);
}

/** One direction of one uplink as a station of a closed queueing network. */
export interface UplinkStation {
  /** `<host>/<uplink>/in` or `…/out`. */ key: string;
  /** Busy time an operation, in ms. */ demandMs: number;
}

/**
 * Service demands of one operation at the uplinks its VM uses, for mean-value analysis. Bytes and
 * packets of one operation.
 */
export function uplinkStations(
  spec: Pick<LabSpec, 'hosts'>,
  state: NetworkState,
  flow: NetworkFlow,
): UplinkStation[] {
  const host = spec.hosts.find((one) => one.id === flow.hostId);
  const demands = new Map<string, number>();
  for (const { key, part } of host ? pathsOf(host, state, flow) : []) {
    const gbps = host!.uplinks.find((uplink) => uplinkKey(flow.hostId, uplink.id) === key)!.gbps;
    const ms = (bytes: number, packets: number): number =>
      ((bytes + framesOf(packets, bytes) * wireBytesPerFrame) * part * 8) / (gbps * 1e6);
    demands.set(
      `${key}/in`,
      (demands.get(`${key}/in`) ?? 0) + ms(flow.bytesInPerS, flow.packetsInPerS),
    );
    demands.set(
      `${key}/out`,
      (demands.get(`${key}/out`) ?? 0) + ms(flow.bytesOutPerS, flow.packetsOutPerS),
    );
  }
  return [...demands]
    .filter(([, demandMs]) => demandMs > 0)
    .map(([key, demandMs]) => ({ key, demandMs }));
}
