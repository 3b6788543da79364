import { Stack, Text } from '@mantine/core';

import { counted } from '../../../core/base/counted.ts';
import { visibleText } from '../../../core/base/visibleText.ts';
import type { ImportPeer } from '../../../core/planImport/schema.ts';
import { Table } from '../../kit/Table.tsx';
import { dim } from '../../kit/tones.ts';

const kinds: Readonly<Record<ImportPeer['kind'], string>> = {
  vcenter: 'vCenter',
  client: 'client machine',
  power: 'power source',
};
const secretWords: Readonly<Record<ImportPeer['secret'], string>> = {
  none: '',
  allowed: 'Sent there already',
  allow: 'Will be sent there',
  enter: 'To be entered',
};

/** Every peer of the file: where it is, what proves that it is the one, and what is sent to it. */
export function ImportPeers({ peers }: { peers: readonly ImportPeer[] }) {
  return (
    <Stack gap={6} component="section" aria-label="Reaches">
      <Text fw={600} size="sm">{`Reaches (${counted(peers.length, 'connection')})`}</Text>
      <Table.ScrollContainer
        minWidth={760}
        maxHeight={260}
        scrollAreaProps={{ viewportProps: { tabIndex: 0, 'aria-label': 'Reaches, scrollable' } }}
      >
        <Table aria-label="Reaches" stickyHeader fz="sm" verticalSpacing={4} layout="fixed">
          <Table.Thead>
            <Table.Tr>
              <Table.Th w="20%">Name</Table.Th>
              <Table.Th w="26%">Address</Table.Th>
              <Table.Th w="22%">Fingerprint</Table.Th>
              <Table.Th>Login</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {peers.map((peer) => (
              <Table.Tr key={peer.id}>
                <Table.Td>
                  <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                    {visibleText(peer.name)}
                  </Text>
                  <Text size="xs" c={dim}>
                    {kinds[peer.kind]}
                  </Text>
                </Table.Td>
                <Table.Td>
                  <Text size="xs" className="mono" style={{ overflowWrap: 'anywhere' }}>
                    {visibleText(`${peer.user === null ? '' : `${peer.user}@`}${peer.address}`)}
                  </Text>
                  {peer.via !== null && (
                    <Text size="xs" c={dim}>
                      {visibleText(`through ${peer.via}`)}
                    </Text>
                  )}
                </Table.Td>
                <Table.Td>
                  <Text
                    size="xs"
                    className="mono"
                    c={peer.pin === null ? dim : 'inherit'}
                    style={{ overflowWrap: 'anywhere' }}
                  >
                    {peer.pin ?? 'none'}
                  </Text>
                </Table.Td>
                <Table.Td>
                  <Text size="xs" style={{ overflowWrap: 'anywhere' }}>
                    {visibleText(peer.login)}
                  </Text>
                  {peer.secret !== 'none' && (
                    <Text
                      size="xs"
                      fw={peer.secret === 'allow' ? 600 : 400}
                      c={peer.secret === 'allow' ? 'inherit' : dim}
                    >
                      {secretWords[peer.secret]}
                    </Text>
                  )}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Stack>
  );
}
