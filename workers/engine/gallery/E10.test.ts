import { e10 } from './E10.ts';
import { driveModel } from './testing/driveModel.ts';
import { meetsLines } from './testing/meetsLines.ts';

const view = driveModel(e10);

meetsLines(e10.expectations(view));

test('the machines beside it do not feel the packet rate', () => {
  for (const device of ['virtual', 'passthrough', 'reserved']) {
    const web = [1_000, 100_000].map((pps) => view.value('throughput.web.sum', { pps, device })!);
    expect(web[1]! / web[0]!).toBeCloseTo(1, 2);
  }
});

test('the saving a packet falls with the rate: interrupts are shared by more packets', () => {
  const perPacket = [1_000, 10_000, 25_000, 50_000, 100_000].map(
    (pps) =>
      (view.value('cpuPct.host.esx-netperf.mean', { pps, device: 'virtual' })! -
        view.value('cpuPct.host.esx-netperf.mean', { pps, device: 'passthrough' })!) /
      pps,
  );
  expect(perPacket).toEqual([...perPacket].sort((a, b) => b - a));
});
