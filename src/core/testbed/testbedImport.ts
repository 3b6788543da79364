import { groupBy } from '../base/groupBy.ts';
import { driversRunning } from '../profile/driverKinds.ts';
import type { Profile } from '../profile/profile.ts';
import type { Inventory } from './inventory.ts';
import { nameOf, parsePattern } from './naming.ts';
import type { NamedRef } from './testbed.ts';
import type { FileThingKind, TestbedFile } from './testbedFileTypes.ts';
import { fileRefs, type UsedRef } from './testbedRefs.ts';
import { numberSuggestions, shortName } from './testbedSuggest.ts';

/**
 * How a suggestion was found: same name, same but for case, same host name without its domain, same
 * number in a row of names, the naming pattern, or the only one there is.
 */
export type SuggestedBy = 'exact' | 'ignoreCase' | 'shortName' | 'number' | 'namePattern' | 'only';
/** One thing of the file that this lab must give a counterpart for. */
export interface MappingItem {
  /** `kind ref`: what a mapping names it by. */
  id: string;
  kind: FileThingKind;
  ref: string;
  name: string;
  uses: number;
  where: readonly string[];
  suggestion: (NamedRef & { by: SuggestedBy }) | null;
  /** Why there is no suggestion, or what to look at; null = nothing. */
  problem: string | null;
}
/** One step of an import: the things of one kind, with all that this lab has to choose from. */
export interface ImportStep {
  kind: FileThingKind;
  title: string;
  items: readonly MappingItem[];
  candidates: readonly NamedRef[];
}
/**
 * What the file's things are here, by item id: null = left out; an item that is not in it is not
 * decided.
 */
export type Mapping = ReadonlyMap<string, NamedRef | null>;

export interface ImportLab {
  inventory: Inventory | null;
  clients: readonly NamedRef[];
  profile: Profile | null;
}

const titles: Readonly<Record<FileThingKind, string>> = {
  host: 'Hosts',
  datastore: 'Datastores',
  vm: 'VMs',
  template: 'Templates',
  network: 'Networks',
  pool: 'Resource pools',
  client: 'Client machines',
};
const order: readonly FileThingKind[] = [
  'client',
  'host',
  'datastore',
  'network',
  'pool',
  'template',
  'vm',
];

function candidatesOf(kind: FileThingKind, { inventory, clients }: ImportLab): NamedRef[] {
  const named = (list: readonly NamedRef[]): NamedRef[] =>
    list.map(({ ref, name }) => ({ ref, name }));
  switch (kind) {
    case 'client':
      return named(clients);
    case 'host':
      return named(inventory?.hosts ?? []);
    case 'datastore':
      return named(inventory?.datastores ?? []);
    case 'network':
      return named(inventory?.networks ?? []);
    case 'pool':
      return (inventory?.resourcePools ?? []).map(({ ref, path }) => ({ ref, name: path }));
    case 'template':
      return named(
        (inventory?.vms ?? []).filter((vm) => vm.template || vm.powerState !== 'poweredOn'),
      );
    case 'vm':
      return named((inventory?.vms ?? []).filter((vm) => !vm.template));
  }
}

/**
 * What an import must map, step by step, with a suggestion for each thing where one is sure enough.
 * Names are only compared, in time linear in their number.
 */
export function importSteps(file: TestbedFile, lab: ImportLab): ImportStep[] {
  // What the testbed says it refers to counts; the file's list of names only names it.
  const byKind = groupBy(fileRefs(file), ({ kind }) => kind);
  return order.flatMap((kind): ImportStep[] => {
    const used = byKind.get(kind);
    if (!used) return [];
    const candidates = candidatesOf(kind, lab);
    return [
      {
        kind,
        title: titles[kind],
        candidates,
        items: suggested(
          used,
          candidates,
          kind === 'vm' ? patternNames(file, lab.profile) : new Map(),
        ),
      },
    ];
  });
}

function suggested(
  used: readonly UsedRef[],
  candidates: readonly NamedRef[],
  patterns: ReadonlyMap<string, string>,
): MappingItem[] {
  const exact = groupBy(candidates, ({ name }) => name),
    folded = groupBy(candidates, ({ name }) => name.toLowerCase()),
    short = groupBy(candidates, ({ name }) => shortName(name));
  const numbers = numberSuggestions(
    used.filter(({ name }) => !folded.has(name.toLowerCase())),
    candidates,
  );
  return used.map(({ kind, ref, name, uses, where }): MappingItem => {
    const tries: [SuggestedBy, readonly NamedRef[]][] = [
      ['exact', exact.get(name) ?? []],
      ['ignoreCase', folded.get(name.toLowerCase()) ?? []],
      ...(kind === 'host' || kind === 'client'
        ? [['shortName', short.get(shortName(name)) ?? []] as [SuggestedBy, NamedRef[]]]
        : []),
      ['namePattern', folded.get((patterns.get(ref) ?? '').toLowerCase()) ?? []],
      ['number', numbers.get(ref) ?? []],
      ['only', candidates.length === 1 && used.length === 1 ? candidates : []],
    ];
    const [by, found] = tries.find(([, list]) => list.length > 0) ?? ['exact', []];
    const one = found.length === 1 ? found[0]! : null;
    const problem = one
      ? null
      : found.length > 1
        ? `${found.length} have this name here: choose one`
        : candidates.length === 0
          ? 'this lab has none'
          : 'none here has this name';
    return {
      id: `${kind} ${ref}`,
      kind,
      ref,
      name,
      uses,
      where,
      suggestion: one ? { ...one, by } : null,
      problem,
    };
  });
}

/**
 * What the file's VMs would be called by its own naming pattern, by ref. A pattern that cannot be
 * read suggests nothing.
 */
function patternNames({ testbed }: TestbedFile, profile: Profile | null): Map<string, string> {
  const text = testbed.layout?.namePattern ?? '';
  if (!readable(text)) return new Map();
  const pattern = parsePattern(text);
  const roles = new Map(profile?.workloads.map(({ id, role }) => [id, role]));
  return new Map(
    testbed.tiles.flatMap(({ workloads }, tile) =>
      workloads.flatMap(({ workloadId, vm }) =>
        vm
          ? [
              [
                vm.ref,
                nameOf(pattern, { tile, workloadId, role: roles.get(workloadId) ?? workloadId }),
              ] as const,
            ]
          : [],
      ),
    ),
  );
}
function readable(pattern: string): boolean {
  try {
    parsePattern(pattern);
    return true;
  } catch {
    // The pattern is the file's; the designer says what is wrong with it when it is used.
    return false;
  }
}

/** The suggestions as a mapping, to begin with. */
export const suggestedMapping = (steps: readonly ImportStep[]): Map<string, NamedRef | null> =>
  new Map(
    steps.flatMap(({ items }) =>
      items.flatMap(({ id, suggestion }) =>
        suggestion ? [[id, { ref: suggestion.ref, name: suggestion.name }] as const] : [],
      ),
    ),
  );

/** What is not decided yet: neither mapped nor left out. */
export const unresolved = (steps: readonly ImportStep[], mapping: Mapping): MappingItem[] =>
  steps.flatMap(({ items }) => items.filter(({ id }) => !mapping.has(id)));

const markup = /[<>]|&[a-z#]/i,
  directional = /[\u202a-\u202e\u2066-\u2069]/;
/** What a person should know before taking the file over. */
export function importNotes(file: TestbedFile, { profile }: ImportLab): string[] {
  const names = [
    file.testbed.name,
    ...file.things.map(({ name }) => name),
    ...file.clients.map(({ name }) => name),
  ];
  const list = (found: readonly string[]): string =>
    `${found
      .slice(0, 3)
      .map((one) => JSON.stringify(one))
      .join(', ')}${found.length > 3 ? ` and ${found.length - 3} more` : ''}`;
  const strange = names.filter((name) => markup.test(name)),
    turned = names.filter((name) => directional.test(name));
  const withParams = file.testbed.tiles
    .flatMap(({ workloads }) => workloads)
    .filter(({ params }) => Object.keys(params).length > 0);
  const commands = withParams.filter(({ params }) => driversRunning(params).length > 0);
  const lost = new Set(
    file.testbed.tiles
      .flatMap(({ workloads }) => workloads.map(({ workloadId }) => workloadId))
      .filter((id) => profile && !profile.workloads.some((one) => one.id === id)),
  );
  return [
    ...(profile
      ? []
      : [
          `Profile ${file.profile.name} ${file.profile.version} (${file.profile.id}) is not ` +
            'installed: import it first, or the testbed cannot be used.',
        ]),
    ...(profile && profile.version !== file.profile.version
      ? [
          `The file was laid out for ${file.profile.name} ${file.profile.version}; installed is ${profile.version}.`,
        ]
      : []),
    ...(lost.size > 0 ? [`${profile!.name} has no workload ${[...lost].join(', ')}.`] : []),
    ...(strange.length > 0
      ? [`Names with markup are kept and shown as plain text: ${list(strange)}.`]
      : []),
    ...(turned.length > 0
      ? [
          `Names with characters that turn the direction of text: ${list(turned)}. They may ` +
            'read otherwise than they are.',
        ]
      : []),
    ...(commands.length > 0
      ? [
          `${commands.length} workloads bring commands of their own that client machines ` +
            'would run: read them before a run.',
        ]
      : []),
    ...(withParams.length > commands.length
      ? [
          `${withParams.length - commands.length} workloads bring driver parameters: ` +
            'addresses in them are of the other lab.',
        ]
      : []),
  ];
}
