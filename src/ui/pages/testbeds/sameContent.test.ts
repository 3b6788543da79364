import { layoutSchema, type Testbed } from '../../../core/testbed/testbed.ts';
import { sameContent, sameTestbed } from './sameContent.ts';

const bed: Testbed = {
  id: 't',
  name: 'Bed',
  version: 1,
  profileId: 'p',
  vcenterId: null,
  powerIds: [],
  tiles: [],
  notes: '',
};

test('a saved testbed is the one that was saved, though the engine filled in what its layout left out', () => {
  const layout = layoutSchema.parse({ namePattern: 'vm{tile}' });
  const stored = { ...bed, layout: { ...layout, madeFolder: null } };
  expect(sameTestbed({ ...bed, layout }, stored)).toBe(true);
  expect(sameTestbed({ ...bed, layout: { ...layout, namePattern: 'other{tile}' } }, stored)).toBe(
    false,
  );
  expect(sameTestbed(bed, stored)).toBe(false);
});

test.each([
  [{ a: 1, b: undefined }, { a: 1 }, true],
  [[1, 2], [2, 1], false],
  [{ a: { b: 1 } }, { a: { b: 2 } }, false],
  [null, {}, false],
])('%j and %j', (a, b, same) => expect(sameContent(a, b)).toBe(same));
