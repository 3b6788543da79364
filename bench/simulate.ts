import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createClient, createEventHub, memoryPorts, serve } from '../src/shared/channel.ts';
import { isEnd, type RunOverview } from '../src/shared/run.ts';
import { labSpecSchema } from '../src/shared/lab.ts';
import { planFileSchema, type PlanFile } from '../src/shared/plan.ts';
import { createDemoDeps } from '../workers/demoDeps.ts';
import { createEngine } from '../workers/engine/engine.ts';
import type { BenchResult } from './row.ts';

const tiles = Number(process.env['BENCH_TILES'] ?? 20);
const hours = Number(process.env['BENCH_HOURS'] ?? 4);
const kinds = ['mail', 'java', 'web', 'database', 'file', 'batch', 'queue', 'search', 'cache'] as const;

/** 4 hosts, 4 LUNs, 20 tiles of nine loads with five series each: about 960 series at 1 Hz. */
function benchPlan(): PlanFile {
  const password = { keychain: 'simulated' };
  const vm = (tile: number, kind: string): string => `t${tile + 1}-${kind}`;
  const all = Array.from({ length: tiles }, (_, tile) => kinds.map((kind) => ({ tile, kind }))).flat();
  const phases = { rampUpS: 600, staggerS: 30, steadyS: hours * 3_600 - 900, periods: 3, rampDownS: 300 };
  return planFileSchema.parse({
    tilebenchPlan: 1,
    labs: [labSpecSchema.parse({
      schemaVersion: 1, id: 'bench', name: 'Bench lab',
      hosts: [0, 1, 2, 3].map((n) => ({ id: `h${n}`, model: 'Bench', cpuModel: 'Bench', sockets: 4, coresPerSocket: 16, ghz: 2.6, coreSpeed: 1, hyperThreadGain: 1.2, memoryGb: 1_024, overhead: { cpuShare: 0.05, usPerIo: 15, usPerPacket: 2 }, hba: { ports: 2, queueDepth: 64, gbps: 16 }, uplinks: [{ id: 'vmnic0', gbps: 10 }, { id: 'vmnic1', gbps: 10 }], power: { idleW: 300, busyW: 700 } })),
      arrays: [{ id: 'a', model: 'Bench', readCacheMb: 16_384, writeCacheMb: 4_096, ports: 8, portGbps: 16, controllerUs: 60 }],
      luns: [0, 1, 2, 3].map((n) => ({ id: `l${n}`, arrayId: 'a', disks: 40, rpm: 15_000, raid: '10', seekMs: 3.5, diskMbps: 120, sizeGb: 8_000 })),
      datastores: [0, 1, 2, 3].map((n) => ({ id: `d${n}`, lunIds: [`l${n}`] })),
      vms: all.map(({ tile, kind }, index) => ({ id: vm(tile, kind), hostId: `h${index % 4}`, datastoreId: `d${index % 4}`, vcpus: 2, memoryMb: 4_096 })),
      clients: Array.from({ length: tiles }, (_, n) => ({ id: `c${n + 1}` })),
      workloads: kinds.map((kind, n) => ({ kind, role: kind, unit: 'ops/s', users: 20 + n * 10, thinkMs: 400, cpuMsPerOp: 1 + n * 0.5, io: n % 2 === 0 ? [{ perOp: 1, sizeKb: 8, readShare: 0.7, randomShare: 1 }] : [], net: { packetsInPerOp: 4, packetsOutPerOp: 6, bytesInPerOp: 2_000, bytesOutPerOp: 6_000 } })),
      drs: { enabled: true },
    })],
    connections: [
      { kind: 'vcenter', id: 'bench', name: 'bench.sim', host: 'bench.sim', user: 'lab', password },
      { kind: 'power', id: 'bench-power', name: 'hosts', source: { type: 'vcenter', vcenterId: 'bench' } },
      ...Array.from({ length: tiles }, (_, n) => ({ kind: 'client', id: `bench-c${n + 1}`, name: `c${n + 1}`, host: `c${n + 1}.bench.sim`, user: 'lab', auth: { method: 'password', password } })),
    ],
    profile: {
      schemaVersion: 1, id: 'bench', version: '1', name: 'Bench', description: '', phases,
      workloads: kinds.map((kind) => ({ id: kind, role: kind, name: kind, driver: 'simload', params: { kind }, unit: 'ops/s', reference: 50, referenceSource: 'bench' })),
      scoring: { tile: 'geometricMean', total: 'sum', periods: 'median', source: 'bench' },
    },
    testbed: {
      id: 'bench', name: 'Bench', profileId: 'bench', vcenterId: 'bench', powerIds: ['bench-power'],
      tiles: Array.from({ length: tiles }, (_, tile) => ({ index: tile, workloads: kinds.map((kind) => ({ workloadId: kind, vm: { ref: vm(tile, kind), name: vm(tile, kind) }, clientId: `bench-c${tile + 1}`, params: { target: `${vm(tile, kind)}.bench.sim` } })) })),
    },
    plan: { id: 'bench', name: 'Bench', testbedId: 'bench', profileId: 'bench', tiles, phases },
  });
}


setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
/** Bytes that are held, garbage aside: how far a fast run lets garbage pile up is the collector's choice. */
function held(): number {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** A whole simulated run as fast as the machine goes, with an interface that watches it. */
export async function run(): Promise<BenchResult[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tb-bench-simulate-'));
  const demo = createDemoDeps({ host: 'test', dataDir, resourcesDir: resolve(import.meta.dirname, '..', 'resources'), version: '0', pace: { speed: null, paused: false } });
  const hub = createEventHub((thrown) => { throw thrown; });
  const engine = await createEngine(demo.deps, hub.emit);
  const [near, far] = memoryPorts();
  serve(far, engine.handlers, hub.subscribe);
  const client = createClient(near);
  let watched = 0;
  let longestMs = 0;
  let last = performance.now();
  const beat = setInterval(() => { const now = performance.now(); longestMs = Math.max(longestMs, now - last - 20); last = now; }, 20);
  try {
    client.on('run.samples', ({ batch }) => { watched += batch.length / 3; });
    const file = benchPlan();
    await client.call('plan.import', file);
    const report = await client.call('plan.check', { id: 'bench' });
    const early: number[] = [];
    const late: number[] = [];
    const startedMs = performance.now();
    const before = process.cpuUsage();
    await client.call('run.start', { planId: 'bench', checkedHash: report.hash });
    const end = await new Promise<RunOverview>((done) => {
      client.on('run.changed', (overview) => {
        const share = (overview.nowMs - (overview.startedAtMs ?? overview.nowMs)) / (hours * 3_600_000);
        if (share > 0.2 && share < 0.35) early.push(held());
        if (share > 0.85) late.push(held());
        if (isEnd(overview.state)) done(overview);
      });
    });
    const seconds = (performance.now() - startedMs) / 1_000;
    const used = process.cpuUsage(before);
    const samples = (await client.call('run.list', {}))[0]?.sampleCount ?? 0;
    const mb = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length) / 1e6;
    process.stderr.write(`${end.state}: ${end.verdict?.sentence ?? ''} ${end.findings.filter((f) => f.severity !== 'info').map((f) => f.text).join('; ')}\n`);
    return [{ name: `Simulated run: ${hours} h, ${tiles} tiles, 4 hosts, ${end.series.length} series, ${(samples / 1e6).toFixed(2)} M samples`, rows: [
      { label: 'launch to verdict, as fast as the machine goes', value: seconds, unit: 's', budget: (60 * hours) / 4 },
      { label: 'CPU time of it, all threads', value: (used.user + used.system) / 1e6, unit: 's' },
      { label: 'virtual seconds a second', value: (hours * 3_600) / seconds, unit: '×' },
      { label: 'memory at a quarter', value: mb(early), unit: 'MB' },
      { label: 'memory near the end', value: mb(late), unit: 'MB', budget: mb(early) + 100 },
      { label: 'longest time the loop gave nobody a turn', value: longestMs, unit: 'ms' },
      { label: 'samples that reached the interface', value: watched, unit: '' },
    ] }];
  } finally {
    clearInterval(beat);
    client.close();
    await engine.close();
    demo.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
