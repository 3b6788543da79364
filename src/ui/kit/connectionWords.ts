import type { Connection } from '../../core/testbed/connection.ts';
import { certificateOf, powerKindOf } from '../../core/testbed/powerSources.ts';

export const kindWords: Readonly<Record<Connection['kind'], string>> = {
  vcenter: 'vCenter',
  client: 'Client machine',
  power: 'Power source',
};

export function addressOf(connection: Connection): string {
  if (connection.kind === 'vcenter') return `${connection.host}:${connection.port}`;
  if (connection.kind === 'client')
    return `${connection.user}@${connection.host}:${connection.port}`;
  return powerKindOf(connection.source).address(connection.source);
}

/** How the other end is known to be the right one. */
export function trustOf(connection: Connection): string {
  if (connection.kind === 'vcenter')
    return connection.fingerprint256 ? 'Certificate trusted' : 'Verified by CA';
  if (connection.kind === 'client')
    return connection.hostKeySha256 ? 'Host key trusted' : 'known_hosts';
  const certificate = certificateOf(connection.source);
  if (certificate === null) return 'None in this protocol';
  return certificate.pinned ? 'Certificate trusted' : 'Verified by CA';
}

export function newId(prefix: string): string {
  return `${prefix}-${crypto.randomUUID().slice(0, 8)}`;
}
