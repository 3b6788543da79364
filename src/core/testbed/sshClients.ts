import { splitPort } from './clientPattern.ts';
import type { ClientConnection, Connection } from './connection.ts';
import type { SshHost } from './sshConfig.ts';

/** One host of an ssh_config as a client machine, or why it cannot be one. */
export type SshClient =
  /** `stored`: the connection is there already, under its own name. */
  | { alias: string; connection: ClientConnection; stored: boolean }
  | { alias: string; problem: string };

interface Options {
  stored: readonly Connection[];
  /** Who logs in where the file names nobody. */ user: string;
  /** Id of the connection that a host of the file becomes; the same at each call. */
  idOf: (alias: string) => string;
}

/**
 * Hosts of an ssh_config as client machines. A key is referred to by its path; a host that names
 * none logs in by the agent. A jump host is one of the file, or one that is stored already.
 */
export function sshClients(hosts: readonly SshHost[], options: Options): SshClient[] {
  const { stored, user, idOf } = options;
  const known = (host: string, port: number, name: string): ClientConnection | undefined =>
    stored.find(
      (one) => one.kind === 'client' && one.host === host && one.port === port && one.user === name,
    ) as ClientConnection | undefined;
  const knownHost = (one: SshHost): ClientConnection | undefined =>
    known(one.host, one.port, one.user ?? user);
  /** Id of the connection that a jump is. */
  const jumpIdOf = (jump: string): string | null => {
    const named = hosts.find(({ alias }) => alias === jump);
    if (named) return knownHost(named)?.id ?? idOf(named.alias);
    const [name, address] = jump.includes('@') ? cutAtLast(jump, '@') : [user, jump];
    const { host, port } = splitPort(address);
    return known(host, port ?? 22, name)?.id ?? null;
  };
  return hosts.map((one): SshClient => {
    const { alias, host, port, identityFile, jumps } = one;
    const there = knownHost(one);
    if (there) return { alias, connection: there, stored: true };
    if (jumps.length > 1)
      return { alias, problem: `It is behind ${jumps.length} jump hosts; add it by hand.` };
    const [jump] = jumps;
    const jumpId = jump === undefined ? undefined : jumpIdOf(jump);
    if (jumpId === null)
      return { alias, problem: `Its jump host ${jump} is not in the file; add that first.` };
    return {
      alias,
      stored: false,
      connection: {
        kind: 'client',
        id: idOf(alias),
        name: alias,
        host,
        port,
        user: one.user ?? user,
        auth: identityFile === null ? { method: 'agent' } : { method: 'key', path: identityFile },
        ...(jumpId === undefined ? {} : { jumpId }),
      },
    };
  });
}

function cutAtLast(text: string, mark: string): [string, string] {
  const at = text.lastIndexOf(mark);
  return [text.slice(0, at), text.slice(at + 1)];
}
