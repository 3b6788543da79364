import { spawnSync } from 'node:child_process';

// A process of its own: what jest makes of the modules runs the model several times slower.
test('causes planted in random labs are named from what two runs stored; two at once are both found, and no cause is invented', () => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['scripts/diagnose.mjs', '--seeds', '1-30'],
    { encoding: 'utf8' },
  );
  expect([status, stderr]).toEqual([0, expect.not.stringMatching(/Error/)]);
  expect(Number(/^all\s+(\d+) cases/m.exec(stdout)?.[1])).toBeGreaterThanOrEqual(24);
  expect(stdout).toMatch(/^no cause\s+1 cases\s+none named 100\.0 %$/m);
  expect(stdout).toMatch(
    /targets: top-1 90\.0 % met, top-3 98\.0 % met; full processors blamed on storage: 0$/m,
  );
});
