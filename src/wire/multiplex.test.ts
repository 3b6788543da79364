import { bridge } from './bridge.ts';
import { multiplex } from './multiplex.ts';
import { memoryPorts } from './ports.ts';

const settled = async (): Promise<void> => {
  for (let i = 0; i < 10; i++) await Promise.resolve();
};

test('a port over a line that was cut is closed, so that who is bridged to it asks again', async () => {
  const [near, far] = memoryPorts();
  const lines = multiplex(near);
  const before = lines.open();
  far.close();
  await settled();
  const [page, host] = memoryPorts();
  const told: string[] = [];
  before.onClose(() => told.push('before'));
  page.onClose(() => told.push('page'));
  bridge(host, lines.open('real'));
  await settled();
  expect(told).toEqual(['before', 'page']);
});
