import { Alert, Text } from '@mantine/core';

import type { Identity } from '../../../wire/contract/connections.ts';
import { formatDateTime } from '../../kit/formatDateTime.ts';
import { Table } from '../../kit/Table.tsx';

/** What the other end presented, for the user to compare before it is trusted. */
export function IdentityCard({
  identity,
  trusted,
}: {
  identity: Identity;
  /** Fingerprint that was trusted until now; '' = none. */ trusted: string;
}) {
  const what = identity.kind === 'certificate' ? 'Certificate' : 'Host key';
  const before = identity.expected ?? trusted;
  const changed = identity.trust === 'changed';
  const rows: [string, string][] = [
    ['Subject', identity.subject],
    ...(identity.issuer ? [['Issuer', identity.issuer] as [string, string]] : []),
    ...(identity.validToMs !== null
      ? [['Valid to', formatDateTime(identity.validToMs)] as [string, string]]
      : []),
    ['SHA-256', identity.fingerprint],
    ...(changed && before !== '' ? [['Trusted until now', before] as [string, string]] : []),
  ];
  return (
    <Alert
      color={changed ? 'red' : 'blue'}
      title={changed ? `${what} is not the one that is trusted` : `${what} to compare and trust`}
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
      <Text size="sm" mt={8}>
        {changed
          ? 'Somebody may be in between, or it was installed anew. Nothing was sent yet.'
          : 'Compare it with the one of the machine itself. Nothing was sent yet.'}
      </Text>
    </Alert>
  );
}
