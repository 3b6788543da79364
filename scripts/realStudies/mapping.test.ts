import { existsSync, readFileSync } from 'node:fs';

import { driverKinds } from '../../src/core/profile/driverKinds.ts';
import { gallery } from '../../workers/engine/gallery/index.ts';
import type { GalleryEntry } from '../../workers/engine/gallery/types.ts';
import { getDriver } from '../../workers/engine/workloads/index.ts';
import { documentPath, rowOf } from './document.ts';
import { readMapping, type RealStudy } from './mapping.ts';

const mapping = readMapping();
const entryOf = ({ id }: RealStudy): GalleryEntry => gallery.find(({ item }) => item.id === id)!;

test('every study of the gallery has its variant on real peers, in its order', () => {
  expect(mapping.map(({ id }) => id)).toEqual(gallery.map(({ item }) => item.id));
});

test.each(mapping)(
  '$id: every workload of the study file has a shipped driver, in its unit',
  (study) => {
    const entry = entryOf(study);
    for (const { workloads } of entry.profiles)
      expect(study.loads.map(({ id }) => id)).toEqual(workloads.map(({ id }) => id));
    for (const { driver: id, unit, params } of study.loads) {
      expect(Object.keys(driverKinds)).toContain(id);
      const driver = getDriver(id);
      const parsed = driver.params.parse(params);
      const [scored] = driver.series(parsed);
      expect([id, scored?.unit]).toEqual([id, unit]);
      expect(Object.keys(params).filter((name) => !(name in (parsed as object)))).toEqual([]);
    }
  },
);

test.each(mapping)(
  '$id: axes and levels are those of the study file, or said to be added',
  (study) => {
    const { axes } = entryOf(study).study;
    const kept = study.axes.filter(({ how }) => how !== 'added');
    expect(kept.map(({ name }) => name)).toEqual(axes.map(({ name }) => name));
    for (const { name, how, levels, workloadId, param } of study.axes) {
      const made = axes.find((axis) => axis.name === name);
      if (how === 'added') {
        expect(made).toBeUndefined();
        const load = study.loads.find(({ id }) => id === workloadId);
        expect(param === undefined || (load && param in load.params)).toBeTruthy();
        continue;
      }
      // A property of the simulated lab is none of a real one.
      expect([name, made?.parameter.kind === 'lab' && how === 'same']).toEqual([name, false]);
      for (const { level } of levels) expect(made?.values).toContain(level);
    }
  },
);

test('the document has a row of the mapping and the runs, or their absence, for each study', () => {
  const text = existsSync(documentPath) ? readFileSync(documentPath, 'utf8') : '';
  expect(text).toMatch(/No figure here claims to reproduce/);
  // All but the last column, which is what was measured.
  const mapped = (row: string): string => row.replace(/ \| [^|]* \|$/, '');
  expect(text.match(/^\| E\d\d .*$/gm)?.map(mapped)).toEqual(
    mapping.map((study) => mapped(rowOf(study, entryOf(study), null))),
  );
  for (const study of mapping) {
    const section = new RegExp(`^## ${study.id} [^\\n]*\\n\\n(Plan |Not run)`, 'm');
    expect([study.id, section.test(text)]).toEqual([study.id, true]);
  }
});
