import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { type PlanFile, planFileSchema } from '../../src/core/plan/plan.ts';
import type { Inventory } from '../../src/core/testbed/inventory.ts';
import type { Assignment } from '../../src/core/testbed/testbed.ts';
import { silentLog } from '../../workers/engine/deps.ts';
import type { VCenterSession } from '../../workers/engine/deps/vcenter.ts';
import { createVCenterEdge } from '../../workers/engine/vcenter/edge.ts';
import { realClock } from '../../workers/realDeps.ts';
import { startMariadb } from './mariadb.ts';
import { startNut } from './nut.ts';
import { type LabSshd, startSshd } from './sshd.ts';
import { startTileServers, type TileServers } from './tile.ts';
import { type StyleTileOptions, tilePlanOf, tileTemplates, tileVmNames } from './tilePlan.ts';
import { startVcsim, type Vcsim, type VcsimFault } from './vcsim.ts';

export interface LabOptions {
  /** Everything the lab writes is below it. */
  dir: string;
  /** Default 2. */
  clients?: number;
  /** Default 2. */
  tiles?: number;
  /** Of the plan, in seconds. Default 30, 120 in three periods, 30. */
  phases?: Partial<PlanFile['plan']['phases']>;
  taskDelayMs?: number;
  faults?: readonly VcsimFault[];
  /** With servers, VMs and plan of a tile in the style of VMmark 2. Root only; default: without. */
  styleTile?: StyleTileOptions;
  /** Default: a free one. */
  vcenterPort?: number;
}
type Nut = Awaited<ReturnType<typeof startNut>>;
type Mariadb = Awaited<ReturnType<typeof startMariadb>>;
export interface Lab {
  vcenter: Vcsim;
  clients: readonly LabSshd[];
  nut: Nut;
  mariadb: Mariadb;
  /** A plan file ready to run; secrets are in files beside it. */
  planPath: string;
  plan: PlanFile;
  /** The tile in the style of VMmark 2, where it was asked for. */
  styleTile: { servers: TileServers; plan: PlanFile; planPath: string } | null;
  /** Ends everything in reverse order. Fine to call twice. */
  stop(): Promise<void>;
}

const roles = ['database', 'file', 'java', 'standby', 'io'] as const;

/**
 * Real peers on loopback and free ports: vCenter's simulator, ssh clients, a power meter with a
 * moving load, a database; and a plan over them. Ends what it started when one of them fails.
 */
export async function startLab(options: LabOptions): Promise<Lab> {
  mkdirSync(options.dir, { recursive: true });
  const tiles = options.tiles ?? 2;
  const ends: (() => Promise<void>)[] = [];
  let stopped: Promise<void> | null = null;
  const stop = (): Promise<void> =>
    (stopped ??= (async () => {
      const faults: unknown[] = [];
      for (const end of ends.reverse()) await end().catch((thrown: unknown) => faults.push(thrown));
      if (faults.length > 0) throw new AggregateError(faults, 'Parts of the lab did not stop.');
    })());
  const started = async <T extends { stop(): Promise<void> }>(part: Promise<T>): Promise<T> => {
    const made = await part;
    ends.push(() => made.stop());
    return made;
  };
  try {
    const vmNames = Array.from({ length: tiles }, (_, tile) =>
      roles.map((role) => vmName(tile, role)),
    )
      .flat()
      .concat(options.styleTile ? tileVmNames : []);
    const vcenter = await started(
      startVcsim({
        vmNames,
        vms: Math.max(12, vmNames.length),
        ...(options.styleTile ? { templates: tileTemplates } : {}),
        password: `lab-${randomBytes(6).toString('hex')}`,
        ...(options.taskDelayMs === undefined ? {} : { taskDelayMs: options.taskDelayMs }),
        ...(options.faults ? { faults: options.faults } : {}),
        ...(options.vcenterPort === undefined ? {} : { port: options.vcenterPort }),
      }),
    );
    const clients: LabSshd[] = [];
    for (let i = 1; i <= (options.clients ?? 2); i += 1)
      clients.push(
        await started(startSshd({ name: `client${i}`, dir: join(options.dir, `client${i}`) })),
      );
    const nut = await started(startNut({ dir: options.dir }));
    const mariadb = await started(
      startMariadb({
        dir: options.dir,
        databases: Array.from({ length: tiles }, (_, tile) => `tile${tile + 1}`),
      }),
    );
    if (options.styleTile)
      await vcenter.control.change({
        type: 'ClusterComputeResource',
        name: 'DC0_C0',
        drs: true,
        drsBehavior: 'fullyAutomated',
      });
    const inventory = await readInventory(vcenter);
    const vmRefs = new Map(inventory.vms.map((vm) => [vm.name, vm.ref]));
    const plan = writePlan(options, { vcenter, clients, nut, mariadb }, vmRefs, tiles);
    if (!options.styleTile)
      return { vcenter, clients, nut, mariadb, ...plan, styleTile: null, stop };
    const servers = await started(startTileServers({ dir: join(options.dir, 'style'), mariadb }));
    const tilePlan = tilePlanOf(plan.plan, servers, inventory, options.styleTile);
    const planPath = join(options.dir, 'style-plan.json');
    writeFileSync(planPath, `${JSON.stringify(tilePlan, null, 2)}\n`);
    const styleTile = { servers, plan: tilePlan, planPath };
    return { vcenter, clients, nut, mariadb, ...plan, styleTile, stop };
  } catch (thrown) {
    await stop();
    throw thrown;
  }
}

function writePlan(
  options: LabOptions,
  parts: Pick<Lab, 'vcenter' | 'clients' | 'nut' | 'mariadb'>,
  vmRefs: ReadonlyMap<string, string>,
  tiles: number,
): Pick<Lab, 'plan' | 'planPath'> {
  const { vcenter, clients, nut, mariadb } = parts;
  const passwordFile = join(options.dir, 'vcenter-password');
  writeFileSync(passwordFile, `${vcenter.password}\n`, { mode: 0o600 });
  const phases = {
    rampUpS: 20,
    staggerS: 5,
    steadyS: 150,
    periods: 3,
    rampDownS: 10,
    ...options.phases,
  };
  const assignment = (tile: number, role: (typeof roles)[number]): Assignment => {
    const name = vmName(tile, role);
    const ref = vmRefs.get(name);
    if (ref === undefined) throw new Error(`The vCenter simulator has no VM ${name}.`);
    return {
      workloadId: role,
      clientId: `client${(tile % clients.length) + 1}`,
      vm: { ref, name },
      params:
        role === 'database'
          ? {
              host: mariadb.host,
              port: mariadb.port,
              user: mariadb.user,
              database: mariadb.databases[tile] ?? '',
            }
          : {},
    };
  };
  const plan = planFileSchema.parse({
    tilebenchPlan: 1,
    connections: [
      {
        kind: 'vcenter',
        id: 'lab-vcenter',
        name: 'Lab vCenter',
        host: vcenter.host,
        port: vcenter.port,
        user: vcenter.user,
        password: { file: passwordFile },
        fingerprint256: vcenter.fingerprint256,
      },
      ...clients.map((client) => ({
        kind: 'client',
        id: client.name,
        name: client.name,
        host: client.host,
        port: client.port,
        user: client.user,
        auth: { method: 'key', path: client.privateKeyPath },
        hostKeySha256: client.hostKeySha256,
      })),
      {
        kind: 'power',
        id: 'lab-power',
        name: 'Lab power',
        source: { type: 'nut', host: nut.host, port: nut.port, ups: nut.ups },
      },
    ],
    testbed: {
      id: 'lab-testbed',
      name: 'Practice lab',
      profileId: 'open-driver-quick',
      vcenterId: 'lab-vcenter',
      powerIds: ['lab-power'],
      layout: {
        excludedVms: [...vmRefs]
          .filter(([name]) => !roles.some((role) => name.endsWith(`-${role}`)))
          .map(([name, ref]) => ({ ref, name })),
      },
      tiles: Array.from({ length: tiles }, (_, index) => ({
        index,
        workloads: roles.map((role) => assignment(index, role)),
      })),
    },
    plan: {
      id: 'lab-plan',
      name: 'Practice run',
      testbedId: 'lab-testbed',
      profileId: 'open-driver-quick',
      tiles,
      phases,
    },
  } satisfies Record<keyof Omit<PlanFile, 'profile' | 'labs'>, unknown>);
  const planPath = join(options.dir, 'plan.json');
  writeFileSync(planPath, `${JSON.stringify(plan, null, 2)}\n`);
  return { plan, planPath };
}

const vmName = (tile: number, role: string): string => `tile${tile + 1}-${role}`;

/** What the simulator has now, by a session of its own. */
export const readInventory = (vcsim: Vcsim): Promise<Inventory> =>
  withVCenter(vcsim, (session) => session.inventory());

/** Work in the simulator by a session of its own. */
export async function withVCenter<T>(
  { host, port, user, password, fingerprint256 }: Vcsim,
  work: (session: VCenterSession) => Promise<T>,
): Promise<T> {
  const session = await createVCenterEdge({ clock: realClock, log: silentLog }).connect(
    {
      kind: 'vcenter',
      id: 'lab',
      name: 'lab',
      host,
      port,
      user,
      password: { env: 'UNUSED' },
      fingerprint256,
    },
    password,
  );
  try {
    return await work(session);
  } finally {
    await session.logout();
  }
}
