import type { Connection } from '../../../src/core/testbed/connection.ts';
import type { Inventory } from '../../../src/core/testbed/inventory.ts';
import type { Testbed } from '../../../src/core/testbed/testbed.ts';
import { esxiLoginsOf } from '../../../src/core/testbed/usedConnections.ts';
import type { Peers } from '../connections/peers.ts';
import type { Deps } from '../deps.ts';
import type { SshHost } from '../deps/ssh.ts';

/** An ESXi host that a run can be logged in to. */
export interface EsxiHost {
  ref: string;
  name: string;
  /** Connection that is told of when it is away. */
  peerId: string;
  open(): Promise<SshHost>;
}

/**
 * The hosts of a vCenter that the testbed has logins to; in a simulated lab every one of them, which
 * lets in whoever asks.
 */
export function esxiHostsOf(
  {
    deps,
    peers,
    connections,
  }: {
    deps: Pick<Deps, 'lab' | 'ssh'>;
    peers: Pick<Peers, 'client'>;
    connections: readonly Connection[];
  },
  testbed: Pick<Testbed, 'vcenterId' | 'hostLogins'>,
  inventory: Inventory | null,
): EsxiHost[] {
  const hosts = inventory?.hosts ?? [];
  const vcenter = connections.find(({ id }) => id === testbed.vcenterId);
  if (deps.lab !== null && vcenter?.kind === 'vcenter')
    return hosts
      .filter(({ version }) => version !== 'physical')
      .map(({ ref, name }) => ({
        ref,
        name,
        peerId: vcenter.id,
        open: async () =>
          deps.ssh.host({
            id: ref,
            name,
            hops: [
              {
                host: `${ref}.${vcenter.host}`,
                port: 22,
                user: 'root',
                auth: { method: 'password', password: '' },
              },
            ],
          }),
      }));
  return esxiLoginsOf(testbed).flatMap(({ connectionId, host }) => {
    const known = hosts.find(({ ref }) => ref === host.ref);
    return known === undefined
      ? []
      : [
          {
            ref: known.ref,
            name: known.name,
            peerId: connectionId,
            open: () => peers.client(connectionId),
          },
        ];
  });
}
