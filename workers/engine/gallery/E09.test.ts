import { e09 } from './E09.ts';
import { driveModel } from './testing/driveModel.ts';
import { meetsLines } from './testing/meetsLines.ts';

const view = driveModel(e09);

meetsLines(e09.expectations(view));

test('ports that all hash to one uplink fill it and leave the other idle', () => {
  const [first, second] = ['vmnic0', 'vmnic1'].map((nic) =>
    view.value(`netGbps.uplink.esx1/${nic}.mean`, { policy: 'portHash' })!,
  );
  expect(first).toBeGreaterThan(9.5);
  expect(first).toBeLessThan(10.5);
  expect(second).toBe(0);
  expect(view.value('throughput.web.sum', { policy: 'portHash' })!).toBeLessThan(
    0.85 * view.value('throughput.web.sum', { policy: 'loadBased' })!,
  );
});

test('many addresses spread almost evenly by their hash', () => {
  const [first, second] = ['vmnic0', 'vmnic1'].map((nic) =>
    view.value(`netGbps.uplink.esx1/${nic}.mean`, { policy: 'ipHash' })!,
  );
  expect(Math.min(first!, second!) / Math.max(first!, second!)).toBeGreaterThan(0.8);
});
