import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { gallery } from './index.ts';
import { library } from './library.ts';
import { knownMisses } from './libraryParts.ts';
import { withServes } from './serves.ts';

const nothing = { points: [], value: () => null, series: () => null };

const folder = join(process.cwd(), 'workers/engine/gallery');

test('a name the library has not is refused with what it has', () => {
  expect(() => library('E01').processor('Xeon X1')).toThrow(
    /no processor Xeon X1; it has .*Xeon X5570/,
  );
});

test('one thing has one set of constants in all studies: same name, same figure', () => {
  const figures = new Map<string, Set<string>>();
  for (const { basis } of gallery)
    for (const { kind, what, figure } of basis) {
      const key = `${kind} ${what}`;
      figures.set(key, (figures.get(key) ?? new Set()).add(figure));
    }
  expect([...figures].filter(([, set]) => set.size > 1)).toEqual([]);
  const speeds = new Map<string, Set<number>>();
  for (const { labs } of gallery)
    for (const { cpuModel, coreSpeed, sockets } of labs.flatMap((lab) => lab.hosts)) {
      const key = `${cpuModel}, ${sockets >= 4 ? 'four sockets' : 'fewer'}`;
      speeds.set(key, (speeds.get(key) ?? new Set()).add(coreSpeed));
    }
  expect([...speeds].filter(([, set]) => set.size > 1)).toEqual([]);
});

test('every host, array, disk and load of a study comes from the library, and is told', () => {
  for (const { item, labs, basis } of gallery) {
    const told = basis.map((row) => row.what).join(' | ');
    for (const { hosts, arrays } of labs) {
      for (const host of hosts)
        expect(`${item.id} ${told}`).toContain(host.cpuModel.replace(/ [\d.]+ GHz$/, ''));
      for (const array of arrays) expect(`${item.id} ${told}`).toContain(array.model);
    }
    expect(basis.every((row) => row.source.length > 4 && row.serves > 0)).toBe(true);
  }
});

test('a figure has the digits that were set, none of a division; what was published says its line once', () => {
  const rows = gallery.flatMap(({ basis }) => basis);
  const figures = new Set(rows.map((row) => row.figure));
  expect([...figures].filter((figure) => /\d\.\d{5}|e[-+]\d/.test(figure))).toEqual([]);
  expect(figures).toContain('6.51 ms of a reference core, think time 0.8742 s');
  expect(rows.find((row) => row.kind === 'published' && row.what === 'VMmark 1.x dbench')).toEqual(
    expect.objectContaining({ figure: '35 MB/s from six disks', source: 'seed 002 line 14' }),
  );
});

test('what a study shows because a constant says so is named the result', () => {
  const results = (id: string) =>
    gallery
      .find(({ item }) => item.id === id)!
      .basis.filter((row) => row.kind === 'result')
      .map((row) => row.what);
  expect(results('E07')).toEqual(['ESX 4.1']);
  expect(results('E13')).toEqual(['ESX 3.5']);
  expect(results('E15')).toEqual(['ESX 3.0', 'ESX 3.5']);
  expect(results('E04')).toContain('A Barcelona core among four sockets');
});

test('lines are counted over all studies that rest on a constant', () => {
  const [a, b] = gallery;
  const shared = { kind: 'chosen' as const, what: 'x', figure: '1', source: 'test', serves: 0 };
  const counted = withServes([
    { ...a!, basis: [shared] },
    { ...b!, basis: [shared] },
  ]);
  expect(counted[0]!.basis[0]!.serves).toBe(
    a!.expectations(nothing).length + b!.expectations(nothing).length,
  );
});

test('known misses are lines of studies', () => {
  const ids = new Set(gallery.flatMap((one) => one.expectations(nothing).map((line) => line.id)));
  expect(Object.keys(knownMisses).filter((id) => !ids.has(id))).toEqual([]);
});

test('no study file holds a constant of a kind the library has: watts, disks, clients, limits, prices', () => {
  const kinds =
    /\b(idleW|busyW|curve|disks|coreSpeed|workPerGhz|hyperThreadGain|ghz|seekMs|rpm|diskMbps|controllerUs|controllerParallel|readCacheMb|writeCacheMb|portGbps|cpuShare|usPerIo|usPerPacket|cpuMsPerOp|thinkMs|max|pauseS|limitMs): *[\d.]/;
  const files = readdirSync(folder).filter((name) => /^(E\d\d|vmmark\d)\.ts$/.test(name));
  expect(files.length).toBeGreaterThanOrEqual(17);
  const own = files.flatMap((name) =>
    readFileSync(join(folder, name), 'utf8')
      .split('\n')
      .flatMap((line, i) => {
        // What the post itself says stands in the study, with its line; and that hyper-threading is
        // off.
        const found = kinds.exec(line);
        return found && found[0] !== 'hyperThreadGain: 1' && !line.includes('source(')
          ? [`${name}:${i + 1} ${line.trim()}`]
          : [];
      }),
  );
  expect(own).toEqual([]);
});
