import type { CheckFinding } from '../../../../src/shared/plan.ts';
import type { Inventory, VmInfo } from '../../../../src/shared/testbed.ts';
import type { Check, CheckContext } from './types.ts';

/** One fresh inventory a check run, read once and shared by the checks that look at it. */
const inventories = new WeakMap<CheckContext, Promise<Inventory>>();
function freshInventory(context: CheckContext, vcenterId: string, signal: AbortSignal): Promise<Inventory> {
  const known = inventories.get(context);
  if (known) return known;
  const reading = context.peers.vcenter(vcenterId, signal).then(async (session) => {
    const inventory = await session.inventory(signal);
    context.db.inventories.save(inventory);
    return inventory;
  });
  inventories.set(context, reading);
  return reading;
}

const without = (id: string, title: string): CheckFinding[] => [{ id, severity: 'info', title, evidence: 'The testbed has no vCenter: hosts, datastores and VMs are not watched.' }];

export const vcenterAnswers: Check = {
  id: 'vcenter.answers', title: 'vCenter answers with the needed privileges',
  async run(context, signal) {
    const { vcenterId } = context.inputs.testbed;
    if (vcenterId === null) return without('vcenter.answers', 'vCenter');
    const session = await context.peers.vcenter(vcenterId, signal);
    const inventory = await freshInventory(context, vcenterId, signal);
    const missing = await session.missingPrivileges(signal);
    const { offsetMs } = await session.clockOffset(signal);
    return [
      { id: 'vcenter.answers', severity: 'ok', title: `vCenter ${context.nameOf(vcenterId)} answers`, evidence: `${inventory.product} ${inventory.version} build ${inventory.build}: ${inventory.hosts.length} hosts, ${inventory.vms.length} VMs` },
      { id: 'vcenter.privileges', severity: missing.length > 0 ? 'warn' : 'ok', title: 'Privileges of the vCenter user', evidence: missing.length > 0 ? `missing: ${missing.join(', ')}` : 'complete', ...(missing.length > 0 ? { fix: 'Give the user the role described in docs/vcenter-role.md.' } : {}) },
      { id: 'vcenter.clockOffset', severity: Math.abs(offsetMs) > 2_000 ? 'warn' : 'ok', title: 'Clock of vCenter', evidence: `${offsetMs >= 0 ? '+' : ''}${Math.round(offsetMs)} ms against this machine`, ...(Math.abs(offsetMs) > 2_000 ? { fix: 'Counters are corrected by this offset; put vCenter and this machine in step with NTP.' } : {}) },
    ];
  },
};

export const vmsReady: Check = {
  id: 'vm.ready', title: 'VMs exist and are powered on',
  async run(context, signal) {
    const { vcenterId } = context.inputs.testbed;
    if (vcenterId === null) return without('vm.ready', 'VMs');
    const inventory = await freshInventory(context, vcenterId, signal);
    const byRef = new Map(inventory.vms.map((vm) => [vm.ref, vm]));
    const wanted = context.units.flatMap((u) => (u.assignment.vm ? [{ ...u.assignment.vm, unit: u }] : []));
    const problems = wanted.flatMap(({ ref, name, unit }): CheckFinding[] => {
      const vm = byRef.get(ref);
      const title = `Tile ${unit.tile + 1} ${unit.workload.name}: VM ${name}`;
      if (!vm) return [{ id: 'vm.ready', severity: 'block', title, evidence: `vCenter knows no VM ${ref}`, fix: 'Discover again and assign another VM in the testbed.' }];
      if (vm.powerState !== 'poweredOn') return [{ id: 'vm.ready', severity: 'block', title, evidence: `power state ${vm.powerState}`, fix: `Power on ${vm.name}.` }];
      return vmWarnings(vm, title);
    });
    const unassigned = context.units.filter((u) => u.assignment.vm === null).length;
    return [
      ...problems,
      ...duplicates(wanted),
      ...(unassigned > 0 ? [{ id: 'vm.unassigned', severity: 'info' as const, title: 'Workloads without a VM', evidence: `${unassigned} workloads name no VM: their place on hosts and datastores is not known.` }] : []),
      ...(problems.some((p) => p.severity === 'block') ? [] : [{ id: 'vm.ready', severity: 'ok' as const, title: 'VMs of the tiles', evidence: `${wanted.length} VMs exist and are powered on` }]),
    ];
  },
};

function vmWarnings(vm: VmInfo, title: string): CheckFinding[] {
  return vm.snapshotCount > 0 ? [{ id: 'vm.snapshots', severity: 'warn', title, evidence: `${vm.snapshotCount} snapshots`, fix: 'Remove the snapshots: a delta disk changes what storage does.' }] : [];
}

function duplicates(wanted: readonly { ref: string; name: string }[]): CheckFinding[] {
  const counts = new Map<string, { name: string; count: number }>();
  for (const { ref, name } of wanted) counts.set(ref, { name, count: (counts.get(ref)?.count ?? 0) + 1 });
  return [...counts.values()].filter(({ count }) => count > 1).map(({ name, count }) => ({
    id: 'vm.shared', severity: 'warn', title: `VM ${name}`, evidence: `is assigned to ${count} workloads`, fix: 'Give each workload a VM of its own.',
  }));
}

export const storageReady: Check = {
  id: 'datastore.ready', title: 'Datastores of the VMs',
  async run(context, signal) {
    const { vcenterId } = context.inputs.testbed;
    if (vcenterId === null) return without('datastore.ready', 'Datastores');
    const inventory = await freshInventory(context, vcenterId, signal);
    const refs = new Set(context.units.map((u) => u.assignment.vm?.ref));
    const used = new Set(inventory.vms.filter((vm) => refs.has(vm.ref)).flatMap((vm) => vm.datastoreRefs));
    return inventory.datastores.filter((d) => used.has(d.ref)).map((d): CheckFinding => {
      const freePct = d.capacityBytes !== null && d.freeBytes !== null && d.capacityBytes > 0 ? (100 * d.freeBytes) / d.capacityBytes : null;
      const evidence = `${d.accessible ? 'accessible' : 'not accessible'}, ${freePct === null ? 'free space unknown' : `${freePct.toFixed(0)} % free`}, ${d.luns.length} LUNs`;
      const title = `Datastore ${d.name}`;
      if (!d.accessible) return { id: 'datastore.ready', severity: 'block', title, evidence, fix: 'Mount the datastore or move the VM.' };
      if (freePct !== null && freePct < 5) return { id: 'datastore.ready', severity: 'warn', title, evidence, fix: 'Free space: swap and snapshots need room during the run.' };
      return { id: 'datastore.ready', severity: 'ok', title, evidence };
    });
  },
};

export const hostsReady: Check = {
  id: 'host.ready', title: 'Hosts under test',
  async run(context, signal) {
    const { testbed, profile } = context.inputs;
    if (testbed.vcenterId === null) return without('host.ready', 'Hosts');
    const inventory = await freshInventory(context, testbed.vcenterId, signal);
    const refs = new Set(context.units.map((u) => u.assignment.vm?.ref));
    const hostRefs = new Set(inventory.vms.filter((vm) => refs.has(vm.ref)).flatMap((vm) => (vm.hostRef ? [vm.hostRef] : [])));
    const hosts = inventory.hosts.filter((h) => hostRefs.has(h.ref));
    const away = hosts.filter((h) => h.connectionState !== 'connected' || h.maintenance);
    const kinds = new Set(hosts.map((h) => `${h.model ?? '?'} build ${h.build ?? '?'}`));
    return [
      ...away.map((h): CheckFinding => ({ id: 'host.ready', severity: 'block', title: `Host ${h.name}`, evidence: h.maintenance ? 'in maintenance mode' : h.connectionState, fix: 'Take the host out of maintenance mode or reconnect it.' })),
      ...(kinds.size > 1 ? [{ id: 'host.homogeneous', severity: 'warn' as const, title: 'Hosts differ', evidence: [...kinds].join('; '), fix: 'Same model and build make tiles comparable; or note the difference.' }] : []),
      ...(hosts.length < profile.minimumHosts ? [{ id: 'host.minimum', severity: 'warn' as const, title: 'Number of hosts', evidence: `${hosts.length} host under test, ${profile.name} asks for ${profile.minimumHosts}` }] : []),
      ...(away.length === 0 ? [{ id: 'host.ready', severity: 'ok' as const, title: 'Hosts under test', evidence: `${hosts.length} connected` }] : []),
    ];
  },
};

/** Counters are tried for real: a chart that would stay empty is named before the launch. */
export const telemetryAnswers: Check = {
  id: 'telemetry.counters', title: 'vCenter counters answer',
  async run(context, signal) {
    const { vcenterId } = context.inputs.testbed;
    if (vcenterId === null) return without('telemetry.counters', 'Counters');
    const session = await context.peers.vcenter(vcenterId, signal);
    const inventory = await freshInventory(context, vcenterId, signal);
    const refs = new Set(context.units.map((u) => u.assignment.vm?.ref));
    const hostRefs = [...new Set(inventory.vms.filter((vm) => refs.has(vm.ref)).flatMap((vm) => (vm.hostRef ? [vm.hostRef] : [])))];
    if (hostRefs.length === 0) return [];
    const { offsetMs } = await session.clockOffset(signal);
    const series = await session.perf(hostRefs.map((ref) => ({ kind: 'host', ref })), context.deps.clock.now() + offsetMs - 300_000, signal);
    const silent = hostRefs.filter((ref) => !series.some((s) => s.ref === ref && s.metric === 'cpuPct' && s.points.length > 0)).map((ref) => inventory.hosts.find((h) => h.ref === ref)?.name ?? ref);
    return [{
      id: 'telemetry.counters', severity: silent.length > 0 ? 'warn' : 'ok', title: 'vCenter counters', evidence: silent.length > 0 ? `no CPU counter in the last 5 minutes from ${silent.join(', ')}` : `${series.length} counters of ${hostRefs.length} hosts answer`,
      ...(silent.length > 0 ? { fix: 'Check that the hosts are connected and their statistics are collected.' } : {}),
    }];
  },
};
