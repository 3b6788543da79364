import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { PlanFile } from '../../src/core/plan/plan.ts';
import { testPlanFile } from '../engine/testing/engineHarness.ts';
import { runHere, type Said } from './testing/runHere.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'tilebench-trust-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function check(file: PlanFile, ...options: string[]): Promise<Said> {
  const path = join(dir, 'plan.json');
  writeFileSync(path, JSON.stringify(file));
  return runHere('check', path, '--data', join(dir, 'data'), ...options);
}

/** Peers that nobody answers for: nothing listens on port 1. */
function plan(port = 1): PlanFile {
  const file = testPlanFile();
  const [java, batch] = file.profile!.workloads;
  return {
    ...file,
    profile: {
      ...file.profile!,
      workloads: [
        java!,
        {
          ...batch!,
          driver: 'command',
          params: { command: 'echo \u001b[2J\u202e hidden', pattern: '(?<throughput>\\d+)' },
        },
      ],
    },
    connections: file.connections.map((one) =>
      one.kind === 'power'
        ? { ...one, source: { ...one.source, host: '127.0.0.1', port } }
        : { ...one, host: '127.0.0.1', port },
    ),
  };
}

test('an unknown plan is shown and refused with 2; --trust agrees once and for all, to that and nothing else', async () => {
  const unknown = await check(plan());
  expect(unknown.code).toBe(2);
  for (const line of [
    'Not trusted yet: plan Plan',
    'vcenter vc: u@127.0.0.1:1',
    'fingerprint  none',
    'login        password from the variable VC (will be sent there)',
    'shell command, 2 workloads, on client one',
    '$ echo \\u001b[2J\\u202e hidden',
    'run the command again with --trust',
  ])
    expect(unknown.err).toContain(line);
  expect(unknown.err).not.toContain('\u001b');

  const trusted = await check(plan(), '--trust');
  expect(trusted.code).toBe(3);
  expect(trusted.err).toContain('Trusted with --trust: plan Plan');
  const again = await check(plan());
  expect([again.code, again.err.includes('rusted')]).toEqual([3, false]);

  const moved = await check(plan(2));
  expect(moved.code).toBe(2);
  expect(moved.err).toContain('port: 1 → 2');
  expect(moved.err).toContain('--clash keep, new or replace');
  expect((await check(plan(2), '--trust')).code).toBe(2);
  expect((await check(plan(2), '--trust', '--clash', 'replace')).code).toBe(3);
  expect((await check(plan(2))).code).toBe(3);
});

test('in the simulated workspace nothing is asked', async () => {
  const { code, err } = await check(plan(), '--demo');
  expect([code, err.includes('rusted')]).toEqual([3, false]);
});
