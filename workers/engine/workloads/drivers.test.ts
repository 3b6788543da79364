import { driverKinds } from '../../../src/core/profile/driverKinds.ts';
import { driverList } from './drivers.ts';
import { driverInfos } from './index.ts';

test('each driver stands under its own id, and forms have them in the order of their kinds', () => {
  expect(Object.entries(driverList).map(([key, { id }]) => [key, id])).toEqual(
    Object.keys(driverKinds).map((id) => [id, id]),
  );
  expect(driverInfos().map(({ id }) => id)).toEqual(Object.keys(driverKinds));
});
