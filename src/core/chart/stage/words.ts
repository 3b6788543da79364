import { counted } from '../../base/counted.ts';
import { formatAge, formatExact, noValue } from '../../base/format.ts';
import type { MeterSum, StageFigure, StageHost, StageScene, StageVm } from './scene.ts';

/** `62 %`, `420 W`, `62 %, 40 s old`, `–`. */
export function figureWords({ value, staleMs }: StageFigure, unit: string): string {
  if (value === null) return noValue;
  return `${formatExact(value, 0)} ${unit}${staleMs > 0 ? `, ${formatAge(staleMs)} old` : ''}`;
}

/** A host as it is read out. */
export const hostWords = ({ name, vms, cpuPct, watts }: StageHost, placed = true): string =>
  `${name}: CPU ${figureWords(cpuPct, '%')}, power ${figureWords(watts, 'W')}, ` +
  (placed ? counted(vms, 'VM') : 'VMs not known');

const stateWords = { idle: 'no load', load: 'under load', lost: 'lost' } as const;
export const vmStateWords = ({ state }: Pick<StageVm, 'state'>): string => stateWords[state];
export const tileWords = (tile: number | null): string =>
  tile === null ? 'no tile' : `tile ${tile + 1}`;

/** A VM as it is read out: name, tile, workload, host, CPU. */
export function vmWords(scene: StageScene, vm: StageVm): string {
  const host = vm.host === null ? undefined : scene.hosts[vm.host];
  return (
    `${vm.name}: ${tileWords(vm.tile)}, ${scene.roles[vm.role]!.name}, ${vmStateWords(vm)}, ` +
    (host === undefined
      ? 'on no host that vCenter names'
      : `on ${host.name}, host CPU ${figureWords(host.cpuPct, '%')}`)
  );
}

/** Mean CPU over the hosts that tell it now, `62 %, 38 % left`, `62 %, 38 % left, 3 of 4 hosts`. */
export function meanCpuWords({ hosts }: Pick<StageScene, 'hosts'>): string {
  const fresh = hosts.flatMap(({ cpuPct: { value, staleMs } }) =>
    value === null || staleMs > 0 ? [] : [value],
  );
  if (fresh.length === 0) return noValue;
  const mean = Math.round(fresh.reduce((a, b) => a + b, 0) / fresh.length);
  return `${mean} %, ${Math.max(0, 100 - mean)} % left${fresh.length < hosts.length ? `, ${fresh.length} of ${hosts.length} hosts` : ''}`;
}

/** Watts of all meters together, `1 604 W`, `800 W, 2 of 4 meters`. */
export const powerWords = ({ watts, known, meters }: MeterSum): string =>
  watts === null
    ? noValue
    : `${formatExact(watts, 0)} W${known < meters ? `, ${known} of ${meters} meters` : ''}`;

/** The picture in a few sentences. */
export function stageSummary(scene: StageScene): string {
  const { hosts, vms, placed } = scene;
  const away = vms.filter((vm) => vm.host === null).length;
  const lost = vms.filter((vm) => vm.state === 'lost').length;
  const load = vms.filter((vm) => vm.state === 'load').length;
  return [
    placed
      ? `${counted(vms.length, 'VM')} on ${counted(hosts.length, 'host')}, ${load} under load` +
        `${lost > 0 ? `, ${lost} lost` : ''}${away > 0 ? `, ${away} on no known host` : ''}.`
      : `${counted(hosts.length, 'host')}; where VMs run is not known.`,
    ...hosts.map((host) => `${hostWords(host, placed)}.`),
  ].join(' ');
}

/** Names without the domain they all share, so that the part that differs is read. */
export function shortNames(names: readonly string[]): string[] {
  const domains = new Set(names.map((name) => name.slice((name.indexOf('.') + 1 || Infinity) - 1)));
  const [domain = ''] = domains;
  const addresses = names.some((name) => /^[\d.]+$|:/.test(name));
  return domains.size === 1 && domain !== '' && !addresses
    ? names.map((name) => name.slice(0, -domain.length))
    : [...names];
}
