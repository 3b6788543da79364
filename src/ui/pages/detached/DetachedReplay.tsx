import { useParams } from 'react-router';

import { useRunRecord } from '../../engine/runData.ts';
import { ReplayPage } from '../replay/ReplayPage.tsx';
import { DetachedFrame } from './DetachedFrame.tsx';

/** A replay in a window of its own, with a player of its own. */
export function DetachedReplay() {
  const { id = '' } = useParams();
  const record = useRunRecord(id);
  return (
    <DetachedFrame
      title={record.data === undefined ? 'Replay' : `${record.data.overview.name}: Replay`}
      replay
    >
      <ReplayPage />
    </DetachedFrame>
  );
}
