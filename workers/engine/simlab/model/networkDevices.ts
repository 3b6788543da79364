import type { LabHost, LabVm } from '../../../../src/core/lab/lab.ts';

type Device = LabVm['device'];
export interface PacketRates {
  packetsInPerS: number;
  packetsOutPerS: number;
  bytesInPerS: number;
  bytesOutPerS: number;
}

/**
 * What the hypervisor does for one adapter, in multiples of the host's `overhead.usPerPacket` (its
 * work on one full-size packet through the virtual switch). The guest's own driver and stack belong
 * to the workload's `cpuMsPerOp`.
 *
 * - emulated (e1000): every packet traps for register accesses besides the switch's work; little is
 *   batched.
 * - paravirtual (vmxnet3): the switch's work a packet; the host takes the physical interrupt and
 *   injects a virtual one, for batches.
 * - passthrough (DirectPath): no work a packet; only the interrupt is virtualised.
 *
 * Orders of magnitude: J. Santos et al., Bridging the Gap between Software and Hardware Techniques
 * for I/O Virtualization (USENIX ATC 2008); A. Menon et al., Optimizing Network Virtualization in
 * Xen (USENIX ATC 2006). Calibrated so that a host with usPerPacket 2.4 spends 6 µs more on a
 * vmxnet3 packet than with DirectPath at 10,000 packets a second; every other rate, size and core
 * follows from the queue below.
 */
const devices: Readonly<Record<Device, { packet: number; interrupt: number; windowUs: number }>> = {
  emulated: { packet: 4, interrupt: 4, windowUs: 20 },
  paravirtual: { packet: 1, interrupt: 3, windowUs: 50 },
  passthrough: { packet: 0, interrupt: 0.75, windowUs: 50 },
};

/**
 * Part of a received packet's work that is fixed; the rest is the copy, in proportion to its size.
 */
const fixedPart = 0.6;
const fullPacketBytes = 1_500;

/**
 * Interrupts a second when one is raised for the first packet after `windowUs` have passed since
 * the last: a renewal process with dead time, r / (1 + r·τ) for Poisson arrivals (D. Cox, Renewal
 * Theory, 1962). Rises with the rate and saturates at 1/τ, so the cost a packet falls.
 */
export function interruptsPerS(packetsPerS: number, windowUs: number): number {
  return packetsPerS / (1 + (packetsPerS * windowUs) / 1e6);
}

/**
 * CPU that the hypervisor spends on one VM's packets, in seconds of a reference core a second. Zero
 * on a physical machine. Received packets are copied into the guest, sent ones are not. `adapters`
 * share the packets evenly, each with its own interrupts.
 */
export function packetCpu(
  host: Pick<LabHost, 'virtual' | 'overhead'>,
  device: Device,
  rates: PacketRates,
  adapters = 1,
): number {
  if (!host.virtual) return 0;
  const { packet, interrupt, windowUs } = devices[device];
  const sizeIn =
    rates.packetsInPerS > 0
      ? Math.min(fullPacketBytes, rates.bytesInPerS / rates.packetsInPerS)
      : 0;
  const inWork = packet * (fixedPart + ((1 - fixedPart) * sizeIn) / fullPacketBytes);
  const packets = rates.packetsInPerS + rates.packetsOutPerS;
  const interrupts = adapters * interruptsPerS(packets / adapters, windowUs);
  return (
    (host.overhead.usPerPacket *
      (rates.packetsInPerS * inWork + rates.packetsOutPerS * packet + interrupts * interrupt)) /
    1e6
  );
}

/**
 * Longer way to memory of another socket, as part of a local access, and the part of busy time that
 * waits for memory (a database's).
 */
const remoteExtra = 0.5;
const memoryBound = 0.3;

/**
 * Factor on a guest's CPU demand where its memory is pinned: pages stay where they were put at
 * power-on, so the part that does not fit beside its cores is reached over the interconnect;
 * without pinning the NUMA scheduler brings the pages in use to the cores. Pass-through pins all
 * memory because the device writes to it (VMware, "Performance and Use Cases of VMware DirectPath
 * I/O for Networking", 2010).
 */
export function pinnedMemoryFactor(
  host: Pick<LabHost, 'virtual' | 'sockets' | 'memoryGb'>,
  vm: Pick<LabVm, 'device' | 'memoryMb' | 'memoryReservationMb'>,
): number {
  if (!host.virtual || host.sockets < 2) return 1;
  const pinned =
    vm.device === 'passthrough' ? 1 : Math.min(1, (vm.memoryReservationMb ?? 0) / vm.memoryMb);
  const nodeMb = (host.memoryGb * 1_024) / host.sockets;
  const remote = Math.max(0, 1 - nodeMb / vm.memoryMb);
  return 1 + pinned * remote * remoteExtra * memoryBound;
}
