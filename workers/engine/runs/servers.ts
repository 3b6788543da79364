import { fail } from '../../../src/core/base/errors.ts';
import { groupBy } from '../../../src/core/base/groupBy.ts';
import type { Connection } from '../../../src/core/testbed/connection.ts';
import { waitUntil } from '../clock/jumps.ts';
import type { JobHandle, SshHost } from '../deps/ssh.ts';
import type { DriverServer } from '../workloads/driver.ts';
import { getDriver } from '../workloads/index.ts';
import type { RunContext } from './context.ts';
import type { WorkloadUnit } from './series.ts';
import { label } from './workload.ts';

/** A server of a load, with the login of the machine where it runs; null = nobody has one. */
export interface PlacedServer {
  unit: WorkloadUnit;
  /** Among the servers of its load. */
  index: number;
  server: DriverServer;
  loginId: string | null;
}

/** The servers that a run starts for these loads, each at the client machine of its address. */
export function serversOf(
  units: readonly WorkloadUnit[],
  connections: readonly Connection[],
): PlacedServer[] {
  const logins = new Map(
    connections.flatMap((one) => (one.kind === 'client' ? [[one.host, one.id] as const] : [])),
  );
  return units.flatMap((unit) =>
    (getDriver(unit.workload.driver).servers?.(unit.params) ?? []).map((server, index) => ({
      unit,
      index,
      server,
      loginId: logins.get(server.address) ?? null,
    })),
  );
}

/** Loads are prepared, idle power is measured and a tool cleans up while it runs; then it ends by itself. */
const marginS = 7_200;
/** How long a server may take until it answers. */
const readyMs = 60_000;
const lookAgainMs = 500;

/**
 * Starts what the loads of a run need on other machines and waits until each answers. They end with
 * the run: sweeping their machines ends and removes them, as a client's leftovers.
 */
export async function startServers(context: RunContext, signal: AbortSignal): Promise<void> {
  const { phases, tiles } = context.run.record().plan;
  const timeLimitS =
    phases.rampUpS + phases.steadyS + phases.rampDownS + tiles * phases.staggerS + marginS;
  const servers = serversOf(context.units, context.connections);
  // One after the other on a machine: each puts its program there.
  await Promise.all(
    [...groupBy(servers, ({ loginId }) => loginId).values()].map(async (own) => {
      for (const placed of own) await startServer(context, placed, timeLimitS, signal);
    }),
  );
}

async function startServer(
  context: RunContext,
  placed: PlacedServer,
  timeLimitS: number,
  signal: AbortSignal,
): Promise<void> {
  const { unit, server, index, loginId } = placed;
  if (loginId === null) throw noLogin(placed);
  const host = await context.peers.client(loginId);
  await server.prepare(host, signal);
  const jobId = `${unit.entityId}.server-${index + 1}`;
  const { command } = server;
  const job = await host.startJob({ runId: context.run.id, jobId, command, timeLimitS }, signal);
  await untilReady(context, host, job, placed, signal);
}

export const noLoginText = ({ unit, server }: PlacedServer): string =>
  `${server.name} of ${label(unit)} shall run on ${server.address}, and no client machine with that address is known`;
export const noLoginFix =
  'Add the machine as a client in Connections, or say in the parameters that the server runs already.';
const noLogin = (placed: PlacedServer): Error =>
  fail('notFound', `${noLoginText(placed)}.`, noLoginFix);

async function untilReady(
  { deps: { clock } }: RunContext,
  host: SshHost,
  job: JobHandle,
  { unit, server }: PlacedServer,
  signal: AbortSignal,
): Promise<void> {
  const what = `${server.name} of ${label(unit)} on ${server.address}`;
  const lastMs = clock.now() + readyMs;
  for (;;) {
    const { running, end } = await host.jobStatus(job, signal);
    if (!running || end !== null)
      throw fail(
        'conflict',
        `${what} ended at its start: ${(end?.stderrTail ?? '').trim().slice(-300) || 'it said nothing'}`,
        'See whether its port is free, and its password file there.',
      );
    if ((await host.readJobFile(job, 'stdout', 65_536, signal)).includes(server.ready)) return;
    if (clock.now() >= lastMs)
      throw fail('timedOut', `${what} did not answer within ${readyMs / 1_000} s.`);
    await waitUntil(clock, clock.now() + lookAgainMs, signal);
  }
}
