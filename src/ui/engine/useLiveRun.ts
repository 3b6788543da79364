import { useMemo, useSyncExternalStore } from 'react';

import type { Reader } from '../../wire/contract.ts';
import type { LiveState } from './connectLive.ts';
import type { LiveFeed } from './liveSeries.ts';
import { type RunSession, runSessionsOf, type WantedSeries } from './runSessions.ts';
import { useClient } from './services.ts';

export interface LiveRun extends Pick<LiveState, 'state' | 'error'> {
  /** Where its samples arrive. */
  series: LiveFeed;
  retry: () => void;
}

const notFollowed: LiveState = { state: 'ready', overview: null, error: null };
const opening: LiveState = { state: 'loading', overview: null, error: null };

/** Follows a run as long as somebody listens. */
function followRun(client: Reader, runId: string, wanted: WantedSeries | undefined) {
  let session: RunSession | null = null;
  return {
    subscribe: (listener: () => void) => {
      const opened = runSessionsOf(client).open(runId, wanted);
      session = opened;
      const stop = opened.connection.subscribe(listener);
      return () => {
        stop();
        opened.leave();
        session = null;
      };
    },
    get: (): LiveState => session?.connection.get() ?? opening,
    retry: () => session?.connection.retry(),
  };
}
const nothingFollowed = {
  subscribe: () => () => undefined,
  get: (): LiveState => notFollowed,
  retry: () => undefined,
};

/**
 * Follows a run while the component is there; its samples arrive in `series`. null = none. Keep the
 * identity of `wanted`.
 */
export function useLiveRun(runId: string | null, wanted?: WantedSeries): LiveRun {
  const client = useClient();
  const run = useMemo(
    () => (runId === null ? nothingFollowed : followRun(client, runId, wanted)),
    [client, runId, wanted],
  );
  const { state, error } = useSyncExternalStore(run.subscribe, run.get);
  return { state, error, retry: run.retry, series: runSessionsOf(client).live };
}
