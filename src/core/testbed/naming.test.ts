import { cpuSince } from '../testing/cpuSince.ts';
import { layoutInventory, layoutProfile, layoutVm } from '../testing/layoutLab.ts';
import {
  cloneNames,
  matchNames,
  nameOf,
  parsePattern,
  slotsOf,
  suggestPatterns,
} from './naming.ts';

const profile = layoutProfile();
const slot = (
  tile: number,
  workloadId: string,
): { key: string; tile: number; workloadId: string; role: string } => ({
  key: `${tile}/${workloadId}`,
  tile,
  workloadId,
  role: 'r',
});

it.each([
  ['tile{tile}-{workload}', 'tile3-web'],
  ['{workload}{tile:02}', 'web03'],
  ['t{tile0}{tile0:03}', 't2002'],
  ['{{x}}{role}_{tile:1}', '{x}r_3'],
  ['plain', 'plain'],
])('%s names %s', (pattern, name) =>
  expect(nameOf(parsePattern(pattern), slot(2, 'web'))).toBe(name),
);

it.each([
  ['', 'The name pattern is empty.'],
  ['   ', 'The name pattern is empty.'],
  ['a{tile', 'Name pattern, position 2: { is not closed.'],
  ['a}b', 'Name pattern, position 2: } without {.'],
  ['{vm}', 'Name pattern, position 1: {vm} is no placeholder.'],
  ['{workload:2}', 'Name pattern, position 1: {workload} takes no width.'],
  ['x{tile:99}', 'Name pattern, position 2: a width is 1 to 6 digits, as in {tile:02}.'],
  ['a'.repeat(121), 'The name pattern has 121 characters; at most 120.'],
])('refuses %j with its place', (pattern, message) =>
  expect(() => parsePattern(pattern)).toThrow(message),
);

it('puts every slot in one list, and shows the VMs left over', () => {
  const vms = ['a1-mail', 'A1-web', 'a2-mail', 'a2-mail', 'spare', '.*', 'gold'].map((name, i) =>
    layoutVm(`vm-${i}`, name, { template: name === 'gold' }),
  );
  const slots = [slot(0, 'mail'), slot(0, 'web'), slot(1, 'mail'), slot(1, 'web')];
  const preview = matchNames(parsePattern('a{tile}-{workload}'), slots, vms);
  expect(preview.matched).toEqual([
    { slot: slots[0], name: 'a1-mail', vm: { ref: 'vm-0', name: 'a1-mail' } },
  ]);
  expect(preview.unmatched.map(({ name }) => name)).toEqual(['a1-web', 'a2-web']);
  expect(preview.ambiguous).toMatchObject([
    { name: 'a2-mail', vms: [{ ref: 'vm-2' }, { ref: 'vm-3' }] },
  ]);
  expect(preview.unused.map(({ name }) => name)).toEqual(['A1-web', 'spare', '.*']);
  expect(
    matchNames(parsePattern('a{tile}-{workload}'), slots, vms, {
      ignoreCase: true,
      excludedRefs: new Set(['vm-3']),
    }).matched.map(({ vm }) => vm.ref),
  ).toEqual(['vm-0', 'vm-1', 'vm-2']);
  expect(
    matchNames(parsePattern('a{tile}-mail'), slots, vms).double.map(({ name, slots: of }) => [
      name,
      of.length,
    ]),
  ).toEqual([
    ['a1-mail', 2],
    ['a2-mail', 2],
  ]);
});

it('takes a pattern of expression characters for plain text, in linear time', () => {
  const nasty = '(a+)+$'.repeat(15) + '{tile}{workload}';
  const vms = Array.from({ length: 5_000 }, (_, i) =>
    layoutVm(`vm-${i}`, `${'a'.repeat(200)}!${i}`),
  );
  const cpuMs = cpuSince();
  expect(matchNames(parsePattern(nasty), slotsOf(profile, 200), vms).unmatched).toHaveLength(1_200);
  expect(cpuMs()).toBeLessThan(5_000);
});

it('finds the pattern a lab uses', () => {
  const { vms } = layoutInventory({ hosts: 1, datastores: 1, tiles: 12 });
  expect(suggestPatterns(slotsOf(profile, 12), vms)[0]).toEqual({
    pattern: 'tile{tile}-{workload}',
    matched: 72,
    ignoreCase: false,
  });
  const upper = vms.map((vm) => ({ ...vm, name: vm.name.toUpperCase() }));
  expect(suggestPatterns(slotsOf(profile, 12), upper)[0]).toEqual({
    pattern: 'tile{tile}-{workload}',
    matched: 72,
    ignoreCase: true,
  });
  expect(suggestPatterns(slotsOf(profile, 12), [layoutVm('vm-1', 'db')])).toEqual([]);
});

it('names clones and says which names cannot be used', () => {
  const names = cloneNames(
    parsePattern('T{tile}-{workload}'),
    [slot(0, 'mail'), slot(0, 'web'), slot(1, 'x'.repeat(90))],
    ['t1-MAIL'],
  );
  expect(names.map(({ problem }) => problem)).toEqual([
    'a VM of this name exists',
    null,
    '93 characters; vCenter takes 80',
  ]);
  expect(
    cloneNames(parsePattern('t{tile}'), [slot(0, 'mail'), slot(0, 'web')], []).map(
      ({ problem }) => problem,
    ),
  ).toEqual(Array(2).fill('the pattern gives this name to several workloads'));
});
