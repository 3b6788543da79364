import { fail } from '../../../../src/core/base/errors.ts';
import type { Inventory } from '../../../../src/core/testbed/inventory.ts';
import type { Peers } from '../../connections/peers.ts';
import type { Database } from '../../db/types.ts';
import type { SshHost } from '../../deps/ssh.ts';
import type { VCenterSession } from '../../deps/vcenter.ts';
import type { LaunchInputs } from '../../plans/hash.ts';
import { type InfraPlan, planInfrastructure } from '../../runs/infra/plan.ts';
import type { WorkloadUnit } from '../../runs/series.ts';
import { clientsAtOnce } from '../../snapshots/clients.ts';
import { createGate } from '../../ssh/gate.ts';
import { type ClientFacts, readFacts } from './clientFacts.ts';

export interface ReachedClient {
  id: string;
  host: SshHost;
  facts: ClientFacts;
}
/** Hosts and datastores that the tiles of the plan use. */
export interface UnderTest {
  hostRefs: ReadonlySet<string>;
  datastoreRefs: ReadonlySet<string>;
}

/**
 * Reads that several checks share: each is made once a check run, at the first call, and lasts as
 * long as the check run.
 */
export interface World {
  readonly clientIds: readonly string[];
  session(): Promise<VCenterSession>;
  inventory(): Promise<Inventory>;
  /** Logs in and reads the facts. Rejects where the client cannot be reached. */
  client(id: string): Promise<ReachedClient>;
  /** Those that answer; who does not is told by `client.reachable`. */
  reached(): Promise<ReachedClient[]>;
  /** Work on each client that answers, bounded. */
  eachClient<T>(work: (client: ReachedClient) => Promise<T>): Promise<T[]>;
  underTest(): Promise<UnderTest>;
  infrastructure(): Promise<InfraPlan>;
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => {
    made ??= make();
    // Who asks sees the failure; a check that is over its time limit no longer asks.
    made.catch(() => undefined);
    return made;
  };
}

export function createWorld(options: {
  db: Database;
  peers: Peers;
  inputs: LaunchInputs;
  units: readonly WorkloadUnit[];
  signal: AbortSignal;
}): World {
  const { db, peers, inputs, units, signal } = options;
  const { testbed, profile } = inputs;
  const gate = createGate(clientsAtOnce);
  const clientIds = [...new Set(units.map((unit) => unit.assignment.clientId))];
  const clients = new Map(
    clientIds.map((id) => [
      id,
      once(() =>
        gate.run(async () => {
          const host = await peers.client(id);
          return { id, host, facts: await readFacts(host, signal) };
        }, signal),
      ),
    ]),
  );
  const session = once(async () => {
    if (testbed.vcenterId === null) throw fail('notFound', 'The testbed has no vCenter.');
    return peers.vcenter(testbed.vcenterId, signal);
  });
  const inventory = once(async () => {
    const read = await (await session()).inventory(signal);
    db.inventories.save(read);
    return read;
  });
  const client = (id: string): Promise<ReachedClient> =>
    clients.get(id)?.() ?? Promise.reject(fail('notFound', `The plan uses no client ${id}.`));
  const reached = once(async () =>
    (await Promise.allSettled(clientIds.map(client))).flatMap((one) =>
      one.status === 'fulfilled' ? [one.value] : [],
    ),
  );
  return {
    clientIds,
    session,
    inventory,
    client,
    reached,
    eachClient: async (work) => {
      const all = await reached();
      return Promise.all(all.map((one) => gate.run(() => work(one), signal)));
    },
    underTest: once(async () => underTestOf(inputs, units, await inventory())),
    infrastructure: once(async () =>
      planInfrastructure(profile, testbed, testbed.vcenterId === null ? null : await inventory()),
    ),
  };
}

/**
 * The hosts and datastores of the testbed's layout, or else those that the VMs of the plan's tiles
 * use or are planned on.
 */
export function underTestOf(
  { testbed }: Pick<LaunchInputs, 'testbed'>,
  units: readonly WorkloadUnit[],
  inventory: Inventory,
): UnderTest {
  const byRef = new Map(inventory.vms.map((vm) => [vm.ref, vm]));
  const vms = units.flatMap((unit) => byRef.get(unit.assignment.vm?.ref ?? '') ?? []);
  const planned = units.flatMap((unit) => unit.assignment.planned ?? []);
  const { layout } = testbed;
  const hostRefs = new Set([
    ...(layout?.hosts ?? []).map((host) => host.ref),
    ...vms.flatMap((vm) => vm.hostRef ?? []),
    ...planned.flatMap((place) => place.host?.ref ?? []),
  ]);
  const datastoreRefs = new Set([
    ...(layout?.datastores ?? []).map((store) => store.ref),
    ...vms.flatMap((vm) => vm.datastoreRefs),
    ...planned.flatMap((place) => place.datastore?.ref ?? []),
  ]);
  return { hostRefs, datastoreRefs };
}
