import { Alert, Button, Group } from '@mantine/core';

import type { Identity } from '../../../wire/contract/connections.ts';
import { formatDateTime } from '../../kit/formatDateTime.ts';
import { Table } from '../../kit/Table.tsx';

/** What the other end presented, for the user to compare and pin. */
export function IdentityCard({
  identity,
  pinned,
  onPin,
}: {
  identity: Identity;
  pinned: string;
  onPin: (fingerprint: string) => void;
}) {
  const what = identity.kind === 'certificate' ? 'Certificate' : 'Host key';
  const changed = pinned !== '' && pinned !== identity.fingerprint;
  const rows: [string, string][] = [
    ['Subject', identity.subject],
    ...(identity.issuer ? [['Issuer', identity.issuer] as [string, string]] : []),
    ...(identity.validToMs !== null
      ? [['Valid to', formatDateTime(identity.validToMs)] as [string, string]]
      : []),
    ['SHA-256', identity.fingerprint],
    ...(changed ? [['Pinned until now', pinned] as [string, string]] : []),
  ];
  return (
    <Alert
      color={changed ? 'red' : pinned ? 'green' : 'blue'}
      title={
        changed
          ? `${what} is not the pinned one`
          : pinned
            ? `${what} is pinned`
            : identity.trust === 'trusted'
              ? `${what} is trusted already`
              : `${what} to compare and pin`
      }
      role="status"
    >
      <Table fz="xs" aria-label={what}>
        <Table.Tbody>
          {rows.map(([label, value]) => (
            <Table.Tr key={label}>
              <Table.Th scope="row" w={120}>
                {label}
              </Table.Th>
              <Table.Td className="mono" style={{ overflowWrap: 'anywhere', userSelect: 'text' }}>
                {value}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {pinned !== identity.fingerprint && (
        <Group mt={8}>
          <Button
            size="xs"
            color={changed ? 'red.8' : 'accent'}
            onClick={() => onPin(identity.fingerprint)}
          >
            {changed ? 'Pin the new one instead' : 'Pin this fingerprint'}
          </Button>
        </Group>
      )}
    </Alert>
  );
}
