import type { Connection } from './connection.ts';
import { vcenterOfSource } from './powerSources.ts';
import type { HostLogin, Testbed } from './testbed.ts';

/** Ids of the connections that a testbed itself names. */
export const connectionIdsOf = ({
  vcenterId,
  powerIds,
  tiles,
  hostLogins = [],
}: Pick<Testbed, 'vcenterId' | 'powerIds' | 'tiles' | 'hostLogins'>): Set<string> =>
  new Set([
    ...(vcenterId === null ? [] : [vcenterId]),
    ...powerIds,
    ...tiles.flatMap(({ workloads }) => workloads.map(({ clientId }) => clientId)),
    ...hostLogins.map((login) => login.connectionId),
  ]);

/** The connections of a testbed, with the ways that lead to them: jump hosts, a meter's vCenter. */
export function usedConnections(
  testbed: Parameters<typeof connectionIdsOf>[0],
  connections: readonly Connection[],
): Connection[] {
  const used = connectionIdsOf(testbed);
  // A set that grows while it is walked gives whole chains of jumps.
  for (const id of used) {
    const one = connections.find((other) => other.id === id);
    if (one?.kind === 'client' && one.jumpId !== undefined) used.add(one.jumpId);
    const vcenterId = one?.kind === 'power' ? vcenterOfSource(one.source) : null;
    if (vcenterId !== null) used.add(vcenterId);
  }
  return connections.filter(({ id }) => used.has(id));
}

/** Linux hosts under test of a testbed, each once. */
export const linuxHostsOf = ({ hostLogins = [] }: Pick<Testbed, 'hostLogins'>): string[] => [
  ...new Set(
    hostLogins.flatMap(({ system, connectionId }) => (system === 'linux' ? [connectionId] : [])),
  ),
];

/** Logins to hosts of the vCenter, the first of each host. */
export function esxiLoginsOf({
  hostLogins = [],
}: Pick<Testbed, 'hostLogins'>): Extract<HostLogin, { system: 'esxi' }>[] {
  const byHost = new Map<string, Extract<HostLogin, { system: 'esxi' }>>();
  for (const login of hostLogins)
    if (login.system === 'esxi' && !byHost.has(login.host.ref)) byHost.set(login.host.ref, login);
  return [...byHost.values()];
}

/** Who may be given load unasked: not a host under test, which is logged in to as well. */
export function loadClientIds(
  { hostLogins = [] }: Pick<Testbed, 'hostLogins'>,
  connections: readonly Connection[],
): string[] {
  const hosts = new Set(hostLogins.map(({ connectionId }) => connectionId));
  return connections.flatMap(({ kind, id }) => (kind === 'client' && !hosts.has(id) ? [id] : []));
}
