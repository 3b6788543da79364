import { counted } from '../../../core/base/counted.ts';
import { byNaturalOrder } from '../../../core/base/naturalOrder.ts';
import type { Figure, Forecast, ForecastRow } from '../../../core/layout/layoutTypes.ts';
import type { LayoutView, SlotKey } from '../../../core/testbed/layoutModel.ts';
import type { NamedRef } from '../../../core/testbed/testbed.ts';
import { type Axis, axisWords } from './geometry.ts';
import type { PickGroup, PickOption } from './Picker.tsx';
import { figureText } from './words.ts';

const titles: Readonly<Partial<Record<Figure['id'], string>>> = {
  vcpu: 'vCPU',
  memory: 'Mem',
  space: 'New',
  commands: 'I/Os',
};
const figuresText = (row: ForecastRow | undefined, ids: readonly Figure['id'][]): string =>
  (row?.figures ?? [])
    .filter(({ id }) => ids.includes(id))
    .map(
      (figure) =>
        `${titles[figure.id] ?? figure.label} ` +
        figureText(figure, figure.id === 'memory' || figure.id === 'space' ? 'GiB' : ''),
    )
    .join(' · ');

/**
 * Where VMs can be moved, with what stands there already; the board in use comes first. Values are
 * `axis/ref`.
 */
export function placeGroups(view: LayoutView, forecast: Forecast, first: Axis): PickGroup[] {
  const rows = (list: readonly ForecastRow[]): Map<string, ForecastRow> =>
    new Map(list.map((row) => [row.ref, row]));
  const hostRows = rows(forecast.hosts),
    storeRows = rows(forecast.datastores);
  const back = (axis: Axis): PickOption => ({
    value: `${axis}/`,
    label: `Leave the ${axisWords[axis].one} as it is`,
    detail: 'takes the plan back',
  });
  const hosts: PickGroup = {
    title: 'Hosts',
    options: [
      ...view.hosts.map((host) => ({
        value: `host/${host.ref}`,
        label: host.name,
        detail: host.maintenance
          ? 'in maintenance'
          : figuresText(hostRows.get(host.ref), ['vcpu', 'memory']),
      })),
      back('host'),
    ],
  };
  const stores: PickGroup = {
    title: 'LUNs',
    options: [
      ...view.datastores.map((store) => ({
        value: `datastore/${store.ref}`,
        label: store.name,
        detail: store.maintenance
          ? 'maintenance LUN'
          : figuresText(storeRows.get(store.ref), ['space', 'commands']),
      })),
      back('datastore'),
    ],
  };
  return first === 'host' ? [hosts, stores] : [stores, hosts];
}
/** Axis and ref of a value of `placeGroups`; an empty ref takes the plan back. */
export const placeOfValue = (value: string): { axis: Axis; ref: string } => ({
  axis: value.startsWith('host/') ? 'host' : 'datastore',
  ref: value.slice(value.indexOf('/') + 1),
});

export function clientGroups(view: LayoutView): PickGroup[] {
  return [
    {
      title: 'Client machines',
      options: view.clients
        .filter(({ known }) => known)
        .map(({ id, name, vms }) => ({
          value: id,
          label: name,
          detail: counted(vms.length, 'workload'),
        })),
    },
  ];
}

/** VMs that no tile has come first; templates are left out. The empty value takes the VM away. */
export function vmGroups(view: LayoutView): PickGroup[] {
  const used = new Map(
    [...view.byKey.values()].flatMap((slot) => (slot.vm ? [[slot.vm.ref, slot] as const] : [])),
  );
  const options = (view.inventory?.vms ?? [])
    .filter((vm) => !vm.template)
    .map((vm): PickOption & { free: boolean } => {
      const slot = used.get(vm.ref);
      return {
        value: vm.ref,
        label: vm.name,
        detail: slot
          ? `tile ${slot.tile + 1} ${slot.workload.name}`
          : vm.powerState === 'poweredOn'
            ? 'on'
            : 'off',
        free: !slot,
      };
    })
    .sort((a, b) => byNaturalOrder(a.label, b.label));
  return [
    { title: 'In no tile', options: options.filter(({ free }) => free) },
    {
      title: 'Other',
      options: [
        { value: '', label: 'No VM', detail: 'leaves the workload without one' },
        ...options.filter(({ free }) => !free),
      ],
    },
  ];
}

export const nameOfKeys = (view: LayoutView, keys: readonly SlotKey[]): string => {
  const [only] = keys;
  const vm = only === undefined ? undefined : view.byKey.get(only);
  if (keys.length === 1 && vm) return `${vm.workload.name} of tile ${vm.tile + 1}`;
  return counted(keys.length, 'VM');
};
export const named = (
  list: readonly { ref: string; name: string }[],
  ref: string,
): NamedRef | null => {
  const one = list.find((item) => item.ref === ref);
  return one ? { ref: one.ref, name: one.name } : null;
};
