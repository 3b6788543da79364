import { MessageChannel } from 'node:worker_threads';

import { forEachSample } from '../src/core/metric/metric.ts';
import type { BenchResult } from './row.ts';
import { secondOf } from './store.ts';

const updates = 300;

/**
 * Sends one second of 960 samples at a time and reads each value at the other end; microseconds an
 * update.
 */
async function through(message: () => unknown, read: (data: unknown) => number): Promise<number> {
  const { port1, port2 } = new MessageChannel();
  let sum = 0;
  const start = performance.now();
  const done = new Promise<void>((resolve) => {
    let count = 0;
    port2.on('message', (data: unknown) => {
      sum += read(data);
      count += 1;
      if (count === updates) resolve();
      else port1.postMessage(message());
    });
  });
  port1.postMessage(message());
  await done;
  const spent = ((performance.now() - start) * 1_000) / updates;
  port1.close();
  if (!Number.isFinite(sum)) throw new Error('Nothing arrived.');
  return spent;
}

export async function run(): Promise<BenchResult[]> {
  const batch = secondOf(1_700_000_000_000);
  const objects: { seriesId: number; tMs: number; value: number }[] = [];
  forEachSample(batch, (seriesId, tMs, value) => {
    objects.push({ seriesId, tMs, value });
  });
  const asObjects = await through(
    () => ({ batch: objects }),
    (data) => (data as { batch: typeof objects }).batch.reduce((sum, one) => sum + one.value, 0),
  );
  const asArray = await through(
    () => ({ batch }),
    (data) => {
      let sum = 0;
      forEachSample((data as { batch: Float64Array }).batch, (_id, _t, value) => {
        sum += value;
      });
      return sum;
    },
  );
  return [
    {
      name: 'Wire: 960 samples an update through a MessageChannel',
      rows: [
        { label: 'anchor: as objects', value: asObjects, unit: 'µs' },
        {
          label: 'as one Float64Array',
          value: asArray,
          unit: 'µs',
          ratio: asArray / asObjects,
          budget: 0.25,
        },
      ],
    },
  ];
}
