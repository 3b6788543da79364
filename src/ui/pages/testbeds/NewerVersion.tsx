import { Alert, Button, Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';

import type { Testbed } from '../../../core/testbed/testbed.ts';

/**
 * Somebody, or provisioning, saved the testbed while it was edited here: neither is thrown away
 * unasked.
 */
export function NewerVersion({
  stored,
  began,
  onTake,
  onKeep,
}: {
  stored: Testbed;
  began: number;
  onTake: () => void;
  onKeep: () => void;
}) {
  return (
    <Alert
      color="yellow"
      icon={<IconAlertTriangle aria-hidden />}
      role="alert"
      title={`Version ${stored.version} was saved meanwhile`}
    >
      <Text size="sm">{`These changes began at version ${began} and are not saved. Both are there still.`}</Text>
      <Group gap={8} mt={8}>
        <Button
          size="xs"
          variant="default"
          onClick={onTake}
        >{`Take version ${stored.version}, drop these changes`}</Button>
        <Button
          size="xs"
          variant="default"
          onClick={onKeep}
        >{`Keep these changes, to follow version ${stored.version}`}</Button>
      </Group>
    </Alert>
  );
}
