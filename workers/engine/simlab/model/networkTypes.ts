import type { PacketRates } from './networkDevices.ts';
import type { NetworkPort } from './networkPorts.ts';

/**
 * Traffic of one load, or of a host itself (`vmId` null: vMotion, storage over IP), as offered.
 * Bytes as counters see them, Ethernet header included.
 */
export interface NetworkFlow extends PacketRates {
  id: string;
  hostId: string;
  vmId: string | null;
  /** Source and destination addresses it is spread over, for ipHash. Default 1. */ addressPairs?: number;
}

export interface FlowResult {
  /** Part of the offered traffic that gets through, the worse of both directions. */
  deliveredShare: number;
  /** Mean time of one frame in queue and on the wire, in ms. */
  frameInMs: number;
  frameOutMs: number;
}

/** Packets a second that got through, and those that were lost, by direction. */
export interface PacketLoad {
  packetsRxPerS: number;
  packetsTxPerS: number;
  droppedRxPerS: number;
  droppedTxPerS: number;
}
/** All that a VM sent and received. */
export interface VmTraffic extends PacketLoad {
  kbps: number;
}
export interface UplinkLoad extends PacketLoad {
  hostId: string;
  uplinkId: string;
  up: boolean;
  /** Delivered KB (1,000 bytes) a second by direction and together. */
  inKbps: number;
  outKbps: number;
  kbps: number;
  /** The busier direction, 0 to 1. */
  utilisation: number;
  inUtilisation: number;
  outUtilisation: number;
}

/** One port's delivered bytes a second, for teaming. */
export interface PortLoad {
  port: NetworkPort;
  inBytesPerS: number;
  outBytesPerS: number;
}

export interface NetworkSolution {
  flows: ReadonlyMap<string, FlowResult>;
  uplinks: readonly UplinkLoad[];
  ports: readonly PortLoad[];
  vms: ReadonlyMap<string, VmTraffic>;
  /**
   * Hypervisor CPU on packets that get through, in reference-core seconds a second, by flow and by
   * host.
   */
  flowCpu: ReadonlyMap<string, number>;
  hostCpu: ReadonlyMap<string, number>;
}
