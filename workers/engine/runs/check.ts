import type { EsxtopWish } from '../../../src/core/plan/esxtopWish.ts';
import { namesOf } from '../../../src/core/run/outages.ts';
import type { RunFinding, WorkloadStatus } from '../../../src/core/run/run.ts';
import type { Connection, PowerConnection } from '../../../src/core/testbed/connection.ts';
import { linuxHostsOf } from '../../../src/core/testbed/usedConnections.ts';
import { type MeterFacts, meterFacts } from '../power/meterFacts.ts';
import { readClients } from '../snapshots/clients.ts';
import { esxiHostsOf } from './esxiHosts.ts';
import { type InfraPlan, planInfrastructure } from './infra/plan.ts';
import { retryWords } from './infra/retry.ts';
import type { RunsInHand } from './inHand.ts';
import type { LiveRun } from './liveRun.ts';
import { readCounted, readInventory, readProcMetrics, readUplinks } from './prepare.ts';
import { watchedProviders, type WorkloadUnit, workloadUnits } from './series.ts';
import { clientsOf, nameOf } from './sources/clientMachines.ts';
import { seriesOf } from './sources/index.ts';

/**
 * Reads what the run works on, and writes down which series it will have. Throws what a peer said
 * that could not be read.
 */
export async function check(runs: RunsInHand, run: LiveRun): Promise<void> {
  const { db, peers, deps, closing, limits } = runs;
  const { plan, profile, testbed } = run.record();
  run.moveTo('checking');
  const signal = AbortSignal.any([run.stop, closing.signal]);
  const connections = db.connections.list();
  const units = workloadUnits(profile, testbed, plan);
  const inventory = await readInventory({ peers, db, units }, testbed.vcenterId, signal);
  const clients = await readClients({ peers, connections }, units, signal);
  const powers = await readMeters(runs, connections, testbed.powerIds, signal);
  const uplinks = await readUplinks(
    { peers, run },
    testbed.vcenterId,
    watchedProviders(units, inventory).hosts,
    signal,
  );
  const counted = await readCounted({ peers, run }, testbed.vcenterId, signal);
  const procMetrics = await readProcMetrics(
    { peers, run, deps },
    {
      clients: clientsOf(units),
      hosts: linuxHostsOf(testbed).map((id) => ({ id, name: nameOf(connections, id) })),
    },
    signal,
  );
  const esxiHosts = esxiHostsOf({ deps, peers, connections }, testbed, inventory);
  const infrastructure = planInfrastructure(profile, testbed, inventory);
  for (const finding of infrastructureFindings(infrastructure, limits.retryPauseMs))
    run.finding(finding);
  const { operations } = infrastructure;
  const series = seriesOf({
    plan,
    testbed,
    units,
    operations,
    inventory,
    uplinks,
    ...counted,
    procMetrics,
    esxiHosts,
    connections,
    powers,
  });
  tellEsxtop(run, plan.esxtop ?? null, esxiHosts);
  db.samples.defineSeries(run.id, series);
  run.change(
    { inventoryBefore: inventory, clients },
    {
      series,
      workloads: units.map(waitingWorkload),
      ...(esxiHosts.length > 0 && {
        esxtop: { hosts: esxiHosts.map(({ ref, name }) => ({ ref, name })), looks: [] },
      }),
    },
  );
  run.moveTo('ready');
}

/** That esxtop loads the hosts that are measured, or runs on none. */
function tellEsxtop(
  run: LiveRun,
  wish: EsxtopWish | null,
  hosts: readonly { name: string }[],
): void {
  if (wish === null) return;
  run.finding(
    hosts.length === 0
      ? {
          id: 'esxtop',
          severity: 'warn',
          text: 'The plan asks for esxtop, and no ESXi host can be logged in to: there are no samples of it.',
          fix: 'Name the logins of the hosts in the testbed.',
        }
      : {
          id: 'esxtop',
          severity: 'info',
          text:
            `esxtop ran every ${wish.everyS} s on ${namesOf(hosts.map(({ name }) => name))}: it ` +
            'takes processor time of the hosts that were measured.',
          fix: 'Compare with runs that had it too.',
        },
  );
}

/** The power sources of a testbed, each with what it says about itself. */
function readMeters(
  { peers, deps }: RunsInHand,
  connections: readonly Connection[],
  powerIds: readonly string[],
  signal: AbortSignal,
): Promise<(MeterFacts & { connection: PowerConnection })[]> {
  return Promise.all(
    connections.flatMap((connection) =>
      connection.kind === 'power' && powerIds.includes(connection.id)
        ? [
            meterFacts(peers, connection, deps.log, signal).then((facts) => ({
              connection,
              ...facts,
            })),
          ]
        : [],
    ),
  );
}

function infrastructureFindings(
  { growth, missing }: InfraPlan,
  retryPauseMs: number,
): Omit<RunFinding, 'tMs'>[] {
  const loops: Omit<RunFinding, 'tMs'>[] =
    growth === null
      ? []
      : [
          {
            id: 'infra.loops',
            severity: 'info',
            text:
              `${growth} A failed operation is tried again after ` +
              `${retryWords(retryPauseMs)}; then the loop takes another VM.`,
          },
        ];
  return [
    ...loops,
    ...missing.map((text) => ({
      id: `infra.${text.split(':')[0]}`,
      severity: 'warn' as const,
      text: `Not counted: ${text}.`,
      fix: 'Name what the operation works on in the testbed.',
    })),
  ];
}

const waitingWorkload = (unit: WorkloadUnit): WorkloadStatus => ({
  entityId: unit.entityId,
  tile: unit.tile,
  workloadId: unit.workload.id,
  clientId: unit.assignment.clientId,
  vmName: unit.assignment.vm?.name ?? null,
  state: 'waiting',
  lastSampleMs: null,
  badLines: 0,
});
