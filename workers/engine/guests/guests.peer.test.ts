import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import {
  guestAddress,
  guestHindrance,
  guestImageIsMade,
  type LabGuest,
  startGuest,
} from '../../../e2e/lab/guest.ts';
import { nightly } from '../../../e2e/lab/nightly.ts';
import { poll } from '../../../e2e/lab/poll.ts';
import { bundleHeadName, bundleIndexName, indexStanza } from '../../../src/core/roles/bundle.ts';
import { cloudInit } from '../../../src/core/roles/cloudInit.ts';
import type { GuestChoice, GuestJob } from '../../../src/core/roles/job.ts';
import { roleOf } from '../../../src/core/roles/roles.ts';
import { testbedSchema } from '../../../src/core/testbed/testbed.ts';
import { openDatabase } from '../db/open.ts';
import type { Database } from '../db/types.ts';
import { silentLog } from '../deps.ts';
import type { SshHost } from '../deps/ssh.ts';
import { findKit } from '../kit/findKit.ts';
import { createSshEdge } from '../ssh/edge.ts';
import {
  createBench,
  edgeWith,
  hopOf,
  memoryTrust,
  realClock,
  targetOf,
} from '../ssh/testing/peer.ts';
import { testProfile } from '../testing/engineHarness.ts';
import { createFakeClock } from '../testing/fakeClock.ts';
import { createFakeLab } from '../testing/fakeLab.ts';
import { getDriver } from '../workloads/index.ts';
import { makeBundle } from './bundle/makeBundle.ts';
import { writeTar } from './bundle/tar.ts';
import { createGuestService, type GuestService } from './service.ts';

const hindrance =
  guestHindrance() ??
  (nightly || guestImageIsMade()
    ? null
    : 'the image of a guest is not made yet: npm run nightly -- guests');
const bench = createBench();
const signal = new AbortController().signal;
const users = ['root', 'tile', 'plain'];
let dir: string;
let guest: LabGuest;
let db: Database;
let service: GuestService;
const hosts = new Map<string, SshHost>();

/** A guest with the logins root, tile (sudo) and plain, and an engine's service that knows them. */
async function begin(userData?: string): Promise<void> {
  dir = mkdtempSync(join(tmpdir(), 'tb-guests-'));
  guest = await startGuest({ name: 'guest', ...(userData === undefined ? {} : { userData }) });
  const privateKey = readFileSync(guest.privateKeyPath, 'utf8');
  db = openDatabase({ dataDir: dir, clock: realClock, log: silentLog, powerSafe: false });
  const { inventory } = createFakeLab(createFakeClock());
  const vms = inventory.vms.map((vm) => ({ ...vm, ip: guestAddress }));
  db.inventories.save({ ...inventory, vms });
  for (const user of users) {
    const { host, port, hostKeySha256 } = guest;
    const auth = { method: 'key', path: guest.privateKeyPath } as const;
    db.connections.save({ kind: 'client', id: user, name: user, host, port, user, auth });
    const hop = { host, port, user, hostKeySha256, auth: { method: 'key', privateKey } as const };
    hosts.set(user, bench.host(targetOf(hop), edgeWith()));
  }
  db.testbeds.save(
    testbedSchema.parse({
      id: 'tb',
      name: 'Bed',
      profileId: 'test-tile',
      vcenterId: inventory.vcenterId,
      tiles: [
        {
          index: 0,
          workloads: ['java', 'batch'].map((workloadId, i) => ({
            workloadId,
            clientId: 'load',
            vm: { ref: vms[i]!.ref, name: vms[i]!.name },
          })),
        },
      ],
    }),
  );
  service = createGuestService({
    deps: {
      clock: realClock,
      log: silentLog,
      lab: null,
      dataDir: dir,
      ids: { next: (name) => `${name}-1` },
    },
    db,
    peers: { client: async (id) => hosts.get(id)! },
    emit: () => undefined,
    profile: () => testProfile,
  });
  await poll('start of the guest', async () =>
    /running|degraded/.test(await said('systemctl is-system-running')),
  );
}
async function end(): Promise<void> {
  service.close();
  await bench.cleanUp();
  db.close();
  await guest.stop();
  rmSync(dir, { recursive: true, force: true });
}
const said = async (command: string): Promise<string> =>
  (await hosts.get('root')!.exec(command, { timeoutMs: 300_000 })).stdout;

const web: GuestChoice = { key: '0/java', roleId: 'web', connectionId: 'tile' };
const database: GuestChoice = { key: '0/batch', roleId: 'mariadb', connectionId: 'root' };

/** Works a job to its end. */
async function work(
  purpose: 'prepare' | 'undo',
  choices: GuestChoice[],
  { mirror = '', bundle = '' } = {},
): Promise<GuestJob> {
  await service.methods['guest.start'](
    { testbedId: 'tb', purpose, choices, settings: { mirror, bundle } },
    signal,
  );
  return ended();
}
const ended = (): Promise<GuestJob> =>
  poll('end of the job', () => {
    const job = db.guestJobs.get('tb');
    return job !== null && job.endedAtMs !== null && job;
  });
const outcome = ({ items }: GuestJob) =>
  items.map(({ roleId, state, error }) => [roleId, state, error?.message ?? null]);

/** What a machine is: packages, accounts, files below /etc, folders, units that start. */
const asItIs = `dpkg-query -W -f '\${db:Status-Abbrev} \${Package}\\n'
getent passwd; getent group
find /etc -xdev -type f ! -name ld.so.cache ! -name '*-' ! -name .pwd.lock -exec sha256sum {} + | sort -k2
find /etc -xdev -type l -printf '%p %l\\n' | sort
ls -d /var/lib/* /var/cache/* /var/spool/* /var/www /srv/* /usr/share/* /usr/lib/* /var/log/*/ 2>/dev/null
systemctl list-unit-files --state=enabled --no-legend --no-pager`;

if (hindrance !== null) test.skip(`a guest is prepared: ${hindrance}`, () => undefined);
else {
  describe('over SSH', () => {
    beforeAll(() => begin());
    afterAll(end);

    test('who may not become root, and a mirror that is away, are told in words', async () => {
      const job = await work('prepare', [{ ...web, connectionId: 'plain' }]);
      expect(outcome(job)).toEqual([
        ['web', 'failed', 'This user may not become root without a password.'],
      ]);
      const mirror = 'http://127.0.0.1:9/debian';
      const away = await work('prepare', [{ ...web, roleId: 'java' }], { mirror });
      expect(outcome(away)).toEqual([
        ['java', 'failed', 'The machine cannot reach its package mirror.'],
      ]);
      expect(outcome(await work('undo', [{ ...web, roleId: 'java' }]))).toEqual([
        ['java', 'done', null],
      ]);
    });

    test('two roles are prepared, active after that, not done twice, used by a driver, and undone to what was there', async () => {
      const before = await said(asItIs);
      expect(outcome(await work('prepare', [web, database]))).toEqual([
        ['web', 'done', null],
        ['mariadb', 'done', null],
      ]);
      expect(await said('systemctl is-active nginx mariadb')).toBe('active\nactive\n');
      expect(await said('systemctl is-enabled nginx mariadb')).toBe('enabled\nenabled\n');

      const again = await work('prepare', [web, database]);
      for (const { steps } of again.items)
        expect(steps.map(({ id, state }) => [id, state])).toEqual([
          ['look', 'done'],
          ...['packages', 'files', 'units', 'data'].map((id) => [id, 'already']),
          ['verify', 'done'],
        ]);

      await loadShop();
      expect(await said('mariadb -N -e "SELECT COUNT(*) FROM ds2.customers"')).toBe('20000\n');

      expect(outcome(await work('undo', [web, database]))).toEqual([
        ['web', 'done', null],
        ['mariadb', 'done', null],
      ]);
      expect((await said(asItIs)).split('\n')).toEqual(before.split('\n'));
      expect(await said('ls -A /var/lib/tilebench 2>&1')).toContain('No such file');
    });

    test('a full disk is told in words, and with room again the same preparation goes on', async () => {
      await said('mount -t tmpfs -o size=64k tmpfs /var/cache/apt/archives');
      expect(outcome(await work('prepare', [web]))).toEqual([
        ['web', 'failed', 'The disk of the machine is full.'],
      ]);
      await said('umount /var/cache/apt/archives');
      await service.methods['guest.retry']({ testbedId: 'tb' }, signal);
      expect(outcome(await ended())).toEqual([['web', 'done', null]]);
      expect(outcome(await work('undo', [web]))).toEqual([['web', 'done', null]]);
    });

    test('what was on the machine before stays: packages, a service that was off, an edited file', async () => {
      await said(
        'apt-get -q -y --no-install-recommends install nginx-light; systemctl disable --now nginx; echo "# mine" >/etc/nginx/conf.d/tilebench.conf',
      );
      const before = await said(asItIs);
      expect(outcome(await work('prepare', [web]))).toEqual([['web', 'done', null]]);
      expect(await said('systemctl is-active nginx')).toBe('active\n');
      expect(outcome(await work('undo', [web]))).toEqual([['web', 'done', null]]);
      expect((await said(asItIs)).split('\n')).toEqual(before.split('\n'));
      expect(await said('systemctl is-active nginx; cat /etc/nginx/conf.d/tilebench.conf')).toBe(
        'inactive\n# mine\n',
      );
    });
  });

  describe('without a way to any mirror', () => {
    beforeAll(async () => {
      await begin();
      guest.cutOff();
    });
    afterAll(end);
    const take = async (path: string): Promise<string> =>
      (await service.methods['guest.takeBundle']({ path }, signal)).sha256;

    test('a bundle for another release is refused by name, before any of it is sent', async () => {
      const bundle = await take(await strangeBundle('debian-13'));
      expect(outcome(await work('prepare', [web], { bundle }))).toEqual([
        ['web', 'failed', 'The bundle is for debian-13 amd64; the machine is debian-12 amd64.'],
      ]);
      expect(await said('ls /home/tile/.tilebench-files 2>&1')).toContain('No such file');
      expect(outcome(await work('undo', [web]))).toEqual([['web', 'done', null]]);
    });

    test('a role is prepared from a bundle alone, nothing of it stays, and undo leaves what was there', async () => {
      const before = await said(asItIs);
      expect(outcome(await work('prepare', [web]))).toEqual([
        ['web', 'failed', 'The machine cannot reach its package mirror.'],
      ]);
      const out = join(dir, 'web.tar');
      const roles = [roleOf('web')!];
      await makeBundle({ roles, release: 'debian-12', out, nowMs: 0 });
      const bundle = await take(out);
      expect(outcome(await work('prepare', [web], { bundle }))).toEqual([['web', 'done', null]]);
      expect(await said('systemctl is-active nginx')).toBe('active\n');
      expect(
        await said(
          'ls /home/tile/.tilebench-files; cd /var/lib/tilebench/roles/web && ls -d bundle lists',
        ),
      ).toBe('');
      const again = await work('prepare', [web], { bundle });
      expect(again.items[0]!.steps.find(({ id }) => id === 'packages')?.state).toBe('already');

      await expect(work('prepare', [database], { bundle })).rejects.toThrow(
        'The bundle has no packages for Database: MariaDB.',
      );
      expect(outcome(await work('undo', [web]))).toEqual([['web', 'done', null]]);
      expect((await said(asItIs)).split('\n')).toEqual(before.split('\n'));
      expect(await said('ls -d /home/tile/.tilebench-files 2>&1')).toContain('No such file');
    });
  });

  (nightly ? describe : describe.skip)('by cloud-init', () => {
    beforeAll(() => begin(cloudInit(roleOf('mail')!, { mirror: '' })));
    afterAll(end);

    test('mail is prepared at the first start, found as prepared over SSH, and undone', async () => {
      expect(await said('cloud-init status --wait')).toContain('status: done');
      expect(await said('systemctl is-active postfix dovecot')).toBe('active\nactive\n');
      const mail: GuestChoice = { key: '0/java', roleId: 'mail', connectionId: 'tile' };
      const job = await work('prepare', [mail]);
      expect(job.items[0]!.steps.find(({ id }) => id === 'packages')?.state).toBe('already');
      expect(outcome(await work('undo', [mail]))).toEqual([['mail', 'done', null]]);
      expect(
        await said('dpkg-query -W postfix dovecot-core 2>&1; ls /var/lib/tilebench 2>&1'),
      ).toMatch(/no packages found(.|\n)*No such file/);
    });
  });
}

/** A bundle that is whole in itself, for another release than the guest's. */
async function strangeBundle(release: string): Promise<string> {
  const path = join(dir, `${release}.tar`);
  const text = 'no package';
  const sha256 = createHash('sha256').update(text).digest('hex');
  const control = 'Package: nginx-light\nVersion: 1\nArchitecture: all';
  const file = 'nginx-light_1_all.deb';
  const head = { tilebenchBundle: 1, release, architecture: 'amd64', roles: ['web'], madeAtMs: 0 };
  await writeTar(path, [
    { name: bundleHeadName, text: JSON.stringify(head) },
    { name: bundleIndexName, text: indexStanza(control, { file, bytes: text.length, sha256 }) },
    { name: file, text },
  ]);
  return path;
}

/** A DVD Store of the smallest size, by the driver with its defaults, from a client of its own. */
async function loadShop(): Promise<void> {
  const sshd = await bench.sshd();
  const places = { sourceDir: 'kit', cacheDir: '.cache', carriedDir: 'resources/kit' };
  const edge = createSshEdge({
    clock: realClock,
    log: silentLog,
    trust: memoryTrust(),
    readKnownHosts: () => Promise.resolve(''),
    findKit: (platform) => findKit(places, platform),
  });
  const client = bench.host(targetOf(hopOf(sshd)), edge);
  const driver = getDriver('tilekit-dvdstore');
  const port = await guest.forward(3306);
  // Only address and port are the lab's: on a real network the VM's guest address stands in.
  const params = driver.params.parse({ host: '127.0.0.1', port });
  expect(await driver.check(client, params)).toMatchObject({ ok: true });
  await driver.prepare(client, params);
}
