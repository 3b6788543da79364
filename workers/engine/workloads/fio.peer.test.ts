import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { getDriver } from './index.ts';
import { localHost } from './testing/localHost.ts';

test('every block of the test file is written before it is read: what was only set aside is read without the disk', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'tb-fio-'));
  try {
    const driver = getDriver('fio');
    const params = driver.params.parse({ directory, sizeMb: 8, readPct: 100 });
    await driver.prepare(localHost(), params);
    const file = readFileSync(join(directory, 'tilebench.fio'));
    const blockBytes = 4_096;
    const empty = Array.from({ length: file.length / blockBytes }, (_, i) => i).filter((i) =>
      file.subarray(i * blockBytes, (i + 1) * blockBytes).every((byte) => byte === 0),
    );
    expect([file.length, empty]).toEqual([8 * 1024 * 1024, []]);
    await driver.cleanup(localHost(), params);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});
