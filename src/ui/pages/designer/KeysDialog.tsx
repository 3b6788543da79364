import { Kbd, Modal } from '@mantine/core';

import { Table } from '../../kit/Table.tsx';

/** Keys of the board; the guide has the same list. */
const keys: readonly (readonly [string, string])[] = [
  ['Arrows, Page Up, Page Down', 'Walk over tiles and their VMs'],
  ['Home, End', 'To the tile’s head, to its last VM; with Ctrl to the first and last tile'],
  ['Space', 'Choose, or choose no more'],
  ['Shift+Space', 'Choose the whole tile'],
  ['Ctrl+Space', 'Choose all VMs of the same host or LUN'],
  ['Shift+arrows', 'Choose from here to there'],
  ['Ctrl+A, Escape', 'Choose all tiles shown, choose nothing'],
  ['Enter or M', 'Move to a host or LUN: arrows, Enter, Escape'],
  ['V', 'Assign a VM'],
  ['L', 'Load from a client machine'],
  ['Ctrl+C, Ctrl+X, Ctrl+V', 'Copy, cut, paste tiles'],
  ['D', 'Duplicate tiles'],
  ['Insert, Delete', 'Add a tile, remove tiles'],
  ['Alt+Up, Alt+Down', 'Move tiles up and down'],
  ['Ctrl+Z, Ctrl+Shift+Z', 'Undo, redo'],
  ['+, −', 'Zoom in and out'],
  ['G', 'Generate a layout'],
  ['/', 'Search'],
];

export function KeysDialog({ onClose }: { onClose: () => void }) {
  return (
    <Modal
      opened
      onClose={onClose}
      title="Keys of the board"
      size="lg"
      closeButtonProps={{ 'aria-label': 'Close' }}
      transitionProps={{ duration: 0 }}
    >
      <Table aria-label="Keys of the board" fz="sm">
        <Table.Tbody>
          {keys.map(([key, does]) => (
            <Table.Tr key={key}>
              <Table.Td w={220}>
                <Kbd size="xs">{key}</Kbd>
              </Table.Td>
              <Table.Td>{does}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Modal>
  );
}
