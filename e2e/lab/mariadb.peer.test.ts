import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startMariadb } from './mariadb.ts';

test('a database that starts leaves alone what another one has in the common temporary folder', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'tb-mariadb-'));
  const table = join(tmpdir(), `#sql-temptable-tilebench-${process.pid}.MAI`);
  writeFileSync(table, '');
  try {
    await (await startMariadb({ dir })).stop();
    expect(existsSync(table)).toBe(true);
  } finally {
    rmSync(table, { force: true });
    rmSync(dir, { recursive: true, force: true });
  }
});
