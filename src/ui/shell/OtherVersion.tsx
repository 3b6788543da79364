import { Badge, Button, Group } from '@mantine/core';

/**
 * The engine speaks another contract than this page, and refuses what it asks: after an update, the
 * page is the older one.
 */
export function OtherVersion() {
  return (
    <Group gap={6} wrap="nowrap" role="status">
      <Badge color="red" variant="filled" tt="none">
        This page is of another version than the engine
      </Badge>
      <Button size="xs" onClick={() => window.location.reload()}>
        Reload
      </Button>
    </Group>
  );
}
