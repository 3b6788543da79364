import { folderNameOf, isMarkedFor, marking, refusalToDelete } from './mark.ts';

const item = { key: '1/db', tileIndex: 1, workloadId: 'db', name: 'tile2-db' };
const written = marking({ id: 'tb', name: 'Bed' }, item);
const mark = { name: 'tile2-db', folderRef: null, ...written };
const made = [{ ref: 'vm-7', name: 'tile2-db' }];

test('a VM may be deleted where list and mark agree, and is left where either does not', () => {
  expect(refusalToDelete('tb', made, 'vm-7', mark)).toBeNull();
  expect(refusalToDelete('tb', [], 'vm-7', mark)).toBe(
    'tile2-db is not among the VMs this testbed made',
  );
  expect(refusalToDelete('tb', made, 'vm-8', mark)).toBe(
    'tile2-db is not among the VMs this testbed made',
  );
  expect(refusalToDelete('tb', made, 'vm-7', { ...mark, extraConfig: {} })).toBe(
    'tile2-db does not carry the mark of this app',
  );
  expect(refusalToDelete('tb2', made, 'vm-7', mark)).toBe(
    'tile2-db carries the mark of another testbed',
  );
  expect(refusalToDelete('t', made, 'vm-7', mark)).toBe(
    'tile2-db carries the mark of another testbed',
  );
  expect(refusalToDelete('tb', made, 'vm-7', { ...mark, name: 'copy' })).toBe(
    'copy was renamed or copied: its mark is of tile2-db',
  );
});

test('a mark is of one workload under one name; people read whose the VM is', () => {
  expect([
    isMarkedFor('tb', item, mark),
    isMarkedFor('tb', { ...item, key: '2/db' }, mark),
    isMarkedFor('tb', { ...item, name: 'x' }, mark),
    isMarkedFor('other', item, mark),
  ]).toEqual([true, false, false, false]);
  expect(written.annotation).toBe(
    'Made by Tilebench for testbed Bed: tile 2, db. Its clean-up removes this VM.',
  );
});

test('a folder name has none of what vCenter escapes, and fits', () => {
  expect(folderNameOf({ name: 'A/B\\C%D' })).toBe('Tilebench A-B-C-D');
  expect(folderNameOf({ name: 'x'.repeat(120) })).toHaveLength(80);
});
