import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import {
  type EngineOnLab,
  faultPlan,
  faultProfile,
  startEngineOnLab,
} from '../e2e/lab/engineOnLab.ts';
import { type Lab, startLab } from '../e2e/lab/lab.ts';
import { poll } from '../e2e/lab/poll.ts';
import { listProcesses, readProc } from '../e2e/lab/processes.ts';
import { type LabSshd, startSshd } from '../e2e/lab/sshd.ts';
import type { PlanFile } from '../src/core/plan/plan.ts';

const secrets = {
  sshPassword: 'ssh-Only4me-7c1e',
  passphrase: 'lab passphrase',
  database: 'db-Only4me-93fa',
};
let dir: string;
let lab: Lab;
let guarded: LabSshd;
let engine: EngineOnLab;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'tb-'));
  lab = await startLab({ dir, tiles: 1 });
  guarded = await startSshd({
    name: 'guarded',
    dir: join(dir, 'guarded'),
    passwordAuth: { password: secrets.sshPassword },
  });
  engine = await startEngineOnLab({ env: { TB_TEST_SSH_PASSWORD: secrets.sshPassword } });
});
afterAll(async () => {
  await engine.close();
  await guarded.stop();
  await lab.stop();
  rmSync(dir, { recursive: true, force: true });
});

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
const commandLinesWith = (secret: string): string[] =>
  listProcesses()
    .map((p) => readProc(`/proc/${p.pid}/cmdline`))
    .filter((line) => line.includes(secret));

/**
 * One client by a locked key, one by password, the database by password: each secret by reference.
 */
function plan(): PlanFile {
  const keyPath = join(dir, 'locked_key');
  copyFileSync(resolve('e2e/lab/keys/locked_ed25519'), keyPath);
  chmodSync(keyPath, 0o600);
  const passphrasePath = join(dir, 'passphrase');
  writeFileSync(passphrasePath, `${secrets.passphrase}\n`, { mode: 0o600 });
  const configPath = join(dir, 'sysbench.conf');
  writeFileSync(configPath, `mysql-password=${secrets.database}\n`, { mode: 0o600 });
  for (const place of ['127.0.0.1', 'localhost']) {
    execFileSync('mariadb', ['--no-defaults', `--socket=${lab.mariadb.socket}`, '-uroot'], {
      input: `CREATE USER 'locked'@'${place}' IDENTIFIED BY '${secrets.database}'; GRANT ALL ON tile1.* TO 'locked'@'${place}';`,
    });
  }
  const base = faultPlan(lab.plan, { phases: { rampUpS: 2, steadyS: 20, rampDownS: 1 } });
  const [java, standby] = base.testbed.tiles[0]!.workloads;
  const database = {
    workloadId: 'database',
    clientId: 'client1',
    vm: null,
    params: {
      host: lab.mariadb.host,
      port: lab.mariadb.port,
      user: 'locked',
      database: 'tile1',
      configFile: configPath,
      tables: 1,
      tableSize: 1_000,
      threads: 1,
    },
  };
  return {
    ...base,
    profile: {
      ...faultProfile,
      workloads: [
        ...faultProfile.workloads,
        {
          id: 'database',
          role: 'database',
          name: 'Database',
          driver: 'sysbench-oltp',
          params: {},
          unit: 'tps',
          scored: true,
          reference: 10,
          referenceSource: 'test',
          qos: [],
        },
      ],
    },
    connections: [
      ...base.connections.map((c) =>
        c.kind === 'client' && c.id === 'client1'
          ? {
              ...c,
              auth: { method: 'key' as const, path: keyPath, passphrase: { file: passphrasePath } },
            }
          : c,
      ),
      {
        kind: 'client',
        id: 'guarded',
        name: 'guarded',
        host: guarded.host,
        port: guarded.port,
        user: guarded.user,
        auth: { method: 'password', password: { env: 'TB_TEST_SSH_PASSWORD' } },
        hostKeySha256: guarded.hostKeySha256,
      },
    ],
    testbed: {
      ...base.testbed,
      tiles: [{ index: 0, workloads: [{ ...java!, clientId: 'guarded' }, standby!, database] }],
    },
  };
}

test('neither SSH password, key passphrase nor database password is in the process list, the database, logs, exports or on a client', async () => {
  const id = await engine.launch(plan());
  await engine.untilSteady(id);
  await poll('sysbench talks to the database', () =>
    listProcesses().some((p) => readProc(`/proc/${p.pid}/cmdline`).includes('--config-file')),
  );
  for (const [name, secret] of Object.entries(secrets))
    expect({ name, lines: commandLinesWith(secret) }).toEqual({ name, lines: [] });
  const end = await engine.untilEnd(id);
  expect(end.findings.filter((f) => f.severity === 'block')).toEqual([]);
  expect(end.state).toBe('passed');

  const exported: string[] = [];
  for (const format of ['csv', 'json'] as const) {
    for (let cursor: string | null = null, first = true; first || cursor !== null; first = false) {
      const page: { bytes: Uint8Array; cursor: string | null } = await engine.call('run.export', {
        id,
        format,
        cursor,
      });
      exported.push(Buffer.from(page.bytes).toString());
      cursor = page.cursor;
    }
  }
  const logs = await engine.call('run.log', { id });
  const said = [
    ...exported,
    JSON.stringify(logs),
    JSON.stringify(await engine.call('run.record', { id })),
  ].join('\n');
  expect(logs.some((log) => log.text.includes('--config-file'))).toBe(true);
  const files = [engine.dataDir, guarded.home, ...lab.clients.map((client) => client.home)].flatMap(
    filesBelow,
  );
  expect(files.length).toBeGreaterThan(2);
  for (const [name, secret] of Object.entries(secrets)) {
    expect({ name, told: said.includes(secret) }).toEqual({ name, told: false });
    expect({ name, holds: files.filter((file) => readFileSync(file).includes(secret)) }).toEqual({
      name,
      holds: [],
    });
  }
});
