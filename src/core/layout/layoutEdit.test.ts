import { layoutView } from '../testbed/layoutView.ts';
import { type Testbed, testbedSchema } from '../testbed/testbed.ts';
import {
  layoutClients,
  layoutInventory,
  layoutProfile,
  layoutTestbed,
  random,
  workloadIds,
} from '../testing/layoutLab.ts';
import {
  clipboardText,
  copyTiles,
  cutTiles,
  parseClipboard,
  pasteTiles,
} from './layoutClipboard.ts';
import {
  addTiles,
  assignVm,
  duplicateTiles,
  keysOfTiles,
  moveTilesToHost,
  moveToDatastore,
  moveToHost,
  placeSlots,
  removeTiles,
  reorderTiles,
  setClient,
} from './layoutEdit.ts';
import {
  createHistory,
  edit,
  type LayoutChange,
  redo,
  redoLabel,
  saved,
  undo,
  undoLabel,
} from './layoutHistory.ts';
import {
  setExcludedVms,
  setMaintenanceDatastore,
  setNamePattern,
  setTemplate,
} from './layoutSettings.ts';

const profile = layoutProfile();
const esx = (i: number): { ref: string; name: string } => ({ ref: `host-${i}`, name: `esx${i}` });
const lun = (i: number): { ref: string; name: string } => ({
  ref: `datastore-${i}`,
  name: `lun${i}`,
});

describe('edits say in words what they did', () => {
  const bed = layoutTestbed(4);
  it.each<[LayoutChange, string]>([
    [moveToHost(bed, ['0/mail', '1/web', '2/java'], esx(2)), 'Move 3 VMs to esx2'],
    [moveToHost(bed, ['0/mail'], esx(2)), 'Move mail of tile 1 to esx2'],
    [moveTilesToHost(bed, [0, 1], esx(2)), 'Move 2 tiles to esx2'],
    [moveToDatastore(bed, keysOfTiles(bed, [3]), lun(7)), 'Move tile 4 to lun7'],
    [
      placeSlots(bed, keysOfTiles(bed, [3]), { host: esx(1), datastore: lun(7) }),
      'Move tile 4 to esx1 on lun7',
    ],
    [assignVm(bed, '0/mail', null), 'Take the VM from mail of tile 1'],
    [
      setClient(bed, keysOfTiles(bed, [0, 1, 2]), { id: 'client-9', name: 'c9' }),
      'Load 3 tiles from c9',
    ],
    [removeTiles(bed, [1]), 'Remove tile 2'],
    [duplicateTiles(bed, [0, 1]), 'Duplicate 2 tiles'],
    [addTiles(bed, profile, 1, ['client-1']), 'Add 1 tile'],
    [reorderTiles(bed, [3], 0), 'Move tile 4 to position 1'],
    [setMaintenanceDatastore(bed, lun(9)), 'Keep lun9 for maintenance'],
    [setTemplate(bed, 'mail', { ref: 'vm-t', name: 'gold' }), 'Clone mail from gold'],
    [setExcludedVms(bed, [esx(1), esx(2)]), 'Exclude 2 VMs'],
    [setNamePattern(bed, 't{tile}'), 'Name VMs t{tile}'],
  ])('%#: %j', (change, label) => {
    expect(change.label).toBe(label);
    expect(change.testbed).not.toBe(bed);
    expect(testbedSchema.parse(change.testbed)).toEqual(change.testbed);
  });
});

it('leaves the testbed the same object where nothing changes', () => {
  const bed = moveToHost(layoutTestbed(2), ['0/mail'], esx(1)).testbed;
  expect(
    [
      moveToHost(bed, ['0/mail'], esx(1)),
      moveToHost(bed, ['9/mail'], esx(1)),
      removeTiles(bed, [7]),
      duplicateTiles(bed, []),
      reorderTiles(bed, [0], 0),
      setNamePattern(bed, 'tile{tile}-{workload}'),
    ].map((change) => change.testbed === bed),
  ).toEqual([true, true, true, true, true, true]);
  const history = createHistory(bed);
  expect(edit(history, moveToHost(bed, ['0/mail'], esx(1)))).toBe(history);
});

it('forgets a plan wholly when both places are taken back', () => {
  const bed = layoutTestbed(1);
  const placed = placeSlots(bed, ['0/mail'], { host: esx(1), datastore: lun(1) }).testbed;
  const hostOnly = moveToDatastore(placed, ['0/mail'], null).testbed;
  expect(hostOnly.tiles[0]!.workloads[0]!.planned).toEqual({ host: esx(1), datastore: null });
  expect(moveToHost(hostOnly, ['0/mail'], null).testbed).toEqual(bed);
});

it('pastes a VM only where no tile has it', () => {
  const bed = layoutTestbed(3);
  const copied = parseClipboard(clipboardText(copyTiles(bed, [2, 0])!));
  expect(copied.tiles.map(({ index }) => index)).toEqual([0, 2]);
  const pasted = pasteTiles(bed, copied, 1).testbed;
  expect(
    pasted.tiles.map(({ index, workloads }) => [index, workloads[0]!.vm?.name ?? null]),
  ).toEqual([
    [0, 'tile1-mail'],
    [1, null],
    [2, null],
    [3, 'tile2-mail'],
    [4, 'tile3-mail'],
  ]);
  const { clipboard, change } = cutTiles(bed, [0]);
  expect(
    pasteTiles(change.testbed, clipboard!).testbed.tiles.map(
      ({ workloads }) => workloads[0]!.vm!.name,
    ),
  ).toEqual(['tile2-mail', 'tile3-mail', 'tile1-mail']);
  expect(() => parseClipboard('{"tilebenchTiles": 1}')).toThrow(/clipboard:1:1.*profileId/);
  expect(() => parseClipboard('['.repeat(300_000))).toThrow(
    /^clipboard:1:201: nested deeper than 200/,
  );
  // The same ref is another VM in another vCenter.
  const there = pasteTiles(
    { ...layoutTestbed(0), vcenterId: 'other' },
    copyTiles(moveToHost(bed, ['0/mail'], esx(1)).testbed, [0])!,
  );
  expect(there.label).toBe('Paste 1 tile without VMs and places, which are of another vCenter');
  expect(there.testbed.tiles[0]!.workloads[0]).toEqual({
    workloadId: 'mail',
    vm: null,
    clientId: 'client-1',
    params: {},
  });
});

/** A random edit of any kind; some do nothing on purpose. */
function randomChange(bed: Testbed, next: () => number): LayoutChange {
  const pick = (n: number): number => Math.floor(next() * n);
  const tiles = bed.tiles.length;
  const keys = Array.from(
    { length: 1 + pick(4) },
    () => `${pick(tiles + 1)}/${workloadIds[pick(6)]!}`,
  );
  const changes: (() => LayoutChange)[] = [
    () => moveToHost(bed, keys, next() < 0.2 ? null : esx(pick(4))),
    () => moveToDatastore(bed, keys, next() < 0.2 ? null : lun(pick(4))),
    () => assignVm(bed, keys[0]!, next() < 0.5 ? null : { ref: `vm-${pick(9)}`, name: 'x' }),
    () => setClient(bed, keys, { id: `client-${pick(3)}`, name: 'c' }),
    () => addTiles(bed, profile, pick(3), ['client-1']),
    () => removeTiles(bed, [pick(tiles + 1)]),
    () => duplicateTiles(bed, [pick(tiles + 1)]),
    () => reorderTiles(bed, [pick(tiles + 1)], pick(tiles + 1)),
    () => pasteTiles(bed, copyTiles(layoutTestbed(2), [pick(2)])!, pick(tiles + 1)),
    () => setMaintenanceDatastore(bed, lun(pick(3))),
    () => setTemplate(bed, 'web', next() < 0.5 ? null : esx(1)),
  ];
  return changes[pick(changes.length)]!();
}

it('undoes any edits to exactly what was there, and redoes them', () => {
  for (let seed = 1; seed <= 15; seed += 1) {
    const next = random(seed);
    const start = layoutTestbed(1 + (seed % 5));
    const before = structuredClone(start);
    let history = createHistory(start);
    const seen = [structuredClone(start)];
    for (let i = 0; i < 20; i += 1) {
      const was = history;
      history = edit(history, randomChange(history.present, next));
      if (history !== was) seen.push(structuredClone(history.present));
      expect(history.present.tiles.findIndex((tile, position) => tile.index !== position)).toBe(-1);
    }
    const last = history.present;
    for (let i = seen.length - 2; i >= 0; i -= 1) {
      history = undo(history);
      expect(history.present).toEqual(seen[i]);
    }
    expect(history.present).toEqual(before);
    expect(undoLabel(history)).toBeNull();
    expect(undo(history)).toBe(history);
    while (redoLabel(history) !== null) history = redo(history);
    expect(history.present).toBe(last);
  }
});

it('keeps the last edits only, and takes a save for no edit', () => {
  let history = createHistory(layoutTestbed(1), 3);
  for (let i = 1; i <= 5; i += 1)
    history = edit(history, moveToHost(history.present, ['0/mail'], esx(i)));
  expect(history.past.map(({ label }) => label)).toEqual(
    [3, 4, 5].map((i) => `Move mail of tile 1 to esx${i}`),
  );
  history = undo(saved(history, { id: 'bed', version: 7 }));
  expect(history.present).toMatchObject({
    version: 7,
    tiles: [{ workloads: [{ planned: { host: esx(4) } }, {}, {}, {}, {}, {}] }],
  });
});

it('keeps what an edit did not touch the same object in the view', () => {
  const inventory = layoutInventory({ hosts: 3, datastores: 4, tiles: 4 }),
    clients = layoutClients(2);
  const before = layoutView(layoutTestbed(4), inventory, profile, clients);
  const after = layoutView(
    moveToHost(before.testbed, ['1/mail'], esx(2)).testbed,
    inventory,
    profile,
    clients,
    before,
  );
  expect(after.tiles.map((tile, i) => tile === before.tiles[i])).toEqual([true, false, true, true]);
  expect(after.hosts.map((host, i) => host === before.hosts[i])).toEqual([false, false, true]);
  expect(after.datastores.map((store, i) => store === before.datastores[i])).toEqual([
    false,
    true,
    true,
    true,
  ]);
  expect(after).toEqual(layoutView(after.testbed, inventory, profile, clients));
  expect(after.byKey.get('1/mail')).toMatchObject({
    host: { name: 'esx2' },
    hostFrom: 'planned',
    actualHost: { name: 'esx1' },
    moves: true,
    missing: false,
    vcpus: 2,
  });
});
