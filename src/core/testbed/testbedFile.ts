import { type FileFault } from '../base/fileFault.ts';
import { checkDepth, parseJsonFile } from '../base/jsonFile.ts';
import { maximumTiles } from '../profile/profile.ts';
import type { Inventory } from './inventory.ts';
import type { Testbed } from './testbed.ts';
import { type TestbedFile, testbedFileBounds, testbedFileSchema } from './testbedFileTypes.ts';
import { testbedRefs } from './testbedRefs.ts';

export interface ExportContext {
  inventory: Inventory | null;
  profile: { id: string; name: string; version: string };
  vcenterName: string;
  clients: readonly { id: string; name: string; jumpId?: string | undefined }[];
}

/** The testbed as a file for another lab: names of all it refers to, no address and no secret. */
export function exportTestbed(
  testbed: Testbed,
  { inventory, profile, vcenterName, clients }: ExportContext,
): TestbedFile {
  const { hostLogins: _ofThisLab, arrays: _ofThisLabToo, ...rest } = testbed;
  const refs = testbedRefs(testbed, inventory);
  const used = new Set(refs.filter(({ kind }) => kind === 'client').map(({ ref }) => ref));
  const clientNames = new Map(clients.map((one) => [one.id, one.name]));
  return {
    tilebenchTestbed: 1,
    from: {
      vcenter: vcenterName,
      version: inventory ? `${inventory.product} ${inventory.version}` : '',
    },
    profile: { id: profile.id, name: profile.name, version: profile.version },
    things: refs.map(({ kind, ref, name }) => ({
      kind,
      ref,
      name: kind === 'client' ? (clientNames.get(ref) ?? ref) : name,
    })),
    clients: clients
      .filter(({ id }) => used.has(id))
      .map(({ id, name, jumpId }) => ({ id, name, jumpId: jumpId ?? null })),
    // What this app made here, it did not make there. Power sources, logins and arrays belong to
    // the lab.
    testbed: {
      ...rest,
      powerIds: [],
      ...(rest.layout ? { layout: { ...rest.layout, made: [], madeFolder: null } } : {}),
    },
  };
}
export const testbedFileText = (file: TestbedFile): string => `${JSON.stringify(file, null, 2)}\n`;

/**
 * Parses a testbed file: JSON, comments and trailing commas allowed. Throws invalidInput with
 * `name:line:column` and a remedy for each fault (at most ten); a file of a newer version is
 * refused by that word alone, whatever else is new in it. Nothing of the file is run or looked up.
 */
export function parseTestbedFile(name: string, text: string): TestbedFile {
  checkDepth(name, text, 'testbed', testbedFileBounds.characters);
  return parseJsonFile(name, text, testbedFileSchema, 'testbed', faults, [
    { path: ['tilebenchTestbed'], known: 1 },
  ]);
}

function faults({ testbed, things, clients, profile }: TestbedFile): FileFault[] {
  return [
    ...(testbed.profileId === profile.id
      ? []
      : [
          {
            path: ['testbed', 'profileId'],
            message: `is ${testbed.profileId}, the file's profile is ${profile.id}. Give both the same id.`,
          },
        ]),
    ...(testbed.tiles.length > maximumTiles
      ? [
          {
            path: ['testbed', 'tiles'],
            message: `${testbed.tiles.length} tiles; at most ${maximumTiles}. Remove the others.`,
          },
        ]
      : []),
    ...(testbed.notes.length > testbedFileBounds.notesLength
      ? [
          {
            path: ['testbed', 'notes'],
            message: `${testbed.notes.length} characters; at most ${testbedFileBounds.notesLength}. Shorten them.`,
          },
        ]
      : []),
    ...testbed.tiles.flatMap(({ workloads }, i): FileFault[] => [
      ...(workloads.length > testbedFileBounds.workloadsATile
        ? [
            {
              path: ['testbed', 'tiles', i, 'workloads'],
              message:
                `${workloads.length} workloads; at most ${testbedFileBounds.workloadsATile} in ` +
                'a tile. Remove the others.',
            },
          ]
        : []),
      ...workloads.flatMap((one, j) =>
        one.vm
          ? nameFaults(one.vm.name, ['testbed', 'tiles', i, 'workloads', j, 'vm', 'name'])
          : [],
      ),
    ]),
    ...things.flatMap(({ name }, i) => nameFaults(name, ['things', i, 'name'])),
    ...doubles(
      things.map(({ kind, ref }) => `${kind} ${ref}`),
      'things',
      'ref',
    ),
    ...doubles(
      clients.map(({ id }) => id),
      'clients',
      'id',
    ),
    ...jumps(clients),
  ];
}

function nameFaults(name: string, path: PropertyKey[]): FileFault[] {
  return name.length <= testbedFileBounds.nameLength
    ? []
    : [
        {
          path,
          message: `${name.length} characters; a name has at most ${testbedFileBounds.nameLength}. Shorten it.`,
        },
      ];
}

function doubles(keys: readonly string[], list: string, field: string): FileFault[] {
  const seen = new Set<string>();
  return keys.flatMap((key, i): FileFault[] => {
    if (!seen.has(key)) {
      seen.add(key);
      return [];
    }
    return [{ path: [list, i, field], message: `${key} is there twice. Remove one.` }];
  });
}

/** Jumps that lead nowhere or back to where they began. */
function jumps(clients: TestbedFile['clients']): FileFault[] {
  const byId = new Map(clients.map((one) => [one.id, one]));
  return clients.flatMap(({ id, jumpId }, i): FileFault[] => {
    const path = ['clients', i, 'jumpId'];
    const way = new Set([id]);
    for (let next = jumpId; next !== null; next = byId.get(next)?.jumpId ?? null) {
      if (next === id)
        return [
          {
            path,
            message: `${[...way, id].join(' is reached over ')}: no way in. Remove one of these jumps.`,
          },
        ];
      // A circle further along is told where it begins.
      if (way.has(next)) return [];
      way.add(next);
    }
    return [];
  });
}
