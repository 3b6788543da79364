import { parseArrayFile } from './arrayFile.ts';

const here = [
  { ref: 'ds-1', name: 'tile1' },
  { ref: 'ds-2', name: 'tile2' },
  { ref: 'ds-3', name: 'twin' },
  { ref: 'ds-4', name: 'twin' },
];
const csv = [
  'name,model,raid,disks,diskKind,readCacheMb,writeCacheMb,firmware,highWatermarkPct,lowWatermarkPct,note,datastores',
  'spa,CX3-20,RAID 5 (4+1),15,"FC 15k, 146 GB",1024,1024,03.26,80,60,"both ports",tile1;tile2',
  'spb,,,,,,,,,,,',
].join('\n');

test('CSV: what is not there stays unknown, datastores are found by their names', () => {
  const [spa, spb] = parseArrayFile('arrays.csv', csv, here);
  expect(spa).toMatchObject({
    model: 'CX3-20',
    disks: 15,
    diskKind: 'FC 15k, 146 GB',
    writeCacheMb: 1_024,
    highWatermarkPct: 80,
    datastores: [
      { ref: 'ds-1', name: 'tile1' },
      { ref: 'ds-2', name: 'tile2' },
    ],
  });
  expect(spb).toMatchObject({ model: null, disks: null, firmware: null, note: '', datastores: [] });
});

test('JSON says the same', () => {
  const json = JSON.stringify({
    arrays: [{ name: 'spa', model: 'CX3-20', disks: 15, datastores: ['tile1'] }],
  });
  expect(parseArrayFile('arrays.json', json, here)[0]).toMatchObject({
    name: 'spa',
    model: 'CX3-20',
    disks: 15,
    raid: null,
    datastores: [{ ref: 'ds-1', name: 'tile1' }],
  });
});

const row = (more: string): string =>
  `name,disks,lowWatermarkPct,highWatermarkPct,datastores\n${more}`;
test.each([
  ['a number that is none', row('spa,many,,,'), /row 2: disks is "many"/],
  ['a low watermark above the high one', row('spa,5,90,80,'), /row 2: lowWatermarkPct is above/],
  ['a datastore that is not here', row('spa,5,,,nowhere'), /row 2: no datastore is called nowhere/],
  ['a datastore of two', row('spa,5,,,twin'), /2 datastores are called twin/],
  ['an array that stands there twice', row('spa,5,,,\nspa,6,,,'), /spa is there twice/],
  ['a column nobody knows', 'name,colour\nspa,red', /column colour is not known/],
  ['no array', 'name,model\n', /./],
  ['a name that turns text', row('s\u202epa,5,,,'), /row 2: name/],
  ['more disks than there are', row('spa,1000000,,,'), /row 2: disks/],
])('%s is refused with its place', (_what, text, reason) => {
  expect(() => parseArrayFile('arrays.csv', text, here)).toThrow(reason);
  try {
    parseArrayFile('arrays.csv', text, here);
  } catch (thrown) {
    expect(thrown).toMatchObject({ kind: 'invalidInput' });
  }
});

test('before the lab was looked into, a datastore stands by its name', () => {
  expect(parseArrayFile('a.csv', row('spa,5,,,elsewhere'), null)[0]!.datastores).toEqual([
    { ref: 'elsewhere', name: 'elsewhere' },
  ]);
});
