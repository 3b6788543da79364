import fc from 'fast-check';

import { toAppError } from '../base/errors.ts';
import { applyEdits } from './applyEdits.ts';
import {
  editLimits,
  editsName,
  editWords,
  nextHostId,
  withEdit,
  withoutEdit,
} from './editWords.ts';
import { labSpecSchema } from './lab.ts';
import { type LabEdit, labEdit } from './labEdit.ts';
import { labPicture } from './labPicture.ts';
import { fourServers } from './testing/fourServers.ts';

const lab = fourServers;
const ssd = { name: 'SSD', rpm: 600_000, seekMs: 0.05, diskMbps: 250 };

test.each<[LabEdit[], string]>([
  [[{ kind: 'removeHost', id: 'esx4' }], '3 hosts instead of 4: esx4 (Sun x4150) removed'],
  [
    [{ kind: 'addHost', id: 'esx5', likeId: 'esx4' }],
    '5 hosts instead of 4: esx5 added, like esx4 (Sun x4150)',
  ],
  [
    [{ kind: 'host', ids: ['esx1'], property: 'coresPerSocket', value: 8 }],
    'esx1: 8 cores per socket instead of 4',
  ],
  [
    [
      {
        kind: 'host',
        ids: ['esx1', 'esx2', 'esx3', 'esx4'],
        property: 'uplinkGbps',
        value: 10,
      },
    ],
    'All 4 hosts: 10 Gb/s network link instead of 1',
  ],
  [
    [{ kind: 'array', ids: ['cx1'], property: 'disks', value: 14 * 2 - 24 }],
    'cx1: 4 disks instead of 28',
  ],
  [[{ kind: 'array', ids: ['cx1'], property: 'luns', value: 2 }], 'cx1: 2 LUNs instead of 4'],
  [[{ kind: 'raid', ids: ['cx1'], raid: '5' }], 'cx1: RAID 5 instead of RAID 0'],
  [[{ kind: 'disk', ids: ['cx1'], ...ssd }], 'cx1: SSD under every LUN'],
  [[{ kind: 'drs', enabled: false, stars: 2 }], 'DRS off instead of at 2 stars'],
])('%j in words', (edits, words) => {
  expect(editWords(lab, edits)).toEqual([words]);
  expect(withEdit(lab, [], edits[0]!)).toEqual(edits);
});

test('hosts added and removed are one number in the name of a curve; other changes are counted', () => {
  const removed: LabEdit[] = [
    { kind: 'removeHost', id: 'esx4' },
    { kind: 'removeHost', id: 'esx3' },
  ];
  expect(editsName(lab, removed)).toBe('2 hosts instead of 4');
  expect(editsName(lab, [...removed, { kind: 'drs', enabled: false, stars: 2 }])).toBe(
    '2 hosts instead of 4, and 1 more change',
  );
});

test('VMs of a removed host go where most memory is left, its faults with it; a host that is added without DRS gets its share', () => {
  const less = applyEdits(lab, [{ kind: 'removeHost', id: 'esx4' }]);
  expect(less.vms.slice(4).map((vm) => vm.hostId)).toEqual(['esx2', 'esx3', 'esx1', 'esx2']);
  expect(less.faults).toEqual([]);
  const add: LabEdit = { kind: 'addHost', id: 'esx5', likeId: 'esx1' };
  const onNew = (edits: LabEdit[]): number =>
    applyEdits(lab, edits).vms.filter((vm) => vm.hostId === 'esx5').length;
  expect(onNew([add])).toBe(0);
  expect(onNew([{ kind: 'drs', enabled: false, stars: 2 }, add])).toBe(1);
});

test('fewer LUNs keep every disk and every datastore; another clock keeps what a core did at the old one', () => {
  const joint = applyEdits(lab, [{ kind: 'array', ids: ['cx1'], property: 'luns', value: 2 }]);
  expect(joint.luns.map(({ id, disks, sizeGb }) => [id, disks, sizeGb])).toEqual([
    ['lun1', 14, 1_080],
    ['lun2', 14, 1_080],
  ]);
  expect(joint.datastores.map((store) => store.lunIds)).toEqual([
    ['lun1'],
    ['lun1'],
    ['lun2'],
    ['lun2'],
  ]);
  const fast = applyEdits(lab, [{ kind: 'host', ids: ['esx1'], property: 'ghz', value: 4 }]);
  expect(fast.hosts[0]).toMatchObject({ ghz: 4, ratedGhz: 3, coreSpeed: 1 });
});

test.each<[LabEdit, string]>([
  [
    { kind: 'host', ids: ['esx1'], property: 'memoryGb', value: 1 },
    'Memory: 1 is no number from 2 to 24576.',
  ],
  [
    { kind: 'host', ids: ['esx1'], property: 'coresPerSocket', value: 2.5 },
    'Cores per socket: 2.5 is no whole number from 1 to 256.',
  ],
  [
    { kind: 'array', ids: ['cx1'], property: 'disks', value: 30 },
    '30 disks cannot be spread over 4 LUNs as they are now.',
  ],
  [
    { kind: 'array', ids: ['cx1'], property: 'luns', value: 5 },
    'cx1 has 4 LUNs: more are not modelled.',
  ],
  [
    { kind: 'raid', ids: ['cx1'], raid: '10' },
    'LUN lun1 has 7 disks; RAID 10 needs an even number of them.',
  ],
  [{ kind: 'raid', ids: ['cx9'], raid: '0' }, 'Lab Four servers has no array cx9.'],
  [{ kind: 'addHost', id: 'esx1', likeId: 'esx2' }, 'Lab Four servers has a host esx1 already.'],
])('%j is refused in words', (edit, message) => {
  expect(() => withEdit(lab, [], edit)).toThrow(message);
});

test('a change of the same figure replaces the one before, one back to the given is none, and undoing a host takes what was changed on it along', () => {
  const cores = (value: number): LabEdit => ({
    kind: 'host',
    ids: ['esx5'],
    property: 'coresPerSocket',
    value,
  });
  const add: LabEdit = { kind: 'addHost', id: nextHostId(lab, 'esx4'), likeId: 'esx4' };
  let edits = withEdit(lab, [], add);
  edits = withEdit(lab, edits, cores(8));
  edits = withEdit(lab, edits, cores(16));
  expect(edits).toEqual([add, cores(16)]);
  expect(withEdit(lab, edits, cores(4))).toEqual([add]);
  expect(withoutEdit(lab, edits, 0)).toEqual([]);
  expect(withEdit(lab, edits, { kind: 'removeHost', id: 'esx5' })).toEqual([]);
});

test('the picture tells equal machines once, and an SSD without rpm', () => {
  const picture = labPicture([applyEdits(lab, [{ kind: 'disk', ids: ['cx1'], ...ssd }])]);
  expect(picture.hosts.map(({ name, ids }) => [name, ids])).toEqual([
    ['3 × Dell 2950', ['esx1', 'esx2', 'esx3']],
    ['Sun x4150', ['esx4']],
  ]);
  expect(picture.arrays[0]!.text).toBe('28 disks, SSD');
});

test('what the model does not know is said of the changes that it concerns', () => {
  expect(editLimits(lab, [])).toEqual([]);
  expect(
    editLimits({ ...lab, drs: { ...lab.drs, enabled: false } }, [
      { kind: 'removeHost', id: 'esx4' },
    ]),
  ).toEqual([
    'VMs of a removed host start where most memory is left; DRS is off, so nothing evens them out.',
  ]);
});

const ids = fc.constantFrom('esx1', 'esx2', 'esx3', 'esx4', 'esx5', 'cx1', 'nobody');
const value = fc.oneof(
  fc.integer({ min: 1, max: 40 }),
  fc.double({ min: 0.001, max: 1e6, noNaN: true }),
);
const anyEdit: fc.Arbitrary<LabEdit> = fc
  .oneof(
    fc.record({ kind: fc.constant('removeHost'), id: ids }),
    fc.record({ kind: fc.constant('addHost'), id: ids, likeId: ids }),
    fc.record({
      kind: fc.constant('host'),
      ids: fc.array(ids, { minLength: 1, maxLength: 3 }),
      property: fc.constantFrom('coresPerSocket', 'ghz', 'memoryGb', 'uplinkGbps', 'hbaGbps'),
      value,
    }),
    fc.record({
      kind: fc.constant('array'),
      ids: fc.array(ids, { minLength: 1, maxLength: 2 }),
      property: fc.constantFrom('disks', 'luns', 'queueDepth', 'portGbps'),
      value,
    }),
    fc.record({
      kind: fc.constant('raid'),
      ids: fc.constant(['cx1']),
      raid: fc.constantFrom('0', '1', '5', '6', '10'),
    }),
    fc.record({
      kind: fc.constant('drs'),
      enabled: fc.boolean(),
      stars: fc.integer({ min: 1, max: 5 }),
    }),
  )
  .map((edit) => labEdit.parse(edit));

test('whatever is changed: the lab stays whole, or the change is refused in words and the list stays', () => {
  fc.assert(
    fc.property(fc.array(anyEdit, { maxLength: 12 }), (asked) => {
      let edits: LabEdit[] = [];
      for (const edit of asked) {
        try {
          edits = withEdit(lab, edits, edit);
        } catch (thrown) {
          expect(toAppError(thrown).kind).toBe('invalidInput');
        }
        const now = labSpecSchema.parse(applyEdits(lab, edits));
        const has = (list: readonly { id: string }[], id: string): boolean =>
          list.some((one) => one.id === id);
        expect(now.vms.map((vm) => vm.id)).toEqual(lab.vms.map((vm) => vm.id));
        expect(now.vms.every((vm) => has(now.hosts, vm.hostId))).toBe(true);
        expect(
          now.datastores.every(
            ({ lunIds }) => lunIds.length > 0 && lunIds.every((id) => has(now.luns, id)),
          ),
        ).toBe(true);
        expect(editWords(lab, edits)).toHaveLength(edits.length);
      }
      while (edits.length > 0) edits = withoutEdit(lab, edits, 0);
      expect(applyEdits(lab, edits)).toEqual(lab);
    }),
    { numRuns: 150 },
  );
});
