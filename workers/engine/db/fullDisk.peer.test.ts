import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { demoRecord } from '../../../bench/demoRecord.ts';
import type { SeriesDef } from '../../../src/shared/metric.ts';
import { openDatabase } from './open.ts';

const log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
const clock = { now: () => 1_700_000_000_000, sleep: () => Promise.resolve() };
const series: SeriesDef[] = Array.from({ length: 100 }, (_, id) => ({
  id,
  metric: 'throughput',
  unit: 'tps',
  source: 's',
  periodMs: 1_000,
  decimals: 6,
  lagMs: 0,
  entity: { kind: 'workload', id: `w${id}`, name: `w${id}` },
}));

/** Noise that does not pack: the disk fills soon. */
const valueOf = (second: number, id: number): number => Math.sin(second * 131 + id * 17) * 1e6;

let dir: string;
let mount: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'tb-full-'));
  mount = join(dir, 'small');
  mkdirSync(mount);
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'tmpfs', mount]);
});
afterEach(() => {
  execFileSync('umount', ['-l', mount]);
  rmSync(dir, { recursive: true, force: true });
});

test('a full disk: append says so, what was acknowledged stays, and it goes on once there is space', () => {
  let db = openDatabase({ dataDir: mount, clock, log });
  db.runs.save(demoRecord('r', series, 1_000, 10));
  db.samples.defineSeries('r', series);
  const { bavail, bsize } = statfsSync(mount);
  writeFileSync(join(mount, 'filler'), Buffer.alloc(bavail * bsize - 2 * 2 ** 20));
  const append = (second: number): void =>
    db.samples.append({
      runId: 'r',
      batch: Float64Array.from(
        series.flatMap(({ id }) => [id, second * 1_000, valueOf(second, id)]),
      ),
      journal: [{ key: 'job', resume: { offset: second }, lastTMs: second * 1_000 }],
    });

  let second = 0;
  let refused: unknown = null;
  while (refused === null && second < 100_000) {
    try {
      append(second + 1);
      second += 1;
    } catch (thrown) {
      refused = thrown;
    }
  }
  expect(refused).toMatchObject({
    kind: 'internal',
    message: expect.stringMatching(/disk .* is full/i),
    hint: expect.stringContaining('Free space'),
  });
  expect(second).toBeGreaterThan(100);
  // Still full: refused again, and reading goes on.
  expect(() => append(second + 1)).toThrow(/full/);
  const stored = db.samples.read('r', [3], {})[0]!.tMs.length;
  expect(stored).toBeGreaterThanOrEqual(second);

  rmSync(join(mount, 'filler'));
  for (let i = 0; i < 400; i += 1) append((second += 1));
  db.samples.finish('r');
  db.close();

  db = openDatabase({ dataDir: mount, clock, log });
  for (const id of [0, 3, 99]) {
    const [data] = db.samples.read('r', [id], {});
    expect([...data!.tMs]).toEqual(Array.from({ length: second }, (_, i) => (i + 1) * 1_000));
    expect([...data!.value]).toEqual(Array.from({ length: second }, (_, i) => valueOf(i + 1, id)));
  }
  expect(db.samples.journal('r')).toEqual([
    { key: 'job', resume: { offset: second }, lastTMs: second * 1_000 },
  ]);
  db.close();
}, 60_000);
