import { fail } from '../base/errors.ts';
import { groupBy } from '../base/groupBy.ts';
import type { Profile } from '../profile/profile.ts';
import type { VmInfo } from './inventory.ts';
import type { NamedRef } from './testbed.ts';

const fields = ['tile', 'tile0', 'workload', 'role'] as const;
/**
 * A name pattern, read once: plain text and placeholders. Matching compares whole names; no
 * expression is ever built from it.
 */
export type PatternPart = { text: string } | { field: (typeof fields)[number]; width: number };
export interface NamePattern {
  text: string;
  parts: readonly PatternPart[];
}

/** Longest pattern and widest tile number. */
const maxPattern = 120,
  maxWidth = 6;
const remedy =
  'Placeholders are {tile} (from 1), {tile0} (from 0), {tile:02} (two digits), {workload} ' +
  'and {role}; {{ and }} stand for braces.';

/**
 * What a slot of the board is called by its pattern: tile counts from 0, as stored; names count
 * from 1.
 */
export interface NamedSlot {
  key: string;
  tile: number;
  workloadId: string;
  role: string;
}

/** Reads a pattern. Throws invalidInput with the position (from 1) of what is wrong. */
export function parsePattern(text: string): NamePattern {
  if (text.trim() === '') throw fail('invalidInput', 'The name pattern is empty.', remedy);
  if (text.length > maxPattern)
    throw fail(
      'invalidInput',
      `The name pattern has ${text.length} characters; at most ${maxPattern}.`,
      'Shorten it.',
    );
  const parts: PatternPart[] = [];
  let plain = '';
  const flush = (): void => {
    if (plain !== '') parts.push({ text: plain });
    plain = '';
  };
  for (let i = 0; i < text.length; i += 1) {
    const c = text[i]!;
    if ((c === '{' || c === '}') && text[i + 1] === c) {
      plain += c;
      i += 1;
      continue;
    }
    if (c === '}')
      throw fail('invalidInput', `Name pattern, position ${i + 1}: } without {.`, remedy);
    if (c !== '{') {
      plain += c;
      continue;
    }
    const end = text.indexOf('}', i);
    if (end < 0)
      throw fail('invalidInput', `Name pattern, position ${i + 1}: { is not closed.`, remedy);
    flush();
    parts.push(placeholder(text.slice(i + 1, end), i + 1));
    i = end;
  }
  flush();
  return { text, parts };
}

function placeholder(inner: string, position: number): PatternPart {
  const [name = '', width = ''] = inner.split(':', 2);
  const field = fields.find((one) => one === name);
  const refuse = (why: string): never => {
    throw fail('invalidInput', `Name pattern, position ${position}: ${why}.`, remedy);
  };
  if (!field) return refuse(`{${inner}} is no placeholder`);
  if (!inner.includes(':')) return { field, width: 0 };
  if (field !== 'tile' && field !== 'tile0') return refuse(`{${name}} takes no width`);
  const digits = Number(width);
  if (!Number.isInteger(digits) || digits < 1 || digits > maxWidth)
    return refuse(`a width is 1 to ${maxWidth} digits, as in {tile:02}`);
  return { field, width: digits };
}

/** Name of one slot: `tile{tile:02}-{workload}` for tile 0's `mail` is `tile01-mail`. */
export function nameOf({ parts }: NamePattern, slot: Omit<NamedSlot, 'key'>): string {
  return parts
    .map((part) =>
      'text' in part
        ? part.text
        : part.field === 'tile' || part.field === 'tile0'
          ? String(part.field === 'tile' ? slot.tile + 1 : slot.tile).padStart(part.width, '0')
          : part.field === 'workload'
            ? slot.workloadId
            : slot.role,
    )
    .join('');
}

export interface NameMatch {
  slot: NamedSlot;
  name: string;
  vm: NamedRef;
}
/**
 * What a pattern finds among discovered VMs, before anything is assigned. Every slot stands in
 * exactly one of the first four lists.
 */
export interface NamingPreview {
  matched: NameMatch[];
  /** No VM has the name. */
  unmatched: { slot: NamedSlot; name: string }[];
  /** Several VMs have the name: in several folders, or apart only by case. */
  ambiguous: { slot: NamedSlot; name: string; vms: NamedRef[] }[];
  /** One name for several slots: the pattern lacks {tile} or {workload}. */
  double: { slots: NamedSlot[]; name: string }[];
  /** VMs that are no template, not excluded and not called for. */
  unused: NamedRef[];
}
export interface NamingOptions {
  ignoreCase?: boolean;
  excludedRefs?: ReadonlySet<string>;
}

/**
 * Matches slots to VMs by whole names, in time linear in both. Templates and excluded VMs are left
 * out.
 */
export function matchNames(
  pattern: NamePattern,
  slots: readonly NamedSlot[],
  vms: readonly VmInfo[],
  { ignoreCase = false, excludedRefs = new Set() }: NamingOptions = {},
): NamingPreview {
  const fold = (name: string): string => (ignoreCase ? name.toLowerCase() : name);
  const candidates = vms.filter((vm) => !vm.template && !excludedRefs.has(vm.ref));
  const byName = groupBy(candidates, (vm) => fold(vm.name));
  const wanted = groupBy(
    slots.map((slot) => ({ slot, name: nameOf(pattern, slot) })),
    ({ name }) => fold(name),
  );
  const preview: NamingPreview = {
    matched: [],
    unmatched: [],
    ambiguous: [],
    double: [],
    unused: [],
  };
  const called = new Set<string>();
  for (const [name, group] of wanted) {
    const found = byName.get(name) ?? [];
    for (const vm of found) called.add(vm.ref);
    const first = group[0]!;
    if (group.length > 1)
      preview.double.push({ slots: group.map(({ slot }) => slot), name: first.name });
    else if (found.length === 0) preview.unmatched.push(first);
    else if (found.length > 1) preview.ambiguous.push({ ...first, vms: found.map(named) });
    else preview.matched.push({ ...first, vm: named(found[0]!) });
  }
  preview.unused = candidates.filter((vm) => !called.has(vm.ref)).map(named);
  return preview;
}

const named = ({ ref, name }: VmInfo): NamedRef => ({ ref, name });

/** Patterns in use in labs; each is tried, none is assumed. */
const common = ['tile', 't', 'Tile', ''].flatMap((word) =>
  ['{tile}', '{tile:02}', '{tile:03}'].flatMap((tile) =>
    ['{workload}', '{role}'].flatMap((what) =>
      ['-', '_', '.', ''].flatMap((gap) => [
        `${word}${tile}${gap}${what}`,
        `${what}${gap}${word}${tile}`,
      ]),
    ),
  ),
);

/**
 * Patterns that match most of the slots, best first; at most five, none that matches nothing or
 * gives one name twice.
 */
export function suggestPatterns(
  slots: readonly NamedSlot[],
  vms: readonly VmInfo[],
): { pattern: string; matched: number; ignoreCase: boolean }[] {
  const exact = new Set(vms.filter((vm) => !vm.template).map((vm) => vm.name));
  const folded = new Set([...exact].map((name) => name.toLowerCase()));
  const found = common.flatMap((text) => {
    const pattern = parsePattern(text);
    const names = slots.map((slot) => nameOf(pattern, slot));
    if (new Set(names).size < names.length) return [];
    const matched = names.filter((name) => exact.has(name)).length;
    const anyCase = names.filter((name) => folded.has(name.toLowerCase())).length;
    return anyCase === 0
      ? []
      : [{ pattern: text, matched: anyCase, ignoreCase: anyCase > matched }];
  });
  return found
    .sort((a, b) => b.matched - a.matched || Number(a.ignoreCase) - Number(b.ignoreCase))
    .slice(0, 5);
}

/** Longest VM name that vSphere takes. */
const maxVmName = 80;
export interface CloneName {
  slot: NamedSlot;
  name: string;
  /** Why it cannot be used; null = free. */ problem: string | null;
}

/**
 * Names for clones of slots without a VM. A name that a VM has already, that is too long, or that
 * two slots would share says so.
 */
export function cloneNames(
  pattern: NamePattern,
  slots: readonly NamedSlot[],
  takenNames: Iterable<string>,
): CloneName[] {
  // vCenter refuses names of one folder that differ only by case.
  const taken = new Set([...takenNames].map((name) => name.toLowerCase()));
  const counts = groupBy(slots, (slot) => nameOf(pattern, slot).toLowerCase());
  return slots.map((slot) => {
    const name = nameOf(pattern, slot);
    const problem = taken.has(name.toLowerCase())
      ? 'a VM of this name exists'
      : name.length > maxVmName
        ? `${name.length} characters; vCenter takes ${maxVmName}`
        : (counts.get(name.toLowerCase())?.length ?? 0) > 1
          ? 'the pattern gives this name to several workloads'
          : null;
    return { slot, name, problem };
  });
}

/** Slots of tiles 0 to `tiles` − 1 in the order of the profile. */
export function slotsOf(profile: Profile, tiles: number): NamedSlot[] {
  return Array.from({ length: tiles }, (_, tile) =>
    profile.workloads.map(({ id, role }): NamedSlot => ({
      key: `${tile}/${id}`,
      tile,
      workloadId: id,
      role,
    })),
  ).flat();
}
