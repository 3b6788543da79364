import { readFileSync } from 'node:fs';

import { type PlanFile, planFileSchema } from '../../src/core/plan/plan.ts';
import { type Profile, profileSchema } from '../../src/core/profile/profile.ts';
import type { Inventory } from '../../src/core/testbed/inventory.ts';
import type { Assignment } from '../../src/core/testbed/testbed.ts';
import type { TileServers } from './tile.ts';

/**
 * VMs of one tile in the style of VMmark 2, with the template that is deployed: the first four are
 * loaded, the others are there for the operations.
 */
const vms = {
  mail: 'style1-mail',
  dvdstore: 'style1-dvdstore',
  olio: 'style1-olio',
  standby: 'style1-standby',
  dvdstoreWeb1: 'style1-dvdstore-web1',
  dvdstoreWeb2: 'style1-dvdstore-web2',
  dvdstoreWeb3: 'style1-dvdstore-web3',
  olioDatabase: 'style1-olio-db',
  template: 'style-template',
} as const;

export const tileVmNames: readonly string[] = Object.values(vms);
export const tileTemplates: readonly string[] = [vms.template];

const name = 'VMmark 2 style tile (practice)';
const notes =
  'In the style of VMmark 2 and no VMmark result: a scaling study. Mail (Postfix and Dovecot), ' +
  'pages in the style of Olio (nginx before tilekit serve) and orders in the style of DVD Store 2 ' +
  '(MariaDB) are real loads on this machine; VMs, hosts and operations are the vCenter simulator’s. ' +
  'Orders go through three web tiers that the run starts: the first is loaded all the time, the ' +
  'others join later and work in turns, a pattern chosen here. Pages are made of rows of a database ' +
  'behind the web site. Rates are low, for two cores, and no figure of VMmark. ' +
  'The first run that breaks no limit becomes the reference; from the second on there is a score. ' +
  'Mailboxes and shop are filled before each run and emptied after it.';

const choice = 'Choice of the practice lab; no figure of VMmark is known for it';

/**
 * The shipped tile with what it leaves open chosen for practice, so that a run ends with a verdict
 * and the second one with a score. References stay open: the first run that breaks no limit.
 */
function practiceProfile(limitMs: number): Profile {
  const shipped = profileSchema.parse(
    JSON.parse(readFileSync('resources/profiles/vmmark-2-tile.json', 'utf8')),
  );
  const latency = { metric: 'latencyP95Ms' as const, max: limitMs, unit: 'ms', source: choice };
  const { infrastructure } = shipped.scoring;
  if (!infrastructure) throw new Error('The profile vmmark-2-tile has no operations.');
  return {
    ...shipped,
    id: 'vmmark-2-style-practice',
    version: '1.0.0',
    name,
    description: notes,
    workloads: shipped.workloads.map((workload) => ({
      ...workload,
      ...(workload.scored ? { qos: [latency] } : {}),
      ...(workload.id === 'olio'
        ? {
            name: 'Web (Olio style)',
            note:
              'Pages in the style of Olio 0.2 by tilekit, in open loop, from nginx before tilekit ' +
              'serve, which makes them of rows of its database.',
          }
        : {}),
    })),
    scoring: {
      ...shipped.scoring,
      periods: 'median',
      periodsSource: choice,
      overall: { application: 0.8, infrastructure: 0.2, source: choice },
    },
  };
}

/** Two cores carry servers and clients: what a client may be late without being at fault. */
const latenessLimitMs = 250;

/** The second and the third web tier join in the steady state and work in turns, whatever its length. */
const bursts = ({ rampUpS, steadyS }: { rampUpS: number; steadyS: number }) => ({
  tierPattern: 'bursts',
  joinAfterS: rampUpS + steadyS / 5,
  joinEveryS: steadyS / 5,
  onS: steadyS / 6,
  offS: steadyS / 10,
});

export interface StyleTileOptions {
  /** Of the plan, where they are not those for a person: five minutes of steady state. */
  phases?: Partial<PlanFile['plan']['phases']>;
  /** Of the 95th percentile of each scored workload; default 2,000. */
  limitMs?: number;
}

/** A plan of one tile in the style of VMmark 2 on the connections of the practice lab. */
export function tilePlanOf(
  practice: PlanFile,
  servers: TileServers,
  inventory: Inventory,
  { phases, limitMs = 2_000 }: StyleTileOptions = {},
): PlanFile {
  const profile = practiceProfile(limitMs);
  const vm = (name: string): Inventory['vms'][number] => {
    const found = inventory.vms.find((one) => one.name === name);
    if (!found) throw new Error(`The vCenter simulator has no VM ${name}.`);
    return found;
  };
  const { mail, web, shop } = servers;
  const params: Readonly<Record<string, Assignment['params']>> = {
    mail: {
      host: mail.dovecot.host,
      imapPort: mail.dovecot.imapPort,
      smtpPort: mail.postfix.smtpPort,
      passwordFile: mail.passwordFile,
      mailboxes: mail.mailboxes,
      messages: 20,
      pace: 'rate',
      rate: 4,
      unload: true,
      latenessLimitMs,
    },
    dvdstore: {
      host: '127.0.0.1',
      port: shop.port,
      user: shop.user,
      database: shop.database,
      size: 'small',
      through: 'web',
      webTiers: shop.webPorts.map((port) => `127.0.0.1:${port}`).join(', '),
      ...bursts({ rampUpS: 30, steadyS: 300, ...phases }),
      users: 4,
      thinkS: 1,
      unload: true,
      latenessLimitMs,
    },
    olio: { host: '127.0.0.1', port: web.port, pages: 'olio', rate: 3, users: 16, latenessLimitMs },
    standby: {},
  };
  const clients = practice.connections.filter(({ kind }) => kind === 'client');
  const names = ['mail', 'dvdstore', 'olio', 'standby'] as const;
  const loaded = names.map((id) => vms[id] as string);
  const moved = vm(vms.standby);
  const other = inventory.datastores.find(({ ref }) => !moved.datastoreRefs.includes(ref));
  if (!other) throw new Error('The vCenter simulator has one datastore: no Storage vMotion.');
  return planFileSchema.parse({
    tilebenchPlan: 1,
    profile,
    connections: practice.connections,
    testbed: {
      id: 'lab-style-testbed',
      name: 'VMmark 2 style tile',
      profileId: profile.id,
      vcenterId: practice.testbed.vcenterId,
      powerIds: practice.testbed.powerIds,
      infrastructure: {
        vmotionVmRefs: [vm(vms.olioDatabase).ref, vm(vms.dvdstoreWeb1).ref],
        storageVmotion: { vmRefs: [moved.ref], datastoreRef: other.ref },
        deploy: { templateRef: vm(vms.template).ref, datastoreRef: other.ref },
        pauseS: 12,
      },
      layout: {
        maintenanceDatastore: { ref: other.ref, name: other.name },
        namePattern: 'style{tile}-{workload}',
        excludedVms: inventory.vms
          .filter(({ name }) => !loaded.includes(name))
          .map(({ ref, name }) => ({ ref, name })),
      },
      tiles: [
        {
          index: 0,
          workloads: names.map((id, index) => ({
            workloadId: id,
            clientId: clients[index % clients.length]?.id ?? '',
            vm: { ref: vm(vms[id]).ref, name: vms[id] },
            params: params[id],
          })),
        },
      ],
      notes,
    },
    plan: {
      id: 'lab-style-plan',
      name,
      testbedId: 'lab-style-testbed',
      profileId: profile.id,
      tiles: 1,
      phases: { rampUpS: 30, staggerS: 0, steadyS: 300, periods: 3, rampDownS: 15, ...phases },
      notes,
    },
  });
}
