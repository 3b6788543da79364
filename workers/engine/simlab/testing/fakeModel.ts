import type { LabFault, LabSpec } from '../../../../src/core/lab/lab.ts';
import type { LabDrs, LabModel, LoadReport, LoadSpec } from '../model/types.ts';

const packets = { packetsRxPerS: 60, packetsTxPerS: 40, droppedRxPerS: 0, droppedTxPerS: 0 };

/**
 * A model without physics: every load does users × 10 operations a second at 5 ms, every host is 50
 * % busy. For tests of the edges alone.
 */
export function createFakeModel(spec: LabSpec, startMs: number): LabModel {
  let nowMs = startMs;
  const loads = new Map<string, LoadSpec & { fromMs: number; toMs: number }>();
  let faults: LabFault[] = [...spec.faults];
  let drs: LabDrs = {
    enabled: spec.drs.enabled,
    behavior: 'fullyAutomated',
    stars: spec.drs.stars,
  };
  const placement = new Map(
    spec.vms.map((vm) => [
      vm.id,
      { hostId: vm.hostId, datastoreId: vm.datastoreId, poweredOn: vm.poweredOn },
    ]),
  );
  const active = (tMs: number): LabFault[] =>
    faults.filter((f) => tMs >= startMs + f.fromS * 1_000 && tMs < startMs + f.toS * 1_000);
  return {
    spec,
    nowMs: () => nowMs,
    advance(toMs) {
      nowMs = Math.max(nowMs, toMs);
    },
    startLoad(load) {
      loads.set(load.id, { ...load, fromMs: nowMs, toMs: Infinity });
    },
    stopLoad(id) {
      const load = loads.get(id);
      if (load) load.toMs = nowMs;
    },
    load(id, fromMs): LoadReport | null {
      const load = loads.get(id);
      if (!load || fromMs < load.fromMs || fromMs >= load.toMs) return null;
      const throughput = load.demand.users * 10 + ((fromMs / 1_000) % 7) / 10;
      return {
        throughput,
        opsPerS: throughput,
        latencyMeanMs: 5,
        latencyP95Ms: 12,
        latencyP99Ms: 20,
        latencyMaxMs: 40,
        errorsPerS: 0,
        goodShare: 1,
        readIops: 0,
        writeIops: 0,
        ioLatencyMs: 0,
      };
    },
    host: (hostId, fromMs, toMs) =>
      toMs <= nowMs && fromMs >= startMs
        ? {
            cpuPct: 50,
            memoryPct: 40,
            netKbps: 100,
            powerW: 200,
            usedPct: 50,
            readyPct: 0,
            swapMb: 0,
            balloonMb: 0,
            swapInKBps: 0,
            powerCapW: null,
            up: !active(fromMs).some((f) => f.kind === 'hostDown' && f.targetId === hostId),
          }
        : null,
    vm: (_id, fromMs, toMs) =>
      toMs <= nowMs && fromMs >= startMs
        ? { cpuPct: 50, readyPct: 2, diskKBps: 800, netKbps: 100, ...packets }
        : null,
    datastore: (_id, fromMs, toMs) =>
      toMs <= nowMs && fromMs >= startMs
        ? {
            readIops: 70,
            writeIops: 30,
            deviceLatencyMs: 4,
            kernelLatencyMs: 0.1,
            outstanding: 1,
            readKBps: 560,
            writeKBps: 240,
          }
        : null,
    uplinks: (hostId, _fromMs, toMs) =>
      toMs <= nowMs
        ? [{ hostId, uplinkId: 'vmnic0', kbps: 100, utilisation: 0.01, ...packets }]
        : [],
    ports: () => [],
    client: () => 10,
    events: () => [],
    placement: () => placement,
    relocate(vmId, target) {
      const place = placement.get(vmId);
      if (place) placement.set(vmId, { ...place, ...target });
      return { seconds: 30 };
    },
    clone: () => ({ seconds: 60 }),
    addVm(vm) {
      placement.set(vm.id, {
        hostId: vm.hostId,
        datastoreId: vm.datastoreId,
        poweredOn: vm.poweredOn,
      });
    },
    removeVm(vmId) {
      placement.delete(vmId);
    },
    setPower(vmId, on) {
      const place = placement.get(vmId);
      if (place) placement.set(vmId, { ...place, poweredOn: on });
    },
    hostState: () => 'in',
    setHostState: () => undefined,
    evacuate: () => null,
    setSnapshots: () => undefined,
    drs: () => drs,
    setDrs(change) {
      drs = { ...drs, ...change };
    },
    addFault(fault) {
      faults = [...faults, fault];
    },
    removeFault(id) {
      faults = faults.filter((f) => f.id !== id);
    },
    activeFaults: active,
  };
}
