import { type WorkloadDemand, workloadDemand } from '../../../../src/core/lab/lab.ts';
import { dbenchFormat } from './dbench.ts';
import { fioFormat } from './fio.ts';
import { simloadFormat } from './simload.ts';
import { sysbenchCpuFormat, sysbenchOltpFormat } from './sysbench.ts';
import type { Place, Program, SimulatedTool } from './types.ts';
import { readOptions } from './words.ts';

const fails = (exitCode: number, stderr: string): Program => ({
  kind: 'fails',
  exitCode,
  stderr: `${stderr}\n`,
});
const positive = (text: string | undefined, otherwise: number): number =>
  text !== undefined && Number(text) > 0 ? Number(text) : otherwise;

/**
 * A rate to hold is a closed loop of many users who each think for a second: in a lab that keeps up
 * they come at that rate, whatever the response time; in one that does not, they queue, as requests
 * of an open loop do.
 */
const atRate = (demand: WorkloadDemand, opsPerS: number): WorkloadDemand => ({
  ...demand,
  users: opsPerS,
  thinkMs: 1_000,
  outstanding: demand.outstanding,
});

function kindOf(at: Place, kind: string): WorkloadDemand | null {
  return at.spec.workloads.find((one) => one.kind === kind) ?? null;
}
const noKind = (program: string, at: Place, kind: string): Program =>
  fails(2, `${program}: lab ${at.spec.id} defines no load of kind ${kind}`);
const noGuest = (program: string, at: Place): Program =>
  fails(
    2,
    `${program}: this client machine of lab ${at.spec.id} has nothing under test; run it inside a VM`,
  );

function simload(list: readonly string[], at: Place): Program {
  const {
    options,
    plain: [kind = ''],
  } = readOptions(list, [
    'target',
    'users',
    'think',
    'outstanding',
    'packets',
    'interval',
    'duration',
  ]);
  const known = kindOf(at, kind);
  if (!known) return noKind('tilebench-simload', at, kind);
  const target = options.get('target');
  const vmId = target === undefined ? at.guestVmId : at.resolveVm(target);
  if (vmId === null)
    return target === undefined
      ? noGuest('tilebench-simload', at)
      : fails(1, `tilebench-simload: ${target} is no VM of lab ${at.spec.id}`);
  const demand: WorkloadDemand = {
    ...known,
    users: positive(options.get('users'), known.users),
    outstanding: positive(options.get('outstanding'), known.outstanding),
    thinkMs: options.has('think') ? Math.max(0, Number(options.get('think'))) : known.thinkMs,
  };
  const packets = positive(options.get('packets'), 0);
  const packetsPerOp = demand.net.packetsInPerOp + demand.net.packetsOutPerOp;
  if (packets > 0 && packetsPerOp <= 0)
    return fails(2, `tilebench-simload: loads of kind ${kind} send no packets`);
  return {
    kind: 'runs',
    durationMs: positive(options.get('duration'), 60) * 1_000,
    intervalMs: positive(options.get('interval'), 1) * 1_000,
    load: { vmId, demand: packets > 0 ? atRate(demand, packets / packetsPerOp) : demand },
    format: simloadFormat,
  };
}

function fio(list: readonly string[], at: Place): Program {
  const { options } = readOptions(list);
  if (at.guestVmId === null) return noGuest('fio', at);
  const blockBytes = positive(options.get('bs'), 4_096);
  const mode = options.get('rw') ?? 'read';
  const readShare =
    mode === 'randread' || mode === 'read'
      ? 1
      : mode === 'randwrite' || mode === 'write'
        ? 0
        : Number(options.get('rwmixread') ?? 50) / 100;
  const known = kindOf(at, 'fio');
  const one = known?.io[0];
  const base =
    known ??
    workloadDemand.parse({
      kind: 'fio',
      role: 'io',
      unit: 'IOPS',
      users: 1,
      thinkMs: 0,
      cpuMsPerOp: 0,
    });
  const demand: WorkloadDemand = {
    ...base,
    users: positive(options.get('iodepth'), 1) * positive(options.get('numjobs'), 1),
    thinkMs: 0,
    outstanding: 1,
    unitsPerOp: 1,
    io: [
      {
        perOp: 1,
        sizeKb: blockBytes / 1_024,
        readShare,
        randomShare: Number(options.get('percentage_random') ?? 100) / 100,
        hitShare: one?.hitShare ?? 0,
      },
    ],
  };
  const rate = (options.get('rate_iops') ?? '')
    .split(',')
    .reduce((sum, part) => sum + positive(part, 0), 0);
  return {
    kind: 'runs',
    durationMs: positive(options.get('runtime'), 60) * 1_000,
    intervalMs: positive(options.get('status-interval'), 1) * 1_000,
    load: { vmId: at.guestVmId, demand: rate > 0 ? atRate(demand, rate) : demand },
    format: fioFormat({ name: options.get('name') ?? 'io', blockBytes, readShare }),
  };
}

function sysbenchOltp(list: readonly string[], at: Place): Program {
  const {
    options,
    plain: [script = ''],
  } = readOptions(list);
  const known = kindOf(at, 'sysbench-oltp');
  if (!known) return noKind('FATAL: sysbench', at, 'sysbench-oltp');
  const host = options.get('mysql-host') ?? '127.0.0.1';
  const vmId =
    ['127.0.0.1', 'localhost', '::1'].includes(host) || options.has('mysql-socket')
      ? at.guestVmId
      : at.resolveVm(host);
  if (vmId === null)
    return fails(
      1,
      `FATAL: unable to connect to MySQL server on host '${host}', port ` +
        `${options.get('mysql-port') ?? 3306}, aborting...`,
    );
  const threads = positive(options.get('threads'), 1);
  const rate = positive(options.get('rate'), 0);
  const demand = { ...known, users: threads, thinkMs: known.thinkMs };
  const intervalS = positive(options.get('report-interval'), 1);
  return {
    kind: 'runs',
    durationMs: positive(options.get('time'), 10) * 1_000,
    intervalMs: intervalS * 1_000,
    load: { vmId, demand: rate > 0 ? atRate(demand, rate / known.unitsPerOp) : demand },
    format: sysbenchOltpFormat(script, threads, intervalS),
  };
}

function sysbenchCpu(list: readonly string[], at: Place): Program {
  const { options } = readOptions(list);
  const known = kindOf(at, 'sysbench-cpu');
  if (!known) return noKind('FATAL: sysbench', at, 'sysbench-cpu');
  if (at.guestVmId === null) return noGuest('FATAL: sysbench', at);
  const threads = positive(options.get('threads'), 1);
  const rate = positive(options.get('rate'), 0);
  const intervalS = positive(options.get('report-interval'), 1);
  const demand = { ...known, users: threads };
  return {
    kind: 'runs',
    durationMs: positive(options.get('time'), 10) * 1_000,
    intervalMs: intervalS * 1_000,
    load: {
      vmId: at.guestVmId,
      demand: rate > 0 ? atRate(demand, rate / known.unitsPerOp) : demand,
    },
    format: sysbenchCpuFormat(threads, intervalS),
  };
}

function dbench(list: readonly string[], at: Place): Program {
  const known = kindOf(at, 'dbench');
  if (!known) return noKind('dbench', at, 'dbench');
  if (at.guestVmId === null) return noGuest('dbench', at);
  const { options, plain } = readOptions(list, ['c', 'D', 'R', 't']);
  const clients = positive(plain[0], 1);
  const limitS = positive(options.get('t'), 600);
  const rate = positive(options.get('R'), 0);
  const demand = { ...known, users: clients };
  return {
    kind: 'runs',
    durationMs: (limitS + Math.floor(limitS / 5)) * 1_000,
    intervalMs: 1_000,
    load: {
      vmId: at.guestVmId,
      demand: rate > 0 ? atRate(demand, (rate * clients) / known.unitsPerOp) : demand,
    },
    format: dbenchFormat(clients, limitS),
  };
}

/** What each tool of `tools.ts` does with its command line. */
export const loads = {
  simload,
  fio,
  sysbench: (list, at) => (list[0] === 'cpu' ? sysbenchCpu(list, at) : sysbenchOltp(list, at)),
  dbench,
} as const satisfies Readonly<Record<string, SimulatedTool['run']>>;
