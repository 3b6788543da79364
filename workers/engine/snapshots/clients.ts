import { printableLine } from '../../../src/core/base/bounds.ts';
import type { ClientRecord } from '../../../src/core/run/run.ts';
import type { RunContext } from '../runs/context.ts';
import type { WorkloadUnit } from '../runs/series.ts';
import { createGate } from '../ssh/gate.ts';
import { getDriver } from '../workloads/index.ts';

/** Kernel, CPUs and memory a line each, then what not every system has, by name. */
const factsCommand = [
  'uname -sr; nproc; sed -n "s/^MemTotal: *//p" /proc/meminfo',
  'echo "machine=$(cat /etc/machine-id 2>/dev/null)"',
  'echo "cpu=$(sed -n "s/^model name[^:]*: *//p" /proc/cpuinfo 2>/dev/null | head -n 1)"',
  'echo "os=$(. /etc/os-release 2>/dev/null && echo "$PRETTY_NAME")"',
].join('; ');

/**
 * A run keeps what a client says of itself: one line that prints, and none without end, or its
 * record could not be read back.
 */
const short = (said: string): string => printableLine(said.slice(0, 500));

/** What `factsCommand` printed. A line that is missing or empty gives no fact. */
export function decodeFacts(stdout: string): {
  facts: Record<string, string>;
  machineId: string | null;
} {
  const lines = stdout.split('\n').map((line) => short(line.trim()));
  const named = (name: string): string | null =>
    lines
      .find((line) => line.startsWith(`${name}=`))
      ?.slice(name.length + 1)
      .trim() || null;
  const found = {
    kernel: lines[0],
    cpus: lines[1],
    memory: lines[2],
    cpu: named('cpu'),
    os: named('os'),
  };
  return {
    facts: Object.fromEntries(
      Object.entries(found).flatMap(([name, value]) => (value ? [[name, value]] : [])),
    ),
    machineId: named('machine'),
  };
}

type Reach = Pick<RunContext, 'peers' | 'connections'>;

/**
 * One client of a run: clock offset, what the machine is, versions of the drivers that the units
 * run on it. Throws when it cannot be reached.
 */
export async function readClient(
  { peers, connections }: Reach,
  id: string,
  units: readonly WorkloadUnit[],
  signal: AbortSignal,
): Promise<ClientRecord> {
  const host = await peers.client(id);
  const { offsetMs } = await host.clockOffset(signal);
  const { facts, machineId } = decodeFacts(
    (await host.exec(factsCommand, { signal, timeoutMs: 10_000 })).stdout,
  );
  const drivers = [
    ...new Map(
      units.filter((u) => u.assignment.clientId === id).map((u) => [u.workload.driver, u]),
    ).values(),
  ];
  const versions = await Promise.all(
    drivers.map(
      async (unit) =>
        [
          unit.workload.driver,
          short(
            (await getDriver(unit.workload.driver).check(host, unit.params, signal)).version ??
              'not found',
          ),
        ] as const,
    ),
  );
  return {
    id,
    name: connections.find((c) => c.id === id)?.name ?? id,
    clockOffsetMs: offsetMs,
    machineId,
    facts: { ...facts, ...Object.fromEntries(versions) },
  };
}

/**
 * Clients that are read side by side: of two hundred at once each would wait for all others within
 * its own time limit.
 */
export const clientsAtOnce = 16;

/** Every client of the run, some side by side. Throws when one cannot be reached. */
export async function readClients(
  context: Reach,
  units: readonly WorkloadUnit[],
  signal: AbortSignal,
): Promise<ClientRecord[]> {
  const gate = createGate(clientsAtOnce);
  return Promise.all(
    [...new Set(units.map((u) => u.assignment.clientId))].map((id) =>
      gate.run(() => readClient(context, id, units, signal), signal),
    ),
  );
}
