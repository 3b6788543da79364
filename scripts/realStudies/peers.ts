import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startChild } from '../../e2e/lab/child.ts';
import { readInventory } from '../../e2e/lab/lab.ts';
import { startDovecot, startPostfix } from '../../e2e/lab/mail.ts';
import { startMariadb } from '../../e2e/lab/mariadb.ts';
import { startNginx } from '../../e2e/lab/nginx.ts';
import { startNut } from '../../e2e/lab/nut.ts';
import { poll } from '../../e2e/lab/poll.ts';
import { freePort } from '../../e2e/lab/ports.ts';
import { startPostgres } from '../../e2e/lab/postgres.ts';
import { processTree } from '../../e2e/lab/processes.ts';
import { startSshd } from '../../e2e/lab/sshd.ts';
import { startTilekitServe } from '../../e2e/lab/tilekitServe.ts';
import { startVcsim, type Vcsim } from '../../e2e/lab/vcsim.ts';
import { toAppError } from '../../src/core/base/errors.ts';
import type { DriverParams } from '../../src/core/profile/profile.ts';
import { connectionSchema } from '../../src/core/testbed/connection.ts';
import { findKit } from '../../workers/engine/kit/findKit.ts';
import type { LevelChange, PeerName, RealStudy } from './mapping.ts';
import type { RealLab } from './variant.ts';

export interface RealPeers {
  lab: RealLab;
  /** What a person would do for a level; ends when it is done. */
  byHand(change: LevelChange): Promise<void>;
  stop(): Promise<void>;
}

const mailUsers = 20;
const password = 'real-peers';
/** Of one download, in KB. */
const largeKb = 256;

interface Parts {
  dir: string;
  /** A folder of a file system in memory. */
  memoryDir: string;
  tiles: number;
  /** Workload ids of all studies. */
  workloads: readonly string[];
  started: <T extends { stop(): Promise<unknown> }>(part: Promise<T>) => Promise<T>;
}
type Where = (tile: number, workloadId: string) => DriverParams;

/**
 * Starts a vCenter simulator, clients, a power meter's server and whatever servers these studies
 * load, on loopback and free ports, in folders of their own. Ends what it started where one of them
 * fails.
 */
export async function startPeers(studies: readonly RealStudy[]): Promise<RealPeers> {
  const dir = mkdtempSync(join(tmpdir(), 'tbreal-'));
  const memoryDir = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'tbreal-'));
  const ends: (() => Promise<unknown>)[] = [
    async () => {
      for (const path of [dir, memoryDir]) rmSync(path, { recursive: true, force: true });
    },
  ];
  const stop = async (): Promise<void> => {
    const faults: unknown[] = [];
    for (const end of ends.splice(0).reverse())
      await end().catch((thrown: unknown) => faults.push(thrown));
    if (faults.length > 0) throw new AggregateError(faults, 'Parts of the lab did not stop.');
  };
  const parts: Parts = {
    dir,
    memoryDir,
    tiles: Math.max(...studies.map(({ tiles }) => tiles)),
    workloads: [...new Set(['file', 'io', 'standby', ...studies.flatMap(loadIds)])],
    async started(part) {
      const made = await part;
      ends.push(() => made.stop());
      return made;
    },
  };
  try {
    const vcsim = await startVcenter(parts);
    const known = await connectionsOf(parts, vcsim);
    const where = new Map<PeerName, Where>();
    for (const name of new Set(studies.flatMap(peersOf))) {
      const found = await starters[name](parts).catch((thrown: unknown) => toAppError(thrown));
      // A study that needs it is told as not run; the others run.
      where.set(
        name,
        typeof found === 'function'
          ? found
          : () => {
              throw new Error(`The peer ${name} did not start: ${found.message}`);
            },
      );
    }
    return {
      lab: {
        ...known,
        params: (peer, tile, workloadId) => where.get(peer)?.(tile, workloadId) ?? {},
      },
      byHand: (change) => byHand(vcsim, known.hosts, change),
      stop,
    };
  } catch (thrown) {
    await stop();
    throw thrown;
  }
}

const loadIds = (study: RealStudy): string[] => study.loads.map(({ id }) => id);
const peersOf = (study: RealStudy): PeerName[] => [
  ...study.loads.map(({ peer }) => peer),
  ...study.axes.flatMap(({ levels }) =>
    levels.flatMap(({ change }) => Object.values(change.peers ?? {})),
  ),
];
const vmName = (tile: number, workloadId: string): string => `tile${tile + 1}-${workloadId}`;
const eachTile = <T>({ tiles }: Parts, make: (tile: number) => T): T[] =>
  Array.from({ length: tiles }, (_, tile) => make(tile));

function startVcenter(parts: Parts): Promise<Vcsim> {
  const vmNames = eachTile(parts, (tile) =>
    parts.workloads.map((workload) => vmName(tile, workload)),
  ).flat();
  return parts.started(
    startVcsim({ vmNames, vms: Math.max(12, vmNames.length), password, taskDelayMs: 300 }),
  );
}

/** vCenter, a client for each tile and the meter, as connections; what vCenter has, by name. */
async function connectionsOf(parts: Parts, vcsim: Vcsim): Promise<Omit<RealLab, 'params'>> {
  const { dir, started } = parts;
  const clients = [];
  for (const name of eachTile(parts, (tile) => `client${tile + 1}`))
    clients.push(await started(startSshd({ name, dir: join(dir, name) })));
  const nut = await started(startNut({ dir }));
  const passwordFile = join(dir, 'vcenter-password');
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  const { vms, hosts, datastores } = await readInventory(vcsim);
  const byName = new Map(vms.map((vm) => [vm.name, vm]));
  const connections = [
    {
      kind: 'vcenter',
      id: 'real-vcenter',
      name: 'vCenter simulator',
      host: vcsim.host,
      port: vcsim.port,
      user: vcsim.user,
      password: { file: passwordFile },
      fingerprint256: vcsim.fingerprint256,
    },
    ...clients.map((client) => ({
      kind: 'client',
      id: `real-${client.name}`,
      name: client.name,
      host: client.host,
      port: client.port,
      user: client.user,
      auth: { method: 'key', path: client.privateKeyPath },
      hostKeySha256: client.hostKeySha256,
    })),
    {
      kind: 'power',
      id: 'real-power',
      name: 'Power meter (dummy-ups)',
      source: { type: 'nut', host: nut.host, port: nut.port, ups: nut.ups },
    },
  ];
  const named = ({ ref, name }: { ref: string; name: string }) => ({ ref, name });
  return {
    connections: connections.map((one) => connectionSchema.parse(one)),
    vcenterId: 'real-vcenter',
    powerId: 'real-power',
    clientIds: clients.map(({ name }) => `real-${name}`),
    hosts: hosts.map(named),
    datastores: datastores.map(named),
    vms: vms.map(named),
    vm(tile, workloadId) {
      const vm = byName.get(vmName(tile, workloadId));
      if (!vm) throw new Error(`The vCenter simulator has no VM ${vmName(tile, workloadId)}.`);
      return { ...named(vm), datastoreRef: vm.datastoreRefs[0] ?? '' };
    },
  };
}

/** How each peer is started, and where a workload of a tile finds it. */
const starters: Readonly<Record<PeerName, (parts: Parts) => Promise<Where>>> = {
  client: () => Promise.resolve(() => ({})),
  mail: startMail,
  site: startSite,
  async largeFile({ dir, started }) {
    const nginx = await started(startNginx({ dir }));
    writeFileSync(join(dir, 'nginx', 'pages', 'large.bin'), Buffer.alloc(largeKb * 1_024, 'l'));
    return () => ({ host: '127.0.0.1', port: nginx.port, pages: 'path', path: '/large.bin' });
  },
  database: (parts) => startDatabases(parts, join(parts.dir, 'oltp')),
  async shop(parts) {
    const where = await startDatabases(parts, join(parts.dir, 'shop'));
    return (tile, workloadId) => ({ kind: 'mysql', ...where(tile, workloadId) });
  },
  async memoryShop(parts) {
    const where = await startDatabases(parts, join(parts.memoryDir, 'shop'));
    return (tile, workloadId) => ({ kind: 'mysql', ...where(tile, workloadId) });
  },
  async node(parts) {
    const all: Where[] = [];
    for (const dir of eachTile(parts, (tile) => join(parts.dir, `node${tile + 1}`)))
      all.push(await startDatabases(parts, dir));
    return (tile, workloadId) => ({ kind: 'mysql', ...all[tile]?.(tile, workloadId) });
  },
  async rows({ dir, started }) {
    const { host, port, user, database } = await started(
      startPostgres({ password, database: 'pgbench' }),
    );
    const passFile = join(dir, 'pgpass');
    writeFileSync(passFile, `${host}:${port}:${database}:${user}:${password}\n`, { mode: 0o600 });
    return () => ({ host, port, user, database, passFile });
  },
  ownFolder: (parts) => folders(parts, (tile) => join(parts.dir, `disk${tile + 1}`)),
  sharedFolder: async (parts) => {
    const where = await folders(parts, () => join(parts.dir, 'volume'));
    return (tile, workloadId) => ({
      ...where(tile, workloadId),
      fileName: `vm${tile + 1}.fio`,
    });
  },
  async otherDisk(parts) {
    const memory = join(parts.dir, 'memory');
    mkdirSync(memory);
    // Drivers refuse folders below /dev: this one is mounted elsewhere, which root may.
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1g,mode=700', 'tilebench', memory], {
      stdio: 'pipe',
    });
    await parts.started(
      Promise.resolve({
        stop: () => Promise.resolve(execFileSync('umount', ['--lazy', memory], { stdio: 'pipe' })),
      }),
    );
    return folders(parts, (tile) => join(tile % 2 === 0 ? parts.dir : memory, `other${tile + 1}`));
  },
  async packets(parts) {
    const servers: { port: number }[] = [];
    for (const _ of eachTile(parts, () => null))
      servers.push(await parts.started(startTilekitServe(parts.dir, (await ownKit()).path)));
    return (tile) => ({ host: '127.0.0.1', port: servers[tile]?.port ?? 0 });
  },
};

function folders(parts: Parts, path: (tile: number) => string): Promise<Where> {
  for (const dir of eachTile(parts, path)) mkdirSync(dir, { recursive: true });
  return Promise.resolve((tile) => ({ directory: path(tile) }));
}

/** A MariaDB with a database for each workload of each tile. */
async function startDatabases(parts: Parts, dir: string): Promise<Where> {
  const name = (tile: number, workloadId: string): string =>
    `${workloadId.replaceAll('-', '')}${tile + 1}`;
  mkdirSync(dir, { recursive: true });
  const { host, port, user } = await parts.started(
    startMariadb({
      dir,
      databases: eachTile(parts, (tile) => parts.workloads.map((id) => name(tile, id))).flat(),
    }),
  );
  return (tile, workloadId) => ({ host, port, user, database: name(tile, workloadId) });
}

/** A Dovecot and a Postfix for each tile. */
async function startMail(parts: Parts): Promise<Where> {
  const passwordFile = join(parts.dir, 'mail-password');
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  const servers: { imapPort: number; smtpPort: number }[] = [];
  for (const _ of eachTile(parts, () => null)) {
    const { imapPort, lmtpPort } = await parts.started(
      startDovecot({ users: mailUsers, password }),
    );
    const { smtpPort } = await parts.started(startPostfix({ lmtpPort }));
    servers.push({ imapPort, smtpPort });
  }
  return (tile) => ({ host: '127.0.0.1', passwordFile, ...servers[tile] });
}

const ownKit = () =>
  findKit({ sourceDir: 'kit', cacheDir: '.cache', carriedDir: join('resources', 'kit') });

/** A site in the style of Olio for each tile, made and served by tilekit. */
async function startSite(parts: Parts): Promise<Where> {
  const kit = await ownKit();
  const ports: number[] = [];
  for (const tile of eachTile(parts, (one) => one)) {
    const port = await freePort();
    const dir = join(parts.dir, `site${tile + 1}`);
    const job = join(parts.dir, `site${tile + 1}.json`);
    writeFileSync(
      job,
      JSON.stringify({
        schema: 1,
        dir,
        listen: `127.0.0.1:${port}`,
        downloadMb: 0,
        seed: 1,
      }),
    );
    execFileSync(kit.path, ['load', '--job', job], { stdio: 'pipe' });
    const log = join(parts.dir, `site${tile + 1}.log`);
    const server = startChild(kit.path, ['serve', '--job', job], log);
    await parts.started(Promise.resolve({ stop: () => server.stop() }));
    await poll(`tilekit serve (${log})`, () => {
      if (server.ended()) throw new Error(`tilekit serve ended: ${server.log().slice(-400)}`);
      return server.log().includes('listens');
    });
    ports.push(port);
  }
  return (tile) => ({ host: '127.0.0.1', port: ports[tile] ?? 0, pages: 'olio' });
}

/** Processors of all servers and clients that this process started, and what hosts say they run. */
async function byHand(
  vcsim: Vcsim,
  hosts: RealLab['hosts'],
  { processors, build }: LevelChange,
): Promise<void> {
  if (processors !== undefined)
    for (const pid of processTree(process.pid).filter((one) => one !== process.pid))
      hold(pid, processors);
  if (build !== undefined)
    for (const { name } of hosts) await vcsim.control.change({ type: 'HostSystem', name, build });
}

/** One that has ended meanwhile is passed over; programs that it starts are held too. */
function hold(pid: number, processors: number): void {
  try {
    execFileSync('taskset', ['-acp', `0-${processors - 1}`, String(pid)], { stdio: 'pipe' });
  } catch (thrown) {
    if (existsSync(`/proc/${pid}`)) throw thrown;
  }
}
