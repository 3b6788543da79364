import { execFileSync } from 'node:child_process';

import { cloudInit } from './cloudInit.ts';
import { readAnswer } from './faults.ts';
import { guestSettings } from './job.ts';
import { roleFor, roles } from './roles.ts';
import { shellWord } from './shell.ts';
import { prepareSteps, undoSteps } from './steps.ts';
import { families, roleOn } from './systems.ts';

const settings = { mirror: 'http://mirror.lab/debian' };

test('a word for a shell is exactly the text, whatever is in it', () => {
  const texts = [
    "it's",
    '$(id) `id` "x" \\ \n\t!',
    "'",
    "''",
    '',
    '-n',
    '*',
    'a\nTB_EOF\nb',
    'ä€😀',
  ];
  for (const text of texts)
    expect(execFileSync('sh', ['-c', `printf %s ${shellWord(text)}`], { encoding: 'utf8' })).toBe(
      text,
    );
  expect(() => shellWord('a\0b')).toThrow('NUL');
});

test('every step of every role is a script that sh takes, and ends with an answer', () => {
  for (const role of roles)
    for (const { id, script } of [
      ...prepareSteps(role, settings),
      ...prepareSteps(role, { ...settings, bundle: 'a'.repeat(64) }),
      ...undoSteps(role),
      ...prepareSteps(role, { mirror: '' }, 'redhat'),
      ...undoSteps(role, 'redhat'),
    ]) {
      execFileSync('sh', ['-n'], { input: script });
      expect([role.id, id, /say (done|"done|already)/.test(script)]).toEqual([role.id, id, true]);
    }
});

test('ids are their own, and undo has a step for everything that is done', () => {
  expect(new Set(roles.map(({ id }) => id)).size).toBe(roles.length);
  for (const role of roles) {
    expect(role.id).toMatch(/^[a-z]+$/);
    for (const family of families) {
      const on = roleOn(role, family);
      expect([role.id, on.setup === undefined]).toEqual([role.id, on.unset === undefined]);
      const undone = undoSteps(role, family).map(({ id }) => id);
      const done = prepareSteps(role, settings, family).map(({ id }) => id);
      for (const id of done) expect(undone).toContain(id);
      // A job names its steps before it knows the kind of system.
      expect(done).toEqual(prepareSteps(role, settings).map(({ id }) => id));
      for (const { path } of on.files) expect(path).toMatch(/^\/(etc|srv|var\/lib\/pgsql)\//);
      for (const path of on.leaves.paths)
        expect(path).toMatch(/^\/(etc|var\/[a-z]+|srv|usr\/lib|usr\/share)\/.|^\/var\/www$/);
    }
    for (const { path, how } of role.files)
      expect(how === 'whole' || path.includes('*')).toBe(true);
  }
});

test('a role fits its workload, and the database that its driver asks for', () => {
  expect(roleFor('database', { kind: 'postgres' })?.id).toBe('postgresql');
  expect(roleFor('database', { kind: 'mysql' })?.id).toBe('mariadb');
  expect(roleFor('database', {})?.id).toBe('mariadb');
  expect(roleFor('web', {})?.id).toBe('web');
  expect(roleFor('standby', {})?.id).toBe('standby');
  expect(roleFor('io', {})).toBeNull();
});

test('user-data is YAML with the very steps of SSH in it', () => {
  for (const role of roles) {
    const text = cloudInit(role, settings);
    expect(text.startsWith('#cloud-config\n')).toBe(true);
    expect(text).toContain('\nlocale: false\nmanage_etc_hosts: true\n');
    const block = /content: \|\n((?: {6}.*\n|\n)*)/.exec(text)![1]!;
    const script = block.replaceAll(/^ {6}/gm, '');
    execFileSync('sh', ['-n'], { input: script });
    for (const step of prepareSteps(role, settings)) expect(script).toContain(step.script);
  }
});

test('a bundle is named by its digest, and old settings have none', () => {
  expect(guestSettings.parse({ mirror: '' })).toEqual({ mirror: '', bundle: '' });
  expect(guestSettings.safeParse({ bundle: '../x' }).success).toBe(false);
  expect(guestSettings.safeParse({ bundle: 'a'.repeat(64) }).success).toBe(true);
});

test.each([
  ['http://mirror/debian', true],
  ['', true],
  ['file:/media/debian', true],
  ['http://a b', false],
  ["http://a'; rm -rf /", false],
  ['mirror', false],
])('the address of a mirror %j is taken: %s', (mirror, ok) => {
  expect(guestSettings.safeParse({ mirror }).success).toBe(ok);
});

const answer = (stdout: string, stderr = '', code: number | null = 0) =>
  readAnswer({ code, stdout, stderr });

test('what a machine says is read, with noise of a login shell around it', () => {
  expect(answer('Welcome!\nTB1 addresses 10.0.0.5 fe80::1 \nTB1 done Debian\n')).toEqual({
    state: 'done',
    note: 'Debian',
    addresses: ['10.0.0.5', 'fe80::1'],
    family: null,
    clockMs: null,
    wantsBundle: false,
    fault: null,
  });
  expect(answer('TB1 already every package is there').state).toBe('already');
  expect(answer('TB1 fault broken a\nTB1 done x').state).toBe('failed');
  expect(answer('TB1 family redhat\nTB1 done Rocky').family).toBe('redhat');
  expect(answer('TB1 family beos\nTB1 done BeOS').family).toBeNull();
  expect(answer('TB1 clock 1700000000\nTB1 done x').clockMs).toBe(1_700_000_000_000);
  expect(answer('TB1 clock never\nTB1 done x').clockMs).toBeNull();
  expect(answer('TB1 want bundle')).toMatchObject({ wantsBundle: true, fault: null });
  expect(answer('TB1 want bundle', 'oh no', 1).fault?.message).toContain('code 1');
  expect(answer('').fault?.message).toBe('The step ended with code 0.');
  expect(answer('TB1 done x', 'oh no', 1).fault?.message).toBe('The step ended with code 1. oh no');
  expect(answer('', '', 124).fault?.message).toContain('longer than 20 minutes');
  expect(answer('', '', 75).fault?.message).toContain('Another preparation');
});

/** As APT 2.6 says it with LC_ALL=C. */
test.each([
  ["W: Failed to fetch http://x/InRelease  Temporary failure resolving 'x'", 'name server (DNS)'],
  [
    'Could not connect to 127.0.0.1:9 (127.0.0.1). - connect (111: Connection refused)',
    'cannot reach its package mirror',
  ],
  [
    'E: Release file for http://x/InRelease is not valid yet (invalid for another 5h 3min).',
    'clock of the machine is wrong',
  ],
  [
    'E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 12 (apt-get)',
    'holds the package lock',
  ],
  [
    "E: You don't have enough free space in /var/cache/apt/archives/.",
    'disk of the machine is full',
  ],
  [
    'dpkg: error: cannot copy extracted data: failed to write (No space left on device)',
    'disk of the machine is full',
  ],
  ['E: Unable to locate package mariadb-server', 'does not have a package'],
  [
    "E: The repository 'http://x bookworm Release' does not have a Release file.",
    'nothing that is signed',
  ],
])('APT says %j: %s', (stderr, words) => {
  expect(answer('TB1 fault apt update', stderr, 1).fault?.message).toContain(words);
});

/** As dnf 4 and rpm 4 have it in their sources. */
test.each([
  ['Curl error (6): Could not resolve hostname: Could not resolve host: x', 'name server (DNS)'],
  ["Curl error (7): Couldn't connect to server for http://x", 'cannot reach its package mirror'],
  ['Curl error (60): SSL: certificate is not yet valid', 'clock of the machine is wrong'],
  ['At least 120MB more space needed on the / filesystem.', 'disk of the machine is full'],
  ['Error: Unable to find a match: mariadb-server', 'do not have a package'],
  ['Error: GPG check FAILED', 'not signed by a key'],
  ['This system is not registered with an entitlement server.', 'no repositories'],
  ['Error: Cannot download repodata/repomd.xml: All mirrors were tried', 'its own list names'],
  ['what nobody thought of', 'The package manager failed (install). what nobody thought of'],
])('dnf says %j: %s', (stderr, words) => {
  expect(answer('TB1 fault dnf install', stderr, 1).fault?.message).toContain(words);
});

test.each([
  ['sudo', 'may not become root'],
  ['system openSUSE Leap 15.6', 'it is openSUSE Leap 15.6'],
  ['source bundle', 'The bundle is in the form of APT'],
  ['init', 'systemd does not run'],
  ['space 1024 700000', '1 MB are free, 684 MB are needed'],
  ['unit nginx', 'The service nginx does not start'],
  ['port 25', 'Nothing answers on port 25'],
  [
    'release debian-12 amd64 for debian-13 arm64',
    'for debian-13 arm64; the machine is debian-12 amd64',
  ],
  ['bundle its SHA-256 differs', 'did not arrive as it was sent: its SHA-256 differs'],
  ['needed php-fpm ', 'others came to need them since: php-fpm.'],
])('a fault %j says %s', (fault, words) => {
  const { fault: said } = answer(`TB1 fault ${fault}`, '', 1);
  expect(said?.message).toContain(words);
  expect(said?.hint).not.toBe('');
});
