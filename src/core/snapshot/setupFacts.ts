import { byNaturalOrder } from '../base/naturalOrder.ts';
import { referenceWords } from '../run/ownReference.ts';
import type { RunRecord } from '../run/run.ts';
import type { HostInfo, Inventory, VmInfo } from '../testbed/inventory.ts';
import { parameterInEffect } from './parameterRows.ts';
import { sayValue } from './snapshotDiff.ts';
import { meaningOf } from './snapshotFields.ts';
import { snapshotOfRun } from './snapshotTake.ts';

/** One thing about the set-up of a run, in words. */
export type Fact = readonly [group: string, label: string, value: string];
const notRecorded = 'not recorded';

/** `4 × R740, 2 × R750`; a single kind of a single thing without its count. */
export function tally(values: readonly (string | number | null)[]): string {
  if (values.length === 0) return 'none';
  const counts = new Map<string, number>();
  for (const value of values) {
    const text = value === null ? notRecorded : String(value);
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return [...counts]
    .sort(([a], [b]) => byNaturalOrder(a, b))
    .map(([text, n]) => (n === 1 && counts.size === 1 ? text : `${n} × ${text}`))
    .join(', ');
}

/** Distinct values, each once: for facts where the number of machines does not matter. */
function distinct(values: readonly string[]): string {
  return [...new Set(values)].sort(byNaturalOrder).join(', ') || 'none';
}

const gib = (bytes: number | null): string =>
  bytes === null ? notRecorded : `${Math.round(bytes / 2 ** 30)} GiB`;

/**
 * Hosts under test: those of the clusters in which the testbed's VMs run; every host when no VM is
 * known.
 */
function hostsUnderTest(inventory: Inventory, vms: readonly VmInfo[]): HostInfo[] {
  const direct = inventory.hosts.filter((h) => vms.some((vm) => vm.hostRef === h.ref));
  if (direct.length === 0) return inventory.hosts;
  const clusters = new Set(direct.map((h) => h.clusterRef).filter((ref) => ref !== null));
  return inventory.hosts.filter(
    (h) => direct.includes(h) || (h.clusterRef !== null && clusters.has(h.clusterRef)),
  );
}

function placedVms(record: RunRecord): { label: string; ref: string }[] {
  return record.testbed.tiles
    .slice(0, record.plan.tiles)
    .flatMap((tile) =>
      tile.workloads.flatMap((w) =>
        w.vm === null ? [] : [{ label: `tile ${tile.index + 1} ${w.workloadId}`, ref: w.vm.ref }],
      ),
    );
}

function planFacts(record: RunRecord): Fact[] {
  const { plan, testbed, profile } = record;
  const p = plan.phases;
  return [
    ['Plan', 'Tiles', String(plan.tiles)],
    ['Plan', 'Ramp-up', `${p.rampUpS} s`],
    ['Plan', 'Stagger between tiles', `${p.staggerS} s`],
    ['Plan', 'Steady state', `${p.steadyS} s`],
    ['Plan', 'Measurement periods', String(p.periods)],
    ['Plan', 'Ramp-down', `${p.rampDownS} s`],
    ['Plan', 'Workload sampling', `${plan.sampling.workloadMs} ms`],
    ['Plan', 'vCenter sampling', `${plan.sampling.vcenterMs} ms`],
    ['Plan', 'Score reference', referenceWords(record)],
    ['Profile', 'Profile', profile.name],
    ['Profile', 'Version', profile.version],
    ['Testbed', 'Testbed', testbed.name],
    ['Testbed', 'Testbed version', String(testbed.version)],
  ];
}

/** Driver parameters in effect, over the tiles that ran. */
function paramFacts(record: RunRecord): Fact[] {
  const { plan, testbed, profile } = record;
  const tiles = testbed.tiles.slice(0, plan.tiles);
  const assigned = tiles.flatMap((t) => t.workloads);
  return profile.workloads.flatMap((workload) => {
    const own = assigned.filter((a) => a.workloadId === workload.id).map((a) => a.params);
    const names = [
      ...new Set(
        [workload.params, plan.overrides[workload.id] ?? {}, ...own].flatMap((params) =>
          Object.keys(params),
        ),
      ),
    ].sort(byNaturalOrder);
    const effective = (name: string): string =>
      distinct(
        (own.length === 0 ? [null] : tiles.map(({ index }) => index)).map(
          (tile) => parameterInEffect(record, workload.id, tile, name) ?? 'default',
        ),
      );
    return [
      ['Workloads', `${workload.name}: driver`, workload.driver] as const,
      ...names.map((name): Fact => ['Workloads', `${workload.name}: ${name}`, effective(name)]),
    ];
  });
}

function inventoryFacts(record: RunRecord): Fact[] {
  const inventory = record.inventoryBefore;
  if (inventory === null) return [];
  const placed = placedVms(record);
  const vmByRef = new Map(inventory.vms.map((vm) => [vm.ref, vm]));
  const vms = placed.flatMap(({ ref }) => vmByRef.get(ref) ?? []);
  const hosts = hostsUnderTest(inventory, vms);
  const each = (of: (host: HostInfo) => string | number | null): string => tally(hosts.map(of));
  const clusters = inventory.clusters.filter((c) => hosts.some((h) => h.clusterRef === c.ref));
  const stores = inventory.datastores.filter((d) =>
    vms.some((vm) => vm.datastoreRefs.includes(d.ref)),
  );
  const luns = stores.flatMap((d) => d.luns);
  const drs = (c: (typeof clusters)[number]): string =>
    c.drsEnabled === null
      ? notRecorded
      : c.drsEnabled
        ? `${c.drsBehavior ?? 'on'}${c.drsVmotionRate === null ? '' : `, rate ${c.drsVmotionRate}`}`
        : 'off';
  return [
    ['Hosts', 'Hosts under test', String(hosts.length)],
    ['Hosts', 'Model', each((h) => [h.vendor, h.model].filter(Boolean).join(' ') || null)],
    ['Hosts', 'CPU', each((h) => h.cpuModel)],
    ['Hosts', 'Sockets', each((h) => h.sockets)],
    ['Hosts', 'Cores', each((h) => h.cores)],
    ['Hosts', 'Threads', each((h) => h.threads)],
    ['Hosts', 'Clock', each((h) => h.mhz && `${h.mhz} MHz`)],
    ['Hosts', 'Memory', each((h) => gib(h.memoryBytes))],
    [
      'Hosts',
      'ESXi',
      each((h) => [h.version, h.build && `build ${h.build}`].filter(Boolean).join(' ') || null),
    ],
    ['Hosts', 'BIOS', each((h) => h.bios)],
    ['Hosts', 'Power policy', each((h) => h.powerPolicy)],
    [
      'Hosts',
      'Network adapters',
      tally(
        hosts.flatMap((h) =>
          h.nics.map(
            (n) =>
              `${n.driver ?? 'unknown driver'} ${n.speedMbps === null ? 'link down' : `${n.speedMbps / 1000} Gb/s`}`,
          ),
        ),
      ),
    ],
    [
      'Hosts',
      'Host bus adapters',
      tally(hosts.flatMap((h) => h.hbas.map((a) => a.model ?? a.driver))),
    ],
    ['Cluster', 'DRS', tally(clusters.map(drs))],
    [
      'Cluster',
      'HA',
      tally(clusters.map((c) => (c.haEnabled === null ? null : c.haEnabled ? 'on' : 'off'))),
    ],
    ['Storage', 'Datastores', tally(stores.map((d) => d.type))],
    [
      'Storage',
      'LUNs',
      tally(luns.map((l) => [l.vendor, l.model].filter(Boolean).join(' ') || null)),
    ],
    ['Storage', 'Queue depth', tally(luns.map((l) => l.queueDepth))],
    ['Storage', 'Path policy', tally(luns.map((l) => l.policy))],
    ...arrayFacts(record),
    ['VMs', 'vCPUs', tally(vms.map((vm) => vm.vcpus))],
    ['VMs', 'Memory', tally(vms.map((vm) => vm.memoryMb && `${vm.memoryMb} MB`))],
    ['VMs', 'Guest', tally(vms.map((vm) => vm.guest))],
    ['VMs', 'Snapshots', String(vms.reduce((sum, vm) => sum + vm.snapshotCount, 0))],
    ['VMs', 'Moved to another host in the run', movedVms(record, placed)],
    ['Software', 'vCenter', `${inventory.version} build ${inventory.build}`],
  ];
}

/** Disk arrays of the run, each by itself: what people or the lab tell of it. */
function arrayFacts(record: RunRecord): Fact[] {
  const snapshot = snapshotOfRun(record, 'before');
  return (snapshot?.things ?? [])
    .filter(({ kind }) => kind === 'array')
    .map(({ name, values }): Fact => {
      const words = meaningOf('array').flatMap(({ key, label, unit, place }) => {
        const value = values[key];
        return value === undefined || place
          ? []
          : [`${label.toLowerCase()} ${sayValue(value, unit ?? null)}`];
      });
      return ['Storage', `Array ${name}`, words.join(', ') || notRecorded];
    });
}

function movedVms(
  { inventoryBefore, inventoryAfter }: RunRecord,
  placed: readonly { ref: string }[],
): string {
  if (inventoryBefore === null || inventoryAfter === null) return notRecorded;
  const host = (inventory: Inventory, ref: string): string | null =>
    inventory.vms.find((vm) => vm.ref === ref)?.hostRef ?? null;
  return String(
    placed.filter(({ ref }) => host(inventoryBefore, ref) !== host(inventoryAfter, ref)).length,
  );
}

/** Where each VM ran, by host and datastore name. */
function placementFacts(record: RunRecord): Fact[] {
  const inventory = record.inventoryBefore;
  if (inventory === null) return [];
  const vms = new Map(inventory.vms.map((vm) => [vm.ref, vm]));
  const hosts = new Map(inventory.hosts.map((h) => [h.ref, h.name]));
  const stores = new Map(inventory.datastores.map((d) => [d.ref, d.name]));
  return placedVms(record).map(({ label, ref }): Fact => {
    const vm = vms.get(ref);
    const host = vm?.hostRef ? (hosts.get(vm.hostRef) ?? vm.hostRef) : notRecorded;
    return [
      'Placement',
      label,
      vm === undefined
        ? notRecorded
        : `${host}, ${vm.datastoreRefs.map((d) => stores.get(d) ?? d).join(' + ') || 'no datastore'}`,
    ];
  });
}

function otherFacts(record: RunRecord): Fact[] {
  const used = new Set(
    record.testbed.tiles
      .slice(0, record.plan.tiles)
      .flatMap((t) => t.workloads.map((w) => w.clientId)),
  );
  const clients = record.clients.filter((c) => used.size === 0 || used.has(c.id));
  const names = [...new Set(clients.flatMap((c) => Object.keys(c.facts)))].sort(byNaturalOrder);
  const power = record.overview.series
    .filter((s) => s.metric === 'powerW')
    .map((s) => `${s.source}, every ${s.periodMs / 1000} s`);
  return [
    ['Clients', 'Clients', distinct(clients.map((c) => c.name))],
    ...names.map((name): Fact => [
      'Clients',
      name,
      distinct(clients.map((c) => c.facts[name] ?? notRecorded)),
    ]),
    ['Power', 'Power source', distinct(power)],
    ['Software', 'Tilebench', record.appVersion],
  ];
}

const groupOrder = [
  'Profile',
  'Plan',
  'Testbed',
  'Workloads',
  'Hosts',
  'Cluster',
  'Storage',
  'VMs',
  'Placement',
  'Clients',
  'Power',
  'Software',
];

/** The whole set-up of one run, as recorded before it, grouped by meaning. */
export function setupFacts(record: RunRecord): Fact[] {
  const facts = [
    ...planFacts(record),
    ...paramFacts(record),
    ...inventoryFacts(record),
    ...placementFacts(record),
    ...otherFacts(record),
  ];
  return facts.sort(([a], [b]) => groupOrder.indexOf(a) - groupOrder.indexOf(b));
}
