import {
  clients,
  connections,
  expectation,
  hosts,
  idOf,
  lab,
  luns,
  plan,
  profile,
  published,
  study,
  testbed,
  tileVms,
  times,
} from '../build.ts';
import type { GalleryEntry } from '../types.ts';

const galleryId = 'E90';
const phases = { rampUpS: 30, staggerS: 5, steadyS: 120, periods: 1, rampDownS: 10 };

/** A small entry for tests: Java users on one host, swept in tiles. Nobody published it. */
export const smallSpec = lab({
  schemaVersion: 1,
  id: 'e90',
  name: 'Small',
  seed: 3,
  hosts: hosts(2, 'h', {
    model: 'Sim 1',
    cpuModel: 'Sim CPU',
    sockets: 1,
    coresPerSocket: 4,
    ghz: 2,
    coreSpeed: 1,
    memoryGb: 32,
    overhead: { cpuShare: 0.05, usPerIo: 20, usPerPacket: 2 },
    hba: { ports: 1, queueDepth: 32, gbps: 4 },
    power: { idleW: 100, busyW: 200 },
  }),
  arrays: [
    {
      id: 'a',
      model: 'Array',
      readCacheMb: 512,
      writeCacheMb: 256,
      ports: 1,
      portGbps: 4,
      controllerUs: 100,
    },
  ],
  luns: luns(2, 'l', {
    arrayId: 'a',
    disks: 4,
    rpm: 10_000,
    raid: '10',
    seekMs: 4,
    diskMbps: 60,
    sizeGb: 500,
  }),
  datastores: times(2, (i) => ({ id: `d${i + 1}`, lunIds: [`l${i + 1}`] })),
  vms: tileVms(2, { java: { vcpus: 2, memoryMb: 2_048 } }, (tile) => ({
    hostId: `h${tile + 1}`,
    datastoreId: `d${tile + 1}`,
  })),
  clients: clients(1),
  workloads: [
    { kind: 'java', role: 'java', unit: 'ops/s', users: 20, thinkMs: 100, cpuMsPerOp: 4 },
  ],
  drs: { enabled: false, stars: 3 },
  variants: {
    fast: [
      { path: 'hosts.0.coreSpeed', value: 2 },
      { path: 'hosts.1.coreSpeed', value: 2 },
    ],
  },
});
export const smallProfile = profile({
  id: idOf(galleryId, 'java'),
  name: 'Java',
  phases,
  workloads: [
    {
      id: 'java',
      role: 'java',
      name: 'Java',
      driver: 'simload',
      params: { kind: 'java' },
      unit: 'ops/s',
      reference: null,
      referenceSource: 'the reference point',
    },
  ],
});
const bed = testbed({ galleryId, lab: smallSpec, profile: smallProfile, tiles: 2 });

export const smallEntry: GalleryEntry = {
  item: {
    id: galleryId,
    title: 'Small',
    paragraph: 'Two tiles.',
    benchmark: 'none',
    year: '2026',
    swept: 'tiles',
    shows: 'score',
    published: [],
  },
  labs: [smallSpec],
  connections: connections(smallSpec),
  testbeds: [bed],
  profiles: [smallProfile],
  basis: [],
  plan: plan({ galleryId, name: 'Small', testbed: bed, profile: smallProfile }),
  study: study({
    galleryId,
    name: 'Small',
    axes: [
      {
        name: 'tiles',
        label: 'Tiles',
        unit: 'tiles',
        parameter: { kind: 'tiles' },
        values: [1, 2],
      },
    ],
    charts: [{ title: 'Score', measure: 'score', unit: '' }],
  }),
  published: [published(['F000'], 'score', 'Scaling', { tiles: 2 }, 2, 'x', 'a test')],
  expectations: (view) => [
    expectation({
      id: 'E90.two',
      label: 'Two tiles',
      unit: 'x',
      model: view.value('score', { tiles: 2 }),
      published: '2.0',
      low: 1.8,
      high: 2.2,
      source: 'a test',
    }),
    expectation({
      id: 'E90.power',
      label: 'Power at the end',
      unit: 'W',
      model: view.series({ tiles: 2 }, 'powerW', { kind: 'power' })?.value.at(-1) ?? null,
      published: 'none',
      low: 200,
      high: null,
      source: 'a test',
    }),
  ],
};
