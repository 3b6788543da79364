import { Menu } from '@mantine/core';
import { IconPlayerTrackNext, IconPresentation } from '@tabler/icons-react';
import { Link } from 'react-router';

import type { Profile } from '../../../core/profile/profile.ts';
import type { RunOverview } from '../../../core/run/run.ts';
import { isEnd } from '../../../core/run/states.ts';
import { presentRunPath } from '../../addresses/presentTarget.ts';
import { replayPath } from '../../addresses/replayPath.ts';
import { MoreMenu } from '../../kit/MoreMenu.tsx';
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
    <MoreMenu sizePx={30}>
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
    </MoreMenu>
  );
}
