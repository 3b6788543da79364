import type { CheckFinding } from '../../../../src/core/plan/plan.ts';
import type { Inventory, VmInfo } from '../../../../src/core/testbed/inventory.ts';
import type { WorkloadUnit } from '../../runs/series.ts';
import { placeOf } from './places.ts';
import { type CheckContext, defineCheck } from './types.ts';
import { vcenterName } from './vcenterChecks.ts';

const workloadOf = (unit: WorkloadUnit): string => `Tile ${unit.tile + 1} ${unit.workload.name}`;
interface Placed {
  unit: WorkloadUnit;
  vm: VmInfo;
}
/** Workloads whose VM exists. */
export function placedUnits(units: readonly WorkloadUnit[], inventory: Inventory): Placed[] {
  const byRef = new Map(inventory.vms.map((vm) => [vm.ref, vm]));
  return units.flatMap((unit) => {
    const vm = byRef.get(unit.assignment.vm?.ref ?? '');
    return vm ? [{ unit, vm }] : [];
  });
}
const quoted = (name: string): string => `'${name.replaceAll("'", "'\\''")}'`;

export const vmsPresent = defineCheck({
  id: 'vm.present',
  title: 'VMs exist and are powered on',
  needs: 'vcenter',
  async run(context) {
    const { units, world } = context;
    const inventory = await world.inventory();
    const source = vcenterName(context);
    const byRef = new Map(inventory.vms.map((vm) => [vm.ref, vm]));
    const wanted = units.flatMap((unit) =>
      unit.assignment.vm ? [{ ...unit.assignment.vm, unit }] : [],
    );
    const problems = wanted.flatMap(({ ref, name, unit }): CheckFinding[] => {
      const vm = byRef.get(ref);
      const about = { title: `${workloadOf(unit)}: VM ${vm?.name ?? name}`, subject: name, source };
      if (!vm)
        return [
          {
            ...about,
            id: 'vm.missing',
            severity: 'block',
            evidence: `vCenter knows no VM ${ref}`,
            fix: 'Discover again and assign another VM in the testbed, or provision the missing ones.',
            ...placeOf(context, unit, null),
          },
        ];
      if (vm.template)
        return [
          {
            ...about,
            id: 'vm.template',
            severity: 'block',
            evidence: 'is a template',
            fix: 'Assign a VM: a template cannot run.',
            ...placeOf(context, unit, null),
          },
        ];
      if (vm.powerState !== 'poweredOn')
        return [
          {
            ...about,
            id: 'vm.poweredOff',
            severity: 'block',
            evidence: `power state ${vm.powerState}`,
            fix: `Power on ${vm.name}.`,
            command: `govc vm.power -on ${quoted(vm.name)}`,
            off: { ref, name: vm.name },
          },
        ];
      return [];
    });
    return [
      ...problems,
      ...(problems.length === 0 && wanted.length > 0
        ? [
            {
              id: 'vm.present',
              severity: 'ok' as const,
              title: 'VMs of the tiles',
              subject: 'VMs',
              source,
              evidence: `${wanted.length} exist and are powered on`,
            },
          ]
        : []),
    ];
  },
});

/** What becomes of a VM that is not where the layout has it. */
function misplaced(
  { inputs: { plan } }: CheckContext,
  inventory: Inventory,
  vm: VmInfo,
): { severity: CheckFinding['severity']; word: string } | null {
  if (plan.startPlacement === 'planned')
    return { severity: 'info', word: 'the run moves it before the ramp-up' };
  if (plan.startPlacement !== undefined) return null;
  const cluster = inventory.clusters.find((one) => one.hostRefs.includes(vm.hostRef ?? ''));
  return cluster?.drsEnabled && cluster.drsBehavior === 'fullyAutomated'
    ? { severity: 'warn', word: `DRS of ${cluster.name} is fully automated and may move it` }
    : { severity: 'block', word: 'nothing will move it there' };
}

export const vmsPlaced = defineCheck({
  id: 'vm.placement',
  title: 'VMs are on their planned hosts and datastores',
  needs: 'vcenter',
  async run(context) {
    const inventory = await context.world.inventory();
    const source = vcenterName(context);
    const hostName = (ref: string | null): string =>
      inventory.hosts.find((host) => host.ref === ref)?.name ?? ref ?? 'no host';
    const storeName = (ref: string): string =>
      inventory.datastores.find((store) => store.ref === ref)?.name ?? ref;
    const planned = placedUnits(context.units, inventory).filter(
      ({ unit }) => unit.assignment.planned !== undefined,
    );
    const found = planned.flatMap(({ unit, vm }): CheckFinding[] => {
      const { host, datastore } = unit.assignment.planned!;
      const about = { title: `${workloadOf(unit)}: VM ${vm.name}`, subject: vm.name, source };
      const wrongHost =
        host !== null && vm.hostRef !== host.ref ? misplaced(context, inventory, vm) : null;
      return [
        ...(host && wrongHost
          ? [
              {
                ...about,
                id: 'vm.host',
                severity: wrongHost.severity,
                evidence: `runs on ${hostName(vm.hostRef)}, the layout has it on ${host.name}; ${wrongHost.word}`,
                fix: `Move it to ${host.name}, let the plan place the VMs at its start, or change the layout.`,
                command: `govc vm.migrate -host ${quoted(host.name)} ${quoted(vm.name)}`,
              },
            ]
          : []),
        ...(datastore && !vm.datastoreRefs.includes(datastore.ref)
          ? [
              {
                ...about,
                id: 'vm.datastore',
                severity:
                  context.inputs.plan.startPlacement === 'planned'
                    ? ('info' as const)
                    : ('block' as const),
                evidence:
                  `lies on ${vm.datastoreRefs.map(storeName).join(', ') || 'no datastore'}, ` +
                  `the layout has it on ${datastore.name}`,
                fix: `Move its disks to ${datastore.name}, or change the layout.`,
                command: `govc vm.migrate -ds ${quoted(datastore.name)} ${quoted(vm.name)}`,
              },
            ]
          : []),
      ];
    });
    return found.length > 0 || planned.length === 0
      ? found
      : [
          {
            id: 'vm.placement',
            severity: 'ok',
            title: 'Places of the VMs',
            subject: 'VMs',
            source,
            evidence: `${planned.length} VMs are on the hosts and datastores of the layout`,
          },
        ];
  },
});

/** vSphere's GuestInfo.toolsStatus, and toolsRunningStatus where that is all there is. */
const toolsWell = new Set(['toolsOk', 'toolsOld', 'guestToolsRunning']);

export const vmTools = defineCheck({
  id: 'vm.tools',
  title: 'VMware Tools in the guests',
  needs: 'vcenter',
  async run(context) {
    const inventory = await context.world.inventory();
    const source = vcenterName(context);
    const on = placedUnits(context.units, inventory).filter(
      ({ vm }) => vm.powerState === 'poweredOn',
    );
    const lacking = on.filter(
      ({ vm }) => vm.toolsStatus !== null && !toolsWell.has(vm.toolsStatus),
    );
    const silent = on.filter(({ vm }) => vm.toolsStatus === null);
    return [
      ...lacking.map(({ unit, vm }): CheckFinding => ({
        id: 'vm.tools',
        severity: 'warn',
        title: `${workloadOf(unit)}: VM ${vm.name}`,
        subject: vm.name,
        source,
        evidence: `tools: ${vm.toolsStatus ?? ''}`,
        fix:
          'Install VMware Tools (open-vm-tools) in the guest and start it: without it memory ' +
          'is not reclaimed as on other tiles, and no address is reported.',
        command: 'sudo apt-get install -y open-vm-tools',
      })),
      ...(silent.length > 0
        ? [
            {
              id: 'vm.toolsUnknown',
              severity: 'info' as const,
              title: 'VMware Tools',
              subject: 'VMs',
              source,
              evidence: `vCenter does not tell for ${silent.length} VMs`,
            },
          ]
        : []),
      ...(lacking.length === 0 && on.length > silent.length
        ? [
            {
              id: 'vm.tools',
              severity: 'ok' as const,
              title: 'VMware Tools',
              subject: 'VMs',
              source,
              evidence: `running in ${on.length - silent.length} guests`,
            },
          ]
        : []),
    ];
  },
});

export const vmSnapshots = defineCheck({
  id: 'vm.snapshots',
  title: 'Snapshots left on the VMs',
  needs: 'vcenter',
  async run(context) {
    const inventory = await context.world.inventory();
    const source = vcenterName(context);
    const placed = placedUnits(context.units, inventory);
    const left = placed.filter(({ vm }) => vm.snapshotCount > 0);
    if (left.length === 0)
      return placed.length === 0
        ? []
        : [
            {
              id: 'vm.snapshots',
              severity: 'ok',
              title: 'Snapshots',
              subject: 'VMs',
              source,
              evidence: 'none on the VMs of the tiles',
            },
          ];
    return left.map(({ unit, vm }): CheckFinding => ({
      id: 'vm.snapshots',
      severity: 'warn',
      title: `${workloadOf(unit)}: VM ${vm.name}`,
      subject: vm.name,
      source,
      evidence: `${vm.snapshotCount} ${vm.snapshotCount === 1 ? 'snapshot' : 'snapshots'}`,
      fix: 'Remove them: a delta disk changes what storage does.',
      command: `govc snapshot.remove -vm ${quoted(vm.name)} '*'`,
    }));
  },
});

/** More strays than this on one host are told together. */
const tellOneByOne = 20;
/**
 * Agent VMs of the cluster itself (vSphere Cluster Services) run on every host and cannot be moved
 * away.
 */
const systemVm = /^vCLS/;

export const strayVms = defineCheck({
  id: 'vm.stray',
  title: 'Other VMs running on the hosts under test',
  needs: 'vcenter',
  async run(context) {
    const {
      inputs: { testbed },
    } = context;
    const inventory = await context.world.inventory();
    const { hostRefs } = await context.world.underTest();
    const source = vcenterName(context);
    const targets = testbed.infrastructure;
    const known = new Set([
      ...testbed.tiles.flatMap((tile) => tile.workloads.flatMap((one) => one.vm?.ref ?? [])),
      ...(testbed.layout?.excludedVms ?? []).map((vm) => vm.ref),
      ...(testbed.layout?.made ?? []).map((vm) => vm.ref),
      ...(targets
        ? [
            ...targets.vmotionVmRefs,
            ...targets.snapshotVmRefs,
            ...(targets.storageVmotion?.vmRefs ?? []),
            ...(targets.xvmotion?.vmRefs ?? []),
          ]
        : []),
    ]);
    const strays = inventory.vms.filter(
      (vm) =>
        vm.powerState === 'poweredOn' &&
        !vm.template &&
        vm.hostRef !== null &&
        hostRefs.has(vm.hostRef) &&
        !known.has(vm.ref) &&
        !systemVm.test(vm.name),
    );
    if (strays.length === 0)
      return hostRefs.size === 0
        ? []
        : [
            {
              id: 'vm.stray',
              severity: 'ok',
              title: 'Other VMs',
              subject: 'hosts',
              source,
              evidence: 'none run on the hosts under test',
            },
          ];
    const fix =
      'Power it off or move it away for the run; where it belongs there, list it among the ' +
      'excluded VMs of the testbed.';
    return inventory.hosts
      .filter((host) => hostRefs.has(host.ref))
      .flatMap((host): CheckFinding[] => {
        const here = strays.filter((vm) => vm.hostRef === host.ref);
        if (here.length > tellOneByOne)
          return [
            {
              id: 'vm.stray',
              severity: 'warn',
              title: `${here.length} other VMs on ${host.name}`,
              subject: host.name,
              source,
              evidence: `${here
                .slice(0, tellOneByOne)
                .map((vm) => vm.name)
                .join(', ')} and ${here.length - tellOneByOne} more run there and are in no tile`,
              fix: fix.replace('it', 'them'),
            },
          ];
        return here.map((vm) => ({
          id: 'vm.stray',
          severity: 'warn',
          title: `VM ${vm.name} on ${host.name}`,
          subject: vm.name,
          source,
          evidence: `runs there with ${vm.vcpus ?? '?'} vCPUs and is in no tile`,
          fix,
          command: `govc vm.power -s ${quoted(vm.name)}`,
        }));
      });
  },
});
