import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { poll } from '../../e2e/lab/poll.ts';
import type { LabSshd } from '../../e2e/lab/sshd.ts';
import type { PlanFile } from '../../src/core/plan/plan.ts';
import type { GuestJob } from '../../src/core/roles/job.ts';
import { createBench } from '../engine/ssh/testing/peer.ts';
import { testPlanFile } from '../engine/testing/engineHarness.ts';
import { runHere, runInterrupted, type Said } from './testing/runHere.ts';

/**
 * A machine that is really logged in to and does nothing: its `flock`, which every step begins with,
 * notes the role and step that comes, waits while the file `hold` is there, and answers.
 */
const machine = {
  sudo: `shift; [ "$1" = true ] || exec "$@"`,
  flock: `script=$(cat)
cd "$TILEBENCH_ROOT"
case $script in *'apt-get "$@" update'*) step=install ;; *) step=other ;; esac
echo "$step begins" >>steps
while [ $step = install ] && [ -e hold ]; do sleep 0.1; done
echo "$step ends" >>steps
if [ $step = install ] && [ -e away ]; then
  echo 'Could not connect to mirror.lab:80 - connect (111: Connection refused)' >&2
  echo 'TB1 fault apt update'
  exit 1
fi
echo 'TB1 done well'`,
};

const bench = createBench();
let dir: string;
let sshd: LabSshd;
let planPath: string;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'tilebench-cli-guests-'));
  sshd = await bench.sshd({ name: 'guest', programs: machine });
  planPath = join(dir, 'plan.json');
  writeFileSync(planPath, JSON.stringify(plan()));
});
afterAll(async () => {
  await bench.cleanUp();
  rmSync(dir, { recursive: true, force: true });
});
beforeEach(() => {
  for (const name of ['steps', 'hold', 'away']) rmSync(at(name), { force: true });
});

const at = (name: string): string => join(sshd.home, name);
const steps = (): string[] =>
  existsSync(at('steps')) ? readFileSync(at('steps'), 'utf8').trim().split('\n') : [];

/** One tile of two workloads; the VM of the first has a login of its own name, the other has none. */
function plan(): PlanFile {
  const file = testPlanFile();
  const [tile] = file.testbed.tiles;
  const login = {
    kind: 'client',
    id: 'g0',
    name: 'vm0',
    host: sshd.host,
    port: sshd.port,
    user: sshd.user,
    hostKeySha256: sshd.hostKeySha256,
    auth: { method: 'key', path: sshd.privateKeyPath },
  } as const;
  return {
    ...file,
    connections: [...file.connections.filter(({ kind }) => kind === 'client'), login],
    testbed: { ...file.testbed, vcenterId: null, powerIds: [], tiles: [tile!] },
    plan: { ...file.plan, tiles: 1 },
  };
}

const guests = (command: string, ...options: string[]): Promise<Said> =>
  runHere('guests', command, planPath, '--data', join(dir, 'data'), ...options);
const web = ['--machine', '1/java=web'];

test('nothing is sent before the file, and then what is done to which machine, was shown and agreed to', async () => {
  const unknown = await guests('prepare', ...web);
  expect([unknown.code, unknown.err]).toEqual([2, expect.stringContaining('Not trusted yet')]);

  const shown = await guests('plan', '--trust');
  // The other machine has a role and no login: not ready.
  expect(shown.code).toBe(3);
  for (const words of [
    'Prepares 1 machine of testbed Bed',
    `1/java  vm0, address not known: Java: OpenJDK, with an order server, by g0 (${sshd.user}@127.0.0.1:${sshd.port})`,
    'installs default-jdk-headless; writes 1 file',
    '1/batch  vm1: no login is plainly its own; one is chosen by --machine 1/batch@LOGIN',
  ])
    expect(shown.out).toContain(words);

  const asked = await guests('prepare', ...web);
  expect(asked.code).toBe(2);
  expect(asked.err).toContain('1/java  vm0, address not known: Web server: nginx, by g0');
  expect(asked.err).toContain('Nothing was sent to the machines of Bed.\n');
  expect(steps()).toEqual([]);
  expect(sshd.log()).not.toContain('Accepted');
});

test('a machine is prepared, its state shown, and put back, with each step told and one JSON object', async () => {
  const prepared = await guests('prepare', ...web, '--trust', '--json');
  expect({ code: prepared.code, said: prepared.code === 0 ? '' : prepared.err }).toEqual({
    code: 0,
    said: '',
  });
  const { outcome, job } = JSON.parse(prepared.out) as { outcome: string; job: GuestJob };
  expect([outcome, job.items.map(({ key, roleId, state }) => [key, roleId, state])]).toEqual([
    'done',
    [['0/java', 'web', 'done']],
  ]);
  expect(prepared.err).toContain('  vm0: Install packages: done. Well\n');
  expect(steps()).toHaveLength(2 * job.items[0]!.steps.length);

  const status = await guests('status');
  expect([status.code, status.out]).toEqual([0, '1 of 1 machine prepared.\n']);

  const asked = await guests('undo');
  expect([asked.code, asked.err]).toEqual([
    2,
    expect.stringContaining('1/java  vm0, address not known: Web server: nginx, by g0'),
  ]);
  const undone = await guests('undo', '--trust');
  expect([undone.code, undone.out]).toEqual([0, '1 of 1 machine put back.\n']);
  const nothing = await guests('undo', '--trust');
  expect([nothing.code, nothing.err]).toEqual([
    2,
    expect.stringContaining('There is nothing to do'),
  ]);
});

test('a machine that fails ends the command with 4, and says why and what to do', async () => {
  writeFileSync(at('away'), '');
  const { code, out } = await guests('prepare', ...web, '--trust');
  expect([code, out]).toEqual([
    4,
    '0 of 1 machine prepared, 1 failed.\n' +
      'vm0: The machine cannot reach its package mirror. Let it reach the mirror, ' +
      'or give the address of a mirror in the lab, and retry.\n',
  ]);
});

test('a key that the machine does not take is told in words, and nothing is done there', async () => {
  const key = join(dir, 'other_key');
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key]);
  const file = plan();
  const auth = { method: 'key', path: key } as const;
  const path = join(dir, 'other.json');
  writeFileSync(
    path,
    JSON.stringify({
      ...file,
      connections: file.connections.map((one) =>
        one.kind === 'client' && one.id === 'g0' ? { ...one, auth } : one,
      ),
    }),
  );
  const { code, out } = await runHere(
    ...['guests', 'prepare', path, '--data', join(dir, 'other'), '--trust', ...web],
  );
  expect([code, out]).toEqual([
    4,
    expect.stringMatching(/^0 of 1 machine prepared, 1 failed\.\nvm0: .*(refused|key)/),
  ]);
  expect(steps()).toEqual([]);
});

test('Ctrl-C lets the step under way end and begins no other', async () => {
  writeFileSync(at('hold'), '');
  let interrupt: (count: number) => void = () => undefined;
  const ended = runInterrupted(
    {
      on: (listener) => {
        interrupt = listener;
        return () => undefined;
      },
    },
    ...['guests', 'prepare', planPath, '--data', join(dir, 'data'), '--trust', ...web],
  );
  await poll('the step that is held', () => steps().at(-1) === 'install begins');
  interrupt(1);
  rmSync(at('hold'));
  const { code, out } = await ended;
  expect([code, out]).toEqual([5, '0 of 1 machine prepared, 1 cancelled.\n']);
  expect(steps()).toEqual(['other begins', 'other ends', 'install begins', 'install ends']);
});

test.each([
  [['--machine', '9/java'], 'The testbed has no machine 9/java.'],
  [['--machine', '1/java=nothing', '--trust'], 'There is no role nothing.'],
  [['--machine', '1/java@c1', '--trust'], 'generates load'],
  [['--machine', '@g0'], 'is no machine'],
  [['--mirror', 'mirror.lab'], 'is no address of a mirror'],
  [['--bundle', '/none.tar', '--trust'], '/none.tar cannot be taken: it is not there'],
])('%j is refused with 2, and nothing is sent', async (options, words) => {
  const { code, err } = await guests('prepare', ...options);
  expect([code, err]).toEqual([2, expect.stringContaining(words)]);
  expect(steps()).toEqual([]);
});

test('a role is printed as user-data without a data folder; an unknown one names those there are', async () => {
  const { code, out } = await runHere('guests', 'cloud-init', 'web');
  expect([code, out.startsWith('#cloud-config\n# Web server: nginx.')]).toEqual([0, true]);
  const unknown = await runHere('guests', 'cloud-init', 'nothing');
  expect([unknown.code, unknown.err]).toEqual([2, expect.stringContaining('mariadb, postgresql')]);
  const bundle = await runHere('guests', 'bundle', 'nothing', '--out', join(dir, 'x.tar'));
  expect([bundle.code, bundle.err]).toEqual([
    2,
    expect.stringContaining('There is no role nothing'),
  ]);
});
