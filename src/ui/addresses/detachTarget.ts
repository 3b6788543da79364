import { matchPath } from 'react-router';

import { detachedPath, detachedReplayPath } from '../../wire/detached.ts';

/**
 * What the command "Detach" opens: the replay or run on show, else the active run; null = there is
 * none.
 */
export function detachTarget(pathname: string, activeRunId: string | null): string | null {
  const replay = matchPath('/runs/:id/replay', pathname)?.params['id'];
  if (replay !== undefined) return detachedReplayPath(replay);
  const run = matchPath('/runs/:id', pathname)?.params['id'] ?? activeRunId;
  return run === null ? null : detachedPath(run);
}
