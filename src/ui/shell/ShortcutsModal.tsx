import { Kbd, Text } from '@mantine/core';

import { commandSpecs } from '../../wire/desktop.ts';
import { shortcutKeys } from '../kit/shortcutKeys.ts';
import { Table } from '../kit/Table.tsx';
import { dim } from '../kit/tones.ts';

/** Every command with its keys, from the one list of commands. */
export function ShortcutsModal() {
  return (
    <Table fz="sm" aria-label="Keyboard shortcuts">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Command</Table.Th>
          <Table.Th>Keys</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {commandSpecs
          .filter((command) => command.shortcut)
          .map((command) => (
            <Table.Tr key={command.id}>
              <Table.Td>
                {command.title}
                {command.on && <Text span inherit c={dim}>{` (on ${command.on})`}</Text>}
              </Table.Td>
              <Table.Td>
                {shortcutKeys(command.shortcut!).map((key) => (
                  <Kbd key={key} mr={4}>
                    {key}
                  </Kbd>
                ))}
              </Table.Td>
            </Table.Tr>
          ))}
      </Table.Tbody>
    </Table>
  );
}
