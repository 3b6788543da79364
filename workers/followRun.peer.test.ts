import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { appVersion, contractVersion } from '../src/wire/contract/version.ts';
import { startServe } from './testing/served.ts';

const script = 'docs/examples/follow_run.py';

test('the Python client lists runs, starts one in the simulated lab and follows it to its end', async () => {
  expect(readFileSync(script, 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(100);
  const dir = mkdtempSync(join(tmpdir(), 'tilebench-python-'));
  const served = await startServe(dir);
  // Debian's own Python: that of its packages.
  const follow = async (): Promise<string[]> =>
    (
      await promisify(execFile)('/usr/bin/python3', [script, served.file, 'E14', '3600'])
    ).stdout.split('\n');
  try {
    const first = await follow();
    expect(first[0]).toBe(`engine ${appVersion} contract ${contractVersion}`);
    expect(first.filter((line) => line.startsWith('run '))).toEqual([]);
    const states = first.filter((line) => line.startsWith('state ')).map((line) => line.slice(6));
    expect(states.at(-1)).toBe('passed');
    expect(states).toContain('steady');
    const samples = Number(first.find((line) => line.startsWith('samples '))?.slice(8));
    expect(samples).toBeGreaterThan(1_000);
    expect(first.find((line) => line.startsWith('total '))).toMatch(
      /^total Random read [\d.]+ IOPS$/,
    );
    // It came in by a ticket of one use; the next comes in by the next, and sees the run.
    const second = await follow();
    expect(second.filter((line) => line.startsWith('run '))).toEqual([
      expect.stringMatching(/^run \S+ passed /),
    ]);
  } finally {
    await served.stop();
    rmSync(dir, { recursive: true, force: true });
  }
});
