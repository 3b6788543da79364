import { counted } from '../base/counted.ts';
import type { GuestBundle } from './bundle.ts';
import type { GuestItem, GuestJob } from './job.ts';
import { roleOf } from './roles.ts';
import { type Family, roleOn } from './systems.ts';

/** `Tile 3 · database`. */
export const placeText = (item: { tileIndex: number; workloadId: string }): string =>
  `Tile ${item.tileIndex + 1} · ${item.workloadId}`;

export const roleTitle = (id: string): string => roleOf(id)?.title ?? id;

/** What a role does to a machine, in a line; on Debian and Ubuntu unless another kind is named. */
export function roleWork(id: string, family: Family = 'debian'): string {
  const known = roleOf(id);
  if (!known) return 'This version does not know the role.';
  const role = roleOn(known, family);
  const parts = [
    ...(role.packages.length > 0 ? [`installs ${role.packages.join(', ')}`] : []),
    ...(role.files.length > 0 ? [`writes ${counted(role.files.length, 'file')}`] : []),
    ...(role.units.length > 0 ? [`runs ${role.units.join(', ')}`] : []),
    ...(role.ports.length > 0
      ? [`opens ${role.ports.length > 1 ? 'ports' : 'port'} ${role.ports.join(', ')}`]
      : []),
  ];
  return parts.length === 0 ? 'installs nothing; looks whether it is up' : parts.join('; ');
}

/** A job in one sentence. */
export function jobSentence(job: GuestJob): string {
  const { items, purpose } = job;
  const count = (state: GuestItem['state']): number =>
    items.filter((item) => item.state === state).length;
  const verb = purpose === 'prepare' ? 'prepared' : 'put back';
  const rest = (
    [
      ['failed', 'failed'],
      ['cancelled', 'cancelled'],
      ['running', 'under way'],
      ['waiting', 'waiting'],
    ] as const
  ).flatMap(([state, word]) => (count(state) > 0 ? [`${count(state)} ${word}`] : []));
  const ending = job.state === 'cancelling' ? ' Each step under way ends first.' : '';
  return `${[`${count('done')} of ${counted(items.length, 'machine')} ${verb}`, ...rest].join(', ')}.${ending}`;
}

/** How far a machine is: its last words, or why it failed. */
export function lastNote({ steps }: GuestItem): string {
  const said = steps.filter(({ state }) => state !== 'waiting').at(-1);
  return said ? `${said.note.charAt(0).toUpperCase()}${said.note.slice(1)}` : '';
}

/** `bundle of 2026-11-24 for debian-12 amd64: web, mail (31 packages, 9 MB)`. */
export const bundleText = (bundle: GuestBundle): string =>
  `bundle of ${new Date(bundle.madeAtMs).toISOString().slice(0, 10)} for ${bundle.release} ` +
  `${bundle.architecture}: ${bundle.roles.join(', ')} ` +
  `(${counted(bundle.packages, 'package')}, ${Math.ceil(bundle.bytes / 1_000_000)} MB)`;

export const bundleWarning =
  'What a bundle holds is installed as root, on its digest alone: take only one of somebody you trust.';
