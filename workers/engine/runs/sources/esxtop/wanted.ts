import {
  esxtopDeviceId,
  esxtopEntityId,
  type MetricName,
  uplinkEntityId,
  vmEntityId,
} from '../../../../../src/core/metric/metric.ts';
import type { EsxtopWish } from '../../../../../src/core/plan/esxtopWish.ts';
import type { Inventory } from '../../../../../src/core/testbed/inventory.ts';
import {
  type EsxtopColumn,
  type EsxtopCounter,
  esxtopCounter,
  groupName,
  metricsOf,
  portOwner,
} from '../../../esxtop/counters.ts';
import type { LoadedVm } from '../../series.ts';
import type { SeriesDraft } from '../types.ts';

/** Columns that are read of one host at most. Chosen: ten LUNs, ten uplinks and forty VMs have fewer. */
export const mostColumns = 260;

/** What is read of one host, of that which the run has. */
export interface EsxtopScope {
  host: Pick<Inventory['hosts'][number], 'ref' | 'name' | 'nics'>;
  /** VMs under load, wherever they are. */ vms: readonly LoadedVm[];
  /** Canonical names. */ luns: readonly string[];
  parts: EsxtopWish['parts'];
}

type Entity = SeriesDraft['entity'];
const vmEntity = ({ ref, name, tile }: LoadedVm): Entity => ({
  kind: 'vm',
  id: esxtopEntityId(vmEntityId(ref)),
  name,
  tile,
});
const deviceEntity = ({ host }: EsxtopScope, lun: string): Entity => ({
  kind: 'datastore',
  id: esxtopDeviceId(host.ref, lun),
  name: `${lun} (${host.name})`,
});
const uplinkEntity = ({ host }: EsxtopScope, device: string): Entity => ({
  kind: 'uplink',
  id: esxtopEntityId(uplinkEntityId(host.ref, device)),
  name: `${host.name} ${device}`,
});

/** Times that esxtop sums over the vCPUs of a VM, as vCenter does: kept as the mean of them. */
const perVcpu: ReadonlySet<MetricName> = new Set(['readyPct', 'costopPct']);
const dropped: ReadonlySet<MetricName> = new Set(['droppedRxPct', 'droppedTxPct']);

type Drafted = Pick<SeriesDraft, 'metric' | 'unit' | 'decimals' | 'entity'>;
const drafts = (entity: Entity, counters: readonly EsxtopCounter[]): Drafted[] =>
  counters.map(({ metric, unit, decimals }) => ({ metric, unit, decimals, entity }));

/** Series of VMs: one each, whichever host tells of it. */
export function vmDrafts({ vms, parts }: Pick<EsxtopScope, 'vms' | 'parts'>): Drafted[] {
  const known = vms.filter(({ vcpus }) => vcpus !== null);
  return [
    ...(parts.includes('vms') ? known : []).flatMap((vm) =>
      drafts(
        vmEntity(vm),
        metricsOf('group').map((one) =>
          perVcpu.has(one.metric) ? { ...one, unit: '% of each vCPU' } : one,
        ),
      ),
    ),
    ...(parts.includes('ports') ? vms : []).flatMap((vm) =>
      drafts(
        vmEntity(vm),
        metricsOf('port').filter(({ metric }) => dropped.has(metric)),
      ),
    ),
  ];
}

/** Series of the LUNs and uplinks of one host. */
export const hostDrafts = (scope: EsxtopScope): Drafted[] => [
  ...(scope.parts.includes('devices') ? scope.luns : []).flatMap((lun) =>
    drafts(deviceEntity(scope, lun), metricsOf('device')),
  ),
  ...(scope.parts.includes('ports') ? scope.host.nics : []).flatMap(({ device }) =>
    drafts(uplinkEntity(scope, device), metricsOf('port')),
  ),
];

/** A wanted column: which series it is of, and what its figures are divided by. */
export interface Reading {
  entityId: string;
  metric: MetricName;
  divisor: number;
  /** Of a VM: only the host that it is on tells of it. */ vmRef: string | null;
}

/** What a column is to the run; null = nothing. */
export function readingOf(scope: EsxtopScope, column: EsxtopColumn): Reading | null {
  const counter = esxtopCounter(column);
  const { instance } = column;
  if (counter === null || instance === null) return null;
  const { metric } = counter;
  const of = (entity: Entity, divisor = 1, vmRef: string | null = null): Reading => ({
    entityId: entity.id,
    metric,
    divisor,
    vmRef,
  });
  const vmNamed = (name: string | null) => scope.vms.find((vm) => vm.name === name);
  switch (counter.of) {
    case 'group': {
      const vm = vmNamed(groupName(instance));
      return vm?.vcpus ? of(vmEntity(vm), vm.vcpus, vm.ref) : null;
    }
    case 'device':
      return scope.luns.includes(instance) ? of(deviceEntity(scope, instance)) : null;
    case 'port': {
      const owner = portOwner(instance);
      if (owner?.kind === 'uplink') return of(uplinkEntity(scope, owner.device));
      const vm = owner === null ? undefined : vmNamed(owner.name);
      return vm ? of(vmEntity(vm), 1, vm.ref) : null;
    }
    case 'host':
    case 'power':
      return null;
  }
}
