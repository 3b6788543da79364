import { tileWords } from '../base/tileWords.ts';
import type { Testbed } from '../testbed/testbed.ts';
import { differenceWords, diffTestbeds } from '../testbed/testbedDiff.ts';
import { cpuSince } from '../testing/cpuSince.ts';
import { layoutTestbed, random, workloadIds } from '../testing/layoutLab.ts';
import {
  assignVm,
  duplicateTiles,
  keysOfTiles,
  mapSlots,
  moveToHost,
  removeTiles,
  reorderTiles,
  setClient,
} from './layoutEdit.ts';
import {
  setHosts,
  setMaintenanceDatastore,
  setNamePattern,
  setTemplate,
} from './layoutSettings.ts';

const bed = layoutTestbed(6, { clients: 1 });
const esx = (i: number): { ref: string; name: string } => ({ ref: `host-${i}`, name: `esx${i}` });
const words = (after: Testbed, before: Testbed = bed): string[] =>
  diffTestbeds(before, after, (kind, id) => `${kind} ${id}`).map(differenceWords);
const all = keysOfTiles(bed, [0, 1, 2, 3, 4, 5]);

it.each<[string, Testbed, string[]]>([
  ['nothing', structuredClone(bed), []],
  ['a version', { ...bed, version: 9 }, []],
  [
    'the same place for whole tiles',
    moveToHost(bed, keysOfTiles(bed, [0, 1, 2, 4]), esx(2)).testbed,
    ['Tiles 1 to 3, 5, planned host: none → esx2'],
  ],
  [
    'the same place for one workload of all tiles',
    moveToHost(
      bed,
      all.filter((key) => key.endsWith('/mail')),
      esx(2),
    ).testbed,
    ['Tiles 1 to 6, mail, planned host: none → esx2'],
  ],
  [
    'a client',
    setClient(bed, ['1/web'], { id: 'client-2', name: 'x' }).testbed,
    ['Tile 2, web, client: client client-1 → client client-2'],
  ],
  [
    'a tile removed from the middle',
    removeTiles(bed, [2]).testbed,
    ['Number of tiles: 6 → 5', 'Tile 3 removed'],
  ],
  ['a tile added', duplicateTiles(bed, [0]).testbed, ['Number of tiles: 6 → 7', 'Tile 7 added']],
  [
    'two tiles swapped',
    reorderTiles(bed, [1], 0).testbed,
    ['Order of tiles: 2, 1 of before now stand in this order'],
  ],
  [
    'a tile that moved up and changed',
    assignVm(removeTiles(bed, [0]).testbed, '0/web', { ref: 'vm-x', name: 'other' }).testbed,
    ['Number of tiles: 6 → 5', 'Tile 1 removed', 'Tile 1, web, VM: tile2-web → other'],
  ],
  [
    'parameters',
    mapSlots(bed, ['0/file', '3/file'], (one) => ({ ...one, params: { outstanding: 16 } })),
    ['Tiles 1, 4, file, outstanding: none → 16'],
  ],
  [
    'name and profile',
    { ...bed, name: 'New', profileId: 'other', notes: 'x' },
    ['Name: Bed → New', 'Profile: profile six → profile other', 'Notes: none → x'],
  ],
  [
    'layout',
    setNamePattern(
      setTemplate(
        setMaintenanceDatastore(setHosts(bed, [esx(1), esx(2)]).testbed, {
          ref: 'd',
          name: 'scratch',
        }).testbed,
        'mail',
        { ref: 'g', name: 'gold' },
      ).testbed,
      't{tile}{workload}',
    ).testbed,
    [
      'Hosts under test: none → esx1, esx2',
      'Maintenance datastore: none → scratch',
      'Template of mail: none → gold',
      'Name pattern: tile{tile}-{workload} → t{tile}{workload}',
    ],
  ],
  [
    'operations',
    {
      ...bed,
      infrastructure: {
        vmotionVmRefs: ['vm-1'],
        storageVmotion: { vmRefs: ['vm-2'], datastoreRef: 'd' },
        xvmotion: null,
        deploy: { templateRef: 'g', datastoreRef: 'd' },
        snapshotVmRefs: [],
        pauseS: 5,
      },
    },
    [
      'VMs of vMotion: none → vm vm-1',
      'VMs of Storage vMotion: none → vm vm-2',
      'Target of Storage vMotion: none → datastore d',
      'Template to deploy: none → vm g',
      'Target of deploy: none → datastore d',
      'Pause between operations: 0 s → 5 s',
    ],
  ],
])('tells %s', (_, after, expected) => expect(words(after)).toEqual(expected));

it('takes a renamed thing for the same, and compares two vCenters by name', () => {
  const placed = moveToHost(bed, all, esx(1)).testbed;
  const renamed = moveToHost(bed, all, { ref: 'host-1', name: 'esx1.lab' }).testbed;
  expect(words(renamed, placed)).toEqual([]);
  const elsewhere: Testbed = {
    ...structuredClone(placed),
    vcenterId: 'other',
    tiles: placed.tiles.map((tile) => ({
      ...tile,
      workloads: tile.workloads.map((one) => ({
        ...one,
        vm: { ...one.vm!, ref: `z-${one.vm!.ref}` },
        planned: { host: { ref: 'host-99', name: 'esx1' }, datastore: null },
      })),
    })),
  };
  expect(words(elsewhere, placed)).toEqual(['vCenter: vcenter vc → vcenter other']);
  // A choice that moved to a thing of the same name is still a change.
  expect(
    diffTestbeds(
      setMaintenanceDatastore(bed, { ref: 'a', name: 'scratch' }).testbed,
      setMaintenanceDatastore(bed, { ref: 'b', name: 'scratch' }).testbed,
    ),
  ).toHaveLength(1);
});

it('is empty exactly where nothing differs, and names the slots it is about', () => {
  for (let seed = 1; seed <= 50; seed += 1) {
    const next = random(seed);
    const key = `${Math.floor(next() * 6)}/${workloadIds[Math.floor(next() * 6)]!}`;
    const changed = moveToHost(bed, [key], esx(3)).testbed;
    expect(diffTestbeds(bed, changed).map(({ keys }) => keys)).toEqual([[key]]);
    expect(diffTestbeds(changed, structuredClone(changed))).toEqual([]);
  }
});

it.each([
  [[0], 'Tile 1'],
  [[3, 1, 2], 'Tiles 2 to 4'],
  [[0, 1, 5], 'Tiles 1, 2, 6'],
] as const)('says %j as %s', (positions, text) => expect(tileWords(positions)).toBe(text));

it('compares 200 tiles fast', () => {
  const large = layoutTestbed(200);
  const changed = mapSlots(
    large,
    keysOfTiles(
      large,
      large.tiles.map((_, i) => i),
    ),
    (one) => ({ ...one, clientId: 'other', params: { a: 1 } }),
  );
  const cpuMs = cpuSince();
  expect(diffTestbeds(large, changed)).toHaveLength(3);
  expect(cpuMs()).toBeLessThan(5_000);
});
