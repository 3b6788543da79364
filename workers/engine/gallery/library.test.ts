import { gallery } from './index.ts';
import { knownMisses, library } from './library.ts';
import { withServes } from './serves.ts';

const nothing = { points: [], value: () => null, series: () => null };

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
