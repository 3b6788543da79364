import type { HostedLab } from '../lab.ts';
import { machineHost } from '../names.ts';
import { tools } from '../programs/tools.ts';
import { evenly } from './world.ts';

export interface ExecResult {
  code: number;
  stdout: string;
  stderr: string;
}
export interface Machine {
  lab: HostedLab;
  /** Client machine's or VM's id. */
  id: string;
  guest: boolean;
  /** A host of the lab, on which nothing runs but esxtop. */
  host: boolean;
  cores: number;
  memoryGb: number;
  /** VM id of an address; null where this lab has none. */
  resolveVm: (address: string) => string | null;
  /** Round trip in ms to an address now; null where nothing answers. */
  tripMs: (address: string, tMs: number) => number | null;
}

const said = (stdout: string, code = 0, stderr = ''): ExecResult => ({ code, stdout, stderr });
const unquote = (word: string): string => word.replace(/^'(.*)'$/s, '$1');

type Shape = readonly [
  pattern: RegExp,
  answer: (match: RegExpExecArray, machine: Machine) => ExecResult,
];

const kernel = 'Linux 6.1.0-sim';
function loadOf({ lab, id, cores }: Machine): string {
  const programs = [...lab.jobs.values()].filter(
    (job) => job.machine === id && job.end === null,
  ).length;
  return (lab.hit('clientSaturated', id) ? cores * 1.2 : 0.05 + programs * 0.02).toFixed(2);
}
function mysql(machine: Machine, command: string): ExecResult {
  const host = /--mysql-host=(\S+)/.exec(command)?.[1];
  const vmId =
    host === undefined || ['127.0.0.1', 'localhost', '::1'].includes(host)
      ? machine.guest
        ? machine.id
        : null
      : machine.resolveVm(host);
  const up = vmId !== null && machine.lab.sync().placement().get(vmId)?.poweredOn === true;
  return up
    ? said('sysbench 1.0.20\n')
    : said(
        `FATAL: unable to connect to MySQL server on host '${host ?? '127.0.0.1'}', aborting...\n`,
        1,
      );
}

/**
 * What a client's processors have done up to a moment, in ticks: kept, since the model forgets
 * after an hour.
 */
const ticksPerS = 100;
const clientTicks = new WeakMap<
  HostedLab,
  Map<string, { atMs: number; total: number; busy: number }>
>();
function procStat({ lab, id, guest, cores }: Machine): ExecResult {
  if (guest) return said('');
  const model = lab.sync(),
    nowMs = model.nowMs();
  const known =
    clientTicks.get(lab) ?? new Map<string, { atMs: number; total: number; busy: number }>();
  clientTicks.set(lab, known);
  const last = known.get(id);
  const seconds = last === undefined ? 0 : Math.max(0, nowMs - last.atMs) / 1_000;
  const share =
    last === undefined || seconds === 0 ? 0 : (model.client(id, last.atMs, nowMs) ?? 0) / 100;
  const next = {
    atMs: nowMs,
    total: (last?.total ?? 0) + seconds * cores * ticksPerS,
    busy: (last?.busy ?? 0) + share * seconds * cores * ticksPerS,
  };
  known.set(id, next);
  const busy = Math.round(next.busy);
  return said(
    `uptime ${(nowMs / 1_000).toFixed(2)} 0.00\n` +
      `stat cpu  ${busy} 0 0 ${Math.max(0, Math.round(next.total) - busy)} 0\n`,
  );
}

/** The commands the engine and its drivers send, by their shapes. */
const shapes: readonly Shape[] = [
  [
    /^uname -sr; nproc; sed -n .*MemTotal/,
    (_match, machine) =>
      said(
        `${kernel}\n${machine.cores}\n${Math.round(machine.memoryGb * 1_048_576)} ` +
          `kB\nmachine=sim-${machine.lab.id}-${machine.id}\ncpu=Simulated CPU\nos=Simulated ` +
          'Linux\n',
      ),
  ],
  [
    /^echo "kernel=/,
    (_match, machine) => {
      // Ticks of /proc/stat over one second: user, nice, system, idle, iowait.
      const busy = Math.round(100 * Math.min(machine.cores, Number(loadOf(machine))));
      return said(
        `kernel=${kernel}\ncpus=${machine.cores}\nhostname=${machine.id}\nboot=${machine.lab.id}-${machine.id}\naddresses=${machine.id}.${machine.lab.id}.sim\nload=${loadOf(machine)}\nstat=cpu ` +
          `0 0 0 0 0\nstat=cpu ${busy} 0 0 ${machine.cores * 100 - busy} 0\n`,
      );
    },
  ],
  [
    /^command -v getent >\/dev\/null \|\| exit 127; getent hosts (\S+)$/,
    (match, machine) => {
      const id = machine.resolveVm(unquote(match[1]!));
      return id === null
        ? said('', 2)
        : said(`${machineHost(machine.lab.id, id)} ${unquote(match[1]!)}\n`);
    },
  ],
  [
    /^ls "\$\{TILEBENCH_ROOT:-\$HOME\}\/\.tilebench"/,
    (_match, { lab, id }) =>
      said(
        [
          ...new Set(
            [...lab.jobs.values()]
              .filter((job) => job.machine === id)
              .map((job) => job.handle.runId),
          ),
        ]
          .slice(0, 20)
          .map((run) => `${run}\n`)
          .join(''),
      ),
  ],
  [
    /^command -v ping >\/dev\/null \|\| exit 127; ping -c 1 -W 2 (\S+) /,
    (match, machine) => {
      const address = unquote(match[1]!);
      const trip = machine.tripMs(address, machine.lab.sync().nowMs());
      return trip === null
        ? said(`PING ${address}: 1 packets transmitted, 0 received, 100% packet loss\n`, 1)
        : said(`64 bytes from ${address}: icmp_seq=1 ttl=64 time=${trip.toFixed(3)} ms\n`);
    },
  ],
  [
    /^command -v (\S+) >\/dev\/null 2>&1 \|\| exit 127;/,
    (match) => {
      const version = tools[unquote(match[1]!)]?.version;
      return version === undefined ? said('', 127) : said(`${version}\n`);
    },
  ],
  [/^for f in uptime stat /, (_match, machine) => procStat(machine)],
  [/^test -[rwd] /, () => said('')],
  [/^rm -f /, () => said('')],
  // A load's own test file: the disks of the lab hold nothing that could be in its way, and no raw
  // device.
  [/^f=.*; m="\$f\.tilebench"\n/, () => said('')],
  [/^d=.*; test -b "\$d"/, () => said('missing\n', 1)],
  [/^fio --name=prepare .*--create_only=1/, () => said('')],
  [
    /^sysbench .*--db-driver=mysql .*(oltp_\w+) (run|prepare|cleanup)( 2>&1)?$/,
    (match, machine) => mysql(machine, match[0]),
  ],
];

/** What a short command says on a simulated machine; 127 for one that nobody knows here. */
export function execSim(command: string, machine: Machine): ExecResult {
  for (const [pattern, answer] of machine.host ? [] : shapes) {
    const match = pattern.exec(command);
    if (match) return answer(match, machine);
  }
  return said('', 127, `sh: 1: ${command.trim().split(/\s+/)[0] ?? ''}: not found\n`);
}

/** Round trip of a ping in a quiet data centre: a fifth to half a millisecond, repeatable. */
export const pingMs = (seed: number, address: string, tMs: number): number =>
  0.2 + 0.3 * evenly(seed, address, tMs);
