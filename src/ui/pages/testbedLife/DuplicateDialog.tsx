import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useNavigate } from 'react-router';

import type { Testbed } from '../../../core/testbed/testbed.ts';
import { useTestbedDuplicateMutation } from '../../engine/api.ts';

interface Props {
  testbed: Testbed;
  opened: boolean;
  onClose: () => void;
}

/** A copy of the saved testbed under a name of its own. */
export function DuplicateDialog({ testbed, opened, onClose }: Props) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={`Duplicate ${testbed.name}`}
      closeButtonProps={{ 'aria-label': 'Close' }}
      transitionProps={{ duration: 0 }}
    >
      {opened && <Form testbed={testbed} onClose={onClose} />}
    </Modal>
  );
}

function Form({ testbed, onClose }: Omit<Props, 'opened'>) {
  const navigate = useNavigate();
  const [name, setName] = useState(`${testbed.name.slice(0, 115)} copy`);
  const [duplicate, duplicating] = useTestbedDuplicateMutation();
  const submit = async (): Promise<void> => {
    const copy = await duplicate({ id: testbed.id, name });
    if (copy.error) return;
    notifications.show({ color: 'green', message: `${copy.data.name} made.` });
    onClose();
    void navigate(`/testbeds/${copy.data.id}`);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <Stack gap="sm">
        <TextInput
          label="Name"
          required
          maxLength={120}
          data-autofocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Text size="sm">
          It has the same tiles and refers to the same VMs. What this app made stays with the first
          testbed: only there it can be cleaned up.
        </Text>
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={duplicating.isLoading} disabled={name.trim() === ''}>
            Duplicate
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
