import { counted } from '../../../core/base/counted.ts';
import type { Figure, Level } from '../../../core/layout/layoutTypes.ts';
import type { LayoutVm } from '../../../core/testbed/layoutModel.ts';
import type { NamedRef } from '../../../core/testbed/testbed.ts';

/** A VM of the board in one sentence: what the screen reader says and the pointer shows. */
export function vmWords(vm: LayoutVm, clientName: string): string {
  const actualHosts = vm.actualHost ? [vm.actualHost] : [];
  const host = vm.host
    ? `host ${vm.host.name}${nowElsewhere(vm.hostFrom, vm.host, actualHosts)}`
    : 'no host';
  const lun = vm.datastore
    ? `LUN ${vm.datastore.name}${nowElsewhere(vm.datastoreFrom, vm.datastore, vm.actualDatastores)}`
    : 'no LUN';
  const size = [
    vm.vcpus === null ? null : counted(vm.vcpus, 'vCPU'),
    vm.memoryMb === null ? null : `${short(vm.memoryMb / 1_024)} GiB`,
  ]
    .filter((one) => one !== null)
    .join(', ');
  const name =
    vm.vm === null
      ? 'no VM'
      : vm.missingWhy === 'notDiscovered'
        ? `VM ${vm.vm.name}, not discovered`
        : `VM ${vm.vm.name}`;
  return [
    `Tile ${vm.tile + 1} ${vm.workload.name}`,
    name,
    host,
    lun,
    size,
    clientName === '' ? 'no client' : `client ${clientName}`,
  ]
    .filter((one) => one !== '')
    .join(', ');
}

/** Where a VM is that is planned elsewhere; empty = it is where it is planned, or nobody knows. */
const nowElsewhere = (
  from: LayoutVm['hostFrom'],
  place: NamedRef,
  actual: readonly NamedRef[],
): string =>
  from !== 'planned' || actual.length === 0 || actual.some(({ ref }) => ref === place.ref)
    ? ''
    : ` planned, now on ${actual.map(({ name }) => name).join(', ')}`;

/** Up to one decimal, three figures where they fit, without a trailing zero. */
export const short = (value: number): string =>
  (value >= 100 ? Math.round(value) : Math.round(value * 10) / 10).toLocaleString('en');

/** A figure's amounts in the unit people read: memory and space in GiB. */
export function amounts({ value, limit, unit }: Pick<Figure, 'value' | 'limit' | 'unit'>): {
  value: string;
  limit: string;
  unit: string;
} {
  const divisor = unit === 'MiB' ? 1_024 : unit === 'bytes' ? 2 ** 30 : 1;
  const say = (amount: number | null): string => (amount === null ? '?' : short(amount / divisor));
  return { value: say(value), limit: say(limit), unit: divisor === 1 ? unit : 'GiB' };
}
/** `24 / 16 GiB, 1.5×`; what is not known is `?`, and a sum that lacks parts says at least. */
export function figureText(figure: Figure, unit = ''): string {
  const { value, limit } = amounts(figure);
  const partial = figure.missingParts > 0 && figure.value !== null;
  const known = partial && figure.value === 0 ? '?' : `${partial ? '≥' : ''}${value}`;
  const ratio =
    figure.ratio === null || !Number.isFinite(figure.ratio) || figure.value === 0
      ? ''
      : `, ${figure.ratio.toFixed(figure.ratio < 10 ? 2 : 0)}×`;
  return `${known} / ${limit}${unit === '' ? '' : ` ${unit}`}${ratio}`;
}
export const levelWords: Readonly<Record<Level, string>> = {
  ok: 'within',
  warn: 'high',
  over: 'over',
  unknown: 'not known',
};
