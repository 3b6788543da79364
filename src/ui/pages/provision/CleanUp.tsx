import { Alert, Button, Group, Text } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';

import { counted } from '../../../core/base/counted.ts';
import type { NamedRef } from '../../../core/testbed/testbed.ts';

/**
 * Asks once, and says exactly what will be gone. The answer that keeps everything has the focus.
 */
export function CleanUpQuestion({
  made,
  onRemove,
  onKeep,
}: {
  made: readonly NamedRef[];
  onRemove: () => void;
  onKeep: () => void;
}) {
  const keep = useRef<HTMLButtonElement>(null);
  useEffect(() => keep.current?.focus(), []);
  const names = made.map(({ name }) => name);
  return (
    <Alert
      p="sm"
      color="orange"
      styles={{ title: { color: 'var(--mantine-color-text)' } }}
      icon={<IconTrash aria-hidden />}
      title={
        names.length === 0
          ? 'Clean up what this job may have left'
          : `Remove ${counted(names.length, 'VM with its disks', 'VMs with their disks')}`
      }
      role="alertdialog"
    >
      <Text size="sm">
        {names.length === 0
          ? 'This app is not known to have made a VM. Clones that vCenter finished after the ' +
            'cancel are looked for by their mark, and removed.'
          : `${names.slice(0, 12).join(', ')}${names.length > 12 ? ` and ${names.length - 12} more` : ''}: ` +
            'powered off and deleted from disk.'}
      </Text>
      <Text size="sm" mb={8}>
        Each is deleted only if it still carries the mark this app gave it. VMs of others stay,
        whatever they are called. This cannot be undone.
      </Text>
      <Group gap={8}>
        <Button ref={keep} size="xs" variant="default" onClick={onKeep}>
          Keep everything
        </Button>
        <Button size="xs" color="red.9" onClick={onRemove}>
          {names.length === 0 ? 'Look and remove' : `Remove ${counted(names.length, 'VM')}`}
        </Button>
      </Group>
    </Alert>
  );
}
