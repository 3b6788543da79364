import { figureMeasures } from '../../src/core/study/shapedStudy.ts';
import { parseStudyFile, studyText } from '../../src/core/study/studyFile.ts';
import { gallery } from '../../workers/engine/gallery/index.ts';
import { readMapping } from './mapping.ts';
import { type RealLab, realStudy } from './variant.ts';

const named = (ref: string) => ({ ref, name: ref });
const lab: RealLab = {
  connections: [],
  vcenterId: 'vcenter',
  powerId: 'power',
  clientIds: ['client1', 'client2'],
  hosts: ['host1', 'host2'].map(named),
  datastores: ['store1', 'store2'].map(named),
  vms: [named('other')],
  vm: (tile, workloadId) => ({ ...named(`tile${tile + 1}-${workloadId}`), datastoreRef: 'store1' }),
  params: (peer) => ({ peer }),
};
const all = readMapping().map((study) => {
  const entry = gallery.find(({ item }) => item.id === study.id)!;
  return { id: study.id, study, entry, made: realStudy(study, entry, lab) };
});

test.each(all)('$id is a whole study file of a real lab', ({ made }) => {
  const { file, testbeds, profiles, study } = made;
  const text = studyText({
    tilebenchStudy: 1,
    study: study!,
    planFile: file,
    testbeds: testbeds,
    profiles,
  });
  const read = parseStudyFile('real.study.json', text);
  expect(read.study.axes.map(({ parameter }) => parameter.kind)).not.toContain('lab');
  expect(read.planFile.labs).toBeUndefined();
  const used = [read.planFile.profile!, ...read.profiles].flatMap(({ workloads }) => workloads);
  expect(used.map(({ driver }) => driver)).not.toContain('simload');
});

test.each(all)('$id keeps the limits of the study file and draws the measured figure', (one) => {
  const { study, entry, made } = one;
  const limits = (profile: (typeof entry.profiles)[number]) =>
    profile.workloads.map(({ id, qos }) => [id, qos]);
  expect(limits(made.file.profile!)).toEqual(limits(entry.profiles[0]!));
  expect(made.study!.stopRule).toBe(entry.study.stopRule);
  expect(figureMeasures(made.study!.charts)).toContain(study.figure.measure);
  // Nothing that was published may stand beside figures of one small machine.
  expect(made.study!.galleryId).toBeNull();
});

test('a level that is a testbed loads its own peers, and places its own VMs', () => {
  const { made } = all.find(({ id }) => id === 'E06')!;
  const peers = [made.file.testbed, ...made.testbeds].map(({ tiles }) =>
    tiles[0]!.workloads.map(({ params }) => params['peer']),
  );
  expect(peers).toEqual([
    ['mail', 'site', 'shop', 'shop', 'shop', 'client'],
    ['mail', 'site', 'memoryShop', 'memoryShop', 'memoryShop', 'client'],
  ]);
  const placed = all.find(({ id }) => id === 'E01')!.made;
  const hosts = [placed.file.testbed, ...placed.testbeds].map(
    ({ tiles }) => new Set(tiles[0]!.workloads.map(({ planned }) => planned?.host?.ref)).size,
  );
  expect([hosts, placed.file.plan.startPlacement]).toEqual([[1, 2], 'planned']);
});
