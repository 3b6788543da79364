import { counted } from '../base/counted.ts';
import { toAppError } from '../base/errors.ts';
import { applyEdits } from './applyEdits.ts';
import { type LabHost, type LabSpec, shownName } from './lab.ts';
import { arrayFigures, arrayParts, hostFigures, isSolid, type LabEdit } from './labEdit.ts';
import { hostModel } from './labPicture.ts';

/** Changes of a lab in words, and a list of them that a person adds to and takes from. */

/** `2.5`, `28`: a figure without the dust of a division. */
const figureText = (value: number): string => String(Number(value.toPrecision(6)));

const listText = (words: readonly string[]): string => [...new Set(words)].join(' and ');

function whoText(
  all: readonly { id: string; name?: string | undefined }[],
  ids: readonly string[],
  what: string,
): string {
  const [first] = ids;
  if (ids.length === 1) return shownName(all.find(({ id }) => id === first) ?? { id: first! });
  return ids.length === all.length ? `All ${counted(ids.length, what)}` : counted(ids.length, what);
}

const drsText = ({ enabled, stars }: Pick<LabSpec['drs'], 'enabled' | 'stars'>): string =>
  enabled ? `DRS at ${counted(stars, 'star')}` : 'DRS off';

const hostName = (host: LabHost): string => `${shownName(host)} (${hostModel(host)})`;

/** One change in words; `before` is the lab without it, `given` without any. */
function wordsOf(given: LabSpec, before: LabSpec, edit: LabEdit): string {
  const after = applyEdits(before, [edit]);
  const hosts = `${counted(after.hosts.length, 'host')} instead of ${given.hosts.length}`;
  switch (edit.kind) {
    case 'removeHost':
      return `${hosts}: ${hostName(before.hosts.find((host) => host.id === edit.id)!)} removed`;
    case 'addHost':
      return `${hosts}: ${edit.id} added, like ${hostName(before.hosts.find((host) => host.id === edit.likeId)!)}`;
    case 'host': {
      const { unit, read } = hostFigures[edit.property];
      const was = before.hosts.filter((host) => edit.ids.includes(host.id)).map(read);
      return (
        `${whoText(before.hosts, edit.ids, 'host')}: ${figureText(edit.value)} ${unit} ` +
        `instead of ${listText(was.map(figureText))}`
      );
    }
    case 'array': {
      const { unit, read } = arrayFigures[edit.property];
      const total = (lab: LabSpec): string[] => {
        const values = edit.ids.map((id) => read(arrayParts(lab, id)!));
        return edit.property === 'disks' || edit.property === 'luns'
          ? [figureText(values.reduce((sum, value) => sum + value, 0))]
          : values.map(figureText);
      };
      return (
        `${whoText(before.arrays, edit.ids, 'array')}: ${listText(total(after))} ${unit} ` +
        `instead of ${listText(total(before))}`
      );
    }
    case 'raid': {
      const was = lunsOf(before, edit.ids).map((lun) => `RAID ${lun.raid}`);
      return `${whoText(before.arrays, edit.ids, 'array')}: RAID ${edit.raid} instead of ${listText(was)}`;
    }
    case 'disk':
      return `${whoText(before.arrays, edit.ids, 'array')}: ${edit.name} under every LUN`;
    case 'drs':
      return `${drsText(edit)} instead of ${drsText(before.drs).replace(/^DRS /, '')}`;
  }
}

const lunsOf = (lab: LabSpec, ids: readonly string[]): LabSpec['luns'] =>
  lab.luns.filter((lun) => ids.includes(lun.arrayId));

/**
 * Each change in words, as `3 hosts instead of 4: esx4 (Sun x4150) removed`. Throws invalidInput as
 * `applyEdits` does.
 */
export function editWords(given: LabSpec, edits: readonly LabEdit[]): string[] {
  let before = given;
  return edits.map((edit) => {
    const words = wordsOf(given, before, edit);
    before = applyEdits(before, [edit]);
    return words;
  });
}

/** All changes as the name of a curve: hosts added and removed as one number, few words. */
export function editsName(given: LabSpec, edits: readonly LabEdit[]): string {
  const after = applyEdits(given, edits);
  const isCount = ({ kind }: LabEdit): boolean => kind === 'removeHost' || kind === 'addHost';
  const counts = edits.some(isCount)
    ? [
        after.hosts.length === given.hosts.length
          ? 'other hosts'
          : `${counted(after.hosts.length, 'host')} instead of ${given.hosts.length}`,
      ]
    : [];
  const words = editWords(given, edits).filter((_, i) => !isCount(edits[i]!));
  const [first = 'no change', ...rest] = [...counts, ...words];
  return rest.length === 0 ? first : `${first}, and ${counted(rest.length, 'more change')}`;
}

/** What an edit sets; two that set the same replace each other. null = it adds or removes. */
const slotOf = (edit: LabEdit): string | null => {
  switch (edit.kind) {
    case 'removeHost':
    case 'addHost':
      return null;
    case 'host':
    case 'array':
      return [edit.kind, edit.property, ...edit.ids].join(' ');
    case 'raid':
    case 'disk':
      return [edit.kind, ...edit.ids].join(' ');
    case 'drs':
      return edit.kind;
  }
};

const devices = ({ hosts, arrays, luns, drs }: LabSpec): string =>
  JSON.stringify([hosts.map(({ ratedGhz: _, ...host }) => host), arrays, luns, drs]);

/** Changes that still have what they change, those that change nothing left out. */
export function standing(given: LabSpec, edits: readonly LabEdit[]): LabEdit[] {
  let now = given;
  return edits.filter((edit) => {
    try {
      const next = applyEdits(now, [edit]);
      if (devices(next) === devices(now)) return false;
      now = next;
      return true;
    } catch (thrown) {
      if (toAppError(thrown).kind !== 'invalidInput') throw thrown;
      return false;
    }
  });
}

/**
 * The list with one more change: it replaces one of the same figure, takes back the adding of a host
 * that it removes, and is left out where it sets what the lab has anyway. Throws invalidInput, in
 * words, where the lab cannot have it.
 */
export function withEdit(given: LabSpec, edits: readonly LabEdit[], edit: LabEdit): LabEdit[] {
  const slot = slotOf(edit);
  const added = edits.findIndex(
    (one) => edit.kind === 'removeHost' && one.kind === 'addHost' && one.id === edit.id,
  );
  if (added >= 0) return withoutEdit(given, edits, added);
  const next = [...edits.filter((one) => slot === null || slotOf(one) !== slot), edit];
  applyEdits(given, next);
  return standing(given, next);
}

/** The list without its change at `index`, and without those that then change nothing. */
export const withoutEdit = (given: LabSpec, edits: readonly LabEdit[], index: number): LabEdit[] =>
  standing(
    given,
    edits.filter((_, i) => i !== index),
  );

/** A free name for a host like `likeId`: `esx5` after `esx4`. */
export function nextHostId({ hosts }: LabSpec, likeId: string): string {
  const [, stem = likeId] = /^(.*?)\d*$/.exec(likeId) ?? [];
  const taken = new Set(hosts.map((host) => host.id));
  let number = hosts.length + 1;
  while (taken.has(`${stem}${number}`)) number += 1;
  return `${stem}${number}`;
}

/** What the model does not know of these changes: said where they are made. */
export function editLimits(lab: LabSpec, edits: readonly LabEdit[]): string[] {
  const has = (test: (edit: LabEdit) => boolean): boolean => edits.some(test);
  const host = (...properties: string[]): boolean =>
    has((edit) => edit.kind === 'host' && properties.includes(edit.property));
  const limits: [boolean, string][] = [
    [
      host('coresPerSocket', 'ghz'),
      'Work grows in step with cores and clock: the model has no memory bandwidth.',
    ],
    [
      host('uplinkGbps', 'hbaGbps') ||
        has((edit) => edit.kind === 'array' && edit.property === 'portGbps'),
      'A link is a rate: switches between its ends are not modelled.',
    ],
    [
      has((edit) => edit.kind === 'disk' && isSolid(edit)),
      'An SSD is a disk without seek and rotation: wear and its own cache are not modelled.',
    ],
    [
      has((edit) => edit.kind === 'array' && edit.property === 'luns'),
      'What lay on joined LUNs lies on the joint one; its disks are spread evenly.',
    ],
    [
      has((edit) => edit.kind === 'removeHost'),
      'VMs of a removed host start where most memory is left' +
        (lab.drs.enabled ? '.' : '; DRS is off, so nothing evens them out.'),
    ],
    [
      has((edit) => edit.kind === 'addHost'),
      lab.drs.enabled
        ? 'An added host starts empty; DRS fills it.'
        : 'DRS is off: an added host starts with an even share of the VMs.',
    ],
  ];
  return limits.filter(([applies]) => applies).map(([, words]) => words);
}
