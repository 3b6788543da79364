import { ActionIcon, Menu, ScrollArea } from '@mantine/core';
import { IconDots, IconPlayerTrackNext, IconPresentation } from '@tabler/icons-react';
import { Link } from 'react-router';

import type { Profile } from '../../../core/profile/profile.ts';
import type { RunOverview } from '../../../core/run/run.ts';
import { isEnd } from '../../../core/run/states.ts';
import { presentRunPath } from '../../addresses/presentTarget.ts';
import { replayPath } from '../../addresses/replayPath.ts';
import { DetachItems } from '../live/DetachItems.tsx';

/** What is not done each time: shown to a room, played again, in a second window. */
export function MoreActions({
  overview,
  profile,
}: {
  overview: RunOverview;
  profile: Profile | null;
}) {
  const { id, startedAtMs, state } = overview;
  return (
    <Menu position="bottom-end" withinPortal transitionProps={{ duration: 0 }}>
      <Menu.Target>
        <ActionIcon variant="default" size={30} aria-label="More actions" title="More actions">
          <IconDots size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <ScrollArea.Autosize mah={420} type="auto">
          <Menu.Item
            component={Link}
            to={presentRunPath(id)}
            leftSection={<IconPresentation size={14} aria-hidden />}
          >
            Present
          </Menu.Item>
          {startedAtMs !== null && isEnd(state) && (
            <Menu.Item
              component={Link}
              to={replayPath(id)}
              leftSection={<IconPlayerTrackNext size={14} aria-hidden />}
            >
              Replay
            </Menu.Item>
          )}
          {startedAtMs !== null && <DetachItems overview={overview} profile={profile} />}
        </ScrollArea.Autosize>
      </Menu.Dropdown>
    </Menu>
  );
}
