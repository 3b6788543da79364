import { Badge } from '@mantine/core';
import { IconPlayerTrackNext } from '@tabler/icons-react';
import { useMatch } from 'react-router';

/** REPLAY, in the frame of every page that plays a stored run again; nothing elsewhere. */
export function ReplayMark() {
  return useMatch('/runs/:id/replay') === null ? null : (
    <Badge
      color="grape"
      radius="sm"
      leftSection={<IconPlayerTrackNext size={12} aria-hidden />}
      style={{ flexShrink: 0 }}
      title="A stored run played again. Nothing is measured now."
    >
      REPLAY
    </Badge>
  );
}
