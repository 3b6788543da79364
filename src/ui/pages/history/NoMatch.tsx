import { Button, Group, Stack } from '@mantine/core';

import { Nothing } from '../../kit/LoadState.tsx';

/** Why the table is empty, and the next step. */
export function NoMatch({
  inDeleted,
  total,
  inArchive,
  onClear,
  onArchive,
}: {
  inDeleted: boolean;
  total: number;
  inArchive: number;
  onClear: () => void;
  onArchive: () => void;
}) {
  if (total === 0)
    return (
      <Nothing
        text={
          inDeleted
            ? 'Nothing lies in Deleted. What is deleted stays here until it is removed for good.'
            : 'Nothing here.'
        }
        action={
          <Button size="xs" variant="default" onClick={onClear}>
            Clear filters
          </Button>
        }
      />
    );
  return (
    <Stack gap={0}>
      <Nothing
        text="Nothing matches the filters."
        action={
          <Group gap={8}>
            <Button size="xs" variant="default" onClick={onClear}>
              Show everything here
            </Button>
            {inArchive > 0 && (
              <Button
                size="xs"
                variant="default"
                onClick={onArchive}
              >{`${inArchive} in the archive`}</Button>
            )}
          </Group>
        }
      />
    </Stack>
  );
}
