import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { readAnswer, type StepAnswer } from './faults.ts';
import { roles } from './roles.ts';
import { prepareSteps, type RoleStep, undoSteps } from './steps.ts';
import type { Role } from './types.ts';

/**
 * Steps for the Red Hat family against stand-ins for rpm, dnf, systemctl and firewall-cmd, which
 * behave as their manuals say: no such machine was at hand. `rpms` lists what is installed, `needs`
 * who needs it.
 */
const standIns: Readonly<Record<string, string>> = {
  id: 'echo 0',
  ip: 'echo "2: eth0 inet 10.0.0.5/24 x"',
  df: 'echo x; echo "x 1 1 9000000 x"',
  dnf: `while [ "$1" != install ]; do shift; done; shift
[ ! -e away ] || { echo 'Curl error (7): Could not connect to server' >&2; exit 1; }
for one; do echo "$one"; echo "$one-libs"; done >>rpms`,
  rpm: `case $1 in
-qa) cat rpms; echo gpg-pubkey ;;
-q) grep -qx "$3" rpms ;;
-e)
  shift; test=no; [ "$1" != --test ] || { test=yes; shift; }
  [ ! -s needs ] || {
    printf 'error: Failed dependencies:\\n\\t%s is needed by (installed) %s\\n' "$1" "$(cat needs)" >&2
    exit 1
  }
  [ $test = yes ] || for one; do grep -vx "$one" rpms >rpms.new; mv rpms.new rpms; done ;;
esac`,
  systemctl: `[ "$1" != -q ] || shift
case $1 in
is-active) grep -qx "$2" active && { echo active; exit 0; }; echo inactive; exit 3 ;;
is-enabled) grep -qx "$2" enabled && { echo enabled; exit 0; }; echo disabled; exit 1 ;;
enable) echo "$2" >>enabled ;;
start | restart) grep -qx "$2" active || echo "$2" >>active ;;
disable) grep -vx "$2" enabled >x; mv x enabled ;;
stop) grep -vx "$2" active >x; mv x active ;;
esac
exit 0`,
  'firewall-cmd': `for one; do case $one in
--query-port=*) grep -qx "\${one#*=}" ports; exit ;;
--permanent) touch permanent ;;
--add-port=*) grep -qx "\${one#*=}" ports || echo "\${one#*=}" >>ports ;;
--remove-port=*) grep -vx "\${one#*=}" ports >x; mv x ports ;;
esac; done; exit 0`,
};

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'tb-red-hat-'));
  mkdirSync(join(dir, 'bin'));
  mkdirSync(join(dir, 'systemd'));
  for (const [name, script] of Object.entries(standIns)) {
    writeFileSync(join(dir, 'bin', name), `#!/bin/sh\ncd ${dir}\n${script}\n`);
    chmodSync(join(dir, 'bin', name), 0o755);
  }
  write('rpms', 'bash\nglibc\n');
  write('active', 'firewalld\n');
  for (const name of ['enabled', 'ports']) write(name, '');
  osRelease('rocky', '9.4');
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const write = (name: string, text: string): void => writeFileSync(join(dir, name), text);
const read = (name: string): string => readFileSync(join(dir, name), 'utf8');
const osRelease = (id: string, version: string): void =>
  write(
    'os-release',
    `ID=${id}\nVERSION_ID="${version}"\nID_LIKE="rhel fedora"\nPRETTY_NAME="${id} ${version}"\n`,
  );

/** Runs a step with its stand-ins in front, and all that it notes in a folder of its own. */
function run({ script }: RoleStep): StepAnswer {
  const here = script
    .replace(/^PATH=.*$/m, `PATH=${dir}/bin:/usr/bin:/bin`)
    .replaceAll('/etc/os-release', `${dir}/os-release`)
    .replaceAll('/run/systemd/system', `${dir}/systemd`)
    .replaceAll('/var/lib/tilebench', `${dir}/lib`);
  const { status, stdout, stderr } = spawnSync('sh', ['-s'], { input: here, encoding: 'utf8' });
  return readAnswer({ code: status, stdout, stderr });
}

/** The web server, without what would be written to or removed from this very machine. */
const web = roles.find(({ id }) => id === 'web')!;
const role: Role = {
  ...web,
  redHat: { ...web.redHat, leaves: { paths: [], accounts: [] } },
};
const step = (purpose: 'prepare' | 'undo', id: string, settings = { mirror: '' }): StepAnswer => {
  const steps =
    purpose === 'prepare' ? prepareSteps(role, settings, 'redhat') : undoSteps(role, 'redhat');
  return run(steps.find((one) => one.id === id)!);
};

test.each([
  ['rocky', '9.4', 'redhat'],
  ['almalinux', '8.10', 'redhat'],
  ['rhel', '9', 'redhat'],
  ['rhel', '10.0', null],
  ['amzn', '2', null],
])('%s %s is of the family %s', (id, version, family) => {
  osRelease(id, version);
  const answer = step('prepare', 'look');
  expect([answer.family, answer.fault === null]).toEqual([family, family !== null]);
  expect(answer.note).toBe(
    family ? `${id} ${version}; roles were not yet run on such a machine` : '',
  );
  expect(answer.addresses).toEqual(['10.0.0.5']);
});

test('packages that came are noted, not installed twice, and exactly these are removed', () => {
  expect(step('prepare', 'packages')).toMatchObject({
    state: 'done',
    note: '2 packages with what they need',
  });
  expect(read('rpms')).toBe('bash\nglibc\nnginx\nnginx-libs\n');
  expect(step('prepare', 'packages').state).toBe('already');
  expect(step('undo', 'packages')).toMatchObject({ state: 'done', note: '2 packages' });
  expect(read('rpms')).toBe('bash\nglibc\n');
});

test('what was there stays, and what others came to need is named and not removed', () => {
  write('rpms', 'bash\nnginx\n');
  expect(step('prepare', 'packages').state).toBe('already');
  expect(step('undo', 'packages')).toMatchObject({ state: 'already' });
  expect(read('rpms')).toBe('bash\nnginx\n');

  write('rpms', 'bash\n');
  step('prepare', 'packages');
  write('needs', 'php-fpm-8.0-1.el9');
  expect(step('undo', 'packages').fault?.message).toBe(
    'Packages stay, because others came to need them since: php-fpm-8.0-1.el9.',
  );
  expect(read('rpms')).toBe('bash\nnginx\nnginx-libs\n');
});

test('a mirror that is away is told, and so is one of APT', () => {
  write('away', '');
  expect(step('prepare', 'packages').fault?.message).toBe(
    'The machine cannot reach its package mirror.',
  );
  rmSync(join(dir, 'away'));
  expect(step('prepare', 'packages').state).toBe('done');
  rmSync(join(dir, 'lib'), { recursive: true });
  write('rpms', 'bash\n');
  const settings = { mirror: 'http://mirror.lab.example/debian' };
  expect(step('prepare', 'packages', settings).fault?.message).toContain('in the form of APT');
});

test('services start, firewalld lets their ports through, and both are put back', () => {
  step('prepare', 'packages');
  expect(step('prepare', 'units')).toMatchObject({ state: 'done', note: 'nginx' });
  expect([read('active'), read('enabled'), read('ports')]).toEqual([
    'firewalld\nnginx\n',
    'nginx\n',
    '80/tcp\n',
  ]);
  expect(existsSync(join(dir, 'permanent'))).toBe(true);
  expect(step('prepare', 'units').state).toBe('already');
  step('undo', 'stop');
  step('undo', 'packages');
  expect(step('undo', 'units').state).toBe('done');
  expect([read('active'), read('enabled'), read('ports')]).toEqual(['firewalld\n', '', '']);
  expect(step('undo', 'verify')).toMatchObject({ state: 'done', note: 'as it was' });
  expect(existsSync(join(dir, 'lib'))).toBe(false);
});

test('without firewalld no port is opened', () => {
  write('active', '');
  step('prepare', 'packages');
  expect(step('prepare', 'units').state).toBe('done');
  expect(read('ports')).toBe('');
});
