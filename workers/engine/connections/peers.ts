import { canonicalJson } from '../../../src/core/base/canonicalJson.ts';
import { fail } from '../../../src/core/base/errors.ts';
import type {
  ClientConnection,
  Connection,
  PowerConnection,
  VCenterConnection,
} from '../../../src/core/testbed/connection.ts';
import type { Deps } from '../deps.ts';
import type { PowerMeter } from '../deps/power.ts';
import type { SshHost } from '../deps/ssh.ts';
import type { VCenterSession } from '../deps/vcenter.ts';
import { resolveTarget } from './resolve.ts';
import type { SecretGate } from './secretGate.ts';

/** Open connections, one a peer, shared by discovery, checks and runs. */
export interface Peers {
  vcenter(id: string, signal?: AbortSignal): Promise<VCenterSession>;
  client(id: string): Promise<SshHost>;
  meter(connection: PowerConnection): PowerMeter;
  /** Drops the open connection of an edited or removed entry. */
  forget(id: string): void;
  close(): Promise<void>;
}

export function createPeers(
  deps: Deps,
  find: (id: string) => Connection | null,
  secrets: Pick<SecretGate, 'get'>,
  measuredMs: (connection: Connection) => number | null,
): Peers {
  const sessions = new Map<string, Promise<VCenterSession>>();
  const hosts = new Map<string, { key: string; host: Promise<SshHost> }>();

  const required = <K extends Connection['kind']>(
    id: string,
    kind: K,
  ): Extract<Connection, { kind: K }> => {
    const found = find(id);
    if (found?.kind !== kind)
      throw fail(
        'notFound',
        `The ${kind} connection ${id} does not exist.`,
        'Choose another one in Connections.',
      );
    return found as Extract<Connection, { kind: K }>;
  };

  const login = async (
    connection: VCenterConnection,
    signal?: AbortSignal,
  ): Promise<VCenterSession> =>
    deps.vcenter.connect(connection, await secrets.get(connection), signal);

  const openHost = async (connection: ClientConnection): Promise<SshHost> =>
    deps.ssh.host(await resolveTarget({ ...deps, gate: secrets }, find, connection));

  return {
    vcenter(id, signal) {
      const open = sessions.get(id);
      if (open) return open;
      const session = login(required(id, 'vcenter'), signal);
      sessions.set(id, session);
      // A failed login must not stay in the cache: the next call tries again.
      session.catch(() => {
        if (sessions.get(id) === session) sessions.delete(id);
      });
      return session;
    },
    client(id) {
      const connection = required(id, 'client');
      const key = canonicalJson(connection);
      const open = hosts.get(id);
      if (open?.key === key) return open.host;
      const host = openHost(connection);
      hosts.set(id, { key, host });
      host.catch(() => {
        if (hosts.get(id)?.host === host) hosts.delete(id);
      });
      return host;
    },
    meter: (connection) =>
      deps.power.open(connection, {
        secret: () => secrets.get(connection),
        measuredMs: measuredMs(connection),
      }),
    forget(id) {
      sessions
        .get(id)
        ?.then((s) => s.logout())
        .catch((error: unknown) => deps.log.warn('Logout failed', { id, error: String(error) }));
      sessions.delete(id);
      hosts
        .get(id)
        ?.host.then((h) => h.close())
        .catch((error: unknown) => deps.log.warn('Close failed', { id, error: String(error) }));
      hosts.delete(id);
    },
    async close() {
      const ends = [
        ...[...sessions.values()].map(async (s) => (await s).logout()),
        ...[...hosts.values()].map(async ({ host }) => (await host).close()),
      ];
      for (const end of await Promise.allSettled(ends))
        if (end.status === 'rejected')
          deps.log.warn('A connection did not close cleanly', { error: String(end.reason) });
      sessions.clear();
      hosts.clear();
    },
  };
}
