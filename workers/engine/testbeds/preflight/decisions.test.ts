import { readFileSync } from 'node:fs';

import { actSchema } from '../../../../src/core/acts/act.ts';
import type { Inventory } from '../../../../src/core/testbed/inventory.ts';
import type { LaunchInputs } from '../../plans/hash.ts';
import { workloadUnits } from '../../runs/series.ts';
import { testPlanFile, testProfile } from '../../testing/engineHarness.ts';
import { createFakeClock } from '../../testing/fakeClock.ts';
import { createFakeLab } from '../../testing/fakeLab.ts';
import { actAgainst } from './actChecks.ts';
import { clientBusy } from './clientChecks.ts';
import { cpuShare, parseFacts } from './clientFacts.ts';
import { drsWanted } from './clusterChecks.ts';
import { differingTraits } from './hostChecks.ts';
import { checks } from './index.ts';
import { changedFacts, factsDigest, launchFacts, replaceFacts } from './launchFacts.ts';
import { judgeAddress, sameMachines } from './nameChecks.ts';
import { privilegeUse } from './privilegeUse.ts';
import { smokePlan } from './smokePlan.ts';
import { silentSeries } from './telemetryChecks.ts';
import type { CheckContext } from './types.ts';
import { compareVersions, parseVersion } from './versions.ts';

const inventory = (): Inventory => structuredClone(createFakeLab(createFakeClock()).inventory);
const file = testPlanFile();
const inputs: LaunchInputs = {
  plan: file.plan,
  testbed: file.testbed,
  profile: testProfile,
  connections: file.connections,
};
const units = workloadUnits(testProfile, file.testbed, file.plan);

test.each([
  ['fio-3.33', '3.0', 1],
  ['fio-2.21', '3.0', -1],
  ['sysbench 1.0.20', '1.0', 1],
  ['sysbench 0.5', '1.0', -1],
  ['dbench version 4.00', '4.0', 0],
  ['fio-3.10', '3.9', 1],
])('%s against %s', (printed, wanted, sign) =>
  expect(Math.sign(compareVersions(parseVersion(printed)!, parseVersion(wanted)!))).toBe(sign),
);
test('a text without a number has no version', () => expect(parseVersion('found')).toBeNull());

test.each([
  ['half of the time', 'cpu 100 0 0 100 0 0 0 0', 'cpu 150 0 0 150 0 0 0 0', 50, 0],
  ['waiting for disks is idle', 'cpu 0 0 0 0 0 0 0 0', 'cpu 10 0 10 40 40 0 0 0', 20, 0],
  ['stolen time is busy', 'cpu 0 0 0 0 0 0 0 0', 'cpu 0 0 0 90 0 0 0 10', 10, 10],
  ['an old kernel with five fields', 'cpu 0 0 0 0 0', 'cpu 30 0 0 70 0', 30, 0],
])('CPU share: %s', (_what, before, after, busyPct, stealPct) =>
  expect(cpuShare(before, after)).toEqual({ busyPct, stealPct }),
);
test.each([
  [undefined, undefined],
  ['cpu 1 2 3 4 5', 'garbage'],
  ['cpu 1 2 3 4 5', 'cpu 1 2 3 4 5'],
])('CPU share of %s and %s is not known', (a, b) =>
  expect(cpuShare(a, b)).toEqual({ busyPct: null, stealPct: null }),
);
test('what a client does not say is null', () =>
  expect(parseFacts('kernel=Linux 6.1\ncpus=\nhostname=c1\naddresses=\n')).toEqual({
    kernel: 'Linux 6.1',
    cpus: null,
    hostname: 'c1',
    bootId: null,
    addresses: [],
    load1: null,
    busyPct: null,
    stealPct: null,
  }));

test('a load average is called one, of so many CPUs, and never a share of them', async () => {
  const facts = parseFacts('hostname=c1\ncpus=2\nload=8.26\n');
  const world = { reached: async () => [{ id: 'c1', facts }] };
  const context = { world, nameOf: () => 'client1' } as unknown as CheckContext;
  const [found] = await clientBusy.run(context, new AbortController().signal);
  expect(found).toMatchObject({
    severity: 'warn',
    evidence: expect.stringMatching(/^load average 8\.26 on 2 CPUs before any load;/),
    source: expect.stringContaining('/proc/loadavg'),
  });
  expect(found!.evidence).not.toContain('%');
});

test('one machine behind two names is told by host name and boot together', () => {
  const client = (name: string, hostname: string | null, bootId: string | null) => ({
    name,
    hostname,
    bootId,
  });
  expect(
    sameMachines([
      client('b', 'h1', 'x'),
      client('a', 'h1', 'x'),
      client('c', 'h2', 'x'),
      client('d', 'h1', 'y'),
      client('e', null, null),
      client('f', null, null),
    ]),
  ).toEqual([['a', 'b']]);
});

describe('the address of a workload', () => {
  const vms = inventory().vms.map((vm, i) => ({ ...vm, ip: i === 3 ? null : `10.0.0.${i}` }));
  test.each([
    ['is its VM', ['10.0.0.1'], 'vm-1', 'ok'],
    ['is another VM', ['10.0.0.2'], 'vm-1', 'block'],
    ['is none that is known', ['10.9.9.9'], 'vm-1', 'info'],
    ['is not told by the guest', ['10.9.9.9'], 'vm-3', 'info'],
    ['does not resolve', [], 'vm-1', 'block'],
    ['belongs to a workload without a VM', ['10.0.0.2'], null, 'ok'],
  ] as const)('%s', (_what, resolved, vmRef, severity) =>
    expect(judgeAddress({ wanted: 'db', resolved, vmRef, vms })?.severity).toBe(severity),
  );
  test('of the client itself says nothing', () =>
    expect(judgeAddress({ wanted: 'db', resolved: ['127.0.0.1'], vmRef: 'vm-1', vms })).toBeNull());
});

test('hosts that differ are told by trait, the commonest first; a figure that is missing is no difference', () => {
  const [first, second] = inventory().hosts;
  const hosts = [
    { ...first!, build: '1', bios: null },
    { ...second!, build: '2', bios: '9' },
    { ...second!, name: 'esx-3', build: '2', bios: '9' },
  ];
  expect(differingTraits(hosts)).toEqual([
    expect.objectContaining({
      id: 'host.buildDiffers',
      evidence: '8 build 2 on esx-host-2, esx-3; 8 build 1 on esx-host-1',
    }),
  ]);
});

test('DRS is asked for by a start on one host, by a rule of the profile, or by nobody', () => {
  expect(drsWanted(inputs)).toBeNull();
  expect(
    drsWanted({ ...inputs, plan: { ...file.plan, startPlacement: { allOnHostRef: 'host-1' } } })
      ?.severity,
  ).toBe('block');
  expect(
    drsWanted({
      ...inputs,
      profile: {
        ...testProfile,
        rules: [
          { id: 'drs', kind: 'statement', text: 'DRS is on while the operations run', source: 's' },
        ],
      },
    })?.severity,
  ).toBe('warn');
});

test('a privilege is needed by what the plan does, and by nothing else', () => {
  expect(privilegeUse(inputs, ['vmotion']).get('Resource.HotMigrate')).toEqual(['vMotion']);
  expect(privilegeUse(inputs, ['snapshot']).has('Resource.HotMigrate')).toBe(false);
  expect(
    privilegeUse({ ...inputs, plan: { ...file.plan, startPlacement: 'planned' } }, []).get(
      'Resource.HotMigrate',
    ),
  ).toEqual(['the placement at the start']);
});

describe('what the launch compares', () => {
  const facts = (change: (of: Inventory) => void, testbed = file.testbed) => {
    const of = inventory();
    change(of);
    return launchFacts({ ...inputs, testbed }, units, of);
  };
  const before = facts(() => undefined);
  test.each<[string, (of: Inventory) => void, string[]]>([
    [
      'a VM that went off',
      (of) => {
        of.vms[0]!.powerState = 'poweredOff';
      },
      ['power state of VM vm0: poweredOn, now poweredOff'],
    ],
    [
      'a VM that is gone',
      (of) => {
        of.vms.splice(0, 1);
      },
      ['power state of VM vm0: the VM is gone'],
    ],
    [
      'another build',
      (of) => {
        of.hosts[1]!.build = '2';
      },
      ['ESX build of host esx-host-2: 1, now 2'],
    ],
    [
      'a host in maintenance',
      (of) => {
        of.hosts[0]!.maintenance = true;
      },
      ['state of host esx-host-1: connected, now in maintenance mode'],
    ],
    [
      'a datastore that went away',
      (of) => {
        of.datastores[0]!.accessible = false;
      },
      ['access to datastore lun1: accessible, now not accessible'],
    ],
    [
      'a VM that DRS moved',
      (of) => {
        of.vms[0]!.hostRef = 'host-2';
      },
      [],
    ],
    [
      'DRS that was set otherwise',
      (of) => {
        of.clusters[0]!.drsVmotionRate = 5;
      },
      ['DRS of cluster Cluster: fullyAutomated, threshold 3, now fullyAutomated, threshold 5'],
    ],
    [
      'a VM of nobody',
      (of) => {
        of.vms[7]!.powerState = 'poweredOff';
      },
      [],
    ],
  ])('%s', (_what, change, changed) =>
    expect(changedFacts(before, facts(change))).toEqual(changed),
  );
  test('a planned host counts although DRS could move the VM', () => {
    const planned = {
      ...file.testbed,
      tiles: file.testbed.tiles.map((tile) => ({
        ...tile,
        workloads: tile.workloads.map((one) => ({
          ...one,
          planned: { host: { ref: 'host-1', name: 'esx-host-1' }, datastore: null },
        })),
      })),
    };
    const own = workloadUnits(testProfile, planned, file.plan);
    const at = (host: string) => {
      const of = inventory();
      of.vms[0]!.hostRef = host;
      return launchFacts({ ...inputs, testbed: planned }, own, of);
    };
    expect(changedFacts(at('host-1'), at('host-2'))).toEqual([
      'host of VM vm0: esx-host-1, now esx-host-2',
    ]);
  });
  test('the digest knows no order, and a check made again replaces its own facts only', () => {
    expect(factsDigest([...before].reverse())).toBe(factsDigest(before));
    const off = facts((of) => {
      of.vms[0]!.powerState = 'poweredOff';
      of.hosts[0]!.maintenance = true;
    });
    expect(factsDigest(off)).not.toBe(factsDigest(before));
    expect(changedFacts(replaceFacts(before, off, 'vm.present'), off)).toEqual([
      'state of host esx-host-1: connected, now in maintenance mode',
    ]);
  });
});

test('series without points are named by kind and metric; a counter that exists only where somebody set it is not missed', () => {
  const series = (['cpuPct', 'powerCapW'] as const).flatMap((metric) =>
    ['host-1', 'host-2'].map((id, i) => ({
      id: i,
      metric,
      unit: '%',
      source: '',
      periodMs: 1,
      decimals: 0,
      lagMs: 0,
      entity: { kind: 'host' as const, id, name: id },
    })),
  );
  const point = [{ tMs: 0, value: 1 }];
  expect(
    silentSeries(
      series,
      [
        { ref: 'host-1', metric: 'cpuPct', points: point },
        { ref: 'host-2', metric: 'cpuPct', points: [] },
      ],
      [],
    ),
  ).toEqual([{ kind: 'host', metric: 'cpuPct', names: ['host-2'], of: 2 }]);
});

test('the guide lists every check', () => {
  const listed = [
    ...readFileSync('docs/guide/preflight.md', 'utf8').matchAll(/^\| `([\w.]+)` \|/gm),
  ].map((match) => match[1]);
  expect(listed.sort()).toEqual(checks.map((check) => check.id).sort());
});

test('a smoke run is one tile, short, and moves nothing', () => {
  const smoke = smokePlan({
    ...file.plan,
    tiles: 8,
    startPlacement: 'planned',
    drs: { clusterRef: 'c', behavior: 'off', vmotionRate: null, consentedAtMs: 0 },
  });
  expect(smoke).toMatchObject({ tiles: 1, smoke: { planId: 'plan' }, study: null });
  expect([smoke.drs, smoke.startPlacement]).toEqual([undefined, undefined]);
  expect(smoke.phases.steadyS).toBeLessThanOrEqual(60);
});

describe('an act against the inventory', () => {
  const against = (
    kind: 'hostFails' | 'maintenance' | 'hostJoins',
    change: (of: Inventory) => void,
  ) => {
    const now = inventory();
    const [host] = now.hosts;
    now.clusters = [
      {
        ref: 'c1',
        name: 'Cluster',
        hostRefs: now.hosts.map((one) => one.ref),
        drsEnabled: true,
        drsBehavior: 'fullyAutomated',
        drsVmotionRate: 3,
        haEnabled: true,
      },
    ];
    for (const one of now.hosts) one.memoryBytes = 2 ** 40;
    change(now);
    const act = actSchema.parse({ id: 'a', kind, atS: 1, target: { ref: host!.ref, name: 'h' } });
    return actAgainst(act, file.plan, now).map(({ id, severity }) => `${severity} ${id}`);
  };
  test.each([
    ['all well', 'maintenance', (): void => undefined, []],
    [
      'a host that is gone',
      'maintenance',
      (of: Inventory): void => {
        of.hosts = [];
      },
      ['block target'],
    ],
    [
      'nobody moves its VMs',
      'maintenance',
      (of: Inventory): void => {
        of.clusters[0]!.drsBehavior = 'manual';
      },
      ['block drs'],
    ],
    [
      'no HA',
      'hostFails',
      (of: Inventory): void => {
        of.clusters[0]!.haEnabled = false;
      },
      ['warn ha'],
    ],
    [
      'in maintenance mode already',
      'maintenance',
      (of: Inventory): void => {
        of.hosts[0]!.maintenance = true;
      },
      ['block state'],
    ],
    [
      'out already, as it should',
      'hostJoins',
      (of: Inventory): void => {
        of.hosts[0]!.connectionState = 'disconnected';
      },
      [],
    ],
    [
      'no room on the others',
      'hostFails',
      (of: Inventory): void => {
        for (const one of of.hosts.slice(1)) one.memoryBytes = 1;
      },
      ['warn capacity'],
    ],
  ] as const)('%s', (_what, kind, change, expected) => {
    expect(against(kind, change)).toEqual(expected);
  });
});
